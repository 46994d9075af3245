/**
 * Reads a brand's ZIP codes for export, in batches. Only live ZIP codes have figures, because anyone may request ZIP
 * codes, but only a reviewer makes them live.
 */
import { recordTaken } from './record-taken.ts';
import type { Caller } from '../../../people/account/caller.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import type { Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import {
  readDemographics,
  type StoredDemographics,
} from '../../../data/ingest/demographics-store.ts';
import type { CensusFigure } from '../../../data/ingest/demographics.ts';
import type { FigureChange } from '../../../data/vintages/change.ts';
import { censusChanges } from '../../../data/vintages/changes.ts';
import { changesOrReason, isIncomparable } from '../census/changes.ts';
import { chargeExport } from '../../../people/metering/exports.ts';
import type { VerticalSlug } from '../../../data/scoring/verticals.ts';
import type { Brand } from '../brands.ts';
import { isNamed } from '../named-brands.ts';
import { brandZips, type BrandZip } from '../brand-zips.ts';
import { liveZips } from '../review-queue.ts';

export interface ExportedZip extends Pick<
  BrandZip,
  'zip' | 'city' | 'state' | 'status' | 'shared' | 'isolated' | 'hasBoundary' | 'changedAt'
> {
  /** Null if unknown */
  county: string | null;
  countyFips: string | null;
  /** Slugs of the other brands that hold it, as far as the caller may know them */
  sharedWith: string[];
  /** Whether the export includes the figures below */
  hasFigures: boolean;
  /** Null if the Census has no row for it */
  demographics: StoredDemographics | null;
  /** 0..100; null or missing without enough data */
  scores: Partial<Record<VerticalSlug, number | null>>;
  /** Changes of `CHANGED_FIGURES` since an earlier period; empty without one */
  changes: ReadonlyMap<CensusFigure, FigureChange>;
}

/** The figures whose changes are exported */
export const CHANGED_FIGURES = [
  'householdsTotal',
  'ownerOccupiedHouseholds',
  'medianHouseholdIncome',
] as const satisfies readonly CensusFigure[];

/** The territory to export. `openExport` creates it. */
export interface Export {
  tenant: Tenant;
  brand: Brand;
  /** ZIP codes that were live when the export was charged */
  charged: ReadonlySet<string>;
}

/**
 * Charges the export of a brand's territory.
 * @param accepted the price that the person accepted, in units
 * @throws ServiceError as `chargeExport`
 */
export async function openExport(
  caller: Pick<Caller, 'tenant' | 'subscription' | 'brandScope' | 'actor'>,
  brand: Brand,
  accepted: number,
): Promise<Export> {
  const { tenant } = caller;
  const live = await liveZips(tenant, [brand.id]);
  await chargeExport(caller, live, accepted);
  const what = `Exported the territory of ${brand.name}`;
  await recordTaken(caller, 'territory_exported', what, live, brand);
  return { tenant, brand, charged: new Set(live) };
}

/** Display texts for the sources of the figures */
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
 * Number of ZIP codes in a batch. The next batch is read while the current one is sent, so even an export of the whole
 * country needs memory for only two batches. Small batches let other queries run in between.
 */
const BATCH_ZIPS = 500;

/** Yields the brand's held ZIP codes, sorted. @param status default: live and pending */
export async function* exportedZips(
  territory: Export,
  status?: 'live' | 'pending',
): AsyncGenerator<ExportedZip[]> {
  const { tenant, brand } = territory;
  const counties = await countyNames(tenant.common);
  let cursor: string | undefined;
  do {
    const page = await brandZips(tenant, brand, { status }, { cursor, limit: BATCH_ZIPS });
    if (page.rows.length > 0) yield await withFacts(territory, counties, page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

async function withFacts(
  { tenant: { common: db }, charged }: Export,
  counties: ReadonlyMap<string, string>,
  held: readonly BrandZip[],
): Promise<ExportedZip[]> {
  const zips = held.map(({ zip }) => zip);
  const withFigures = new Set(
    held.filter(({ zip, status }) => status === 'live' && charged.has(zip)).map(({ zip }) => zip),
  );
  const [demographics, scores, changes, places] = await Promise.all([
    readDemographics(db, [...withFigures]),
    scoresOf(db, [...withFigures]),
    changesByZip(db, [...withFigures]),
    countiesOf(db, zips),
  ]);
  const demographicsOf = new Map(demographics.map((row) => [row.zip, row]));
  return held.map((row) => {
    const { zip, city, state, status, shared, sharedWith, isolated, hasBoundary, changedAt } = row;
    const countyFips = places.get(zip) ?? null;
    return {
      zip,
      city,
      state,
      status,
      shared,
      isolated,
      hasBoundary,
      changedAt,
      countyFips,
      county: countyFips === null ? null : (counties.get(countyFips) ?? null),
      sharedWith: sharedWith.filter(isNamed).map(({ slug }) => slug),
      hasFigures: withFigures.has(zip),
      demographics: demographicsOf.get(zip) ?? null,
      scores: scores.get(zip) ?? {},
      changes: changes.get(zip) ?? NO_CHANGES,
    };
  });
}

const NO_CHANGES: ExportedZip['changes'] = new Map();

/** Returns the changes since the latest period that can be compared; empty without one. */
async function changesByZip(
  db: Queryable,
  zips: readonly string[],
): Promise<Map<string, ExportedZip['changes']>> {
  const changes = await changesOrReason(() =>
    censusChanges(db, zips, { figures: CHANGED_FIGURES }),
  );
  if (isIncomparable(changes)) return new Map();
  return new Map(
    changes.zips.map((row) => [row.zip, new Map(row.changes.map((one) => [one.figure, one]))]),
  );
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

export async function countyNames(db: Queryable): Promise<Map<string, string>> {
  const rows = await db.query<{ fips: string; name: string }>(
    `select distinct fips, name from basemap_features
     where layer = 'counties' and fips is not null and name is not null`,
  );
  return new Map(rows.map(({ fips, name }) => [fips, name]));
}
