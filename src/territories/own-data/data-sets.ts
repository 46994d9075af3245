/**
 * Data sets of an organization: an amount for each ZIP code, such as its own jobs or revenue. The rows of an upload are
 * never stored, only their sums by ZIP code. They aren't metered figures, because the organization supplied them.
 */
import { recordChange } from '../../people/account/activity.ts';
import { requireBrands, scopeText } from '../../people/account/brand-scopes.ts';
import type { Actor, BrandScope } from '../../people/account/caller.ts';
import { checkedName } from '../../people/account/names.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { conflict, notFound, ServiceError } from '../../errors.ts';
import { hasSlug, slugOfName } from '../../base/text/slug.ts';
import { joinFirst, pluralize } from '../../base/text/words.ts';
import type { UploadResult } from './import/types.ts';

/** How rows add up to the amount of a ZIP code, and ZIP codes to that of a territory. Means are weighted by rows. */
export type AddsUp = 'sum' | 'mean';

export interface DataSet {
  id: string;
  /** Short name for addresses, commands, and filters */
  slug: string;
  name: string;
  addsUp: AddsUp;
  /** `count`, `dollars`, or words such as `hours` */
  unit: string;
  /** The time that it covers, in words, such as `2025` */
  period: string | null;
  /**
   * Ids of the brands that it belongs to; null: the whole organization. People with some brands see a data set of theirs
   * in full, and others within the ZIP codes of their brands.
   */
  brandIds: string[] | null;
  /** Slugs of those that the viewer sees; null: the whole organization */
  brands: string[] | null;
  createdBy: Actor;
  createdAt: Date;
  /** The upload that counts */
  upload: Upload;
  /** Number of ZIP codes with an amount */
  zipCount: number;
  /** The sum of the amounts, or their mean, weighted by rows */
  total: number;
}

/** An upload of a data set */
export interface Upload {
  /** Increases with each upload */
  number: number;
  report: UploadReport;
  uploadedBy: Actor;
  uploadedAt: Date;
}

/** What is kept about an upload's file. It contains nothing of its rows. */
export interface UploadReport extends Pick<UploadResult, 'summary' | 'rows'> {
  counts: Partial<UploadResult['counts']>;
  /** ZIP codes with fewer rows were left out; 0: none */
  suppressedBelow: number;
  /** Number of ZIP codes that were left out */
  suppressedZips: number;
}

/** Amounts by ZIP code, in order of ZIP codes */
interface ZipAmounts {
  amounts: ReadonlyMap<string, number>;
  /** Number of rows behind each amount */
  rows: ReadonlyMap<string, number>;
}

const SUMMARY = `d.id, d.slug, d.name, d.adds_up as "addsUp", d.unit, d.period, d.brand_ids as "brandIds",
  case when d.brand_ids is not null then array(
    select slug from brands where organization_id = $1 and id = any(d.brand_ids) order by slug) end as brands,
  d.created_by as "createdBy", d.created_at as "createdAt",
  jsonb_build_object('number', u.number, 'report', u.report, 'uploadedBy', u.uploaded_by) as upload,
  u.uploaded_at as "uploadedAt", u.zip_count as "zipCount", u.total`;

const CURRENT = `data_sets d
  join data_set_uploads u on u.organization_id = d.organization_id and u.data_set_id = d.id and u.number = d.upload`;

type Row = Omit<DataSet, 'upload'> & { upload: Omit<Upload, 'uploadedAt'>; uploadedAt: Date };

const fromRow = ({ upload, uploadedAt, ...row }: Row): DataSet => ({
  ...row,
  upload: { ...upload, uploadedAt },
});

/** Rounds to two decimals, because sums of fractions have tiny errors. */
export const hundredths = (value: number): number => Math.round(100 * value) / 100;

/** Lists data sets by name. @param planId lists only those of a plan */
export async function listDataSets(
  tenant: Tenant,
  planId: string | null = null,
): Promise<DataSet[]> {
  const rows = await tenant.query<Row>(
    `select ${SUMMARY} from ${CURRENT}
     where d.organization_id = $1 and ($2::uuid is null or d.id in (
       select data_set_id from plan_data_sets where organization_id = $1 and plan_id = $2))
     order by lower(d.name)`,
    [planId],
  );
  return rows.map(fromRow);
}

/**
 * Finds a data set by its id, short name, or name (case-insensitive).
 * @param lock prevents changes until the transaction ends
 * @throws ServiceError 404 with the names of the others
 */
