import { z } from 'zod';
import type { Caller } from '../../people/account/caller.ts';
import type { Database, Queryable } from '../../base/db/database.ts';
import { badRequest } from '../../errors.ts';
import { SCALE_ENDS } from '../../data/ingest/acs-tables.ts';
import { rankZips } from '../../data/market/ranked-zips.ts';
import { recordSeenZips } from '../../people/metering/figures.ts';
import { NextCursor, pageFields, type PageRequest } from '../../base/contract/paging.ts';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import { holdersOf } from '../../territories/brands/holders.ts';
import {
  chooseTerritory,
  makeExclusion,
  type ChosenZip,
  type Constraints,
  type MarketRequest,
} from '../../territories/plans/choose.ts';
import { divideMarket, type DividedMarket } from '../../territories/plans/divide.ts';
import { formatAmount } from '../../territories/own-data/amount-text.ts';
import {
  dataSet,
  figure,
  formatZip,
  holderFields,
  metro,
  rankedZip,
  vertical,
  zips,
} from './support/fields.ts';
import { resolveCallMarket, type CallMarket } from '../../territories/plans/market.ts';
import { summaryOf } from './support/territory-plan.ts';
import {
  constraintFields,
  DEFAULT_PLAN_ZIPS,
  MAX_PLAN_ZIPS,
} from './support/territory-plan-schema.ts';
import { tool } from './tool.ts';
import {
  formatCount,
  formatDollars,
  joinFirst,
  nextPageLine,
  pluralize,
} from '../../base/text/words.ts';

/** Largest number of territories in an answer. Plans can have more. */
const MAX_DIVISIONS = 50;

export const scoreTerritory = tool({
  name: 'service_score_territory',
  title: 'Score a territory',
  summary: 'Rank the ZIP codes of a metro, or a list of ZIP codes, by demand for a vertical',
  description:
    'Give metro or zips, not both. size or contiguous chooses a territory, k divides the market into ' +
    'territories; otherwise all are ranked. ' +
    'Score 83: higher demand than 83% of the country. Each page costs units, so use limit and minScore.',
  units: 10,
  write: false,
  input: z.object({
    vertical,
    metro: metro.optional(),
    zips: zips.optional(),
    size: z
      .int()
      .min(1)
      .max(MAX_PLAN_ZIPS)
      .optional()
      .describe(`ZIP codes of the territory; default ${DEFAULT_PLAN_ZIPS} with contiguous`),
    k: z
      .int()
      .min(2)
      .max(MAX_DIVISIONS)
      .optional()
      .describe('Territories to divide the market into: connected, with equal demand'),
    balance: dataSet.optional().describe('Own data set for k to share instead of demand'),
    ...constraintFields,
    ...pageFields(),
  }),
  output: z.object({
    market: z.string(),
    zips: z.array(
      rankedZip.extend({
        ownerOccupiedPct: figure,
        medianHouseholdIncome: figure,
        medianHomeValue: figure,
        heldBy: z.array(z.string()).describe('Your brands'),
        heldByNames: z.array(z.string()),
      }),
    ),
    total: z.int().describe('ZIP codes on all pages'),
    pieces: z.int().optional().describe('Connected areas of the territory'),
    territories: z
      .array(
        z.object({
          name: z.string(),
          zips: z.array(z.string()),
          households: z.number(),
          opportunity: z.number().describe('Households weighted by score'),
          amount: figure.describe('Of balance'),
          deviationPct: z.number().describe('Of amount or opportunity from the mean'),
        }),
      )
      .optional()
      .describe('With k; zips is empty'),
    violations: z.array(z.string()).optional().describe('With k: what could not be met'),
    nextCursor: NextCursor,
    withoutScore: z.array(z.string()),
    vintage: z.string(),
  }),
  example: { vertical: 'roofing', metro: 'dallas-tx', limit: 10 },
  async handle(input, { db, caller, signal }) {
    if (input.k !== undefined) return resultOfDivision(await divide(db, caller, input, signal));
    if (input.balance !== undefined) {
      throw badRequest('balance: has no effect without k, the number of territories. Add k.');
    }
    const size = sizeOf(input);
    const found =
      size === null ? await rank(db, caller, input) : await choose(db, caller, { ...input, size });
    const { market, zips, heading, ...more } = found;
    const { name, withoutScore, vintage } = market;
    const text = [
      heading,
      ...zips.map(line),
      ...nextPageLine(found.nextCursor),
      ...missingLines(market),
      ...(zips.length > 0 ? ['Next: request ZIP codes with service_apply_territory.'] : []),
      `Source: ${vintage}.`,
    ].join('\n');
    const rows = zips.map(({ heldBy, ...zip }) => ({ ...zip, ...holderFields(heldBy) }));
    return { data: { market: name, zips: rows, ...more, withoutScore, vintage }, text };
  },
});

function divide(
  db: Database,
  caller: Caller,
  {
    size,
    limit,
    cursor,
    k,
    ...request
  }: SizeInput & MarketRequest & { k?: number | undefined; balance?: string | undefined },
  signal: AbortSignal,
): Promise<DividedMarket> {
  const [unused] = Object.entries({ size, limit, cursor }).find(([, given]) => given != null) ?? [];
  if (unused) throw badRequest(`${unused}: has no effect with k. Leave it out, or leave out k.`);
  return divideMarket(db, caller, { ...request, k: k! }, signal);
}

