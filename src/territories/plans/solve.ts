/** Divides a plan's market, or changes its territories, with the solver in `design/`. */
import { fillGaps, growTo, rebalance, split } from '../design/edits.ts';
import {
  InvalidDesign,
  type DesignInput,
  type DesignProgress,
  type DesignResult,
  type Measure,
} from '../design/input.ts';
import { loadMap, loadMeasure, uploadedMeasure } from '../design/load.ts';
import { homesOf } from '../design/homes.ts';
import { runDesign } from '../design/run.ts';
import type { Queryable } from '../../base/db/database.ts';
import { badRequest, conflict } from '../../errors.ts';
import { recordSeenZips, type Viewer } from '../../people/metering/figures.ts';
import { holdersOf } from '../brands/holders.ts';
import type { FullDataSet } from '../own-data/data-sets.ts';
import { isBuiltIn } from '../brands/measures.ts';
import type { DriveTimes } from '../../data/routing/drive-times.ts';
import { loadReach, type Reach } from './reach.ts';
import { nameTerritories, type Slot } from './territory-names.ts';
import type { PlanTerritory, SavedPlan } from './plans.ts';
import { violationsOfStaying } from './staying-zips.ts';

/** A task for the solver. Numbers identify the plan's territories. */
export type SolveTask =
  | {
      /** Divides the market, except the territories to keep, into new territories */
      kind: 'divide';
      /** Number of territories, or limits of the balanced measure in each */
      territories: { count: number } | { minimum: number; maximum: number };
      keep: readonly number[];
      seeds?: readonly string[] | undefined;
    }
  | {
      /** Moves a few ZIP codes between the territories that aren't in `keep` */ kind: 'rebalance';
      keep: readonly number[];
    }
  | { /** Assigns unassigned ZIP codes to the territories around them */ kind: 'fill' }
  | { kind: 'split'; number: number; count: number }
  | {
      /** Adds unassigned ZIP codes until the territory has an amount of the measure */ kind: 'grow';
      number: number;
      target: number;
    };

export interface SolveOptions extends Pick<
  DesignInput,
  'tolerance' | 'together' | 'apart' | 'wholeCounties' | 'seed'
> {
  /** Longest distance or drive of a ZIP code from the seed of its territory */
  reach?: Reach | undefined;
  /** Computes the drives of `reach` */
  driveTimes?: DriveTimes | undefined;
  /** Leaves out ZIP codes that brands hold */
  excludeHeld?: boolean | undefined;
  excludeZips?: readonly string[] | undefined;
  /** Time limit, in milliseconds */
  timeMs: number;
  signal?: AbortSignal | undefined;
}

export interface Solved {
  territories: PlanTerritory[];
  result: DesignResult;
  /** ZIP codes that can't be divided because their position is unknown */
  withoutPosition: string[];
}

/** The territories that the solver changes: those of a saved plan, or unsaved ones */
export interface SolvedDraft extends Pick<SavedPlan, 'zips' | 'settings' | 'territories'> {
  /** The plan's data sets. `settings.balance` may name one of them. */
  measures?: readonly Pick<FullDataSet, 'name' | 'amounts'>[];
}

/** The check of homes needs a limit of any distance. */
const ANY_REACH = { miles: Infinity };

/** A solve that is ready to run, once. */
interface PreparedSolve {
  /**
   * Computes the drives of `reach`, then solves.
   * @throws ServiceError 400 for constraints that contradict each other; 503 if too many designs wait; as
   *   `loadReach`
   */
  run(watch?: SolveWatch): Promise<Solved>;
}

interface SolveWatch {
  onProgress: (progress: DesignProgress) => void;
  /** Milliseconds after which `onProposal` receives the best proposal so far, repeatedly. Default: never */
  proposeAfterMs?: number | undefined;
  /** @param read returns the proposal, with the names of its territories */
  onProposal: (read: () => Promise<Solved>) => void;
}

/**
 * Returns the territories that the solver proposes, without saving them.
 * @throws ServiceError as `prepareSolve` and its `run`
 */
export const solvePlan = async (...given: Parameters<typeof prepareSolve>): Promise<Solved> =>
  (await prepareSolve(...given)).run();

