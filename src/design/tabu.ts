/**
 * Improves a few neighboring territories by moving one node at a time to a territory next to it.
 *
 * The best allowed move is made even if it makes things worse, and moved nodes rest for some moves, so the
 * search leaves local optima (tabu search: Glover, ORSA Journal on Computing 1, 1989; for graph
 * partitioning: Benlic and Hao, IEEE Transactions on Evolutionary Computation 15, 2011). The price of
 * sums outside their limits rises while they are outside, and falls while they are inside, so the search
 * keeps crossing the limits (strategic oscillation), where short borders are.
 */
import { INEXACT } from './problem.ts';
import type { Partition } from './partition.ts';
import type { Random } from './random.ts';

export interface TabuOptions {
  /** Ends after this many moves without a better assignment */
  patience: number;
  random: Random;
  /** The nodes of the territories; order matters for equal moves */
  nodes: Int32Array;
  /** Flags of the territories between which nodes move */
  inRegion: Uint8Array;
  /** Price of an excess of one fair share at the start, in kilometers */
  excessPrice: number;
  /** The same for choosing the best assignment */
  finalPrice: number;
}

/** Work that searches do, in looks at a neighbor: about 10 ns each. */
export interface Work {
  looks: number;
}

export class TabuSearch {
  private readonly partition: Partition;
  private readonly freeAt: Int32Array;
  private readonly outside: Int16Array;
  private readonly borderWith: Float64Array;
  private readonly met: Int32Array;
  private readonly movedNodes: number[] = [];
  private readonly movedFrom: number[] = [];
  private iteration = 0;

  constructor(partition: Partition) {
    const { nodes, territories } = partition.problem;
    this.partition = partition;
    this.freeAt = new Int32Array(nodes);
    this.outside = new Int16Array(nodes);
    this.borderWith = new Float64Array(territories + 1);
    this.met = new Int32Array(territories + 1);
  }

  /** Leaves the partition at the best assignment that it finds, at worst the one it began with. */
  improve(options: TabuOptions, work: Work): void {
    const { patience, random, nodes, inRegion, excessPrice, finalPrice } = options;
    const { partition, outside, freeAt, movedNodes, movedFrom, borderWith, met } = this;
    const { problem, part } = partition;
    const { first, neighbors, borders, territories } = problem;
    let regionExcess = 0;
    for (let t = 0; t < territories; t++) if (inRegion[t]) regionExcess += partition.excess(t);
    for (const i of nodes) outside[i] = this.countOutside(i, inRegion);
    let [best, bestMoves] = [partition.cost + finalPrice * regionExcess, 0];
    let price = excessPrice;
    let recentlyInside = 0;
    movedNodes.length = 0;
    movedFrom.length = 0;
    const restart = this.iteration;
    let last = restart;

    for (let stop = restart + patience; this.iteration < stop; this.iteration++) {
      let chosen = -1;
      let chosenTo = -1;
      let chosenScore = Infinity;
      let chosenChange = 0;
      let chosenExcess = 0;
      let ties = 0;
      let looks = nodes.length >> 3;
      for (let at = 0; at < nodes.length; at++) {
        const i = nodes[at]!;
        if (outside[i] === 0) continue;
        const from = part[i]!;
        if (problem.fixed[i]! >= 0 && problem.fixed[i] === from) continue;
        if (partition.counts[from] === 1 && from !== territories) continue;
        const resting = freeAt[i]! > this.iteration;
        let metCount = 0;
        let fromBorder = 0;
        for (let edge = first[i]!; edge < first[i + 1]!; edge++) {
          const other = part[neighbors[edge]!]!;
          looks++;
          if (other === from) fromBorder += borders[edge]!;
          else if (inRegion[other]) {
            if (!isMet(met, metCount, other)) {
              met[metCount++] = other;
              borderWith[other] = 0;
            }
            borderWith[other]! += borders[edge]!;
          }
        }
        if (
          problem.leftoversAllowed &&
          from !== territories &&
          inRegion[territories] &&
          !isMet(met, metCount, territories)
        ) {
          met[metCount++] = territories;
          borderWith[territories] = 0;
        }
        const fromExcess = partition.excess(from);
        const fromExcessAfter = partition.excessWith(from, i, -1);
        for (let m = 0; m < metCount; m++) {
          const to = met[m]!;
          if (!partition.mayMove(i, to)) continue;
          const change = fromBorder - borderWith[to]! + partition.moveExtras(i, from, to);
          const excessChange =
            fromExcessAfter - fromExcess + partition.excessWith(to, i, 1) - partition.excess(to);
          const score = change + price * excessChange;
          if (score > chosenScore) continue;
          if (score === chosenScore && random.below(++ties + 1) > 0) continue;
          if (resting) {
            const after = partition.cost + change + finalPrice * (regionExcess + excessChange);
            if (after >= best - INEXACT) continue;
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
      work.looks += looks;
      if (chosen < 0) {
        if (++last - restart > patience) break;
        continue;
      }
      const from = part[chosen]!;
      movedNodes.push(chosen);
      movedFrom.push(from);
      partition.move(chosen, chosenTo, chosenChange);
      regionExcess += chosenExcess;
      freeAt[chosen] = this.iteration + 4 + random.below(8 + (nodes.length >> 5));
      outside[chosen] = this.countOutside(chosen, inRegion);
      for (let edge = first[chosen]!; edge < first[chosen + 1]!; edge++) {
        const other = neighbors[edge]!;
        if (inRegion[part[other]!]) outside[other] = this.countOutside(other, inRegion);
      }
      if (regionExcess <= INEXACT) {
        regionExcess = Math.max(0, regionExcess);
        recentlyInside = Math.max(1, recentlyInside + 1);
        if (recentlyInside >= 3) price /= 1.15;
      } else {
        recentlyInside = Math.min(-1, recentlyInside - 1);
        if (recentlyInside <= -3) price *= 1.1;
      }
      const reached = partition.cost + finalPrice * regionExcess;
      if (reached < best - INEXACT) {
        best = reached;
        bestMoves = movedNodes.length;
        stop = this.iteration + 1 + patience;
      }
      // The price stays within bounds in which both goals matter.
      price = Math.min(excessPrice * 1000, Math.max(excessPrice / 1000, price));
    }
    for (let undo = movedNodes.length - 1; undo >= bestMoves; undo--) {
      const i = movedNodes[undo]!;
      partition.move(i, movedFrom[undo]!, partition.moveCost(i, movedFrom[undo]!));
    }
  }

  private countOutside(i: number, inRegion: Uint8Array): number {
    const { part, problem } = this.partition;
    const { first, neighbors, territories } = problem;
    const from = part[i]!;
    let count = problem.leftoversAllowed && inRegion[territories] ? 1 : 0;
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const other = part[neighbors[at]!]!;
      if (other !== from && inRegion[other]) count++;
    }
    return count;
  }
}

function isMet(met: Int32Array, count: number, territory: number): boolean {
  for (let at = 0; at < count; at++) if (met[at] === territory) return true;
  return false;
}
