/** Imports a file into data sets: reads it, then stores or previews what it results in. */
import pLimit, { type LimitFunction } from 'p-limit';
import type { Caller } from '../account/caller.ts';
import type { TenantTransaction } from '../account/tenant.ts';
import { badRequest, conflict, unavailable } from '../errors.ts';
import type { Geocoder } from '../outside/geocoding/geocoder.ts';
import { meterAddresses } from './address-units.ts';
import { byZip, listDataSets, totalOf, type DataSet } from './data-sets.ts';
import { uploadLookUps } from './import/tenant-look-ups.ts';
import { readUpload } from './import/read-upload.ts';
import type { Finding, UploadOptions, UploadResult } from './import/types.ts';
import { MAX_ROWS, requireRows } from './limits.ts';
import { addsUpOf, prepareFile, storeFile, type FileChoices, type FileSet } from './store-file.ts';

export interface FileRequest {
  choices: FileChoices;
  options: UploadOptions;
  /** Whether to read the file without storing anything */
  isPreview: boolean;
}

/** A data set that a file results in, stored or not */
export interface ImportedSet {
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
 * The files of each organization that are being read or waiting. Only one of them is read at a time. Reading takes as long
 * as the client takes to send the file, so several at once would hold up other organizations.
 */
const queues = new Map<string, LimitFunction>();
const MAX_WAITING = 3;

async function inTurn<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(organizationId) ?? pLimit(1);
  queues.set(organizationId, queue);
  if (queue.pendingCount >= MAX_WAITING) {
    throw unavailable('Other files of your organization are being read. Try again in a minute.');
  }
  try {
    return await queue(work);
  } finally {
    if (queue.activeCount + queue.pendingCount === 0) queues.delete(organizationId);
  }
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
  const { tenant, plan } = caller;
  await requireRows(tenant, plan, 1);
  const addresses = geocoder ? meterAddresses(caller, geocoder) : null;
  const lookUps = uploadLookUps(tenant, addresses);
  try {
    const result = await readUpload(chunks, options, lookUps, { rows: MAX_ROWS });
    await requireRows(tenant, plan, result.rows);
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
    ...{ slug: stored?.slug ?? null, name: stored?.name ?? name, kind, column, group },
    ...{ unit, zipCount: kept.zips.length },
    total: totalOf({ addsUp: addsUpOf(set), ...amounts }, kept.zips) ?? 0,
    replaces,
    suppressedZips: set.zips.length - kept.zips.length,
  };
}

/** A table that becomes one data set with sums, such as the amounts of a plan */
export interface TableChoices {
  /** Default: the heading of the amounts */
  name?: string | undefined;
  column?: string | undefined;
  zipColumn?: string | undefined;
  /** Whether it may replace the data set of the same name */
  replace: boolean;
  /** The plan that uses it, which must have an amount in its market */
  plan: { name: string; zips: readonly string[] };
}

/**
 * Imports a text with a column of ZIP codes and a column of amounts.
 * @returns the id of the data set, and the rows that need attention
 * @throws ServiceError as `importFile`; 400 without a name, or an amount in the plan's market; 409 for a name that is
 *   taken, unless it may be replaced
 */
export async function importTable(
  caller: Caller,
  text: string,
  { name, column, zipColumn, replace, plan: market }: TableChoices,
): Promise<{ ref: string; findings: readonly Finding[] }> {
  const { tenant, plan } = caller;
  await requireRows(tenant, plan, 1);
  const options: UploadOptions = {
    ...{ zip: zipColumn, addsUpNumbers: true },
    ...(column !== undefined && { amounts: [{ kind: 'sum', column }] }),
  };
  const lookUps = uploadLookUps(tenant, null);
  const result = await readUpload(oneChunk(text), options, lookUps, { rows: MAX_ROWS });
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

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
