/**
 * Splits an area into small pieces, for comparisons with many other areas. `st_subdivide` of PostGIS does the
 * same, but computes a complete intersection for each half, which takes 30 times as long for the sea around the
 * country.
 */
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { bboxOfGeometry } from './bbox.ts';
import { nestRings, orientedRings } from './rings.ts';

type Axis = 0 | 1;
/** A closed ring without the repeated last position. The area is on its left */
type Ring = Position[];

/**
 * Imported positions are on this grid, in degrees, so cuts between its lines rarely meet a vertex. One on a cut
 * counts as below it.
 */
const GRID = 1e-6;

/**
 * Yields pieces with up to `maxVertices` vertices each, which together cover the area. If holes of the area touch
 * each other, the outline of a piece may touch itself.
 */
export function* subdivide(
  area: Polygon | MultiPolygon,
  maxVertices: number,
): Generator<MultiPolygon> {
  const pending: Ring[][] = [orientedRings(area).map((ring) => ring.slice(0, -1))];
  for (let rings = pending.pop(); rings; rings = pending.pop()) {
    if (rings.length === 0) continue;
    const [west, south, east, north] = bboxOfGeometry({ type: 'Polygon', coordinates: rings });
    const axis = east - west > north - south ? 0 : 1;
    const [from, to] = axis === 0 ? [west, east] : [south, north];
    const count = rings.reduce((sum, ring) => sum + ring.length, 0);
    if (count <= maxVertices || to - from < 2 * GRID) yield assemble(rings);
    else pending.push(...halve(rings, axis, (Math.floor((from + to) / 2 / GRID) + 0.5) * GRID));
  }
}

/** Part of a ring on one side of a cut, from the position at which the ring enters that side to the next cut */
interface Chain {
  points: Position[];
  /** Positions of its ends along the cut */
  entry: number;
  exit: number;
}

/**
 * Cuts rings at a line. On each side, chains are connected along the line: since the area is on the left of
 * rings, each exit is connected to the entry with the same rank along the line.
 */
function halve(rings: readonly Ring[], axis: Axis, at: number): [Ring[], Ring[]] {
  const halves: [Ring[], Ring[]] = [[], []];
  const chains: [Chain[], Chain[]] = [[], []];
  for (const ring of rings) {
    const start = firstCrossing(ring, axis, at);
    if (start === -1) halves[sideOf(ring[0]!, axis, at)].push(ring);
    else cutRing(ring, start, axis, at, chains);
  }
  for (const side of [0, 1] as const) {
    const byEntry = chains[side].toSorted((a, b) => a.entry - b.entry);
    const byExit = chains[side].toSorted((a, b) => a.exit - b.exit);
    const following = new Map(byExit.map((chain, rank) => [chain, byEntry[rank]!]));
    for (const first of byEntry) {
      const ring: Ring = [];
      for (let chain: Chain | undefined = first; chain && following.has(chain);) {
        for (const point of chain.points) ring.push(point);
        const next = following.get(chain);
        following.delete(chain);
        chain = next;
      }
      if (ring.length > 2) halves[side].push(ring);
    }
  }
  return halves;
}

const sideOf = (point: Position, axis: Axis, at: number) => (point[axis]! > at ? 1 : 0);

/** Returns the index of the first vertex on another side than the one before it; -1 if there is none. */
function firstCrossing(ring: Ring, axis: Axis, at: number): number {
  const first = ring[0]![axis]! > at;
  for (let i = 1; i < ring.length; i++) if (ring[i]![axis]! > at !== first) return i;
  return -1;
}

/** Adds the chains of a ring. `start` is the index of the first vertex of one. */
function cutRing(
  ring: Ring,
  start: number,
  axis: Axis,
  at: number,
  chains: [Chain[], Chain[]],
): void {
  const other = axis === 0 ? 1 : 0;
  let before = ring[start - 1]!;
  let side = sideOf(before, axis, at);
  let chain: Chain | undefined;
  for (let i = 0; i <= ring.length; i++) {
    const point = ring[(start + i) % ring.length]!;
    if (sideOf(point, axis, at) !== side) {
      const share = (at - before[axis]!) / (point[axis]! - before[axis]!);
      const along = before[other]! + share * (point[other]! - before[other]!);
      const crossing = axis === 0 ? [at, along] : [along, at];
      if (chain) {
        chain.points.push(crossing);
        chain.exit = along;
      }
      side = side === 0 ? 1 : 0;
      if (i === ring.length) return;
      chain = { points: [crossing], entry: along, exit: along };
      chains[side].push(chain);
    }
    chain!.points.push(point);
    before = point;
  }
}

function assemble(rings: readonly Ring[]): MultiPolygon {
  const closed = rings.map((ring) => [...ring, ring[0]!]);
  return { type: 'MultiPolygon', coordinates: nestRings(closed) };
}
