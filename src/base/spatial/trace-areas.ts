/**
 * Traces the areas between rings that meet only at vertices (nodes). The parts of rings between nodes are
 * chains, which stay whole, so the work depends on the number of nodes.
 */
import Flatbush from 'flatbush';
import type { GridPosition, GridRing } from './ring-meetings.ts';

/** A position as a key of sets and maps */
export const keyOf = ([x, y]: GridPosition): string => `${x} ${y}`;

/** A chain in one of its two directions */
interface Side {
  points: readonly GridPosition[];
  /** Direction of the first edge in radians */
  angle: number;
  /** The same chain in the other direction */
  reverse: Side;
  /** Whether the area on the left has been traced */
  isTraced: boolean;
}

/**
 * Returns closed rings around the areas that an odd number of rings encloses, with these areas on their
 * left. Rings without nodes stay unchanged.
 *
 * @param nodes for each ring, the indexes of the vertices at positions that rings visit more than once, in
 *   order and without the last vertex
 */
export function traceAreas(
  rings: readonly GridRing[],
  nodes: readonly (readonly number[])[],
): GridRing[] {
  const { whole, chains } = cutAtNodes(rings, nodes);
  const around = sidesByNode(chains);
  const isEnclosed = enclosure(rings);
  const traced: GridRing[] = [];
  for (const first of [...around.values()].flat()) {
    if (first.isTraced) continue;
    // Each chain separates an enclosed area from one that isn't, so one test decides for all connected
    // chains.
    const pending: [Side, boolean][] = [[first, isEnclosed(pointLeftOf(first.points))]];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const [side, isInside] = next;
      if (side.isTraced) continue;
      const walk = walkAround(side, around);
      for (const { reverse } of walk) pending.push([reverse, !isInside]);
      if (isInside) traced.push(...splitAtTouches(walk));
    }
  }
  return [...whole, ...traced];
}

/** Cuts rings into chains. Identical chains cancel out in pairs. */
function cutAtNodes(rings: readonly GridRing[], nodes: readonly (readonly number[])[]) {
  const whole: GridRing[] = [];
  const chains: GridPosition[][] = [];
  const edges = new Map<string, GridPosition[]>();
  const add = (chain: GridPosition[]) => {
    const [from, to] = [keyOf(chain[0]!), keyOf(chain.at(-1)!)];
    if (chain.length > 3 || (chain.length === 3 && from !== to)) chains.push(chain);
    if (chain.length !== 2) return;
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    if (!edges.delete(key)) edges.set(key, chain);
  };
  for (const [i, ring] of rings.entries()) {
    const [first, ...others] = nodes[i]!;
    if (first === undefined) {
      whole.push(ring);
      continue;
    }
    const cuts = first === 0 ? [...others, ring.length - 1] : nodes[i]!;
    for (const [j, cut] of cuts.entries()) {
      if (j > 0) add(ring.slice(cuts[j - 1], cut + 1));
      else add([...ring.slice(cuts.at(-1)), ...ring.slice(1, cut + 1)]);
    }
  }
  return { whole, chains: [...chains, ...edges.values()] };
}

/** Returns the sides that start at each node, by direction. */
function sidesByNode(chains: readonly GridPosition[][]): Map<string, Side[]> {
  const around = new Map<string, Side[]>();
  const sideOf = (points: readonly GridPosition[]): Side => {
    const [[x1, y1], [x2, y2]] = points as [GridPosition, GridPosition];
    const side = { points, angle: Math.atan2(y2 - y1, x2 - x1), isTraced: false } as Side;
    const others = around.get(keyOf([x1, y1]));
    if (others) others.push(side);
    else around.set(keyOf([x1, y1]), [side]);
    return side;
  };
  for (const chain of chains) {
    const [side, reverse] = [sideOf(chain), sideOf(chain.toReversed())];
    side.reverse = reverse;
    reverse.reverse = side;
  }
  for (const sides of around.values()) sides.sort((a, b) => a.angle - b.angle);
  return around;
}

/** Follows the border of the area to the left of a side. */
function walkAround(first: Side, around: Map<string, Side[]>): Side[] {
  const walk: Side[] = [];
  for (let side = first; !side.isTraced;) {
    side.isTraced = true;
    walk.push(side);
    const sides = around.get(keyOf(side.points.at(-1)!))!;
    // The next side clockwise keeps the same area on the left.
    side = sides.at(sides.indexOf(side.reverse) - 1)!;
  }
  return walk;
}

