/** Divides a market into territories with equal demand for a vertical, or equal amounts of a data set, unsaved. */
import type { Caller } from '../../people/account/caller.ts';
import type { Database } from '../../base/db/database.ts';
import { badRequest } from '../../errors.ts';
import { figuresOfPlan } from './measures.ts';
import { solvePlan } from './solve.ts';
import { readDataField } from '../own-data/data-fields.ts';
import type { DataSet } from '../own-data/data-sets.ts';
import { requireAllBrands } from '../../people/account/access.ts';
import { holdersOf } from '../brands/holders.ts';
import { makeExclusion, type Constraints, type MarketRequest } from './choose.ts';
import { resolveCallMarket, type CallMarket } from './market.ts';

/** Time limit. MCP clients wait for at most a minute, and a metro takes a few seconds. */
const TIME_MS = 30_000;

export interface DividedMarket {
  market: CallMarket;
  territories: DividedTerritory[];
  /** The data set that the territories share evenly */
  balanced: DataSet | null;
  /** Constraints that the solver couldn't keep, in sentences */
  violations: string[];
}

interface DividedTerritory {
  /** Name of its largest city */
  name: string;
  /** Sorted */
  zips: string[];
  households: number;
  /** Households weighted by score */
  opportunity: number;
  /** Amount of the data set that the territories share evenly; null without one */
  amount: number | null;
  /** Deviation of the amount, or of the opportunity, from the mean, in percent */
  deviationPct: number;
}

interface DivisionRequest extends MarketRequest, Constraints {
  /** Number of territories */
  k: number;
  /** Data set (slug, name, or id) to share evenly. Default: the opportunity */
  balance?: string | undefined;
}

/**
 * Divides a market.
 * @throws ServiceError 400 for constraints without effect, or as `balancedData`; as `resolveCallMarket` and `solvePlan`
 */
export async function divideMarket(
  db: Database,
  caller: Caller,
  { k, balance, ...request }: DivisionRequest,
  signal: AbortSignal,
): Promise<DividedMarket> {
  if (request.minScore !== undefined || request.contiguous === false) {
    const field = request.minScore !== undefined ? 'minScore' : 'contiguous';
    throw badRequest(
      `${field}: has no effect with k, which divides the whole market. Leave it out.`,
    );
  }
  const market = await resolveCallMarket(db, request);
  const holders = await holdersOf(caller.tenant, caller.brandScope, market.zips);
  const data = balance === undefined ? null : await balancedData(caller, balance);
  // The quotes tell a data set named Households from the built-in measure.
  const measures = data ? [{ ...data.set, name: `"${data.set.name}"` }] : [];
  const settings = { balance: measures[0]?.name ?? 'opportunity', vertical: request.vertical };
  const { territories, result } = await solvePlan(
    db,
    caller,
    { zips: market.zips, settings, territories: [], measures },
    { kind: 'divide', territories: { count: k }, keep: [] },
    { excludeZips: market.zips.filter(makeExclusion(request, holders)), timeMs: TIME_MS, signal },
  );
  const figures = await figuresOfPlan(caller, { territories, settings }, measures);
  return {
    market,
    balanced: data?.set ?? null,
    territories: territories.map(({ name, zips }, i) => {
      const { totals, deviationPct } = figures[i]!;
      const { households, opportunity } = totals;
      const amount = data && totals.measures[settings.balance]!;
      return {
        name,
        zips: [...zips],
        households,
        opportunity: opportunity ?? 0,
        amount,
        deviationPct,
      };
    }),
    violations: result.violations.map(({ message }) => message),
  };
}

/** @throws ServiceError 400 for an unknown data set, or for means; 403 as `requireAllBrands` */
async function balancedData(caller: Caller, ref: string) {
  // Without the amounts of other brands, territories would be even only by the visible ones.
  requireAllBrands(caller);
  const data = await readDataField(caller, `data:${ref}`);
  if (data.set.addsUp === 'sum') return data;
  throw badRequest(
    `balance: "${data.set.name}" contains means, which territories can’t share. Choose a data set of sums.`,
  );
}
