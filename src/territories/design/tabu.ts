/**
 * Improves a few neighboring territories by moving one node at a time to a territory next to it.
 *
 * Each step makes the best allowed move, even if it makes the assignment worse, and moved nodes then rest for some
 * steps, so the search leaves local optima (tabu search: Glover, ORSA Journal on Computing 1, 1989; for graph
 * partitioning: Benlic and Hao, IEEE Transactions on Evolutionary Computation 15, 2011). Sums outside their limits
 * have a price that rises while they are outside and falls while they are inside, so the search keeps crossing the
 * limits, where short borders are (strategic oscillation).
 */
import { Frontier } from './frontier.ts';
import { INEXACT } from './problem.ts';
import type { Partition } from './partition.ts';
import type { Random } from './random.ts';

interface TabuOptions {
  /** Number of moves without a better assignment after which the search ends */
  patience: number;
  random: Random;
  /** All nodes of the territories. Their order decides between equal moves. */
  nodes: Int32Array;
  /** Flags of the territories between which nodes move */
  inRegion: Uint8Array;
  /** Price of an excess of one fair share at the start, in kilometers */
  excessPrice: number;
  /** The same for choosing the best assignment */
  finalPrice: number;
  /** Called for assignments within the region's limits whose borders are at most slightly longer than at the start */
  onInside?: (() => void) | undefined;
  /** The same, within the limits or not */
  onVisited?: (() => void) | undefined;
}

/** Factor of slightly longer borders */
const SLIGHTLY = 1.06;

/**
 * Largest number of moves, in those without a better assignment after which the search ends. A strict price turns
 * rounding errors into improvements, so that a search could repeat the same moves forever.
 */
const LONGEST = 50;
/** Results that differ by a smaller factor are the same, for the same reason. */
const SAME = 1 - 1e-12;
/** Largest number of moves, whatever the patience: a search checks neither the time nor whether it is canceled. */
const MOST_MOVES = 20_000;

/** The work of searches, counted in looks at a possible move of about 10 ns each */
export interface Work {
  looks: number;
}

export class TabuSearch {
  private readonly partition: Partition;
  private readonly frontier: Frontier;
  private readonly freeAt: Int32Array;
  /** Excess of each territory of the region */
  private readonly excess: Float64Array;
  private readonly movedNodes: number[] = [];
  private readonly movedFrom: number[] = [];
  private readonly isRestricted: boolean;
  private readonly hasExtras: boolean;
  private iteration = 0;

  constructor(partition: Partition) {
    const { nodes, territories, fixed, allowed, leftoverPrice, home, links } = partition.problem;
    this.partition = partition;
    this.frontier = new Frontier(partition);
    this.freeAt = new Int32Array(nodes);
    this.excess = new Float64Array(territories + 1);
    this.isRestricted = allowed !== null || leftoverPrice !== null || fixed.some((t) => t >= 0);
    this.hasExtras = home !== null || leftoverPrice !== null || links !== null;
  }

  /** Leaves the partition at the best assignment found, which may be the first. */
  improve(options: TabuOptions, work: Work): void {
    const { patience, random, nodes, inRegion, excessPrice, finalPrice } = options;
    const { onInside, onVisited } = options;
    const { partition, frontier, freeAt, excess, movedNodes, movedFrom } = this;
    const { isRestricted, hasExtras } = this;
    const { part, counts } = partition;
    const { territories } = partition.problem;
    let regionExcess = 0;
    for (let t = 0; t < territories; t++)
      if (inRegion[t]) regionExcess += excess[t] = partition.excess(t);
    frontier.start(nodes, inRegion);
    work.looks += 2 * nodes.length;
    const watched = SLIGHTLY * partition.cost;
    let [best, bestMoves] = [partition.cost + finalPrice * regionExcess, 0];
    let price = excessPrice;
    let recentlyInside = 0;
    movedNodes.length = 0;
    movedFrom.length = 0;
    const restart = this.iteration;
    const lastIteration = restart + Math.min(LONGEST * patience, MOST_MOVES);
    let last = restart;

    for (let stop = restart + patience; this.iteration < stop; this.iteration++) {
      let chosen = -1;
      let chosenTo = -1;
      let chosenScore = Infinity;
      let chosenChange = 0;
      let chosenExcess = 0;
      let ties = 0;
      for (let at = 0; at < frontier.size; at++) {
        const i = frontier.nodes[at]!;
        const from = part[i]!;
        if (counts[from] === 1 && from !== territories) continue;
        let leaving = NaN;
        const end = frontier.end(i);
        for (let move = frontier.first(i); move < end; move++) {
          const to = frontier.to[move]!;
          if (isRestricted && !partition.mayMove(i, to)) continue;
          let change = frontier.change[move]!;
          if (hasExtras) change += partition.moveExtras(i, from, to);
          // At best, both excesses disappear. That excludes most moves without computing their sums.
          if (change - price * (excess[from]! + excess[to]!) > chosenScore) continue;
          if (Number.isNaN(leaving)) leaving = partition.excessWith(from, i, -1) - excess[from]!;
          const excessChange = leaving + partition.excessWith(to, i, 1) - excess[to]!;
          const score = change + price * excessChange;
          if (score > chosenScore) continue;
          if (score === chosenScore && random.below(++ties + 1) > 0) continue;
          if (freeAt[i]! > this.iteration) {
            const after = partition.cost + change + finalPrice * (regionExcess + excessChange);
            if (after >= best * SAME - INEXACT) continue;
          }
          if (!partition.mayLeave(i)) break;
          if (score < chosenScore) ties = 0;
          chosen = i;
          chosenTo = to;
          chosenScore = score;
          chosenChange = change;
          chosenExcess = excessChange;
        }
      }
      work.looks += 40 + 3 * frontier.size;
      if (chosen < 0) {
        if (++last - restart > patience) break;
        continue;
      }
      const from = part[chosen]!;
      movedNodes.push(chosen);
      movedFrom.push(from);
      partition.move(chosen, chosenTo, chosenChange);
      excess[from] = partition.excess(from);
      excess[chosenTo] = partition.excess(chosenTo);
      regionExcess += chosenExcess;
      freeAt[chosen] = this.iteration + 4 + random.below(8 + (nodes.length >> 5));
      frontier.update(chosen, inRegion);
      if (regionExcess <= INEXACT) {
        regionExcess = Math.max(0, regionExcess);
        recentlyInside = Math.max(1, recentlyInside + 1);
        if (recentlyInside >= 3) price /= 1.15;
        if (partition.cost <= watched) onInside?.();
      } else {
        recentlyInside = Math.min(-1, recentlyInside - 1);
        if (recentlyInside <= -3) price *= 1.1;
      }
      if (onVisited && partition.cost <= watched) onVisited();
      const reached = partition.cost + finalPrice * regionExcess;
      if (reached < best * SAME - INEXACT) {
        best = reached;
        bestMoves = movedNodes.length;
        stop = Math.min(lastIteration, this.iteration + 1 + patience);
      }
      // The price stays within bounds in which both goals matter.
      price = Math.min(excessPrice * 1000, Math.max(excessPrice / 1000, price));
    }
    for (let undo = movedNodes.length - 1; undo >= bestMoves; undo--) {
      const i = movedNodes[undo]!;
      partition.move(i, movedFrom[undo]!, partition.moveCost(i, movedFrom[undo]!));
    }
  }
}
