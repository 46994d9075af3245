/**
 * The nodes of a region next to another of its territories, with their possible moves and the change of border
 * length by each. After a move, only the moved node and its neighbors are updated.
 */
import type { Partition } from './partition.ts';

export class Frontier {
  /** Only the first `size` are used. The same moves give the same order. */
  readonly nodes: Int32Array;
  size = 0;
  /** The destination of each move */
  readonly to: Int32Array;
  /** Change of the length of borders by each move */
  readonly change: Float64Array;
  private readonly partition: Partition;
  /** Position of each node in `nodes`, or -1 */
  private readonly place: Int32Array;
  private readonly moves: Int32Array;

  constructor(partition: Partition) {
    const { nodes, neighbors } = partition.problem;
    this.partition = partition;
    this.nodes = new Int32Array(nodes);
    this.place = new Int32Array(nodes).fill(-1);
    this.moves = new Int32Array(nodes);
    // A node has at most one move per neighbor, and one to the leftovers.
    this.to = new Int32Array(neighbors.length + nodes);
    this.change = new Float64Array(neighbors.length + nodes);
  }

  /** The moves of node `i` are at `first(i)` up to `end(i)`. */
  first(i: number): number {
    return this.partition.problem.first[i]! + i;
  }

  end(i: number): number {
    return this.first(i) + this.moves[i]!;
  }

  /** @param nodes all nodes of the region's territories */
  start(nodes: Int32Array, inRegion: Uint8Array): void {
    for (let at = 0; at < this.size; at++) this.place[this.nodes[at]!] = -1;
    this.size = 0;
    for (const i of nodes) this.look(i, inRegion);
  }

  /** Updates the moves of a node that has moved, and of its neighbors. */
  update(moved: number, inRegion: Uint8Array): void {
    const { part, problem } = this.partition;
    const { first, neighbors } = problem;
    this.look(moved, inRegion);
    for (let edge = first[moved]!; edge < first[moved + 1]!; edge++) {
      const other = neighbors[edge]!;
      if (inRegion[part[other]!]) this.look(other, inRegion);
    }
  }

  private look(i: number, inRegion: Uint8Array): void {
    const { part, problem } = this.partition;
    const { first, neighbors, borders, fixed, territories, leftoversAllowed } = problem;
    const { to, change } = this;
    const from = part[i]!;
    const start = first[i]! + i;
    let end = start;
    let inside = 0;
    if (fixed[i]! < 0 || fixed[i] !== from) {
      for (let edge = first[i]!; edge < first[i + 1]!; edge++) {
        const other = part[neighbors[edge]!]!;
        if (other === from) inside += borders[edge]!;
        else if (inRegion[other]) {
          let move = start;
          while (move < end && to[move] !== other) move++;
          if (move === end) {
            to[end] = other;
            change[end++] = 0;
          }
          change[move]! -= borders[edge]!;
        }
      }
      if (leftoversAllowed && from !== territories && inRegion[territories]) {
        let move = start;
        while (move < end && to[move] !== territories) move++;
        if (move === end) {
          to[end] = territories;
          change[end++] = 0;
        }
      }
      for (let move = start; move < end; move++) change[move]! += inside;
    }
    this.moves[i] = end - start;
    const place = this.place[i]!;
    if (end > start) {
      if (place >= 0) return;
      this.place[i] = this.size;
      this.nodes[this.size++] = i;
    } else if (place >= 0) {
      const last = this.nodes[--this.size]!;
      this.nodes[place] = last;
      this.place[last] = place;
      this.place[i] = -1;
    }
  }
}
