/**
 * Places of the Census Bureau as named points. Its files have polygons and no population, so importance and
 * position come from the ZIP codes of the city's post office.
 */
import type { BasemapLayer, FeatureFacts } from '../../basemap/features.ts';
import type { Queryable } from '../../../base/db/database.ts';
import type { Feature, MultiPolygon, Polygon } from 'geojson';
import { labelFeatures } from '../../basemap/label-features.ts';
import { bboxOfGeometry } from '../../../base/spatial/bbox.ts';
import { readWkb } from '../../../base/spatial/wkb.ts';
import { states } from '../../../base/geodata/states.ts';
import type { Findings } from '../report.ts';
import { firstZooms, scaleRank, stateCapitals } from '../sample/places.ts';
import type { Shapes } from '../shape-levels.ts';
import { toWkb } from '../topology.ts';
import { text } from './description.ts';

/** Longitude and latitude */
type Position = readonly [number, number];

/** Whether a file has the Census Bureau's polygons of places. */
export function isCensusPlaces(layer: BasemapLayer, { properties, levels }: Shapes): boolean {
  const [first] = levels[0]!.geometries;
  return layer === 'places' && 'PLACEFP' in (properties[0] ?? {}) && first?.type !== 'Point';
}

/** Returns the places as points. Their names are shown from the zoom at which there is room. */
export async function censusPlaces(
  db: Queryable,
  { properties, levels }: Shapes,
  findings: Findings,
) {
  const { arcs, geometries } = levels[0]!;
  const cities = await postalCities(db);
  const capitals = new Set(stateCapitals());
  const places = properties.flatMap((p, index) => {
    findings.rowsRead++;
    const state = states().find(({ fips }) => fips === p['STATEFP'])?.usps;
    const fullName = text(p['NAME']);
    const wkb = geometries[index] && toWkb(geometries[index], arcs);
    if (!fullName || !state || !wkb) {
      findings.reject('a place needs a name, a state, and a shape', `feature ${index + 1}`);
      return [];
    }
    const name = usualName(fullName);
    const key = `${name}, ${state}`;
    const city = cities.get(key);
    const area = readWkb(wkb) as Polygon | MultiPolygon;
    const [lng, lat] = centerOf(city, area) ?? internalPoint(p) ?? middleOf(area);
    const population = city?.population || estimateOf(p);
    return [{ name, lng, lat, population, isCapital: capitals.has(key) }];
  });
  const ranked = places.sort((a, b) => b.population - a.population);
  const minZooms = firstZooms(ranked);
  return {
    shapes: {
      properties: ranked.map(() => ({})),
      levels: [
        {
          arcs: { coordinates: new Float64Array(), starts: new Uint32Array(1) },
          geometries: ranked.map(({ lng, lat }) => ({
            type: 'Point' as const,
            coordinates: [lng, lat],
          })),
        },
      ],
    },
    features: new Map<number, FeatureFacts>(
      ranked.map(({ name, population, isCapital }, i) => [
        i,
        {
          layer: 'places',
          kind: isCapital ? 'capital' : 'city',
          name,
          fips: null,
          minZoom: minZooms[i]!,
          rank: scaleRank(population),
        },
      ]),
    ),
  };
}

/** `Nashville-Davidson metropolitan government (balance)` is `Nashville`, and `Boise City` `Boise`. */
function usualName(name: string): string {
  const balance = /^(.+?) (city|(metro\w*|consolidated|unified) government) \(balance\)$/.exec(
    name,
  );
  if (balance) return balance[1]!.split(/[-/]/)[0]!;
  return name.replace(/^(Boise) City$/, '$1').replace(/^Urban (Honolulu)$/, '$1');
}

interface PostalCity {
  population: number;
  lng: number;
  lat: number;
}

/** By name and state, as in `Dallas, TX`; at the median of their ZIP codes. */
async function postalCities(db: Queryable): Promise<Map<string, PostalCity>> {
  const rows = await db.query<PostalCity & { key: string }>(
    `select city || ', ' || state as key, coalesce(sum(population_total), 0)::int as population,
       percentile_disc(0.5) within group (order by st_x(centroid)) as lng,
       percentile_disc(0.5) within group (order by st_y(centroid)) as lat
     from zips left join zip_demographics using (zip)
     where city is not null group by 1`,
  );
  return new Map(rows.map(({ key, ...city }) => [key, city]));
}

/** The center according to the post office, unless that is a different place of the same name. */
function centerOf(city: PostalCity | undefined, area: Polygon | MultiPolygon): Position | null {
  if (!city) return null;
  const [west, south, east, north] = bboxOfGeometry(area);
  const { lng, lat } = city;
  return lng > west && lng < east && lat > south && lat < north ? [lng, lat] : null;
}

/** The point of an area with the most room around it. */
function middleOf(geometry: Polygon | MultiPolygon): Position {
  const area: Feature<Polygon | MultiPolygon> = { type: 'Feature', properties: {}, geometry };
  const [label] = labelFeatures([area], 1);
  return label!.geometry.coordinates as unknown as Position;
}

/**
 * Estimates the population of places without their own post office, which are suburbs or villages: about
 * 300 people per square kilometer of land, at most 15,000, and half of that in places without a government.
 */
function estimateOf(p: Record<string, unknown>): number {
  const people = Math.min(15_000, (300 * Number(p['ALAND'] ?? 0)) / 1e6);
  return Math.max(1, p['LSAD'] === '57' ? people / 2 : people);
}

/** TIGER/Line files have a point inside each place. */
function internalPoint(p: Record<string, unknown>): Position | null {
  const lng = Number(p['INTPTLON'] ?? NaN);
  const lat = Number(p['INTPTLAT'] ?? NaN);
  return Number.isFinite(lng) && Number.isFinite(lat) ? [lng, lat] : null;
}