/**
 * Checks a task and loads its data.
 * @param db the process's database, which caches national borders
 * @throws ServiceError 400 for a task that contradicts itself or the draft; 402 as `recordSeenZips`
 */
export async function prepareSolve(
  db: Queryable,
  viewer: Viewer,
  plan: SolvedDraft,
  task: SolveTask,
  {
    excludeHeld,
    excludeZips = [],
    timeMs,
    signal,
    reach,
    driveTimes,
    ...constraints
  }: SolveOptions,
): Promise<PreparedSolve> {
  await recordSeenZips(viewer, plan.zips);
  const { withoutPosition, ...map } = await loadMap(db, plan.zips);
  const held = excludeHeld ? [...(await holdersOf(viewer.tenant, 'all', plan.zips)).keys()] : [];
  const measure = await measureOf(db, plan, map.zips);
  const given = Object.entries(constraints).filter(([, value]) => value !== undefined);
  const known = new Set(map.zips);
  const base: Omit<DesignInput, 'territories'> = {
    ...map,
    measures: [measure],
    ...Object.fromEntries(given),
    excluded: [...new Set([...held, ...excludeZips])].filter((zip) => known.has(zip)),
  };
  const { input, fixed, slots } = await asServiceErrors(() => {
    const ready = setUp(task, plan, base);
    // Checks homes now, because computing the drives takes seconds.
    if (reach) homesOf({ ...ready.input, reach: ANY_REACH }, []);
    return ready;
  });
  const excluded = new Set(input.excluded);
  // ZIP codes that the solver can't move, such as those without a position, stay in their territory.
  const isUnmovable = (zip: string) => !known.has(zip) || excluded.has(zip);
  return {
    async run(watch) {
      const numbers = slots.map(({ number }) => number);
      const { proposeAfterMs: afterMs, onProgress } = watch ?? {};
      const startedAt = Date.now();
      const limits = reach && {
        reach:
          'miles' in reach
            ? reach
            : await loadReach(db, reach, input.seeds ?? [], { driveTimes, timeMs, signal }),
      };
      const result = await asServiceErrors(() =>
        runDesign(
          { ...input, ...limits, numbers },
          {
            timeMs: timeMs - (Date.now() - startedAt),
            ...(signal && { signal }),
            ...(onProgress && { onProgress }),
            ...(afterMs !== undefined && {
              proposals: { afterMs, onProposal: (best) => watch!.onProposal(() => solvedOf(best)) },
            }),
          },
        ),
      );
      return solvedOf(result);
    },
  };

  async function solvedOf(result: DesignResult): Promise<Solved> {
    const solved = zipsBySlot(map.zips, result);
    const filled = slots.map(({ zips = [], ...slot }, i) => ({
      ...slot,
      zips: [...zips.filter(isUnmovable), ...(solved[i] ?? [])].sort(),
    }));
    const named = await nameTerritories(viewer.tenant.common, filled, fixed);
    const territories = [...fixed, ...named].sort((a, b) => a.number - b.number);
    const staying = violationsOfStaying(isUnmovable, constraints, territories);
    const violations = [...result.violations, ...staying];
    return { territories, result: { ...result, violations }, withoutPosition };
  }
}

/** Runs the work and turns InvalidDesign into a ServiceError 400. */
async function asServiceErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof InvalidDesign) throw badRequest(error.message, { cause: error });
    throw error;
  }
}

function measureOf(
  db: Queryable,
  { settings: { balance, vertical }, measures = [] }: SolvedDraft,
  zips: readonly string[],
): Measure | Promise<Measure> {
  if (isBuiltIn(balance)) return loadMeasure(db, zips, balance, vertical);
  const uploaded = measures.find(({ name }) => name === balance);
  if (uploaded) return uploadedMeasure(uploaded, zips);
  // Another edit chose another measure, and this data set was deleted.
  throw conflict(`The data set "${balance}" was deleted. Read the plan again.`);
}

interface SetUp {
  input: DesignInput;
  /** Territories that stay as they are */
  fixed: PlanTerritory[];
  /** Slots of the solver's territories, by their position in the result */
  slots: Slot[];
}

