/** Repairs areas in degrees whose outlines meet each other or themselves since their positions were rounded. */
import type { MultiPolygon, Polygon } from 'geojson';
import { orientedRings } from './rings.ts';
import { enclosure, pointLeftOf } from './trace-areas.ts';
import { doubleArea, nestGridRings, validRings, type GridPosition } from './valid-rings.ts';

/** Positions are rounded to 1e-6 degrees. */
const UNITS_PER_DEGREE = 1e6;

/**
 * Returns the area that an odd number of rings encloses; the area itself if it is valid; null if it
 * collapses to lines. `st_makevalid` takes ten times as long for the sea around the country.
 */
export function validArea(area: Polygon | MultiPolygon): Polygon | MultiPolygon | null {
  const rings = orientedRings(area).map((ring) =>
    ring.map(([lng, lat]): GridPosition => [
      Math.round(lng! * UNITS_PER_DEGREE),
      Math.round(lat! * UNITS_PER_DEGREE),
    ]),
  );
  // A ring may round to a point.
  const separate = validRings(rings).filter((ring) => doubleArea(ring) !== 0);
  // A hole may be listed as an area of its own.
  const isEnclosed = enclosure(separate);
  const oriented = separate.map((ring) =>
    isEnclosed(pointLeftOf(ring)) ? ring : ring.toReversed(),
  );
  if (oriented.length === rings.length && oriented.every((ring, i) => ring === rings[i]))
    return area;
  const coordinates: MultiPolygon['coordinates'] = [];
  for (const ring of nestGridRings(oriented)) {
    const positions = ring.map(([x, y]) => [x / UNITS_PER_DEGREE, y / UNITS_PER_DEGREE]);
    // Each outer ring is followed by its holes.
    if (doubleArea(ring) > 0) coordinates.push([positions]);
    else coordinates.at(-1)!.push(positions);
  }
  return coordinates.length > 0 ? { type: 'MultiPolygon', coordinates } : null;
}
