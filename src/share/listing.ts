/** The ZIPs of a share as a page lists them: by place, with what a map needs to name them. */
import type { Feature, MultiPolygon } from 'geojson';
import type { Queryable } from '../db/database.ts';
import { readDatasets } from '../db/datasets.ts';
import { zipShapes } from '../market/zips.ts';
import { labelFeatures, ZIP_LABEL_RADIUS_PX } from '../basemap/label-features.ts';
import { bboxAround, COUNTRY, type Bbox } from '../spatial/bbox.ts';
import type { SharedZip } from '../spatial/shared-zip.ts';
import { states } from '../states.ts';

/**
 * Up to so many ZIPs are sent whole: about 100 kB with the Census Bureau's boundaries. Of more, a map
 * loads tiles, which hold only what it shows.
 */
const MOST_SENT_WHOLE = 400;

/**
 * Of more ZIPs than any state has, a page tells the states alone, each with where its ZIPs are: all of
 * the country's would take 425 kB compressed.
 */
const MOST_LISTED = 2_500;

export interface ShareListing {
  states: ListedState[];
  /** Whether a page should list its states alone */
  folded: boolean;
  zips: number;
  live: number;
  pending: number;
  /** Around all of them; the country where there are none with a boundary */
  bbox: Bbox;
  /** Census codes of the counties in which they lie */
  counties: string[];
  /** Whether a map should load them as tiles */
  tiled: boolean;
  /** Where each ZIP that has a boundary is to be found */
  at: Map<string, ZipPoint>;
  /** Of the boundaries */
  vintage: string;
}

/** Where a ZIP has most room for its name, and the zoom from which that fits; or its middle alone. */
export interface ZipPoint {
  lng: number;
  lat: number;
  /** Left out where tiles tell */
  labelZoom?: number;
}

/** A state by its name; ZIPs that are in none that is known come last. */
export interface ListedState {
  name: string;
  /** USPS code; null for those in none */
  usps: string | null;
  places: ListedPlace[];
  zips: number;
}

export interface ListedPlace {
  /** Null where nobody tells */
  city: string | null;
  zips: SharedZip[];
}

interface PlacedRow {
  zip: string;
  city: string | null;
  state: string | null;
  county: string | null;
  bbox: Bbox;
  lng: number;
  lat: number;
}

export async function listingOf(db: Queryable, zips: readonly SharedZip[]): Promise<ShareListing> {
  const codes = zips.map(({ zip }) => zip);
  const rows = await db.query<PlacedRow>(
    `select zip, city, state, county_fips as county,
       array[st_xmin(bbox), st_ymin(bbox), st_xmax(bbox), st_ymax(bbox)] as bbox,
       st_x(centroid) as lng, st_y(centroid) as lat
     from zips where zip = any($1)`,
    [codes],
  );
  const placed = new Map(rows.map((row) => [row.zip, row]));
  const tiled = zips.length > MOST_SENT_WHOLE;
  const pending = zips.filter(({ status }) => status === 'pending').length;
  return {
    states: byState(zips, placed),
    folded: zips.length > MOST_LISTED,
    zips: zips.length,
    live: zips.length - pending,
    pending,
    bbox: rows.length > 0 ? bboxAround(rows.map(({ bbox }) => bbox)) : COUNTRY,
    counties: [...new Set(rows.flatMap(({ county }) => county ?? []))].sort(),
    tiled,
    at: tiled ? placed : await labelPoints(db, codes),
    vintage: (await readDatasets(db)).get('boundaries')?.vintage ?? '',
  };
}

/** What stands for ZIPs that are in no state that is known, where a state's code would. */
export const ELSEWHERE = 'elsewhere';

/** Those of a share that are in one state. @param part its USPS code, or `ELSEWHERE` */
export async function zipsOfPart(
  db: Queryable,
  zips: readonly SharedZip[],
  part: string,
): Promise<SharedZip[]> {
  const rows = await db.query<{ zip: string }>(
    `select asked.zip from unnest($1::text[]) as asked (zip) left join zips on zips.zip = asked.zip
     where coalesce(zips.state, $3) = $2`,
    [zips.map(({ zip }) => zip), part, ELSEWHERE],
  );
  const inPart = new Set(rows.map(({ zip }) => zip));
  return zips.filter(({ zip }) => inPart.has(zip));
}

function byState(
  zips: readonly SharedZip[],
  placed: ReadonlyMap<string, PlacedRow>,
): ListedState[] {
  const names = new Map(states().map(({ usps, name }) => [usps, name]));
  const groups = groupBy(zips, ({ zip }) => placed.get(zip)?.state ?? null);
  return [...groups]
    .map(([usps, members]) => ({
      name: usps === null ? 'Elsewhere' : (names.get(usps) ?? usps),
      usps,
      zips: members.length,
      places: [...groupBy(members, ({ zip }) => placed.get(zip)?.city ?? null)]
        .map(([city, zips]) => ({ city, zips }))
        .sort((a, b) => lastWithout(a.city, b.city)),
    }))
    .sort((a, b) => lastWithout(a.usps && a.name, b.usps && b.name));
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** By name, those without one last. */
function lastWithout(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}

/** At full detail, as the boundaries of so few are sent. */
async function labelPoints(db: Queryable, zips: readonly string[]): Promise<Map<string, ZipPoint>> {
  const shapes = await zipShapes(db, zips, 0);
  const areas = Array.from(shapes, ([zip, geometry]): Feature<MultiPolygon> => {
    return { type: 'Feature', properties: { zip }, geometry };
  });
  return new Map(
    labelFeatures(areas, ZIP_LABEL_RADIUS_PX).map(({ properties, geometry }) => {
      const { zip, labelZoom } = properties as { zip: string; labelZoom: number };
      const [lng, lat] = geometry.coordinates as [number, number];
      return [zip, { lng, lat, labelZoom }];
    }),
  );
}
