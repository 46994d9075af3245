/**
 * Repairs polygons on an integer grid, as in vector tiles, where rounding makes rings cross, overlap, or
 * touch themselves. Few polygons need it, and only in a few places. The repair cuts rings into chains there
 * and connects the chains to valid rings.
 */
import { findMeetings, type GridPosition, type GridRing } from './ring-meetings.ts';
import { boxOf, enclosure, keyOf, pointLeftOf, traceAreas } from './trace-areas.ts';

export type { GridPosition, GridRing };

/** Splitting moves edges by up to half a unit, so it may create new crossings. Each round creates fewer. */
const MAX_ROUNDS = 20;

/**
 * Returns valid rings for a polygon: the areas that an odd number of rings encloses. Each outer ring, with
 * a positive area in `doubleArea`, is followed by its holes. Returns the rings themselves if they are
 * valid, and an empty list if no area is left.
 *
 * @param rings closed, with integer coordinates
 */
export function validRings(rings: GridRing[]): GridRing[] {
  const distinct = rings.map(withoutRepeats);
  let noded = distinct.every((ring, i) => ring === rings[i]) ? rings : distinct;
  let { splits, shared } = findMeetings(noded);
  if (splits.size === 0 && areSeparate(noded, shared)) return noded;
  for (let round = 0; round < MAX_ROUNDS && splits.size > 0; round++) {
    noded = splitEdges(noded, splits);
    ({ splits, shared } = findMeetings(noded));
  }
  const nodes = noded.map((): number[] => []);
  for (const { ring, index } of locate(noded, shared)) nodes[ring]!.push(index);
  return nestGridRings(traceAreas(noded, nodes));
}

/**
 * Twice the signed area: positive if the ring turns from the x axis to the y axis. Positions relative to the
 * first one make it exact for small rings far from the origin.
 */
export function doubleArea(ring: GridRing): number {
  const [x, y] = ring[0] ?? [0, 0];
  let sum = 0;
  let [dx, dy] = [0, 0];
  for (const [nextX, nextY] of ring) {
    sum += dx * (nextY - y) - (nextX - x) * dy;
    [dx, dy] = [nextX - x, nextY - y];
  }
  return sum;
}

/** Returns the ring without consecutive duplicates, or the ring itself if there are none. */
function withoutRepeats(ring: GridRing): GridRing {
  let before = ring[0]!;
  for (let i = 1; i < ring.length; i++) {
    const position = ring[i]!;
    if (position[0] === before[0] && position[1] === before[1]) {
      return ring.filter(([x, y], j) => j === 0 || x !== ring[j - 1]![0] || y !== ring[j - 1]![1]);
    }
    before = position;
  }
  return ring;
}

/** Returns vertices, in order, with the indexes of their ring and within their ring. */
function locate(
  rings: readonly GridRing[],
  vertices: Iterable<number>,
): { ring: number; index: number; vertex: number }[] {
  let [ring, first] = [0, 0];
  return [...vertices]
    .toSorted((a, b) => a - b)
    .map((vertex) => {
      while (vertex - first >= rings[ring]!.length) first += rings[ring++]!.length;
      return { ring, index: vertex - first, vertex };
    });
}

/**
 * Whether rings that share vertices are valid: none visits a vertex twice, and no cycle of touching rings
 * cuts off a part of the area. In that case, two rings meet at most once, so they don't cross.
 */
function areSeparate(rings: readonly GridRing[], shared: Set<number>): boolean {
  const groups = rings.map((_, ring) => ring);
  const groupOf = (ring: number): number => (groups[ring] === ring ? ring : groupOf(groups[ring]!));
  const firstAt = new Map<string, number>();
  return locate(rings, shared).every(({ ring, index }) => {
    const position = keyOf(rings[ring]![index]!);
    const first = firstAt.get(position);
    if (first === undefined) return firstAt.set(position, ring);
    const [a, b] = [groupOf(first), groupOf(ring)];
    groups[b] = a;
    return a !== b;
  });
}

/** Inserts vertices into edges, which are identified by their first vertex. */
function splitEdges(rings: readonly GridRing[], splits: Map<number, GridPosition[]>): GridRing[] {
  const split = [...rings];
  // From the last one, so that indexes stay valid.
  for (const { ring, index, vertex } of locate(rings, splits.keys()).toReversed()) {
    const [[x1, y1], [x2, y2]] = [rings[ring]![index]!, rings[ring]![index + 1]!];
    const along = ([x, y]: GridPosition) => (x - x1) * (x2 - x1) + (y - y1) * (y2 - y1);
    const points = splits.get(vertex)!.toSorted((a, b) => along(a) - along(b));
    if (split[ring] === rings[ring]) split[ring] = [...rings[ring]!];
    split[ring]!.splice(index + 1, 0, ...points);
  }
  return split.map(withoutRepeats);
}

/** Orders rings: each outer ring before its holes. */
export function nestGridRings(rings: readonly GridRing[]): GridRing[] {
  const sized = rings.map((ring) => ({ ring, area: doubleArea(ring) }));
  const outers = sized
    .filter(({ area }) => area > 0)
    .toSorted((a, b) => a.area - b.area)
    .map(({ ring }) => ({
      ring,
      box: boxOf(ring),
      encloses: enclosure([ring]),
      holes: [] as GridRing[],
    }));
  const largest = outers.at(-1);
  for (const { ring, area } of sized) {
    if (area >= 0) continue;
    const inside = pointLeftOf(ring);
    const [x, y] = inside;
    const outer = outers.find(
      ({ box: { left, right, top, bottom }, encloses }) =>
        x > left && x < right && y > top && y < bottom && encloses(inside),
    );
    // The largest outer ring takes the holes that no other one encloses.
    (outer ?? largest)?.holes.push(ring);
  }
  return outers.flatMap(({ ring, holes }) => [ring, ...holes]);
}
