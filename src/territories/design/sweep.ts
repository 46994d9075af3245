/**
 * Cuts a connected set of nodes in two by a line that sweeps over the map. One side grows from the edge of the map,
 * by the next adjacent node in the line's direction. Pieces that it cuts off from the larger rest join it, so that
 * both sides are connected.
 */
import TinyQueue from 'tinyqueue';
import type { Problem } from './problem.ts';

/** @returns a flag for each node, by position in `nodes`: 1 on the side that grew */
export function sweep(
  { first, neighbors, x, y, loads, measures, nodes: all }: Problem,
  nodes: Int32Array,
  options: {
    /** Direction in radians */ angle: number;
    /** Share of the loads, 0..1 */ share: number;
  },
): Uint8Array {
  const [east, north] = [Math.cos(options.angle), Math.sin(options.angle)];
  const key = (i: number) => east * x[i]! + north * y[i]!;
  /** 0: not in the set; otherwise the position in `nodes` plus one */
  const place = new Int32Array(all);
  const load = (i: number) => {
    let sum = 0;
    for (let q = 0; q < measures; q++) sum += loads[i * measures + q]!;
    return sum;
  };
  let total = 0;
  let start = nodes[0]!;
  for (const [at, i] of nodes.entries()) {
    place[i] = at + 1;
    total += load(i);
    if (key(i) < key(start)) start = i;
  }
  const grown = new Uint8Array(nodes.length);
  const queued = new Uint8Array(nodes.length);
  const queue = new TinyQueue([start], (a, b) => key(a) - key(b));
  queued[place[start]! - 1] = 1;
  let sum = 0;
  let left = nodes.length;
  while (queue.length > 0 && left > 1) {
    const i = queue.pop()!;
    const more = load(i);
    // Stops as near to the share as possible, with at least one node.
    if (left < nodes.length && sum + more / 2 > options.share * total) break;
    sum += more;
    left--;
    grown[place[i]! - 1] = 1;
    for (let at = first[i]!; at < first[i + 1]!; at++) {
      const next = place[neighbors[at]!]! - 1;
      if (next < 0 || queued[next]) continue;
      queued[next] = 1;
      queue.push(neighbors[at]!);
    }
  }

  // Only the heaviest piece of the rest stays on the other side.
  const piece = new Int32Array(nodes.length);
  const pieceLoads = [0];
  const open: number[] = [];
  for (let at = 0; at < nodes.length; at++) {
    if (grown[at] || piece[at]) continue;
    const id = pieceLoads.push(0) - 1;
    piece[at] = id;
    open.push(nodes[at]!);
    while (open.length > 0) {
      const i = open.pop()!;
      // Pieces without a load compare by their number of nodes.
      pieceLoads[id]! += load(i) + 1e-12;
      for (let edge = first[i]!; edge < first[i + 1]!; edge++) {
        const next = place[neighbors[edge]!]! - 1;
        if (next < 0 || grown[next] || piece[next]) continue;
        piece[next] = id;
        open.push(neighbors[edge]!);
      }
    }
  }
  const heaviest = pieceLoads.indexOf(Math.max(...pieceLoads));
  for (let at = 0; at < nodes.length; at++) if (piece[at] !== heaviest) grown[at] = 1;
  return grown;
}
