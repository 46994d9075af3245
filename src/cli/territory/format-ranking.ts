import type { z } from 'zod';
import type * as contract from '../../contract/resources.ts';
import { scoreBar } from '../bars.ts';
import { formatCount, orDash } from '../../text/words.ts';
import type { Layout } from '../layout.ts';
import { formatTable } from '../table.ts';

/** Formats a ranking of ZIP codes, best first. */
export function formatRanking(
  zips: readonly z.output<typeof contract.RankedZip>[],
  layout: Layout,
  sampled = false,
): string {
  if (zips.length === 0) return '  No ZIP code has a score.';
  const ranking = formatTable(
    layout,
    [
      { heading: 'Rank', cell: (zip) => formatCount(zip.rank), right: true },
      { heading: 'ZIP', cell: (zip) => zip.zipCode },
      { heading: 'City', cell: (zip) => orDash(zip.city) },
      { heading: 'State', cell: (zip) => orDash(zip.state) },
      { heading: 'Score', cell: (zip) => formatCount(zip.score), right: true },
      { heading: '', cell: (zip) => scoreBar(layout, zip.score) },
    ],
    zips,
  );
  return sampled
    ? `${ranking}\n${layout.paint('dim', `  Top ${zips.length} only; the market has more.`)}`
    : ranking;
}
