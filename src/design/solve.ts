/** Solves a design: several starts, then most of the work on the best one. See README.md. */
import { divide } from './divide.ts';
import { usualEffort } from './effort.ts';
import { grow } from './grow.ts';
import { improve } from './improve.ts';
import type { DesignControls, DesignInput, DesignResult } from './input.ts';
import { Partition } from './partition.ts';
import { prepare } from './prepare.ts';
import { INEXACT, type Problem } from './problem.ts';
import { randomFrom, type Random } from './random.ts';
import { report } from './report.ts';
import { TabuSearch } from './tabu.ts';

/** Looks at a neighbor that a core of 2020 takes in about a second */
const LOOKS_PER_EFFORT = 30e6;
/** Shares of the work */
const STARTS_SHARE = 0.4;
const POLISH_FROM = 0.85;
/** Nodes of a large map */
const LARGE = 1500;
/** Of a large map: the first price of an excess in `excessPrice`, and the share of the work until it is strict */
const LOOSE = 10;
const STRICT_FROM = 0.6;
/** Price of an excess of one fair share, in kilometers: more than any border */
const STRICT_KM = 1e7;
/** How much longer borders may become for a smaller deviation than the tolerance */
const POLISH_PRICE = 1.015;

/** Solves a design. @throws InvalidDesign */
export function solve(input: DesignInput, controls: DesignControls = {}): DesignResult {
  const prepared = prepare(input);
  const { problem, start } = prepared;
  const effort = input.effort ?? usualEffort(problem.nodes);
  let ended: DesignResult['ended'] = 'finished';
  const search = new Search(problem, start, randomFrom(input.seed ?? 1), {
    looks: effort * LOOKS_PER_EFFORT,
    goOn: () => {
      if (controls.isCanceled?.()) ended = 'canceled';
      else if (controls.deadline !== undefined && Date.now() >= controls.deadline)
        ended = 'deadline';
      return ended === 'finished';
    },
    onProgress: controls.onProgress,
  });
  const best = search.run();
  const assignment = prepared.nodeOf.map((node) =>
    node < 0 || best[node] === problem.territories ? -1 : best[node]!,
  );
  return report(input, prepared, assignment, ended);
}

interface SearchOptions {
  looks: number;
  /** Asked every few milliseconds */
  goOn: () => boolean;
  onProgress: DesignControls['onProgress'];
}

class Search {
  private readonly problem: Problem;
  private readonly start: Int32Array | null;
  private readonly random: Random;
  private readonly options: SearchOptions;
  private readonly partition: Partition;
  private readonly tabu: TabuSearch;
  private readonly work = { looks: 0 };
  private readonly meanBorder: number;
  private readonly excessPrice: number;
  private reported = 0;

  constructor(problem: Problem, start: Int32Array | null, random: Random, options: SearchOptions) {
    this.problem = problem;
    this.start = start;
    this.random = random;
    this.options = options;
    this.partition = new Partition(problem);
    this.tabu = new TabuSearch(this.partition);
    const { borders, territories, nodes } = problem;
    this.meanBorder = borders.reduce((sum, km) => sum + km, 0) / Math.max(1, borders.length);
    // A mean node moves a mean border's length and its share of a territory.
    this.excessPrice = Math.max(this.meanBorder, 0.01) / (territories / nodes);
  }

  run(): Int32Array {
    const { problem, partition, options } = this;
    const starts = problem.nodes <= 800 ? 5 : problem.nodes <= 5000 ? 2 : 1;
    let best: { part: Int32Array; excess: number; cost: number } | null = null;
    for (let one = 0; one < starts && (best === null || options.goOn()); one++) {
      this.begin();
      this.improveUntil((STARTS_SHARE * (one + 1)) / starts, true);
      const [excess, cost] = [partition.totalExcess(), partition.cost];
      const isBetter =
        best === null ||
        excess < best.excess - INEXACT ||
        (excess <= best.excess + INEXACT && cost < best.cost);
      if (isBetter) best = { part: partition.part.slice(), excess, cost };
    }
    partition.load(best!.part);
    this.improveUntil(POLISH_FROM, true);
    this.polish();
    return partition.part;
  }

