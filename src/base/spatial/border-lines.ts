/**
 * Traces the borders of polygons as lines, each line once, for maps that style each border by the areas on
 * its sides. Neighbors must have common positions, as in `trace-borders.ts`.
 */
import type { Polygon, MultiPolygon, Position } from 'geojson';
import { pairIndex, positionIndex } from './position-index.ts';
import { orientedRings } from './rings.ts';

interface BorderLine {
  /** Index of the area on the left */
  left: number;
  /** Index of the area on the right; -1 for none */
  right: number;
  positions: Position[];
}

/** Ids of positions */
interface Side {
  area: number;
  from: number;
  to: number;
}

/** @param areas without overlaps */
export function borderLines(areas: readonly (Polygon | MultiPolygon)[]): BorderLine[] {
  const positions = positionIndex();
  const sides = pairIndex();
  const areaOfSide: number[] = [];
  const rings = areas.flatMap((area, index) =>
    orientedRings(area).map((ring) => sidesOf(ring, index, positions)),
  );
  for (const ring of rings) {
    for (const { area, from, to } of ring) areaOfSide[sides.put(from, to)] = area;
  }
  // Each side has at most one twin.
  const neighborAt = ({ from, to }: Side) => {
    const twin = sides.take(to, from);
    return twin === undefined ? -1 : areaOfSide[twin]!;
  };
  const positionOf = (id: number): Position => [positions.lng(id), positions.lat(id)];
  return rings.flatMap((ring) => linesOfRing(ring, neighborAt, positionOf));
}

/** Joins consecutive sides with the same neighbor. A line belongs to the area with the lower index. */
function linesOfRing(
  sides: readonly Side[],
  neighborAt: (side: Side) => number,
  positionOf: (id: number) => Position,
): BorderLine[] {
  const lines: BorderLine[] = [];
  let last: number | undefined;
  for (const side of sides) {
    const neighbor = neighborAt(side);
    const isOwn = neighbor === -1 || side.area < neighbor;
    if (isOwn && neighbor === last) lines.at(-1)!.positions.push(positionOf(side.to));
    else if (isOwn) {
      const positions = [side.from, side.to].map(positionOf);
      lines.push({ left: side.area, right: neighbor, positions });
    }
    last = neighbor;
  }
  return lines;
}

function sidesOf(
  ring: readonly Position[],
  area: number,
  { idOf }: ReturnType<typeof positionIndex>,
): Side[] {
  const ids = ring.map(([lng, lat]) => idOf(lng!, lat!));
  return ids.slice(1).map((to, i) => ({ area, from: ids[i]!, to }));
}