export async function findDataSet(
  tenant: Tenant,
  ref: string,
  lock: 'for update of d' | '' = '',
): Promise<DataSet> {
  const [row] = await tenant.query<Row>(
    `select ${SUMMARY} from ${CURRENT}
     where d.organization_id = $1 and (d.id::text = $2 or d.slug = $2 or lower(d.name) = $2)
     order by d.id::text = $2 desc, d.slug = $2 desc limit 1 ${lock}`,
    [ref.trim().toLowerCase()],
  );
  if (row) return fromRow(row);
  throw await noDataSet(tenant, ref);
}

async function noDataSet(tenant: Tenant, ref: string): Promise<ServiceError> {
  const known = await listDataSets(tenant);
  return notFound(
    `There is no data set "${ref}". ${
      known.length === 0
        ? 'The organization has none. Upload one first.'
        : `Available data sets: ${joinFirst(known.map(({ slug, name }) => `${slug} (${name})`))}.`
    }`,
  );
}

/** Returns the amounts of the upload that counts; none if the data set was deleted in the meantime. */
export async function readAmounts(
  tenant: Tenant,
  { id }: Pick<DataSet, 'id'>,
): Promise<ZipAmounts> {
  // The database driver reads text much faster than long arrays.
  const [row] = await tenant.query<{ zips: string; amounts: string; rows: string }>(
    `select array_to_string(u.zips, ' ') as zips, array_to_string(u.amounts, ' ') as amounts,
       array_to_string(u.row_counts, ' ') as rows
     from ${CURRENT} where d.organization_id = $1 and d.id = $2`,
    [id],
  );
  if (!row || row.zips === '') return { amounts: new Map(), rows: new Map() };
  const numbers = (text: string) => text.split(' ').map(Number);
  return byZip(row.zips.split(' '), numbers(row.amounts), numbers(row.rows));
}

/** Returns lists in the order of the ZIP codes as maps. */
export function byZip(
  zips: readonly string[],
  amounts: ArrayLike<number>,
  rows: ArrayLike<number>,
): ZipAmounts {
  const mapOf = (numbers: ArrayLike<number>) => new Map(zips.map((zip, i) => [zip, numbers[i]!]));
  return { amounts: mapOf(amounts), rows: mapOf(rows) };
}

/** A data set with its amounts */
export type FullDataSet = DataSet & ZipAmounts;

/** Returns the data sets of a plan with their amounts, by name. */
export async function readPlanData(tenant: Tenant, { id }: { id: string }): Promise<FullDataSet[]> {
  const sets = await listDataSets(tenant, id);
  return Promise.all(sets.map(async (set) => ({ ...set, ...(await readAmounts(tenant, set)) })));
}

/** The amount of a ZIP code without rows: 0 for sums, if the viewer sees the ZIP code, and else unknown */
export const amountWithoutRows = (addsUp: AddsUp, isSeen: boolean): number | null =>
  addsUp === 'sum' && isSeen ? 0 : null;

/** Returns the sum of ZIP codes, or their mean, weighted by rows; null if none of them has an amount. */
export function totalOf(
  { addsUp, amounts, rows }: Pick<DataSet, 'addsUp'> & ZipAmounts,
  zips: Iterable<string>,
): number | null {
  let [sum, weight, found] = [0, 0, false];
  for (const zip of zips) {
    const amount = amounts.get(zip);
    if (amount === undefined) continue;
    const count = addsUp === 'mean' ? rows.get(zip)! : 1;
    sum += amount * count;
    weight += count;
    found = true;
  }
  return found ? hundredths(addsUp === 'mean' ? sum / weight : sum) : null;
}

/** Number of earlier uploads that can be restored */
const KEPT_UPLOADS = 5;

/** A data set to create, or the new upload of one */
export interface NewUpload extends Pick<DataSet, 'name' | 'addsUp' | 'unit' | 'period'> {
  /** Sorted */
  zips: readonly string[];
  amounts: ArrayLike<number>;
  rows: ArrayLike<number>;
  report: UploadReport;
  /** Of a new data set. An upload of an existing one keeps its brands. */
  brandIds: readonly string[] | null;
}

/**
 * Stores an upload, as a new data set or as the current upload of the one with the same name. Uploads at the same time
 * wait for each other at `countRows`.
 * @param limit largest number of data sets
 * @param scope brands of the person: only data sets of theirs get an upload
 * @returns its id, and whether the name was taken
 * @throws ServiceError 400 for an invalid name; 409 if there are too many data sets, or if the one of this name
 *   adds up differently
 */