  private begin(): void {
    const { problem, partition, tabu, random, work, excessPrice } = this;
    const isFree =
      !this.start &&
      !problem.allowed &&
      !problem.leftoversAllowed &&
      problem.fixed.every((t) => t < 0);
    if (isFree) divide(partition, tabu, random, work, excessPrice);
    else {
      const start = this.start ?? new Int32Array(problem.nodes).fill(-1);
      partition.load(grow(problem, start, random));
    }
    // Where some nodes are worth several territories, others may be left without one.
    fillEmpty(partition, random);
  }

  /** @param share of all work after which to stop */
  private improveUntil(share: number, anneals: boolean): void {
    const { partition, tabu, random, work, excessPrice, options, meanBorder, problem } = this;
    const from = work.looks;
    const until = share * options.looks;
    const best = { part: partition.part.slice(), excess: Infinity, cost: Infinity };
    // Copies of a whole country would take longer than the search.
    const cools = anneals && problem.nodes <= 5000;
    improve(
      partition,
      tabu,
      {
        random,
        excessPrice,
        // Of a large map, strict repairs would fray borders faster than the work can mend them.
        finalPrice: () =>
          problem.nodes > LARGE && anneals
            ? LOOSE *
              excessPrice *
              (STRICT_KM / (LOOSE * excessPrice)) **
                Math.min(1, ((work.looks - from) / (until - from)) * (1 / STRICT_FROM))
            : STRICT_KM,
        temperature: () =>
          cools ? meanBorder * Math.max(0, 1 - (1.2 * (work.looks - from)) / (until - from)) : 0,
        goOn: () => {
          this.progress();
          return work.looks < until && options.goOn();
        },
        onImproved: () => {
          if (!cools) return;
          const [excess, cost] = [partition.totalExcess(), partition.cost];
          if (
            excess < best.excess - INEXACT ||
            (excess <= best.excess + INEXACT && cost < best.cost - INEXACT)
          ) {
            best.part.set(partition.part);
            best.excess = excess;
            best.cost = cost;
          }
        },
      },
      work,
    );
    if (best.excess < Infinity) partition.load(best.part);
  }

  /** Narrows the limits as long as borders become hardly longer. */
  private polish(): void {
    const { partition, problem, options } = this;
    const most = partition.cost * POLISH_PRICE;
    const narrows = partition.totalExcess() === 0 && !this.start && !problem.leftoverPrice;
    let share = 1;
    for (let step = 1; step <= 4 && options.goOn(); step++) {
      const before = partition.part.slice();
      if (narrows) {
        share /= 2;
        for (let at = 0; at < problem.low.length; at++) {
          const [low, high] = [problem.low[at]!, problem.high[at]!];
          partition.low[at] = (low + high) / 2 - (share * (high - low)) / 2;
          partition.high[at] = (low + high) / 2 + (share * (high - low)) / 2;
        }
      }
      this.improveUntil(POLISH_FROM + ((1 - POLISH_FROM) * step) / 4, false);
      if (!narrows || (partition.totalExcess() === 0 && partition.cost <= most)) continue;
      partition.load(before);
      break;
    }
    partition.low.set(problem.low);
    partition.high.set(problem.high);
  }

  private progress(): void {
    const { work, options, partition, problem } = this;
    const done = Math.min(1, work.looks / options.looks);
    if (!options.onProgress || done < this.reported) return;
    this.reported = done + 0.02;
    let worstDeviation = 0;
    for (let at = 0; at < problem.low.length; at++) {
      const fair = (problem.low[at]! + problem.high[at]!) / 2;
      worstDeviation = Math.max(worstDeviation, Math.abs(partition.sums[at]! - fair));
    }
    options.onProgress({ done, worstDeviation, borderKm: partition.cost });
  }
}

/** Gives each empty territory a node that its own territory can spare. */
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
