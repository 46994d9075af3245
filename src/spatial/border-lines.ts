/**
 * The borders of polygons as lines, each once, for maps that draw each border by what is on its sides.
 * Neighbors have common positions, as in `trace-borders.ts`.
 */
import type { Polygon, MultiPolygon, Position } from 'geojson';

export interface BorderLine {
  /** Index of the area on the left */
  left: number;
  /** Index of the area on the right; -1: none of the areas */
  right: number;
  positions: Position[];
}

interface Side {
  area: number;
  from: Position;
  to: Position;
}

/** @param areas without overlaps */
export function borderLines(areas: readonly (Polygon | MultiPolygon)[]): BorderLine[] {
  const areaOfSide = new Map<string, number>();
  const rings = areas.map(ringsOf);
  for (const [area, own] of rings.entries()) {
    for (const ring of own) {
      for (let i = 1; i < ring.length; i++) areaOfSide.set(keyOf(ring[i - 1]!, ring[i]!), area);
    }
  }
  const neighborAt = ({ from, to }: Side) => areaOfSide.get(keyOf(to, from)) ?? -1;
  return rings.flatMap((own, area) =>
    own.flatMap((ring) => linesOfRing(sidesOf(ring, area), neighborAt)),
  );
}

/** Joins consecutive sides with the same neighbor. The neighbor with the lower index has the line. */
function linesOfRing(sides: readonly Side[], neighborAt: (side: Side) => number): BorderLine[] {
  const lines: BorderLine[] = [];
  let last: number | undefined;
  for (const side of sides) {
    const neighbor = neighborAt(side);
    const isOwn = neighbor === -1 || side.area < neighbor;
    if (isOwn && neighbor === last) lines.at(-1)!.positions.push(side.to);
    else if (isOwn) {
      lines.push({ left: side.area, right: neighbor, positions: [side.from, side.to] });
    }
    last = neighbor;
  }
  return lines;
}

const sidesOf = (ring: readonly Position[], area: number): Side[] =>
  ring.slice(1).map((to, i) => ({ area, from: ring[i]!, to }));

/** Outer rings counterclockwise and holes clockwise, so that the area is on the left of each side */
function ringsOf(geometry: Polygon | MultiPolygon): Position[][] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return polygons.flatMap((rings) =>
    rings.map((ring, i) => (doubleArea(ring) > 0 === (i === 0) ? ring : ring.toReversed())),
  );
}

/** Positive if the ring runs counterclockwise */
function doubleArea(ring: readonly Position[]): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const [a, b] = [ring[i - 1]!, ring[i]!];
    sum += a[0]! * b[1]! - b[0]! * a[1]!;
  }
  return sum;
}

const keyOf = (from: Position, to: Position) => `${from[0]},${from[1]} ${to[0]},${to[1]}`;
