/** The public view of demand for a vertical in a city or county. */
import type { MultiPolygon } from 'geojson';
import type { Queryable } from '../../../base/db/database.ts';
import { notFound } from '../../../errors.ts';
import { verticalBySlug } from '../../scoring/verticals.ts';
import { countyLabel } from '../search/places.ts';
import { scoreDistribution } from './metro-vertical.ts';
import { sampleRanking } from './ranking.ts';

/** Kinds of places in the search that have several ZIP codes, without the metros */
export type PublicPlaceKind = 'city' | 'county';

/** About 50 meters, which is less than a pixel at the zoom that shows a city */
const OUTLINE_TOLERANCE_DEGREES = 0.0005;

/**
 * Returns the figures of a place as for a metro, with its outline. Both cover its ZIP codes in launched metros.
 * @param label as the search names it: `Plano, TX`; `Collin County, TX`
 * @throws ServiceError 404 for a vertical or place that isn't launched
 */
export async function publicPlace(
  db: Queryable,
  kind: PublicPlaceKind,
  label: string,
  verticalSlug: string,
) {
  const vertical = verticalBySlug(verticalSlug);
  const zips = kind === 'city' ? await zipsOfCity(db, label) : await zipsOfCounty(db, label);
  if (zips.length === 0) throw notFound(`There are no public figures for ${label}.`);
  const [distribution, best, outline] = await Promise.all([
    scoreDistribution(db, vertical.slug, { zips }),
    sampleRanking(db, vertical.slug, { zips }),
    outlineOf(db, zips, kind === 'city' ? 0 : 1),
  ]);
  return { label, ...distribution, topZips: best.zips, sampled: best.sampled, outline };
}

async function zipsOfCity(db: Queryable, label: string): Promise<string[]> {
  const [, city, state] = /^(.+), ([A-Z]{2})$/.exec(label) ?? [];
  const rows = await db.query<{ zip: string }>(
    `select zip from zips join metro_counties using (county_fips) where city = $1 and state = $2`,
    [city ?? null, state ?? null],
  );
  return rows.map(({ zip }) => zip);
}

async function zipsOfCounty(db: Queryable, label: string): Promise<string[]> {
  const counties = await db.query<{ fips: string; name: string }>(
    `select distinct fips, name from basemap_features join metro_counties on county_fips = fips
     where layer = 'counties' and name is not null`,
  );
  const county = counties.find(({ fips, name }) => countyLabel(fips, name) === label);
  const rows = await db.query<{ zip: string }>('select zip from zips where county_fips = $1', [
    county?.fips ?? null,
  ]);
  return rows.map(({ zip }) => zip);
}

/** Merges boundaries. Null if none of the ZIP codes has one. @param lod see `base/spatial/detail.ts` */
async function outlineOf(
  db: Queryable,
  zips: readonly string[],
  lod: number,
): Promise<MultiPolygon | null> {
  const [row] = await db.query<{ outline: string | null }>(
    `select st_asgeojson(st_multi(st_simplifypreservetopology(st_union(geom), $2)), 4) as outline
     from zip_boundaries where zip = any($1) and lod = $3`,
    [zips, OUTLINE_TOLERANCE_DEGREES, lod],
  );
  const { outline = null } = row ?? {};
  return outline === null ? null : (JSON.parse(outline) as MultiPolygon);
}
