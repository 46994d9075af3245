/** A ranking of ZIPs, best first. */
import type { z } from 'zod';
import type { RankedZip } from '../../contract/resources.ts';
import { count, named, scoreBar } from '../figures.ts';
import type { Paper } from '../paper.ts';
import { table } from '../table.ts';

export function rankingText(
  zips: readonly z.output<typeof RankedZip>[],
  paper: Paper,
  sampled = false,
): string {
  if (zips.length === 0) return '  No ZIP has a score.';
  const ranking = table(
    paper,
    [
      { heading: 'Rank', cell: (zip) => count(zip.rank), right: true },
      { heading: 'ZIP', cell: (zip) => zip.zipCode },
      { heading: 'City', cell: (zip) => named(zip.city) },
      { heading: 'State', cell: (zip) => named(zip.state) },
      { heading: 'Score', cell: (zip) => count(zip.score), right: true },
      { heading: '', cell: (zip) => scoreBar(paper, zip.score) },
    ],
    zips,
  );
  return sampled
    ? `${ranking}\n${paper.paint('dim', `  The best ${zips.length}; there are more.`)}`
    : ranking;
}
