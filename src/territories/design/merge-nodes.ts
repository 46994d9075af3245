/** Makes smaller problems: a part of the map, or a map with merged nodes. */
import type { Partition } from './partition.ts';
import type { Problem } from './problem.ts';

/** Returns whether a problem has no prices or limits of single nodes. Smaller problems would lose these. */
export const isPlain = ({ allowed, leftoverPrice, links, home }: Problem) =>
  allowed === null && leftoverPrice === null && links === null && home === null;

/**
 * Returns the problem of dividing some territories again. Their borders with other territories stay the same.
 * @param nodes all nodes of the territories, in their new order
 * @param region the territories, in their new order
 */
export function extract(
  { problem, part, low, high }: Partition,
  nodes: Int32Array,
  region: readonly number[],
  numberOf: Int32Array,
): { problem: Problem; part: Int32Array } {
  const { measures } = problem;
  const own = new Int32Array(problem.territories + 1).fill(-1);
  for (let at = 0; at < region.length; at++) own[region[at]!] = at;
  let most = 0;
  for (let at = 0; at < nodes.length; at++) {
    const i = nodes[at]!;
    numberOf[i] = at;
    most += problem.first[i + 1]! - problem.first[i]!;
  }
  const first = new Int32Array(nodes.length + 1);
  const neighbors = new Int32Array(most);
  const borders = new Float64Array(most);
  const [x, y] = [new Float64Array(nodes.length), new Float64Array(nodes.length)];
  const loads = new Float64Array(nodes.length * measures);
  const fixed = new Int32Array(nodes.length);
  const ownPart = new Int32Array(nodes.length);
  let end = 0;
  for (let at = 0; at < nodes.length; at++) {
    const i = nodes[at]!;
    for (let edge = problem.first[i]!; edge < problem.first[i + 1]!; edge++) {
      const next = problem.neighbors[edge]!;
      if (own[part[next]!]! < 0) continue;
      neighbors[end] = numberOf[next]!;
      borders[end++] = problem.borders[edge]!;
    }
    first[at + 1] = end;
    x[at] = problem.x[i]!;
    y[at] = problem.y[i]!;
    for (let q = 0; q < measures; q++) loads[at * measures + q] = problem.loads[i * measures + q]!;
    fixed[at] = problem.fixed[i]! < 0 ? -1 : own[problem.fixed[i]!]!;
    ownPart[at] = own[part[i]!]!;
  }
  const limits = (values: Float64Array) => {
    const some = new Float64Array(region.length * measures);
    for (let at = 0; at < some.length; at++)
      some[at] = values[region[Math.floor(at / measures)]! * measures + (at % measures)]!;
    return some;
  };
  return {
    problem: {
      ...problem,
      nodes: nodes.length,
      territories: region.length,
      first,
      x,
      y,
      loads,
      fixed,
      neighbors: neighbors.subarray(0, end),
      borders: borders.subarray(0, end),
      low: limits(low),
      high: limits(high),
    },
    part: ownPart,
  };
}

/** Merges nodes into pieces. @param pieceOf the piece of each node. Pieces are connected. */
export function mergeNodes(problem: Problem, pieceOf: Int32Array, pieces: number): Problem {
  const { nodes, measures, loads, fixed } = problem;
  const sizes = new Int32Array(pieces);
  const [x, y] = [new Float64Array(pieces), new Float64Array(pieces)];
  const pieceLoads = new Float64Array(pieces * measures);
  const pieceFixed = new Int32Array(pieces).fill(-1);
  // The nodes of each piece, grouped by piece
  const start = new Int32Array(pieces + 1);
  for (let i = 0; i < nodes; i++) {
    const piece = pieceOf[i]!;
    start[piece + 1]!++;
    sizes[piece]!++;
    x[piece]! += problem.x[i]!;
    y[piece]! += problem.y[i]!;
    for (let q = 0; q < measures; q++)
      pieceLoads[piece * measures + q]! += loads[i * measures + q]!;
    if (fixed[i]! >= 0) pieceFixed[piece] = fixed[i]!;
  }
  for (let piece = 0; piece < pieces; piece++) {
    start[piece + 1]! += start[piece]!;
    x[piece]! /= sizes[piece]!;
    y[piece]! /= sizes[piece]!;
  }
  const members = new Int32Array(nodes);
  const next = start.slice();
  for (let i = 0; i < nodes; i++) members[next[pieceOf[i]!]!++] = i;

  const first = new Int32Array(pieces + 1);
  const neighbors = new Int32Array(problem.neighbors.length);
  const borders = new Float64Array(problem.neighbors.length);
  /** Position of the border with each other piece, if at least `from` */
  const place = new Int32Array(pieces).fill(-1);
  let end = 0;
  for (let piece = 0; piece < pieces; piece++) {
    const from = end;
    for (let at = start[piece]!; at < start[piece + 1]!; at++) {
      const i = members[at]!;
      for (let edge = problem.first[i]!; edge < problem.first[i + 1]!; edge++) {
        const other = pieceOf[problem.neighbors[edge]!]!;
        if (other === piece) continue;
        if (place[other]! < from) {
          place[other] = end;
          neighbors[end] = other;
          borders[end++] = 0;
        }
        borders[place[other]!]! += problem.borders[edge]!;
      }
    }
    first[piece + 1] = end;
  }
  return {
    ...problem,
    nodes: pieces,
    first,
    x,
    y,
    loads: pieceLoads,
    fixed: pieceFixed,
    neighbors: neighbors.subarray(0, end),
    borders: borders.subarray(0, end),
  };
}