export async function saveUpload(
  tx: TenantTransaction,
  actor: Actor,
  { report, period, unit, addsUp, brandIds, ...upload }: NewUpload,
  limit: number,
  scope: BrandScope = 'all',
): Promise<{ id: string; isNew: boolean }> {
  const name = checkedName('A data set', upload.name);
  // Names and the limit hold across the organization.
  const others = await tx.acrossBrands.query<
    Pick<DataSet, 'id' | 'slug' | 'name' | 'addsUp' | 'brandIds'> & { last: number }
  >(
    `select id, slug, name, adds_up as "addsUp", brand_ids as "brandIds",
       (select max(number) from data_set_uploads u where u.data_set_id = d.id) as last
     from data_sets d where organization_id = $1 for update`,
  );
  const before = others.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (before && !isWithin(before.brandIds, scope)) {
    throw conflict(`Another data set has the name "${before.name}". Choose another name.`);
  }
  if (before && before.addsUp !== addsUp) {
    throw conflict(
      `"${before.name}" contains ${before.addsUp === 'sum' ? 'sums' : 'means'}, and this upload contains ` +
        `${addsUp === 'sum' ? 'sums' : 'means'}. Choose another name.`,
    );
  }
  if (!before && others.length >= limit) throw tooMany(limit);
  const number = (before?.last ?? 0) + 1;
  const [set] = before
    ? await tx.query<{ id: string }>(
        `update data_sets set upload = $3, unit = $4, period = $5
         where organization_id = $1 and id = $2 returning id`,
        [before.id, number, unit, period],
      )
    : await tx.query<{ id: string }>(
        `insert into data_sets (organization_id, slug, name, adds_up, unit, period, upload, created_by, brand_ids)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
        [freeSlug(name, others), name, addsUp, unit, period, number, actor, brandIds],
      );
  const { zips, amounts, rows } = upload;
  const total = totalOf({ addsUp, ...byZip(zips, amounts, rows) }, zips) ?? 0;
  tx.defer(
    `insert into data_set_uploads
       (organization_id, data_set_id, number, zips, amounts, row_counts, total, report, uploaded_by)
     values ($1, $2, $3, string_to_array($4, ' '), string_to_array($5, ' ')::float8[],
       string_to_array($6, ' ')::int[], $7, $8, $9)`,
    [set!.id, number, zips.join(' '), joined(amounts), joined(rows), total, report, actor],
  );
  // The current upload and the five before it
  tx.defer(
    `delete from data_set_uploads where organization_id = $1 and data_set_id = $2 and number in (
       select number from data_set_uploads where organization_id = $1 and data_set_id = $2 and number <> $3
       order by number desc offset ${KEPT_UPLOADS})`,
    [set!.id, number],
  );
  const what = `${before?.name ?? name} with ${pluralize(zips.length, 'ZIP code')}`;
  recordChange(
    tx,
    actor,
    'data_uploaded',
    `Uploaded ${what} as ${before ? 'an upload' : 'a new data set'}.`,
    {
      before: before ? { dataSet: before.id, upload: before.last } : {},
      after: { dataSet: set!.id, name: before?.name ?? name, upload: number },
    },
  );
  return { id: set!.id, isNew: !before };
}

/** Whether all brands of a data set are within a scope. One of the whole organization is within all brands only. */
export const isWithin = (brandIds: readonly string[] | null, scope: BrandScope): boolean =>
  scope === 'all' || (brandIds !== null && brandIds.every((id) => scope.has(id)));

/** @throws ServiceError 403 unless the data set is of the person's brands */
function requireOwn({ name, brandIds }: Pick<DataSet, 'name' | 'brandIds'>, scope: BrandScope) {
  if (isWithin(brandIds, scope)) return;
  throw new ServiceError(
    403,
    'brand_out_of_scope',
    `"${name}" isn’t only of your brands, so you can read but not change it. Ask someone with all brands.`,
  );
}

const joined = (numbers: ArrayLike<number>) => Array.from(numbers).join(' ');

const tooMany = (limit: number) =>
  conflict(
    `The organization’s subscription includes ${limit} data sets, and all are used. Delete one first, or choose a larger subscription.`,
  );

function freeSlug(name: string, others: readonly { slug: string }[]): string {
  const taken = new Set(others.map(({ slug }) => slug));
  const base = hasSlug(name) ? slugOfName(name) : 'data';
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : `${base.slice(0, 55)}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}

/** Lists the uploads of a data set that are kept, newest first. */
export async function listUploads(
  tenant: Tenant,
  { id }: Pick<DataSet, 'id'>,
): Promise<(Upload & { zipCount: number })[]> {
  return tenant.query(
    `select number, report, uploaded_by as "uploadedBy", uploaded_at as "uploadedAt",
       zip_count as "zipCount"
     from data_set_uploads where organization_id = $1 and data_set_id = $2 order by number desc`,
    [id],
  );
}

/**
 * Makes an earlier upload count again. The later ones stay, so that this can be undone.
 * @throws ServiceError 404 if it isn't kept, or for an unknown data set; 403 for one of other brands
 */
export async function restoreUpload(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  number: number,
  scope: BrandScope,
): Promise<DataSet> {
  const set = await findDataSet(tx, ref, 'for update of d');
  requireOwn(set, scope);
  const uploads = await listUploads(tx, set);
  if (!uploads.some((one) => one.number === number)) {
    throw notFound(
      `"${set.name}" has no upload ${number} to restore. ` +
        `Kept: ${joinFirst(uploads.map((one) => String(one.number)))}.`,
    );
  }
  await tx.query('update data_sets set upload = $3 where organization_id = $1 and id = $2', [
    set.id,
    number,
  ]);
  recordChange(tx, actor, 'data_restored', `Restored upload ${number} of ${set.name}.`, {
    after: { dataSet: set.id, name: set.name, upload: number },
  });
  return findDataSet(tx, set.id);
}

/**
 * Deletes a data set with all of its uploads.
 * @throws ServiceError 404 for an unknown one; 403 for one of other brands; 409 if a plan balances its territories by it, or if own weights name it
 */
export async function deleteDataSet(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  scope: BrandScope,
): Promise<DataSet> {
  const set = await findDataSet(tx, ref, 'for update of d');
  requireOwn(set, scope);
  const plans = await tx.acrossBrands.query<{ name: string }>(
    `select p.name from plan_data_sets s
       join territory_plans p on p.organization_id = s.organization_id and p.id = s.plan_id
     where s.organization_id = $1 and s.data_set_id = $2 and p.settings ->> 'balance' = $3
     order by lower(p.name)`,
    [set.id, set.name],
  );
  if (plans.length > 0) {
    throw conflict(
      `Territories of ${scope === 'all' ? joinFirst(plans.map(({ name }) => `"${name}"`)) : 'a plan'} share "${set.name}" evenly. ` +
        'Edit the `balance` of these plans first, for example to households.',
    );
  }
  // `data:jobs-2025` and `rate:jobs-2025`: territories/brands/targeting/profile.ts
  const profiles = await tx.query<{ vertical: string }>(
    `select vertical from targeting_profiles
     where organization_id = $1 and weights ?| array['data:' || $2, 'rate:' || $2] order by vertical`,
    [set.slug],
  );
  if (profiles.length > 0) {
    throw conflict(
      `The own weights for ${joinFirst(profiles.map(({ vertical }) => vertical))} use "${set.name}". ` +
        'Set its weight to 0 first.',
    );
  }
  tx.defer('delete from data_sets where organization_id = $1 and id = $2', [set.id]);
  recordChange(tx, actor, 'data_deleted', `Deleted the data set ${set.name}.`, {
    before: { dataSet: set.id, name: set.name },
  });
  return set;
}

/**
 * Sets the brands to which a data set belongs.
 * @param brandIds null: the whole organization
 * @throws ServiceError 404 for an unknown one; 400 as `requireBrands`
 */
export async function setDataSetBrands(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  brandIds: readonly string[] | null,
): Promise<DataSet> {
  const set = await findDataSet(tx, ref, 'for update of d');
  const brands = await requireBrands(tx, brandIds);
  await tx.query('update data_sets set brand_ids = $3 where organization_id = $1 and id = $2', [
    set.id,
    brandIds,
  ]);
  recordChange(tx, actor, 'data_shared', `Made ${set.name} data of ${scopeText(brands)}.`, {
    before: { dataSet: set.id, brands: set.brandIds },
    after: { dataSet: set.id, brands: brandIds },
  });
  return findDataSet(tx, set.id);
}
