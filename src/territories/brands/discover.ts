/**
 * Finds ZIP codes where a brand could grow, around a place or in a city, by score. A ZIP code is within a radius if
 * its centroid is.
 */
import { z } from 'zod';
import type { BrandScope } from '../../people/account/caller.ts';
import { ZipCode } from '../../base/contract/resources.ts';
import type { Queryable } from '../../base/db/database.ts';
import { badRequest, notFound, type ServiceError } from '../../errors.ts';
import { metroBySlug } from '../../data/market/metros.ts';
import type { Point } from '../../data/market/zip-centers.ts';
import { MAX_AREAS } from '../../data/market/areas.ts';
import { explainMissing, missingBoundaries } from '../../data/market/missing-boundaries.ts';
import { ANY_ZIP, recordSeenZips } from '../../people/metering/figures.ts';
import { verticalBySlug } from '../../data/scoring/verticals.ts';
import {
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { neighborsOf, readAdjacency } from './shape/adjacency.ts';
import type { Brand } from './brands.ts';
import { heldZipStatuses } from './brand-zips.ts';
import { holdersOf } from './holders.ts';
import { candidates, LOD, MAX_UNITED, type FoundZip } from './measured-candidates.ts';
import { METERS_PER_MILE } from '../../base/spatial/miles.ts';
import { noDriveTimes, type DriveTimes } from '../../data/routing/drive-times.ts';
import { placeDistances, type PlaceDistances } from '../own-data/place-distances.ts';
import { readPenetration } from './penetration.ts';
import type { DataViewer } from './targeting/own-ranks.ts';
import { tenths } from './zip-facts.ts';

/** A smaller radius wouldn't reach a centroid, and tiny numbers underflow in the database. */
export const MIN_RADIUS_MILES = 0.1;
export const MAX_RADIUS_MILES = 250;

/** The place from which distances are measured */
export type Source =
  | { zip: string }
  | { lat: number; lng: number }
  /** Nearest border of the territory, its center, or the nearest of its centers in metros and states */
  | { brand: 'border' | 'centroid' | 'areas' }
  /** Center of the city's ZIP codes */
  | { city: string; state: string };

export interface Discovery {
  /** Slug */
  vertical: string;
  /** Brand whose ZIP codes are excluded, or null */
  brand: Pick<Brand, 'id' | 'name'> | null;
  source: Source;
  /** Null only with `drive`, or for a city, whose own ZIP codes are then returned */
  radiusMiles: number | null;
  /** USPS code of the state to search. Default: all */
  state?: string | undefined;
  /** Slug of the launched metro to search. Default: everywhere */
  metro?: string | undefined;
  /** Limits the time by car from the source. The source can't be a border then. */
  drive?: { minutes: number; times?: DriveTimes | undefined } | undefined;
  minScore?: number | undefined;
  /** Data set (slug, name, or id) by whose rates ZIP codes that are served well are left out */
  compareWith?: string | undefined;
}

export interface Candidate extends Omit<FoundZip, 'percentile' | 'distanceM'>, PlaceDistances {
  /** Great-circle distance from the source to the ZIP code's centroid, rounded to one decimal */
  distanceMiles: number;
  /** Whether it borders the brand's territory */
  adjacent: boolean;
  /** Other brands within the scope that hold it */
  heldBy: Brand[];
  /** Its amount and rate in words, if compared with a data set */
  own: string | null;
}

/**
 * Returns candidates, highest score first, then nearest first.
 * @throws ServiceError 404 for an unknown vertical, metro, ZIP code, or city, or a brand without a territory to
 *   measure from; 400 if neither a radius, a drive, nor a city limits the search; 400 or 503 as `DriveTimes`; 402
 *   as `recordSeenZips`; 400 as `readPenetration`
 */
export async function discover(
  viewer: DataViewer,
  scope: BrandScope,
  {
    vertical,
    brand,
    source,
    radiusMiles,
    drive,
    state,
    metro,
    minScore = 0,
    compareWith,
  }: Discovery,
  page: PageRequest,
): Promise<Page<Candidate>> {
  const { tenant } = viewer;
  const { slug } = verticalBySlug(vertical);
  const after = startAfter(page, z.tuple([z.number(), z.number(), ZipCode]));
  const held = new Set(brand ? (await heldZipStatuses(tenant, brand)).keys() : []);
  const from = await sourceGeometry(tenant.common, source, held, brand);
  if (radiusMiles === null && !drive && !('city' in source)) {
    throw badRequest(
      'Add a radius in miles, or the minutes of a drive. Only a search in a city needs neither.',
    );
  }
  const inCity = radiusMiles === null && !drive && 'city' in source ? source : null;
  const among = drive && (await zipsWithinDrive(tenant.common, from, source, drive));
  const compared = compareWith === undefined ? null : await readPenetration(viewer, compareWith);
  const rows = await candidates(tenant.common, {
    from,
    inRings: isLargeTerritory(source, held),
    radiusM: radiusMiles === null ? null : radiusMiles * METERS_PER_MILE,
    city: inCity,
    state: state ?? null,
    metro: metro === undefined ? null : metroBySlug(metro).slug,
    among: among ?? null,
    vertical: slug,
    minScore,
    without: [...held],
    except: compared?.served ?? [],
    after,
    limit: rowsToRead(page),
  });
  const found = pageOf(rows, page, ({ percentile, distanceM, zip }) => [
    percentile,
    distanceM,
    zip,
  ]);
  const zips = found.rows.map(({ zip }) => zip);
  await recordSeenZips(viewer, zips, { among: ANY_ZIP });
  const [holders, adjacency, penetrations, distances] = await Promise.all([
    holdersOf(tenant, scope, zips),
    readAdjacency(tenant.common, zips),
    compared?.of(zips),
    placeDistances(tenant, zips, brand?.id ?? null),
  ]);
  const borders = (zip: string) => neighborsOf(adjacency, zip).some((other) => held.has(other));
  return {
    rows: found.rows.map(({ percentile: _, distanceM, ...row }) => ({
      ...row,
      distanceMiles: tenths(distanceM / METERS_PER_MILE),
      adjacent: borders(row.zip),
      heldBy: holders.get(row.zip) ?? [],
      own: penetrations?.get(row.zip)?.words ?? null,
      ...distances(row.zip),
    })),
    nextCursor: found.nextCursor,
  };
}

const isLargeTerritory = (source: Source, held: ReadonlySet<string>) =>
  'brand' in source && source.brand === 'border' && held.size > MAX_UNITED;

/**
 * Returns the ZIP codes within a drive of any of the points.
 * @param from hexadecimal EWKB of one or several points
 */
async function zipsWithinDrive(
  db: Queryable,
  from: string,
  source: Source,
  { minutes, times = noDriveTimes }: NonNullable<Discovery['drive']>,
): Promise<readonly string[]> {
  if ('brand' in source && source.brand === 'border') {
    throw badRequest(
      'A drive starts at a point. Leave out "from", or measure from the centroid of the brand.',
    );
  }
  const points = await db.query<Point>(
    `select st_y(geom) as lat, st_x(geom) as lng
     from st_dumppoints(st_geomfromewkb(decode($1, 'hex'))) as point`,
    [from],
  );
  const reached = await Promise.all(points.map((point) => times.zipsWithin(db, point, minutes)));
  return [...new Set(reached.flat())];
}

/** Returns the source as hexadecimal EWKB. @throws ServiceError 404 for a place that isn't on the map */
async function sourceGeometry(
  db: Queryable,
  source: Source,
  held: ReadonlySet<string>,
  brand: Discovery['brand'],
): Promise<string> {
  const { geom, values, missing } = placeOf(source, held, brand);
  const [row] = await db.query<{ hex: string | null }>(
    `select encode(st_asewkb(geom), 'hex') as hex from (select ${geom}) source`,
    values,
  );
  if (row?.hex) return row.hex;
  throw 'zip' in source ? await noPlace(db, source.zip) : notFound(missing);
}

/** Returns the error for a ZIP code whose location is unknown. */
export async function noPlace(db: Queryable, zip: string): Promise<ServiceError> {
  const [missing] = await missingBoundaries(db, [zip]);
  return notFound(explainMissing(missing!));
}

/** Centers by metro or state: the single center of a territory in Dallas and Phoenix would be in a desert. */
const CENTERS_OF_AREAS = `st_collect(center) as geom from (
    select st_centroid(st_collect(centroid)) as center
    from zips left join metro_counties using (county_fips)
    where zip = any($1) and centroid is not null
    group by coalesce(metro_slug, state) order by count(*) desc limit ${MAX_AREAS}) as areas`;

function placeOf(source: Source, held: ReadonlySet<string>, brand: Discovery['brand']) {
  if ('zip' in source) {
    return { geom: 'centroid as geom from zips where zip = $1', values: [source.zip], missing: '' };
  }
  if ('lat' in source) {
    const geom = 'st_setsrid(st_makepoint($1, $2), 4326) as geom';
    return { geom, values: [source.lng, source.lat], missing: '' };
  }
  if ('city' in source) {
    return {
      geom: `st_centroid(st_collect(centroid)) as geom from zips
        where lower(city) = lower($1) and state = $2`,
      values: [source.city, source.state],
      missing: `No ZIP code is in ${source.city}, ${source.state}. Use the post office’s name.`,
    };
  }
  if (!brand) throw badRequest('Name the brand to measure from.');
  return {
    geom: isLargeTerritory(source, held)
      ? 'st_setsrid(st_extent(bbox)::geometry, 4326) as geom from zips where zip = any($1)'
      : source.brand === 'border'
        ? `st_unaryunion(st_collect(geom)) as geom from zip_boundaries
           where zip = any($1) and lod = ${LOD}`
        : source.brand === 'areas'
          ? CENTERS_OF_AREAS
          : 'st_centroid(st_collect(centroid)) as geom from zips where zip = any($1)',
    values: [[...held]],
    missing: `${brand.name} holds no ZIP code on the map to measure from. Give a ZIP code, a point, or a city instead.`,
  };
}
