/** Drive times from Valhalla's isochrones: the area that a car can reach within a time. */
import type { MultiPolygon, Polygon, Position } from 'geojson';
import type { Queryable } from '../../base/db/database.ts';
import { ServerFailure, ServerRefusal } from '../../base/outside/ask-server.ts';
import { NoDrive, noDriveFrom, noRoad, type RoutingEngine } from './engine.ts';

/** Valhalla's error codes: no road is near the origin, or no road for cars */
const NO_ROAD = new Set<unknown>([170, 171]);
/** The drive is longer than the server allows */
const TOO_LONG = 151;
/**
 * Codes about the places of a request, its limits, and roads between them. Others are about the server's
 * configuration or its map. https://valhalla.github.io/valhalla/api/turn-by-turn/api-reference/#internal-error-codes-and-conditions
 */
const isAboutDrive = (code: unknown): boolean =>
  typeof code === 'number' && ((code >= 150 && code <= 172) || (code >= 440 && code <= 445));

export const valhalla: RoutingEngine = async (db, { origin, minutes, nearby }, ask) => {
  const body = {
    locations: [{ lat: origin.lat, lon: origin.lng }],
    costing: 'auto',
    contours: [{ time: minutes }],
    polygons: true,
    // Keeps areas that are separate from the largest one, such as those around the exits of a freeway.
    denoise: 0,
  };
  const answer = await ask({ path: '/isochrone', body }).catch((error: unknown) => {
    const { error_code: code } = error instanceof ServerRefusal ? error.answer : {};
    if (NO_ROAD.has(code)) throw noRoad();
    if (code === TOO_LONG) {
      throw new NoDrive(
        'The routing server doesn’t compute drives this long.',
        'Give fewer minutes.',
      );
    }
    if (isAboutDrive(code)) throw noDriveFrom();
    throw error;
  });
  return zipsInAreas(
    db,
    nearby.map(({ zip }) => zip),
    areasIn(answer),
  );
};

/** @throws ServerFailure unless the answer is GeoJSON with polygons */
function areasIn(answer: unknown): (Polygon | MultiPolygon)[] {
  const features = (answer as { features?: unknown } | null)?.features;
  const areas = (Array.isArray(features) ? features : []).flatMap((feature) => {
    const geometry = (feature as { geometry?: Polygon | MultiPolygon } | null)?.geometry;
    return geometry?.type === 'Polygon' || geometry?.type === 'MultiPolygon' ? [geometry] : [];
  });
  const polygons = areas.flatMap((area) =>
    area.type === 'Polygon' ? [area.coordinates] : area.coordinates,
  );
  if (polygons.length === 0 || !polygons.every(isPolygon)) {
    throw new ServerFailure('the response is not an isochrone with polygons');
  }
  return areas;
}

// The database would otherwise refuse the statement.
const isPolygon = (rings: unknown) =>
  Array.isArray(rings) && rings.length > 0 && rings.every(isRing);

function isRing(ring: unknown): boolean {
  if (!Array.isArray(ring) || ring.length < 4 || !ring.every(isPosition)) return false;
  const [first, last] = [ring[0], ring.at(-1)] as [Position, Position];
  return first[0] === last[0] && first[1] === last[1];
}

const isPosition = (position: unknown) =>
  Array.isArray(position) &&
  position.length >= 2 &&
  position.every((degrees) => typeof degrees === 'number' && Math.abs(degrees) <= 360);

/** Polygons that cross themselves don't have to be repaired for testing whether they contain a point. */
async function zipsInAreas(
  db: Queryable,
  zips: readonly string[],
  areas: readonly object[],
): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    `with area as materialized (
       select st_setsrid(st_geomfromgeojson(json), 4326) as geom from unnest($2::text[]) as json
     )
     select distinct zip from zips join area on st_covers(geom, centroid)
     where zip = any($1) order by zip`,
    [zips, areas.map((area) => JSON.stringify(area))],
  );
  return rows.map(({ zip }) => zip);
}
