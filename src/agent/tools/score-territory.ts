import { z } from 'zod';
import { TOP_CODES } from '../../ingest/acs-tables.ts';
import { rankZips, type RankedZipRow } from '../../market/ranked-zips.ts';
import { recordSeenZips } from '../../metering/figures.ts';
import { NextCursor, pageFields } from '../../paging.ts';
import { figure, formatZip, metro, minScore, rankedZip, vertical, zips } from '../fields.ts';
import { resolveCallMarket, type CallMarket } from '../market.ts';
import { tool } from '../tool.ts';
import { formatCount, formatDollars, joinFirst, nextPageLine, pluralize } from '../../words.ts';

export const scoreTerritory = tool({
  name: 'service_score_territory',
  title: 'Score a territory',
  summary: 'Rank the ZIP codes of a metro, or a list of ZIP codes, by demand for a vertical',
  description:
    'Give metro or zips, not both. Score 83: higher demand than 83% of the country. Each page costs ' +
    'units, so use limit and minScore.',
  units: 10,
  write: false,
  input: z.object({
    vertical,
    metro: metro.optional(),
    zips: zips.optional(),
    minScore: minScore.optional(),
    ...pageFields(),
  }),
  output: z.object({
    market: z.string(),
    zips: z.array(
      rankedZip.extend({
        ownerOccupiedPct: figure,
        medianHouseholdIncome: figure,
        medianHomeValue: figure,
      }),
    ),
    total: z.int().describe('ZIP codes on all pages'),
    nextCursor: NextCursor,
    withoutScore: z.array(z.string()),
    vintage: z.string(),
  }),
  example: { vertical: 'roofing', metro: 'dallas-tx', limit: 10 },
  async handle(input, { db, caller }) {
    const market = await resolveCallMarket(db, input);
    const { rows, total, nextCursor } = await rankZips(
      db,
      { zips: market.zips, vertical: input.vertical, minScore: input.minScore },
      input,
    );
    await recordSeenZips(
      caller,
      rows.map(({ zip }) => zip),
      { among: market.zips },
    );
    const { name, withoutScore, vintage } = market;
    const data = { market: name, zips: rows, total, nextCursor, withoutScore, vintage };
    const heading = `${name}: ${pluralize(total, 'ZIP code')} with ${minimum(input)}, best first for ${input.vertical}:`;
    const text = [
      heading,
      ...rows.map(line),
      ...nextPageLine(nextCursor),
      ...missing(market),
      `Source: ${vintage}.`,
    ].join('\n');
    return { data, text };
  },
});

const minimum = ({ minScore }: { minScore?: number | undefined }) =>
  minScore === undefined ? 'a score' : `a score of ${minScore} or more`;

function line(zip: RankedZipRow): string {
  const figures = [
    zip.households === null ? null : pluralize(zip.households, 'household'),
    zip.ownerOccupiedPct === null ? null : `${formatCount(zip.ownerOccupiedPct)}% own`,
    zip.medianHouseholdIncome === null
      ? null
      : `income ${formatDollars(zip.medianHouseholdIncome, TOP_CODES.B19013)}`,
    zip.medianHomeValue === null
      ? null
      : `homes ${formatDollars(zip.medianHomeValue, TOP_CODES.B25077)}`,
  ].filter((figure) => figure !== null);
  const known = figures.length > 0 ? ` (${figures.join(', ')})` : '';
  return `${zip.rank}. ${formatZip(zip)}: ${zip.score}${known}`;
}

const missing = ({ withoutScoreReasons }: CallMarket): string[] =>
  withoutScoreReasons.map(({ reason, zips }) => `Without a score (${reason}): ${joinFirst(zips)}.`);
