/**
 * Values of ZIP codes from data sets, next to census figures in filters, weights, and colors: `data:jobs-2025` is the
 * amount of the data set, and `rate:jobs-2025` its amount per 1,000 owner households.
 */
import type { Caller } from '../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { badRequest, ServiceError } from '../../errors.ts';
import type { OwnSignal } from '../../data/scoring/signals.ts';
import { formatAmount, formatRate, PER_1000 } from './amount-text.ts';
import {
  amountWithoutRows,
  findDataSet,
  isWithin,
  type DataSet,
  type FullDataSet,
} from './data-sets.ts';
import { readVisible, zipsInScope } from './viewer-data.ts';
import { ratePer1000 } from './white-space.ts';

export type DataField = OwnSignal;

/** Whether a name is that of a data set's values. The data set may not exist. */
export const isDataField = (name: string): name is DataField => /^(?:data|rate):./.test(name);

/** The amount of a data set, and its rate, which only sums have */
export const fieldsOfSlug = (slug: string): readonly [DataField, DataField] => [
  `data:${slug}`,
  `rate:${slug}`,
];

const slugOf = (field: DataField) => field.slice(field.indexOf(':') + 1);

export interface DataValues {
  field: DataField;
  isRate: boolean;
  set: FullDataSet;
  /** `Jobs 2025`, or `Jobs 2025 per 1,000 owner households` */
  label: string;
  format(value: number | null): string;
  /**
   * Returns the value of a ZIP code, or null if it is unknown. Without rows, a sum is 0, and a mean is unknown.
   * Outside the brands of a limited caller, everything is unknown.
   */
  valueAt(zip: string, ownerHouseholds: number | null): number | null;
}

/**
 * Reads each data set once.
 * @param viewer sees only the ZIP codes of its brands
 * @throws ServiceError 400 for an unknown data set, with the names of all, or for the rate of a mean
 */
export async function readDataFields(
  viewer: Pick<Caller, 'tenant' | 'brandScope'>,
  fields: Iterable<DataField>,
): Promise<DataValues[]> {
  const unique = [...new Set(fields)];
  if (unique.length === 0) return [];
  const zips = await zipsInScope(viewer);
  const sets = await Promise.all(
    [...new Set(unique.map(slugOf))].map(async (slug) => {
      const set = await namedSet(viewer.tenant, slug);
      return [slug, await readVisible(viewer, set, zips)] as const;
    }),
  );
  const setOf = new Map(sets);
  return unique.map((field) => {
    const set = setOf.get(slugOf(field))!;
    return valuesOf(field, set, isWithin(set.brandIds, viewer.brandScope) ? null : zips);
  });
}

/** As `readDataFields`, for one */
export const readDataField = async (
  viewer: Pick<Caller, 'tenant' | 'brandScope'>,
  field: DataField,
): Promise<DataValues> => (await readDataFields(viewer, [field]))[0]!;

/**
 * Checks fields to store, and keeps their data sets until the transaction ends.
 * @throws ServiceError 400 as `readDataFields`, or for a data set that isn't named by its short name
 */
export async function lockDataFields(
  tx: TenantTransaction,
  fields: readonly DataField[],
): Promise<void> {
  for (const field of fields) {
    const set = await namedSet(tx, slugOf(field), 'for update of d');
    requireRate(field, set);
    if (set.slug === slugOf(field)) continue;
    throw badRequest(`Write ${field.slice(0, 5)}${set.slug} instead of ${field}.`);
  }
}

async function namedSet(tenant: Tenant, slug: string, lock?: 'for update of d') {
  try {
    return await findDataSet(tenant, slug, lock);
  } catch (error) {
    // The data set is part of a request, not its address.
    throw error instanceof ServiceError && error.status === 404
      ? badRequest(error.message, { cause: error })
      : error;
  }
}

const isRateField = (field: DataField) => field.startsWith('rate:');

function requireRate(field: DataField, { addsUp, name, slug }: DataSet): void {
  if (!isRateField(field) || addsUp === 'sum') return;
  throw badRequest(
    `"${name}" contains means, which have no rate. Use data:${slug} instead of ${field}.`,
  );
}

function valuesOf(
  field: DataField,
  set: FullDataSet,
  zips: ReadonlySet<string> | null,
): DataValues {
  requireRate(field, set);
  const isRate = isRateField(field);
  const amountAt = (zip: string) =>
    set.amounts.get(zip) ?? amountWithoutRows(set.addsUp, zips?.has(zip) ?? true);
  return {
    field,
    isRate,
    set,
    label: isRate ? `${set.name} ${PER_1000}` : set.name,
    format: (value) => (isRate ? formatRate : formatAmount)(set, value),
    valueAt(zip, ownerHouseholds) {
      const amount = amountAt(zip);
      return amount === null || !isRate ? amount : ratePer1000(amount, ownerHouseholds);
    },
  };
}
