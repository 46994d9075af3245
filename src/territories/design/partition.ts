/**
 * An assignment of nodes to territories with its sums, which each move updates. Every territory stays connected.
 * Territory number `territories` holds the leftovers and may be in pieces.
 */
import { INEXACT, type Problem } from './problem.ts';

/**
 * An excess of this size counts double, and a larger one even more. If the price were linear, passing an excess
 * on from neighbor to neighbor would gain nothing, and the search would get stuck.
 */
const SQUARED_FROM = 0.02;

export class Partition {
  readonly problem: Problem;
  readonly part: Int32Array;
  readonly counts: Int32Array;
  readonly sums: Float64Array;
  /** Limits of the sums: those of the problem, or temporary ones */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Version of each territory. Every move into it or out of it gives it a new one. */
  readonly versions: Int32Array;
  /** The nodes of each territory as a linked list: its first node, and each node's successor and predecessor, or -1 */
  private readonly firstIn: Int32Array;
  private readonly after: Int32Array;
  private readonly before: Int32Array;
  /** Border lengths and prices, in kilometers */
  cost = 0;
  private readonly stamps: Int32Array;
  private stamp = 0;
  private readonly queue: Int32Array;
  /** The separate groups of a node's neighbors: the group that each has joined, and its nodes to visit */
  private readonly root: Int32Array;
  private readonly open: Int32Array;
  /** Whether removing each node would split its territory, and the territory's version when that was checked */
  private readonly checked: Int32Array;
  private readonly splits: Uint8Array;
  private version = 0;

  constructor(problem: Problem) {
    const { nodes, territories, measures } = problem;
    this.problem = problem;
    this.part = new Int32Array(nodes).fill(territories);
    this.counts = new Int32Array(territories + 1);
    this.sums = new Float64Array((territories + 1) * measures);
    this.low = problem.low.slice();
    this.high = problem.high.slice();
    this.versions = new Int32Array(territories + 1);
    this.firstIn = new Int32Array(territories + 1);
    this.after = new Int32Array(nodes);
    this.before = new Int32Array(nodes);
    this.stamps = new Int32Array(nodes);
    this.queue = new Int32Array(nodes);
    this.root = new Int32Array(nodes);
    this.open = new Int32Array(nodes);
    this.checked = new Int32Array(nodes).fill(-1);
    this.splits = new Uint8Array(nodes);
  }

  /** Replaces the assignment. */
  load(part: Int32Array): void {
    this.part.set(part);
    const { nodes, territories, measures, loads } = this.problem;
    this.counts.fill(0);
    this.firstIn.fill(-1);
    this.sums.fill(0);
    this.cost = this.borderCost();
    for (let i = nodes - 1; i >= 0; i--) {
      const t = part[i]!;
      this.list(i, t);
      for (let q = 0; q < measures; q++) this.sums[t * measures + q]! += loads[i * measures + q]!;
      this.cost += this.nodePrice(i, t) + this.linkPrice(i, t) / 2;
    }
    for (let t = 0; t <= territories; t++) this.versions[t] = ++this.version;
  }

  /** Returns the part of the cost that is about borders. */
  borderCost(): number {
    const { nodes, first, neighbors, borders } = this.problem;
    let cost = 0;
    for (let i = nodes - 1; i >= 0; i--)
      for (let at = first[i]!; at < first[i + 1]!; at++)
        if (this.part[neighbors[at]!] !== this.part[i]) cost += borders[at]! / 2;
    return cost;
  }

  /** Moves a node. @param change of the cost, from `moveCost` */
  move(i: number, to: number, change: number): void {
    const { measures, loads } = this.problem;
    const from = this.part[i]!;
    this.part[i] = to;
    this.unlist(i, from);
    this.list(i, to);
    for (let q = 0; q < measures; q++) {
      const load = loads[i * measures + q]!;
      this.sums[from * measures + q]! -= load;
      this.sums[to * measures + q]! += load;
    }
    this.cost += change;
    this.versions[from] = ++this.version;
    this.versions[to] = ++this.version;
  }