function resultOfDivision({ market, territories, balanced, violations }: DividedMarket) {
  const { name, withoutScore, vintage } = market;
  const total = territories.reduce((sum, { zips }) => sum + zips.length, 0);
  const text = [
    `${name}: ${pluralize(total, 'ZIP code')} in ${territories.length} connected territories with equal ${balanced?.name ?? 'demand'}:`,
    ...territories.map(
      (one, i) =>
        `${i + 1}. ${one.name}: ${pluralize(one.households, 'household')}, ` +
        (balanced
          ? `${balanced.name} ${formatAmount(balanced, one.amount)} `
          : `opportunity ${formatCount(one.opportunity)} `) +
        `(${formatSigned(one.deviationPct)}), ${pluralize(one.zips.length, 'ZIP code')}: ${one.zips.join(' ')}`,
    ),
    ...violations,
    ...missingLines(market),
    'Next: request ZIP codes with service_apply_territory, or save a plan with POST /agent/plans.',
    `Source: ${vintage}.`,
  ].join('\n');
  const data = {
    market: name,
    zips: [],
    total,
    territories,
    violations,
    nextCursor: null,
    withoutScore,
    vintage,
  };
  return { data, text };
}

const formatSigned = (pct: number) => `${pct > 0 ? '+' : ''}${pct.toFixed(1)}%`;

type RankedZip = Omit<ChosenZip, 'adjacentZips'>;

interface Found {
  market: CallMarket;
  zips: RankedZip[];
  total: number;
  nextCursor: string | null;
  pieces?: number;
  heading: string;
}

interface SizeInput extends Constraints, PageRequest {
  size?: number | undefined;
}

/** Returns the size of the territory to choose, or null to rank the market. */
function sizeOf({ size, contiguous, limit, cursor }: SizeInput): number | null {
  if (size === undefined && !contiguous) return null;
  const wanted = size ?? limit ?? DEFAULT_PLAN_ZIPS;
  if (cursor !== undefined || (limit ?? wanted) < wanted || wanted > MAX_PLAN_ZIPS) {
    throw badRequest(
      `A territory has at most ${MAX_PLAN_ZIPS} ZIP codes and a single page. Give size without limit and cursor.`,
    );
  }
  return wanted;
}

async function choose(
  db: Queryable,
  caller: Caller,
  request: MarketRequest & Constraints & { size: number },
): Promise<Found> {
  const territory = await chooseTerritory(db, caller, request);
  const { market, pieces } = territory;
  return {
    market,
    zips: territory.zips.map(({ adjacentZips: _, ...zip }) => zip),
    total: territory.zips.length,
    pieces,
    nextCursor: null,
    heading: summaryOf(territory, verticalBySlug(request.vertical), request.size),
  };
}

async function rank(
  db: Queryable,
  caller: Caller,
  input: MarketRequest & Constraints & PageRequest,
): Promise<Found> {
  const { tenant, brandScope } = caller;
  const { vertical, minScore } = input;
  const market = await resolveCallMarket(db, input);
  const holders = await holdersOf(tenant, brandScope, market.zips);
  const isExcluded = makeExclusion(input, holders);
  const allowed = market.zips.filter((zip) => !isExcluded(zip));
  const { rows, ...page } = await rankZips(db, { zips: allowed, vertical, minScore }, input);
  await recordSeenZips(
    caller,
    rows.map(({ zip }) => zip),
    { among: market.zips },
  );
  const counted = pluralize(page.total, 'ZIP code');
  return {
    market,
    zips: rows.map((row) => ({ ...row, heldBy: holders.get(row.zip) ?? [] })),
    ...page,
    heading: `${market.name}: ${counted} with ${describeMinimum(input)}, best first for ${vertical}:`,
  };
}

const describeMinimum = ({ minScore, excludeHeld }: Constraints) =>
  (minScore === undefined ? 'a score' : `a score of ${minScore} or more`) +
  (excludeHeld ? ' that no brand holds' : '');

function line({ heldBy, ...zip }: RankedZip): string {
  const figures = [
    zip.households === null ? null : pluralize(zip.households, 'household'),
    zip.ownerOccupiedPct === null ? null : `${formatCount(zip.ownerOccupiedPct)}% own`,
    zip.medianHouseholdIncome === null
      ? null
      : `income ${formatDollars(zip.medianHouseholdIncome, SCALE_ENDS.B19013)}`,
    zip.medianHomeValue === null
      ? null
      : `homes ${formatDollars(zip.medianHomeValue, SCALE_ENDS.B25077)}`,
    heldBy.length === 0 ? null : `held by ${heldBy.map(({ name }) => name).join(', ')}`,
  ].filter((figure) => figure !== null);
  const known = figures.length > 0 ? ` (${figures.join(', ')})` : '';
  return `${zip.rank}. ${formatZip(zip)}: ${zip.score}${known}`;
}

const missingLines = ({ withoutScoreReasons }: CallMarket): string[] =>
  withoutScoreReasons.map(({ reason, zips }) => `Without a score (${reason}): ${joinFirst(zips)}.`);