/** Splits a walk around an area into closed rings that visit each position once. */
function splitAtTouches(walk: readonly Side[]): GridRing[] {
  const rings: GridRing[] = [];
  const path: Side[] = [];
  const indexes = new Map<string, number>();
  for (const side of walk) {
    path.push(side);
    const end = keyOf(side.points.at(-1)!);
    indexes.set(keyOf(side.points[0]!), path.length - 1);
    const since = indexes.get(end);
    if (since === undefined) continue;
    const ring = path.splice(since);
    for (const { points } of ring) indexes.delete(keyOf(points[0]!));
    rings.push([...ring.flatMap(({ points }) => points.slice(0, -1)), ring[0]!.points[0]!]);
  }
  return rings;
}

/** Much less than the distance between any position and an edge that doesn't end there */
const TINY = 1e-6;

/** Returns a point close to the first edge, on its left. */
export function pointLeftOf(points: readonly GridPosition[]): GridPosition {
  const [[x1, y1], [x2, y2]] = points as [GridPosition, GridPosition];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [middleX, middleY] = [(x1 + x2) / 2, (y1 + y2) / 2];
  return [middleX - (TINY * (y2 - y1)) / length, middleY + (TINY * (x2 - x1)) / length];
}

/** Returns a function that checks whether an odd number of rings encloses a point. */
export function enclosure(rings: readonly GridRing[]): (point: GridPosition) => boolean {
  const boxed = rings.map((ring) => {
    const box = boxOf(ring);
    return { ring, ...box, rows: ring.length > MANY_EDGES ? rowsOf(ring, box) : null };
  });
  const around = boxed.length > MANY_RINGS ? boxesAround(boxed) : () => boxed;
  return ([x, y]) => {
    let isOdd = false;
    for (const { ring, left, right, top, bottom, rows } of around(x, y)) {
      if (y < top || y > bottom || x < left || x > right) continue;
      const row = rows ? Math.floor((y - top) / rows.height) : 0;
      const first = rows ? rows.starts[row]! : 1;
      const end = rows ? rows.starts[row + 1]! : ring.length;
      for (let j = first; j < end; j++) {
        const i = rows ? rows.edges[j]! : j;
        const y1 = ring[i - 1]![1];
        const y2 = ring[i]![1];
        if (y1 > y === y2 > y) continue;
        // The horizontal ray from the point to the right reaches the edge's range of y.
        const x1 = ring[i - 1]![0];
        if (x < x1 + ((y - y1) / (y2 - y1)) * (ring[i]![0] - x1)) isOdd = !isOdd;
      }
    }
    return isOdd;
  };
}

/** Comparing a point with the boxes of all islands takes longer than an index. */
const MANY_RINGS = 256;

function boxesAround<Boxed extends Box>(
  boxed: readonly Boxed[],
): (x: number, y: number) => Boxed[] {
  const index = new Flatbush(boxed.length);
  for (const { left, top, right, bottom } of boxed) index.add(left, top, right, bottom);
  index.finish();
  return (x, y) => index.search(x, y, x, y).map((i) => boxed[i]!);
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export function boxOf(ring: GridRing): Box {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of ring) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { left, right, top, bottom };
}

/** The edges of a larger ring, such as an ocean's, are searched by rows. */
const MANY_EDGES = 256;
const EDGES_PER_ROW = 16;

/** The edges of a ring, by their second vertex, in each of the rows that its box is divided into */
interface Rows {
  height: number;
  /** Index in `edges` of each row's first one */
  starts: Int32Array;
  edges: Int32Array;
}

function rowsOf(ring: GridRing, { top, bottom }: Box): Rows {
  const count = Math.ceil(ring.length / EDGES_PER_ROW);
  // Slightly more, so that the last row contains the bottom
  const height = (bottom - top + 1) / count;
  const rowOf = (y: number) => Math.floor((y - top) / height);
  const spans = (visit: (edge: number, row: number) => void) => {
    for (let i = 1; i < ring.length; i++) {
      const [from, to] = [rowOf(ring[i - 1]![1]), rowOf(ring[i]![1])];
      for (let row = Math.min(from, to); row <= Math.max(from, to); row++) visit(i, row);
    }
  };
  const starts = new Int32Array(count + 1);
  spans((_, row) => starts[row + 1]!++);
  for (let row = 0; row < count; row++) starts[row + 1]! += starts[row]!;
  const edges = new Int32Array(starts[count]!);
  const next = starts.slice();
  spans((edge, row) => (edges[next[row]!++] = edge));
  return { height, starts, edges };
}
