/** Imports a file into data sets: reads it, then stores or previews what it results in. */
import type { Caller } from '../../people/account/caller.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import { badRequest, conflict } from '../../errors.ts';
import type { Geocoder } from '../../data/geocoding/geocoder.ts';
import { meterAddresses } from './address-units.ts';
import { byZip, listDataSets, totalOf, type DataSet } from './data-sets.ts';
import { inTurn } from './import/in-turn.ts';
import { uploadLookUps } from './import/tenant-look-ups.ts';
import { readUpload } from './import/read-upload.ts';
import type { RowFinding, UploadOptions, UploadResult } from './import/types.ts';
import { MAX_ROWS, requireRows } from './limits.ts';
import { addsUpOf, prepareFile, storeFile, type FileChoices, type FileSet } from './store-file.ts';

export interface FileRequest {
  choices: FileChoices;
  options: UploadOptions;
  /** Whether to read the file without storing anything */
  isPreview: boolean;
}

/** A data set that a file results in, stored or not */
interface ImportedSet {
  /** Null for a new data set that wasn't stored */
  slug: string | null;
  name: string;
  kind: FileSet['set']['kind'];
  column: string | null;
  group: string | null;
  unit: string;
  zipCount: number;
  total: number;
  /** Whether the name was taken */
  replaces: boolean;
  suppressedZips: number;
}

export interface FileImport {
  result: UploadResult;
  sets: ImportedSet[];
  stored: boolean;
}

/**
 * Imports a file.
 * @param chunks the file's bytes, read as fast as the rows are counted
 * @param geocoder finds addresses, for units; undefined without one
 * @throws ServiceError 400 as `readUpload` and `prepareFile`; 402 without rows or units left; 409 as `storeFile`; 503
 *   while other files are read
 */
export const importFile = (
  caller: Caller,
  chunks: AsyncIterable<Uint8Array>,
  request: FileRequest,
  geocoder?: Geocoder,
): Promise<FileImport> =>
  inTurn(caller.tenant.organizationId, () => readAndStore(caller, chunks, request, geocoder));

async function readAndStore(
  caller: Caller,
  chunks: AsyncIterable<Uint8Array>,
  { choices, options, isPreview }: FileRequest,
  geocoder?: Geocoder,
): Promise<FileImport> {
  const { tenant, subscription } = caller;
  await requireRows(tenant, subscription, 1);
  const addresses = geocoder ? meterAddresses(caller, geocoder) : null;
  const lookUps = uploadLookUps(tenant, addresses);
  try {
    const result = await readUpload(chunks, options, lookUps, { rows: MAX_ROWS });
    await requireRows(tenant, subscription, result.rows);
    const files = prepareFile(result, choices);
    const before = await listDataSets(tenant);
    const settle = async (tx?: TenantTransaction) => addresses?.settle(tx);
    const saved = isPreview ? [] : await storeFile(caller, result, choices, files, settle);
    if (isPreview) await settle();
    return { result, sets: importedSets(files, saved, before), stored: !isPreview };
  } catch (error) {
    await addresses?.release();
    throw error;
  }
}

function importedSets(
  files: readonly FileSet[],
  saved: readonly DataSet[],
  before: readonly DataSet[],
): ImportedSet[] {
  return files.map((file, i) => {
    const existing = before.find((one) => one.name.toLowerCase() === file.name.toLowerCase());
    return importedSet(file, saved[i] ?? existing, existing !== undefined);
  });
}

function importedSet(
  { name, unit, set, kept }: FileSet,
  stored: DataSet | undefined,
  replaces: boolean,
): ImportedSet {
  const { kind, column, group } = set;
  const amounts = byZip(kept.zips, kept.amounts, kept.rows);
  return {
    slug: stored?.slug ?? null,
    name: stored?.name ?? name,
    kind,
    column,
    group,
    unit,
    zipCount: kept.zips.length,
    total: totalOf({ addsUp: addsUpOf(set), ...amounts }, kept.zips) ?? 0,
    replaces,
    suppressedZips: set.zips.length - kept.zips.length,
  };
}

/** A table that becomes one data set with sums, such as the amounts of a plan */
interface TableChoices {
  /** Default: the heading of the amounts */
  name?: string | undefined;
  /** Sheet of a workbook */
  sheet?: string | undefined;
  column?: string | undefined;
  zipColumn?: string | undefined;
  /** Whether the amounts of `column` have decimal commas */
  decimalComma: boolean;
  /** Whether it may replace the data set of the same name */
  replace: boolean;
  /** The plan that uses it, which must have an amount in its market */
  plan: { name: string; zips: readonly string[] };
}

/**
 * Imports a file with a column of ZIP codes and a column of amounts.
 * @returns the id of the data set, and the rows that need attention
 * @throws ServiceError as `importFile`; 400 without a name, an amount in the plan's market, or the column of decimal commas; 409 for a name that is
 *   taken, unless it may be replaced
 */
export async function importTable(
  caller: Caller,
  bytes: Uint8Array,
  { name, sheet, column, zipColumn, decimalComma, replace, plan: market }: TableChoices,
): Promise<{ ref: string; findings: readonly RowFinding[] }> {
  const { tenant, subscription } = caller;
  if (decimalComma && column === undefined) {
    throw badRequest('decimalComma: name the column of the amounts in "column".');
  }
  await requireRows(tenant, subscription, 1);
  const options: UploadOptions = {
    sheet,
    zip: zipColumn,
    addsUpNumbers: true,
    ...(column !== undefined && { amounts: [{ kind: 'sum', column }] }),
    ...(decimalComma && { decimalCommas: [column!] }),
  };
  const lookUps = uploadLookUps(tenant, null);
  const result = await readUpload(oneChunk(bytes), options, lookUps, { rows: MAX_ROWS });
  const [amount] = result.used.amounts;
  const heading = amount === undefined || amount.kind === 'count' ? null : amount.column;
  const isNamed = heading !== null && !/^column \d+$/.test(heading);
  const chosen = name ?? (isNamed ? heading : null);
  if (chosen === null) throw badRequest('name: the file has no heading to use. Give a name.');
  const choices = { name: chosen };
  const files = prepareFile(result, choices);
  const inMarket = new Set(market.zips);
  if (!files.some(({ kept }) => kept.zips.some((zip) => inMarket.has(zip)))) {
    throw badRequest(
      `The file has no amount for any ZIP code of "${market.name}". Check its columns: ${result.summary}`,
    );
  }
  const existing = (await listDataSets(tenant)).find(
    (one) => one.name.toLowerCase() === chosen.trim().toLowerCase(),
  );
  if (existing && !replace) {
    throw conflict(
      `There already is a data set "${existing.name}". Choose another name, or send "replace": true.`,
    );
  }
  const [set] = await storeFile(caller, result, choices, files);
  return { ref: set!.id, findings: result.findings };
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
