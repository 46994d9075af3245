/** Lists shared ZIP codes for a page: by state and place, with their positions on the map. */
import type { Feature, MultiPolygon } from 'geojson';
import type { Queryable } from '../../base/db/database.ts';
import { readDatasets } from '../../base/db/datasets.ts';
import { areasOfZips, type MapArea } from '../../data/market/areas.ts';
import { BBOX, zipShapes } from '../../data/market/zips.ts';
import { labelFeatures, ZIP_LABEL_RADIUS_PX } from '../../data/basemap/label-features.ts';
import { bboxAround, COUNTRY, type Bbox } from '../../base/spatial/bbox.ts';
import type { SharedZip } from './shared-zip.ts';
import { group as groupBy } from 'd3-array';
import { states } from '../../base/geodata/states.ts';

/**
 * With more ZIP codes, a map loads tiles instead of all boundaries. At this number, the boundaries take
 * about 100 kB.
 */
const MAX_UNTILED_ZIPS = 400;

/**
 * With more ZIP codes, a page lists states that link to their ZIP codes. The whole list of the country
 * would take 425 kB compressed. No state has more than this.
 */
const MAX_LISTED_ZIPS = 2_500;

export interface ShareListing {
  states: ListedState[];
  /** Whether the page lists only states */
  folded: boolean;
  zips: number;
  live: number;
  pending: number;
  /** Extent of all boundaries; the country's if there are none */
  bbox: Bbox;
  /** Sorted by number of ZIP codes, the largest first */
  areas: MapArea[];
  /** FIPS codes of their counties */
  counties: string[];
  /** Number of ZIP codes that have no boundary and aren't drawn */
  withoutBoundary: number;
  /** Whether the map loads tiles */
  tiled: boolean;
  /** Positions on the map of ZIP codes with a boundary */
  positions: Map<string, ZipPosition>;
  /** Source and year of the boundaries */
  vintage: string;
}

/** The point where a ZIP code's label has the most room. If the map loads tiles, its centroid */
export interface ZipPosition {
  lng: number;
  lat: number;
  /** Lowest zoom at which the label fits. Absent if the map loads tiles, which contain it */
  labelZoom?: number;
}

export interface ListedState {
  name: string;
  /** USPS code; null for ZIP codes outside all known states, which come last */
  usps: string | null;
  places: ListedPlace[];
  zips: number;
}

export interface ListedPlace {
  /** Null if unknown */
  city: string | null;
  zips: SharedZip[];
}

interface KnownRow {
  zip: string;
  city: string | null;
  state: string | null;
  county: string | null;
  /** Null without a boundary */
  bbox: Bbox | null;
  lng: number;
  lat: number;
}

type PlacedRow = KnownRow & { bbox: Bbox };

export async function listShared(db: Queryable, zips: readonly SharedZip[]): Promise<ShareListing> {
  const codes = zips.map(({ zip }) => zip);
  const rows = await db.query<KnownRow>(
    `select zip, city, state, county_fips as county,
       case when bbox is not null then ${BBOX} end as bbox, st_x(centroid) as lng, st_y(centroid) as lat
     from zips where zip = any($1)`,
    [codes],
  );
  const known = new Map(rows.map((row) => [row.zip, row]));
  const placed = rows.filter((row): row is PlacedRow => row.bbox !== null);
  const tiled = zips.length > MAX_UNTILED_ZIPS;
  const pending = zips.filter(({ status }) => status === 'pending').length;
  return {
    states: byState(zips, known),
    folded: zips.length > MAX_LISTED_ZIPS,
    zips: zips.length,
    live: zips.length - pending,
    pending,
    areas: await areasOfZips(db, codes),
    bbox: placed.length > 0 ? bboxAround(placed.map(({ bbox }) => bbox)) : COUNTRY,
    counties: [...new Set(rows.flatMap(({ county }) => county ?? []))].sort(),
    withoutBoundary: zips.length - placed.length,
    tiled,
    positions: tiled
      ? new Map(placed.map((row) => [row.zip, row]))
      : await labelPositions(db, codes),
    vintage: (await readDatasets(db)).get('boundaries')?.vintage ?? '',
  };
}

/** Replaces the USPS code for ZIP codes outside all known states. */
export const ELSEWHERE = 'elsewhere';

/** Returns the shared ZIP codes in one state. @param part USPS code, or `ELSEWHERE` */
export async function zipsInPart(
  db: Queryable,
  zips: readonly SharedZip[],
  part: string,
): Promise<SharedZip[]> {
  const rows = await db.query<{ zip: string }>(
    `select shared.zip from unnest($1::text[]) as shared (zip) left join zips on zips.zip = shared.zip
     where coalesce(zips.state, $3) = $2`,
    [zips.map(({ zip }) => zip), part, ELSEWHERE],
  );
  const inPart = new Set(rows.map(({ zip }) => zip));
  return zips.filter(({ zip }) => inPart.has(zip));
}

function byState(zips: readonly SharedZip[], known: ReadonlyMap<string, KnownRow>): ListedState[] {
  const names = new Map(states().map(({ usps, name }) => [usps, name]));
  const groups = groupBy(zips, ({ zip }) => known.get(zip)?.state ?? null);
  return [...groups]
    .map(([usps, members]) => ({
      name: usps === null ? 'Elsewhere' : (names.get(usps) ?? usps),
      usps,
      zips: members.length,
      places: [...groupBy(members, ({ zip }) => known.get(zip)?.city ?? null)]
        .map(([city, zips]) => ({ city, zips }))
        .sort((a, b) => compareNames(a.city, b.city)),
    }))
    .sort((a, b) => compareNames(a.usps && a.name, b.usps && b.name));
}

/** Compares names for sorting, null last. */
function compareNames(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a < b ? -1 : 1;
}

async function labelPositions(
  db: Queryable,
  zips: readonly string[],
): Promise<Map<string, ZipPosition>> {
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
