/** The phases of a search: several starts, and improvement of the best. */
import { divide } from './divide.ts';
import { EvenAssignments, scaleLimits, NARROWER } from './even.ts';
import { grow } from './grow.ts';
import { improve } from './improve.ts';
import type { DesignProgress } from './input.ts';
import type { Pace } from './pace.ts';
import { Partition } from './partition.ts';
import { INEXACT, type Problem } from './problem.ts';
import type { Random } from './random.ts';
import { TabuSearch } from './tabu.ts';

/** Share of the whole search at which `polish.ts` takes over. In the rounds, `until` is the share at which they end. */
const POLISH_FROM = 0.8;
interface Round {
  starts: number;
  until: number;
}
const ROUNDS = {
  metro: [
    { starts: 16, until: 0.16 },
    { starts: 5, until: 0.34 },
    { starts: 2, until: 0.5 },
  ],
  state: [
    { starts: 4, until: 0.3 },
    { starts: 2, until: 0.5 },
  ],
  large: [{ starts: 1, until: 0.4 }],
  wider: [
    { starts: 8, until: 0.65 },
    { starts: 2, until: 0.75 },
  ],
} satisfies Record<string, readonly Round[]>;
/** The search also tries the usual limits if they are this many times as wide as those that the caller named. */
const WIDER = 2;
/** Maps with more nodes are large. */
const LARGE = 1500;
/** On larger maps, copying assignments would take longer than the search. */
const MOST_COPIED = 5000;
/** On large maps: the first price of an excess, in `excessPrice`, and the share of the work after which it is strict */
const LOOSE = 10;
const STRICT_FROM = 0.6;
/** Price of an excess of one fair share, in kilometers: more than any border */
const STRICT_KM = 1e7;

/** @param best the best assignment so far */
type ProgressListener = (progress: DesignProgress, best: Int32Array) => void;

interface Found {
  part: Int32Array;
  excess: number;
  cost: number;
}

interface PhaseOptions {
  /** Share of the whole after which to stop */
  until: number;
  /** Initial temperature, in mean borders: slightly worse results are accepted. 0: never */
  heat: number;
  /** Price of an excess of one fair share at the start */
  excessPrice?: number | undefined;
  /** First and last price of an excess for choosing results. Default: depends on the size of the map */
  finalPrices?: readonly [number, number];
  /** Ends the improvement early */
  isEnough?: () => boolean;
  /** See `TabuOptions` */
  onVisited?: () => void;
}

export class Search {
  readonly problem: Problem;
  readonly partition: Partition;
  readonly meanBorder: number;
  readonly pace: Pace;
  /** Whether the search starts from existing territories */
  readonly hasStart: boolean;
  /** By how many levels the usual limits are wider than those that the caller named, or 0. See `narrow`. */
  readonly widening: number;
  readonly evenAssignments: EvenAssignments;
  private readonly start: Int32Array;
  private readonly random: Random;
  private readonly tabu: TabuSearch;
  private readonly excessPrice: number;
  private readonly onProgress: ProgressListener | undefined;
  private reported = 0;
  /** The best assignment at the last progress report: within the problem's limits, or nearest to them */
  private offered: Found | null = null;
  private keepsOffer = false;

  /** @param start current territory of each node, or -1; null without any */
  constructor(
    problem: Problem,
    start: Int32Array | null,
    random: Random,
    pace: Pace,
    onProgress?: ProgressListener,
  ) {
    this.problem = problem;
    this.hasStart = start !== null;
    this.start = start ?? new Int32Array(problem.nodes).fill(-1);
    this.random = random;
    this.pace = pace;
    this.onProgress = onProgress;
    this.partition = new Partition(problem);
    this.evenAssignments = new EvenAssignments(problem.territories);
    this.tabu = new TabuSearch(this.partition);
    const { usualWidth, leftoverPrice } = problem;
    const isUseful = !start && !leftoverPrice && problem.nodes <= MOST_COPIED && usualWidth > WIDER;
    this.widening = isUseful ? Math.log(usualWidth) / -Math.log(NARROWER) : 0;
    const { borders, territories, nodes } = problem;
    this.meanBorder = borders.reduce((sum, km) => sum + km, 0) / Math.max(1, borders.length);
    // Moving an average node changes borders by about a mean border, and sums by its share of a territory.
    this.excessPrice = Math.max(this.meanBorder, 0.01) / (territories / nodes);
  }

  /** Finds short borders. `polish` then makes sums more even. */
  run(): void {
    const { nodes, territories } = this.problem;
    const rounds =
      territories < 2 || nodes > MOST_COPIED
        ? ROUNDS.large
        : nodes > 800
          ? ROUNDS.state
          : ROUNDS.metro;
    this.partition.load(this.explore(rounds));
    if (this.widening > 0 && this.pace.goesOn(1)) this.exploreWider();
    this.improve({ until: POLISH_FROM, heat: 1 });
  }

  /**
   * Starts again within the usual limits. The search finds shorter borders there than within narrow ones, and the
   * polish makes some of them even.
   */
  private exploreWider(): void {
    const { partition, widening } = this;
    const best = partition.part.slice();
    // Results within wider limits aren't offered.
    this.offer();
    this.explore(ROUNDS.wider, -widening);
    this.keepsOffer = false;
    scaleLimits(partition, 0);
    partition.load(best);
  }

