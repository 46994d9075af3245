/**
 * What a caller sees of the organization's data sets: with access to only some brands, those of these brands, and the
 * ZIP codes that these hold in others.
 */
import type { Caller } from '../../people/account/caller.ts';
import {
  amountWithoutRows,
  findDataSet,
  isWithin,
  listDataSets,
  listUploads,
  readAmounts,
  totalOf,
  type DataSet,
  type FullDataSet,
  type Upload,
  type UploadReport,
} from './data-sets.ts';

export type DataViewer = Pick<Caller, 'tenant' | 'brandScope'>;

/** Returns the data sets with what the caller sees of their amounts, by name. */
export async function visibleDataSets(viewer: DataViewer): Promise<DataSet[]> {
  const sets = await listDataSets(viewer.tenant);
  if (viewer.brandScope === 'all') return sets;
  const zips = await zipsInScope(viewer);
  return Promise.all(sets.map((set) => readVisible(viewer, set, zips)));
}

/**
 * Finds a data set and reads the amounts that the caller sees.
 * @throws ServiceError 404 as `findDataSet`
 */
export async function visibleData(viewer: DataViewer, ref: string): Promise<FullDataSet> {
  return readVisible(viewer, await findDataSet(viewer.tenant, ref), await zipsInScope(viewer));
}

/** Finds several data sets. @throws ServiceError 404 as `findDataSet` */
export async function visibleDataOf(
  viewer: DataViewer,
  refs: readonly string[],
): Promise<FullDataSet[]> {
  if (refs.length === 0) return [];
  const zips = await zipsInScope(viewer);
  const sets = await Promise.all(refs.map((ref) => findDataSet(viewer.tenant, ref)));
  const different = [...new Map(sets.map((set) => [set.id, set])).values()];
  return Promise.all(different.map((set) => readVisible(viewer, set, zips)));
}

/** @param zips those that the viewer sees: `zipsInScope` */
export async function readVisible(
  { tenant, brandScope }: DataViewer,
  set: DataSet,
  zips: ReadonlySet<string> | null,
): Promise<FullDataSet> {
  const all = await readAmounts(tenant, set);
  if (zips === null || isWithin(set.brandIds, brandScope)) return { ...set, ...all };
  const within = (values: ReadonlyMap<string, number>) =>
    new Map([...values].filter(([zip]) => zips.has(zip)));
  const seen = { amounts: within(all.amounts), rows: within(all.rows) };
  const total = totalOf({ ...set, ...seen }, seen.amounts.keys()) ?? 0;
  return {
    ...set,
    ...seen,
    zipCount: seen.amounts.size,
    total,
    upload: { ...set.upload, report: reportWithin(set.upload.report, seen.rows) },
  };
}

/** The numbers of a whole file would tell how much the other brands have. */
const reportWithin = (report: UploadReport, seen: ReadonlyMap<string, number>): UploadReport => ({
  ...report,
  rows: [...seen.values()].reduce((sum, rows) => sum + rows, 0),
  counts: {},
  suppressedZips: 0,
});

/** Lists the uploads that are kept, newest first. Of data of other brands, callers see the current one. */
export async function visibleUploads(
  { tenant, brandScope }: DataViewer,
  set: DataSet,
): Promise<(Upload & { zipCount: number })[]> {
  if (isWithin(set.brandIds, brandScope)) return listUploads(tenant, set);
  return [{ ...set.upload, zipCount: set.zipCount }];
}

export interface AmountAt extends Pick<DataSet, 'slug' | 'name' | 'unit' | 'addsUp'> {
  /** Without rows, a sum is 0, and a mean is null */
  amount: number | null;
}

/** Returns the amounts of a ZIP code in every data set, by name; outside the ZIP codes of the caller's brands, in theirs. */
export async function amountsAt(viewer: DataViewer, zip: string): Promise<AmountAt[]> {
  const seen = await zipsInScope(viewer);
  const isOwnZip = seen === null || seen.has(zip);
  const rows = await viewer.tenant.query<AmountAt & Pick<DataSet, 'brandIds'>>(
    `select d.slug, d.name, d.unit, d.adds_up as "addsUp", d.brand_ids as "brandIds",
       u.amounts[array_position(u.zips, $2)] as amount
     from data_sets d join data_set_uploads u
       on u.organization_id = d.organization_id and u.data_set_id = d.id and u.number = d.upload
     where d.organization_id = $1 order by lower(d.name)`,
    [zip],
  );
  return rows
    .filter(({ brandIds }) => isOwnZip || isWithin(brandIds, viewer.brandScope))
    .map(({ brandIds: _, ...row }) => {
      return { ...row, amount: row.amount ?? amountWithoutRows(row.addsUp, true) };
    });
}

/** Returns the ZIP codes that the caller's brands hold, or null if the caller has access to all brands. */
export async function zipsInScope({
  tenant,
  brandScope,
}: DataViewer): Promise<ReadonlySet<string> | null> {
  if (brandScope === 'all') return null;
  const rows = await tenant.query<{ zip: string }>(
    `select distinct zip from brand_zips
     where organization_id = $1 and brand_id = any($2::uuid[]) and state <> 'removed'`,
    [[...brandScope]],
  );
  return new Set(rows.map(({ zip }) => zip));
}
