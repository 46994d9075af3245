/** Divides a market into territories with equal demand for a vertical, without saving them. */
import type { Caller } from '../account/caller.ts';
import type { Database } from '../db/database.ts';
import { badRequest } from '../errors.ts';
import { figuresOfPlan } from '../plans/measures.ts';
import { solvePlan } from '../plans/solve.ts';
import { holdersOf } from '../territory/holders.ts';
import { makeExclusion, type MarketRequest } from './choose-territory.ts';
import { resolveCallMarket, type CallMarket } from './market.ts';
import type { PlanConstraints } from './territory-plan-schema.ts';

/** Time limit. MCP clients wait for at most a minute, and a metro takes about 4 seconds. */
const TIME_MS = 30_000;

export interface DividedMarket {
  market: CallMarket;
  territories: DividedTerritory[];
  /** Constraints that the solver couldn't keep, in sentences */
  violations: string[];
}

export interface DividedTerritory {
  /** Name of its largest city */
  name: string;
  /** Sorted */
  zips: string[];
  households: number;
  /** Households weighted by score */
  opportunity: number;
  /** Deviation of the opportunity from the mean, in percent */
  deviationPct: number;
}

export interface DivisionRequest extends MarketRequest, PlanConstraints {
  /** Number of territories */
  k: number;
}

/** Divides a market. @throws ServiceError 400 for constraints without effect; as `resolveCallMarket` and `solvePlan` */
export async function divideMarket(
  db: Database,
  caller: Caller,
  { k, ...request }: DivisionRequest,
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
  const settings = { balance: 'opportunity', vertical: request.vertical } as const;
  const { territories, result } = await solvePlan(
    db,
    caller,
    { zips: market.zips, settings, territories: [] },
    { kind: 'divide', territories: { count: k }, keep: [] },
    {
      excludeZips: market.zips.filter(makeExclusion(request, holders)),
      timeMs: TIME_MS,
      signal,
    },
  );
  const figures = await figuresOfPlan(caller, { territories, settings });
  return {
    market,
    territories: territories.map(({ name, zips }, i) => {
      const { totals, deviationPct } = figures[i]!;
      const { households, opportunity } = totals;
      return { name, zips: [...zips], households, opportunity: opportunity ?? 0, deviationPct };
    }),
    violations: result.violations.map(({ message }) => message),
  };
}
