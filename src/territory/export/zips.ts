/**
 * Reads a brand's ZIP codes for export, in batches, with everything that its organization may see.
 */
import type { BrandScope } from '../../account/caller.ts';
import type { Tenant } from '../../account/tenant.ts';
import type { Queryable } from '../../db/database.ts';
import { readDatasets } from '../../db/datasets.ts';
import { readDemographics, type StoredDemographics } from '../../ingest/demographics-store.ts';
import type { VerticalSlug } from '../../scoring/verticals.ts';
import { isInScope, type Brand } from '../brands.ts';
import { brandZips, type BrandZip } from '../brand-zips.ts';

export interface ExportedZip extends Pick<
  BrandZip,
  'zip' | 'city' | 'state' | 'status' | 'shared' | 'isolated' | 'changedAt'
> {
  /** Null if unknown */
  county: string | null;
  countyFips: string | null;
  /** Slugs of the other brands within the scope that hold it */
  sharedWith: string[];
  /** Null if the census has no row for it */
  demographics: StoredDemographics | null;
  /** 0..100; null or missing without enough data */
  scores: Partial<Record<VerticalSlug, number | null>>;
}

/** The territory to export, and the scope of the caller. */
export interface Export {
  tenant: Tenant;
  scope: BrandScope;
  brand: Brand;
}

/** Display text for the sources of the figures. */
export interface ExportSources {
  boundaries: string;
  scores: string;
}

export async function exportSources(db: Queryable): Promise<ExportSources> {
  const facts = await readDatasets(db);
  return {
    boundaries: facts.get('boundaries')?.vintage ?? '',
    scores: facts.get('scores')?.vintage ?? '',
  };
}

/**
 * The next batch is read while the current one is sent, so even an export of the whole country
 * needs memory for only two. Small batches let other queries run in between.
 */
const BATCH_ZIPS = 500;

/** Yields the brand's held ZIP codes in order, optionally of one status. */
export async function* exportedZips(
  { tenant, scope, brand }: Export,
  status?: 'live' | 'pending',
): AsyncGenerator<ExportedZip[]> {
  const counties = await countyNames(tenant.common);
  let cursor: string | undefined;
  do {
    const page = await brandZips(tenant, brand, { status }, { cursor, limit: BATCH_ZIPS });
    if (page.rows.length > 0) yield await withFacts(tenant.common, scope, counties, page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function withFacts(
  db: Queryable,
  scope: BrandScope,
  counties: ReadonlyMap<string, string>,
  held: readonly BrandZip[],
): Promise<ExportedZip[]> {
  const zips = held.map(({ zip }) => zip);
  const [demographics, scores, places] = await Promise.all([
    readDemographics(db, zips),
    scoresOf(db, zips),
    countiesOf(db, zips),
  ]);
  const demographicsOf = new Map(demographics.map((row) => [row.zip, row]));
  return held.map(({ zip, city, state, status, shared, sharedWith, isolated, changedAt }) => {
    const countyFips = places.get(zip) ?? null;
    return {
      ...{ zip, city, state, status, shared, isolated, changedAt, countyFips },
      county: countyFips === null ? null : (counties.get(countyFips) ?? null),
      sharedWith: sharedWith.filter(({ id }) => isInScope(scope, id)).map(({ slug }) => slug),
      demographics: demographicsOf.get(zip) ?? null,
      scores: scores.get(zip) ?? {},
    };
  });
}

async function scoresOf(db: Queryable, zips: readonly string[]) {
  const rows = await db.query<{ zip: string; scores: ExportedZip['scores'] }>(
    `select zip, jsonb_object_agg(vertical, score) as scores from zip_scores
     where zip = any($1) group by zip`,
    [zips],
  );
  return new Map(rows.map(({ zip, scores }) => [zip, scores]));
}

async function countiesOf(db: Queryable, zips: readonly string[]) {
  const rows = await db.query<{ zip: string; fips: string | null }>(
    'select zip, county_fips as fips from zips where zip = any($1)',
    [zips],
  );
  return new Map(rows.map(({ zip, fips }) => [zip, fips]));
}

async function countyNames(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.query<{ fips: string; name: string }>(
    `select distinct fips, name from basemap_features
     where layer = 'counties' and fips is not null and name is not null`,
  );
  return new Map(rows.map(({ fips, name }) => [fips, name]));
}