  private list(i: number, t: number): void {
    const next = this.firstIn[t]!;
    this.after[i] = next;
    this.before[i] = -1;
    if (next >= 0) this.before[next] = i;
    this.firstIn[t] = i;
    this.counts[t]!++;
  }

  private unlist(i: number, t: number): void {
    const [before, after] = [this.before[i]!, this.after[i]!];
    if (before >= 0) this.after[before] = after;
    else this.firstIn[t] = after;
    if (after >= 0) this.before[after] = before;
    this.counts[t]!--;
  }

  /** Returns the nodes of some territories. */
  nodesOf(territories: readonly number[]): Int32Array {
    const nodes = new Int32Array(territories.reduce((sum, t) => sum + this.counts[t]!, 0));
    let to = 0;
    for (const t of territories)
      for (let i = this.firstIn[t]!; i >= 0; i = this.after[i]!) nodes[to++] = i;
    return nodes;
  }

  /** Returns by how much a move would change the cost. */
  moveCost(i: number, to: number): number {
    const { first, neighbors, borders } = this.problem;
    const from = this.part[i]!;
    let change = 0;
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const other = this.part[neighbors[at]!]!;
      if (other === from) change += borders[at]!;
      else if (other === to) change -= borders[at]!;
    }
    return change + this.moveExtras(i, from, to);
  }

  /** Returns the part of `moveCost` that isn't about borders. */
  moveExtras(i: number, from: number, to: number): number {
    const { home, leftoverPrice, links } = this.problem;
    let change = 0;
    if (home || leftoverPrice) change += this.nodePrice(i, to) - this.nodePrice(i, from);
    if (links) change += this.linkPrice(i, to) - this.linkPrice(i, from);
    return change;
  }

  private nodePrice(i: number, t: number): number {
    const { home, movePrice, leftoverPrice, territories } = this.problem;
    let price = 0;
    if (home && home[i]! >= 0 && home[i] !== t) price += movePrice;
    if (leftoverPrice && t === territories) price += leftoverPrice[i]!;
    return price;
  }

  private linkPrice(i: number, t: number): number {
    const { links, territories } = this.problem;
    let price = 0;
    if (!links) return price;
    for (let at = links.first[i]!; at < links.first[i + 1]!; at++) {
      const other = this.part[links.to[at]!]!;
      const pair = links.price[at]!;
      if (pair > 0) price += other === t ? 0 : pair;
      else if (other === t && t !== territories) price -= pair;
    }
    return price;
  }

  mayMove(i: number, to: number): boolean {
    const { fixed, allowed, territories, leftoversAllowed } = this.problem;
    if (fixed[i]! >= 0) return fixed[i] === to;
    if (to === territories) return leftoversAllowed;
    return allowed === null || allowed[i * territories + to] === 1;
  }

  /** Returns how far a territory's sums are outside their limits. Larger excesses count more than in proportion. */
  excess(t: number): number {
    const { measures, territories } = this.problem;
    if (t === territories) return 0;
    if (measures === 1) return this.excessOf(t, this.sums[t]!);
    let total = 0;
    for (let at = t * measures; at < (t + 1) * measures; at++)
      total += this.excessOf(at, this.sums[at]!);
    return total;
  }

  /** Returns the excess of a territory if it gained a node (`sign` 1) or lost it (-1). */
  excessWith(t: number, i: number, sign: number): number {
    const { measures, loads, territories } = this.problem;
    if (t === territories) return 0;
    if (measures === 1) return this.excessOf(t, this.sums[t]! + sign * loads[i]!);
    let total = 0;
    for (let q = 0; q < measures; q++) {
      const at = t * measures + q;
      total += this.excessOf(at, this.sums[at]! + sign * loads[i * measures + q]!);
    }
    return total;
  }

  private excessOf(at: number, sum: number): number {
    const excess = Math.max(this.low[at]! - sum, sum - this.high[at]!);
    return excess <= INEXACT ? 0 : excess * (1 + excess / SQUARED_FROM);
  }

  totalExcess(): number {
    let total = 0;
    for (let t = 0; t < this.problem.territories; t++) total += this.excess(t);
    return total;
  }

  /** Returns the number of connected pieces of a territory. */
  countPieces(t: number): number {
    const { first, neighbors } = this.problem;
    const { part, stamps, queue } = this;
    const stamp = ++this.stamp;
    let pieces = 0;
    for (const start of this.nodesOf([t])) {
      if (stamps[start] === stamp) continue;
      pieces++;
      stamps[start] = stamp;
      queue[0] = start;
      let end = 1;
      for (let next = 0; next < end; next++) {
        const node = queue[next]!;
        for (let at = first[node]!; at < first[node + 1]!; at++) {
          const neighbor = neighbors[at]!;
          if (part[neighbor] !== t || stamps[neighbor] === stamp) continue;
          stamps[neighbor] = stamp;
          queue[end++] = neighbor;
        }
      }
    }
    return pieces;
  }

  /** Returns whether a node's territory would stay connected, and not be empty, without the node. */
  mayLeave(i: number): boolean {
    const t = this.part[i]!;
    if (t === this.problem.territories) return true;
    if (this.counts[t] === 1) return false;
    if (this.checked[i] !== this.versions[t]) {
      this.checked[i] = this.versions[t]!;
      this.splits[i] = this.splitsWithout(i, t) ? 1 : 0;
    }
    return this.splits[i] === 0;
  }

  /**
   * Searches for paths between the node's neighbors in the territory: first among themselves, then from all of
   * their groups at once, which finds a small piece quickly.
   */
  private splitsWithout(i: number, t: number): boolean {
    const { first, neighbors } = this.problem;
    const { part, stamps, queue } = this;
    const nearStamp = ++this.stamp;
    let near = 0;
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const neighbor = neighbors[at]!;
      if (part[neighbor] !== t) continue;
      stamps[neighbor] = nearStamp;
      near++;
    }
    if (near <= 1) return false;
    // Group `g` has the stamp `nearStamp + 1 + g`.
    let groups = 0;
    let end = 0;
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const start = neighbors[at]!;
      if (stamps[start] !== nearStamp) continue;
      const own = nearStamp + 1 + groups++;
      stamps[start] = own;
      let next = end;
      queue[end++] = start;
      for (; next < end; next++) {
        const node = queue[next]!;
        for (let edge = first[node]!; edge < first[node + 1]!; edge++) {
          const neighbor = neighbors[edge]!;
          if (stamps[neighbor] !== nearStamp) continue;
          stamps[neighbor] = own;
          queue[end++] = neighbor;
        }
      }
    }
    this.stamp += groups;
    return groups > 1 && !this.groupsMeet(i, t, nearStamp + 1, groups, end);
  }

  /** @param from stamp of the first group. The `end` nodes of the queue have the stamps of their groups. */
  private groupsMeet(i: number, t: number, from: number, groups: number, end: number): boolean {
    const { first, neighbors } = this.problem;
    const { part, stamps, queue, root, open } = this;
    for (let group = 0; group < groups; group++) {
      root[group] = group;
      open[group] = 0;
    }
    for (let at = 0; at < end; at++) open[stamps[queue[at]!]! - from]!++;
    const rootOf = (group: number) => {
      while (root[group] !== group) group = root[group]!;
      return group;
    };
    let separate = groups;
    for (let next = 0; next < end; next++) {
      const node = queue[next]!;
      let group = rootOf(stamps[node]! - from);
      for (let edge = first[node]!; edge < first[node + 1]!; edge++) {
        const neighbor = neighbors[edge]!;
        if (neighbor === i || part[neighbor] !== t) continue;
        if (stamps[neighbor]! < from) {
          stamps[neighbor] = from + group;
          queue[end++] = neighbor;
          open[group]!++;
          continue;
        }
        const other = rootOf(stamps[neighbor]! - from);
        if (other === group) continue;
        if (--separate === 1) return true;
        root[other] = group;
        open[group]! += open[other]!;
      }
      group = rootOf(group);
      // The group has no nodes left to visit, so it is a piece of its own.
      if (--open[group]! === 0) return false;
    }
    return false;
  }
}
