/** Rings of polygons in longitude and latitude. They are closed: the last position repeats the first. */
import type { MultiPolygon, Polygon, Position } from 'geojson';

/** Adds the last position if a program has left it out. */
export function closeRing(ring: readonly Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  return !first || !last || (first[0] === last[0] && first[1] === last[1])
    ? [...ring]
    : [...ring, first];
}

/** Returns all rings with the area on their left: outer rings run counterclockwise, and holes run clockwise. */
export function orientedRings({ type, coordinates }: Polygon | MultiPolygon): Position[][] {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  return polygons.flatMap((rings) =>
    rings.map((ring, i) => (doubleArea(ring) > 0 === (i === 0) ? ring : ring.toReversed())),
  );
}

/** Returns the polygons of oriented rings: each hole is in the smallest outer ring around it. */
export function nestRings(rings: readonly Position[][]): Position[][][] {
  const sized = rings.map((ring) => ({ ring, area: doubleArea(ring) }));
  const polygons = sized
    .filter(({ area }) => area > 0)
    .toSorted((a, b) => a.area - b.area)
    .map(({ ring }) => [ring]);
  for (const { ring, area } of sized) {
    if (area >= 0) continue;
    const inside = middleOfFirstEdge(ring);
    const around =
      polygons.length === 1 ? polygons[0] : polygons.find(([outer]) => contains(outer!, inside));
    around?.push(ring);
  }
  return polygons;
}

/** Holes touch other rings only at vertices, so this point is on no other ring. */
const middleOfFirstEdge = ([a, b]: readonly Position[]): Position => [
  (a![0]! + b![0]!) / 2,
  (a![1]! + b![1]!) / 2,
];

function contains(ring: readonly Position[], [x, y]: Position): boolean {
  let isInside = false;
  let [x1, y1] = ring[0] as [number, number];
  for (const [x2, y2] of ring as [number, number][]) {
    if (y1 > y! !== y2 > y! && x! < x1 + ((y! - y1) / (y2 - y1)) * (x2 - x1)) isInside = !isInside;
    [x1, y1] = [x2, y2];
  }
  return isInside;
}

/**
 * Twice the area: positive if the ring runs counterclockwise. Positions relative to the first one lose fewer
 * digits.
 */
function doubleArea(ring: readonly Position[]): number {
  const [x, y] = ring[0] as [number, number];
  let sum = 0;
  let [dx, dy] = [0, 0];
  for (const [nextX, nextY] of ring as [number, number][]) {
    sum += dx * (nextY - y) - (nextX - x) * dy;
    [dx, dy] = [nextX - x, nextY - y];
  }
  return sum;
}
