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
  for (const [at, i] of nodes.entries()) numberOf[i] = at;
  const isInside = (i: number) => region.includes(part[i]!);
  const first = new Int32Array(nodes.length + 1);
  const neighbors: number[] = [];
  const borders: number[] = [];
  for (const [at, i] of nodes.entries()) {
    for (let edge = problem.first[i]!; edge < problem.first[i + 1]!; edge++) {
      const next = problem.neighbors[edge]!;
      if (!isInside(next)) continue;
      neighbors.push(numberOf[next]!);
      borders.push(problem.borders[edge]!);
    }
    first[at + 1] = neighbors.length;
  }
  const byTerritory = (values: Float64Array) =>
    Float64Array.from(
      { length: region.length * measures },
      (_, at) => values[region[Math.floor(at / measures)]! * measures + (at % measures)]!,
    );
  const own = (t: number) => region.indexOf(t);
  return {
    problem: {
      ...problem,
      nodes: nodes.length,
      territories: region.length,
      first,
      neighbors: Int32Array.from(neighbors),
      borders: Float64Array.from(borders),
      x: Float64Array.from(nodes, (i) => problem.x[i]!),
      y: Float64Array.from(nodes, (i) => problem.y[i]!),
      loads: Float64Array.from(
        { length: nodes.length * measures },
        (_, at) => problem.loads[nodes[Math.floor(at / measures)]! * measures + (at % measures)]!,
      ),
      low: byTerritory(low),
      high: byTerritory(high),
      fixed: Int32Array.from(nodes, (i) => own(problem.fixed[i]!)),
    },
    part: Int32Array.from(nodes, (i) => own(part[i]!)),
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
    ...{ nodes: pieces, first, x, y, loads: pieceLoads, fixed: pieceFixed },
    neighbors: neighbors.slice(0, end),
    borders: borders.slice(0, end),
  };
}
