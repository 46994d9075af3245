/** Turns what was read from a file into data sets. */
import type { Caller } from '../../people/account/caller.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import { checkedName } from '../../people/account/names.ts';
import { badRequest } from '../../errors.ts';
import { recordEvent } from '../../people/events/events.ts';
import { joinFirst } from '../../base/text/words.ts';
import { findDataSet, saveUpload, type AddsUp, type DataSet } from './data-sets.ts';
import type { AmountChoice, ReadSet, UploadResult } from './import/types.ts';
import { countRows, dataLimitsOf } from './limits.ts';

/** What the person who uploads a file decides besides its columns */
export interface FileChoices {
  /** Name of the data set, or the beginning of the names if the file has several */
  name: string;
  period?: string | undefined;
  /** Unit of the sums and means. Default: guessed from the name of their column */
  unit?: string | undefined;
  /** ZIP codes with fewer rows are left out. Default: none */
  suppressBelow?: number | undefined;
}

/** A data set that a file results in */
export interface FileSet {
  name: string;
  unit: string;
  set: ReadSet;
  /** Without the ZIP codes that are left out. In the same order, by ZIP code */
  kept: { zips: string[]; amounts: number[]; rows: number[] };
}

/**
 * Returns the data sets of a file with their names.
 * @throws ServiceError 400 for an invalid name, if one would be used twice, or without any amount
 */
export function prepareFile(
  result: UploadResult,
  { name, unit, suppressBelow = 0 }: FileChoices,
): FileSet[] {
  // A group whose rows are all unusable must not empty the data set of its name.
  const sets = result.sets.filter(({ group, zips }) => group === null || zips.length > 0);
  const files = sets.map((set) => ({
    name: checkedName('A data set', nameOf(name.trim(), set, result.used.amounts)),
    unit: set.kind === 'count' ? 'count' : (unit ?? guessUnit(set.column!)),
    set,
    kept: suppressed(set, suppressBelow),
  }));
  const names = files.map((one) => one.name.toLowerCase());
  const twice = files.filter((one, i) => names.indexOf(one.name.toLowerCase()) !== i);
  if (twice.length > 0) {
    throw badRequest(
      `The file has several columns or groups for ${joinFirst(twice.map((one) => `"${one.name}"`))}. Rename one of them.`,
    );
  }
  if (files.every(({ kept }) => kept.zips.length === 0)) throw noAmounts(result, suppressBelow);
  return files;
}

function nameOf(name: string, { kind, column, group }: ReadSet, amounts: readonly AmountChoice[]) {
  // A single amount has the name that was given. Of several, the count has it.
  const amount =
    amounts.length === 1 || kind === 'count'
      ? name
      : `${name}: ${kind === 'mean' ? 'mean ' : ''}${column}`;
  return group === null ? amount : `${amount} (${group})`;
}

/**
 * Stores the data sets of a file, all or none, and counts its rows. New ones of a person with some brands belong to these.
 * @param settle adds the charge for the reading to the transaction
 * @returns the data sets, in the same order
 * @throws ServiceError 402 as `countRows`; 409 as `saveUpload`
 */
export async function storeFile(
  {
    tenant,
    subscription,
    actor,
    brandScope,
  }: Pick<Caller, 'tenant' | 'subscription' | 'actor' | 'brandScope'>,
  { summary, rows, counts }: UploadResult,
  { period, suppressBelow = 0 }: FileChoices,
  files: readonly FileSet[],
  settle: (tx: TenantTransaction) => Promise<void> = async () => {},
): Promise<DataSet[]> {
  const limit = dataLimitsOf(subscription).dataSets;
  return tenant.transaction(async (tx) => {
    await countRows(tx, subscription, rows);
    await settle(tx);
    const ids: string[] = [];
    for (const { name, unit, set, kept } of files) {
      const upload = {
        ...kept,
        name,
        unit,
        addsUp: addsUpOf(set),
        brandIds: brandScope === 'all' ? null : [...brandScope],
        period: period?.trim() || null,
        report: {
          summary,
          rows,
          counts,
          suppressedBelow: suppressBelow,
          suppressedZips: set.zips.length - kept.zips.length,
        },
      };
      ids.push((await saveUpload(tx, actor, upload, limit, brandScope)).id);
    }
    const sets: DataSet[] = [];
    for (const id of ids) sets.push(await findDataSet(tx, id));
    recordEvent(tx, {
      type: 'data.imported',
      actor,
      data: { dataSets: sets.map(({ id, slug, name }) => ({ id, slug, name })), rows },
    });
    return sets;
  });
}

export const addsUpOf = ({ kind }: ReadSet): AddsUp => (kind === 'mean' ? 'mean' : 'sum');

/** Leaves out ZIP codes with fewer rows, so that an amount doesn't describe a few customers. */
function suppressed({ zips, amounts, rows }: ReadSet, below: number) {
  const kept = [...zips.keys()].filter((i) => rows[i]! >= below);
  return {
    zips: kept.map((i) => zips[i]!),
    amounts: kept.map((i) => amounts[i]!),
    rows: kept.map((i) => rows[i]!),
  };
}

function noAmounts({ rows, findings, sets }: UploadResult, suppressBelow: number) {
  const [first] = sets.every(({ zips }) => zips.length === 0) ? findings : [];
  return badRequest(
    rows === 0
      ? 'The file has headings but no rows. Add some.'
      : first
        ? `No row of the file can be used. Line ${first.line}: ${first.reason}`
        : `Every ZIP code has fewer than ${suppressBelow} rows. Choose a smaller number to leave out.`,
  );
}

const MONEY =
  /revenue|sales|amount|price|cost|value|ticket|invoice|paid|spend|income|dollar|usd|\$/i;
const guessUnit = (column: string) => (MONEY.test(column) ? 'dollars' : 'count');