function setUp(task: SolveTask, plan: SolvedDraft, base: Omit<DesignInput, 'territories'>): SetUp {
  const { territories } = plan;
  switch (task.kind) {
    case 'divide': {
      const fixed = task.keep.map((number) => territoryOf(plan, number));
      const excluded = [...base.excluded!, ...zipsIn(fixed, base.zips)];
      const input = {
        ...base,
        excluded: [...new Set(excluded)],
        territories: task.territories,
        ...(task.seeds && { seeds: task.seeds }),
      };
      const taken = new Set(task.keep);
      const most = 'count' in task.territories ? task.territories.count : base.zips.length;
      return { input, fixed, slots: newSlots(most, taken) };
    }
    case 'split': {
      const whole = territoryOf(plan, task.number);
      const fixed = territories.filter((one) => one !== whole);
      const input = split(
        { ...base, territories: { count: task.count } },
        numbersOf([whole], base.zips),
        0,
        task.count,
      );
      const [first, ...rest] = newSlots(
        task.count,
        new Set(territories.map(({ number }) => number)),
      );
      // The first part keeps the number, the name, and the brand.
      return { input, fixed, slots: [whole, first!, ...rest].slice(0, task.count) };
    }
    case 'grow': {
      const own = territoryOf(plan, task.number);
      const fixed = territories.filter((one) => one !== own);
      const numbers = numbersOf([own, ...fixed], base.zips);
      const input = growTo(
        { ...base, numbers: [own.number], territories: { count: 1 } },
        numbers,
        0,
        task.target,
      );
      return { input, fixed, slots: [own] };
    }
    case 'fill':
    case 'rebalance': {
      if (territories.length === 0) {
        throw badRequest('The plan has no territories yet. Divide its market first.');
      }
      const fixed =
        task.kind === 'fill' ? [] : task.keep.map((number) => territoryOf(plan, number));
      const slots = territories.filter((one) => !fixed.includes(one));
      if (slots.length === 0) {
        throw badRequest(
          'All territories are in `keep`. Leave at least two of them out, so that ZIP codes can move.',
        );
      }
      const numbers = numbersOf(slots, base.zips);
      const counted = { ...base, territories: { count: slots.length } };
      const input =
        task.kind === 'fill' ? fillGaps(counted, numbers) : rebalanceWithin(counted, numbers);
      return { input, fixed, slots };
    }
  }
}

/** Returns the input of a rebalance that leaves ZIP codes outside the territories where they are. */
function rebalanceWithin(base: DesignInput, numbers: Int32Array): DesignInput {
  const others = base.zips.filter((_, i) => numbers[i] === -1);
  const excluded = [...new Set([...base.excluded!, ...others])];
  return rebalance({ ...base, excluded }, numbers);
}

function territoryOf({ territories }: SolvedDraft, number: number): PlanTerritory {
  const found = territories.find((one) => one.number === number);
  if (found) return found;
  const numbers = territories.map((one) => one.number).join(', ');
  throw badRequest(
    `The plan has no territory ${number}. ${numbers === '' ? 'It has none yet.' : `Use one of ${numbers}.`}`,
  );
}

/** Returns the position of each ZIP code's territory in the list, or -1. */
function numbersOf(territories: readonly PlanTerritory[], zips: readonly string[]): Int32Array {
  const of = new Map(territories.flatMap((one, i) => one.zips.map((zip) => [zip, i] as const)));
  return Int32Array.from(zips, (zip) => of.get(zip) ?? -1);
}

function zipsIn(territories: readonly PlanTerritory[], known: readonly string[]): string[] {
  const numbers = numbersOf(territories, known);
  return known.filter((_, i) => numbers[i] !== -1);
}

/** Returns slots for new territories, with the lowest unused numbers. */
function newSlots(count: number, taken: ReadonlySet<number>): Slot[] {
  const slots: Slot[] = [];
  for (let number = 1; slots.length < count; number++) {
    if (!taken.has(number)) slots.push({ number, brand: null, name: null });
  }
  return slots;
}

function zipsBySlot(
  zips: readonly string[],
  { assignment, territories }: DesignResult,
): string[][] {
  const lists = territories.map((): string[] => []);
  for (const [i, zip] of zips.entries()) if (assignment[i]! >= 0) lists[assignment[i]!]!.push(zip);
  return lists;
}