  /**
   * Tries several starts and continues with the best of them, fewer each round.
   * @param level by how much the limits are narrower, or wider if it is negative; see `narrow`
   */
  private explore(rounds: readonly Round[], level = 0): Int32Array {
    let found: Found[] = [];
    let from = this.pace.done();
    for (const [round, { starts, until }] of rounds.entries()) {
      const better: Found[] = [];
      for (let one = 0; one < starts && this.mayBegin(round, found); one++) {
        if (round === 0) this.begin();
        else this.partition.load(found.shift()!.part);
        scaleLimits(this.partition, level);
        this.improve({ until: from + ((until - from) * (one + 1)) / starts, heat: 1 });
        better.push(this.current());
        if (round === 0) found = better;
      }
      found = [...better, ...(round === 0 ? [] : found)].sort(compare);
      from = until;
    }
    return found[0]!.part;
  }

  /** Returns whether another start, or another improvement of one, is possible. The first start always is. */
  private mayBegin(round: number, found: readonly Found[]): boolean {
    if (found.length === 0) return round === 0;
    return this.pace.goesOn(1);
  }

  private current(): Found {
    const { partition } = this;
    return { part: partition.part.slice(), excess: partition.totalExcess(), cost: partition.cost };
  }

  private begin(): void {
    const { problem, partition, tabu, random, pace, excessPrice } = this;
    const isFree =
      !this.hasStart &&
      !problem.allowed &&
      !problem.leftoversAllowed &&
      problem.fixed.every((t) => t < 0);
    if (isFree) divide(partition, tabu, random, pace.work, excessPrice);
    else partition.load(grow(problem, this.start, random));
    // If a few nodes have the loads of several territories, some territories may be empty.
    fillEmpty(partition, random);
  }

  /** Improves the partition. The result is never worse than before. */
  improve({ until, heat, isEnough, onVisited, ...options }: PhaseOptions): void {
    const { partition, tabu, random, pace, meanBorder, problem } = this;
    const { excessPrice = this.excessPrice } = options;
    const from = pace.done();
    /** Progress of this improvement, 0..1 */
    const elapsedShare = () => Math.min(1, (pace.done() - from) / (until - from));
    // On a large map, strict repairs would fray borders faster than the search can shorten them.
    const isLoose = problem.nodes > LARGE && heat > 0;
    const [firstPrice, lastPrice] = options.finalPrices ?? [
      isLoose ? LOOSE * excessPrice : STRICT_KM,
      STRICT_KM,
    ];
    const cools = heat > 0 && problem.nodes <= MOST_COPIED;
    let best: Found | null = cools ? this.current() : null;
    improve(
      partition,
      tabu,
      {
        random,
        excessPrice,
        finalPrice: () =>
          firstPrice * (lastPrice / firstPrice) ** Math.min(1, elapsedShare() / STRICT_FROM),
        temperature: () => (cools ? heat * meanBorder * Math.max(0, 1 - 1.2 * elapsedShare()) : 0),
        onScales: heat > 0,
        goOn: () => {
          this.progress(best);
          return pace.goesOn(until) && !isEnough?.();
        },
        onInside: cools ? () => this.evenAssignments.consider(partition) : undefined,
        onVisited,
        onImproved: () => {
          if (!best) return;
          const [excess, cost] = [partition.totalExcess(), partition.cost];
          if (compare({ excess, cost }, best) >= 0) return;
          best.part.set(partition.part);
          best.excess = excess;
          best.cost = cost;
        },
      },
      pace.work,
    );
    if (best) partition.load(best.part);
  }

  /**
   * Makes the current assignment the best until the next offer, however long its borders are. While other limits
   * than the problem's apply, the search itself can't compare.
   */
  offer(): void {
    this.offered = this.current();
    this.keepsOffer = true;
  }

  private progress(best: Found | null): void {
    const { pace, problem, onProgress } = this;
    const done = Math.min(1, pace.done());
    if (!onProgress || done < this.reported) return;
    this.reported = done + 0.02;
    if (!this.keepsOffer) this.consider(best);
    const { part, cost } = this.offered!;
    onProgress({ done, worstDeviation: farthestFromMiddle(problem, part), borderKm: cost }, part);
  }

  /** Offers the best assignment of an improvement if it is better. Without copies, the current one counts as the best. */
  private consider(best: Found | null): void {
    if (!this.offered || !best) this.offered = this.current();
    if (best && compare(best, this.offered) < 0)
      this.offered = { ...best, part: best.part.slice() };
  }
}

/** Orders assignments by their excess, then by the length of their borders. */
function compare(one: Omit<Found, 'part'>, other: Omit<Found, 'part'>): number {
  const more = one.excess - other.excess;
  if (Math.abs(more) > INEXACT) return more;
  return Math.abs(one.cost - other.cost) > INEXACT ? one.cost - other.cost : 0;
}

/** Returns the largest distance of a sum from the middle of its limits. */
function farthestFromMiddle({ measures, loads, low, high }: Problem, part: Int32Array): number {
  const sums = new Float64Array(low.length + measures);
  for (const [i, t] of part.entries())
    for (let q = 0; q < measures; q++) sums[t * measures + q]! += loads[i * measures + q]!;
  let worst = 0;
  for (let at = 0; at < low.length; at++)
    worst = Math.max(worst, Math.abs(sums[at]! - (low[at]! + high[at]!) / 2));
  return worst;
}

/** Moves a node into each empty territory from a territory that stays connected without it. */
function fillEmpty(partition: Partition, random: Random): void {
  const { problem, part, counts } = partition;
  for (let t = 0; t < problem.territories; t++) {
    if (counts[t]! > 0) continue;
    const offset = random.below(problem.nodes);
    for (let at = 0; at < problem.nodes; at++) {
      const i = (at + offset) % problem.nodes;
      if (problem.fixed[i]! >= 0 || !partition.mayMove(i, t) || !partition.mayLeave(i)) continue;
      if (part[i] === t) continue;
      partition.move(i, t, partition.moveCost(i, t));
      break;
    }
  }
}
