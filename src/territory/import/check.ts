/**
 * Checks an uploaded file. A worker thread reads it, because that can take seconds and hundreds of megabytes. Running
 * out of time or memory then ends the thread instead of the service.
 */
import pLimit from 'p-limit';
import type { BrandScope } from '../../account/caller.ts';
import type { TenantDatabase } from '../../account/tenant.ts';
import { badRequest, ServiceError, unavailable } from '../../errors.ts';
import { compiledModule } from '../../geodata/project-files.ts';
import { threadChannel } from '../../render/pool/channel.ts';
import { LostWorkerError } from '../../render/pool/errors.ts';
import { PoolWorker } from '../../render/pool/pool-worker.ts';
import type { Brand } from '../brands.ts';
import type { ImportLookUps } from './look-ups.ts';
import { matchAreas } from './match-areas.ts';
import { saveReport } from './reports.ts';
import type { CheckedFile, ImportFile, Question } from './worker.ts';
import { readZipStates, zipsInRanges } from './zip-states.ts';

/** Memory of the worker thread. The largest files take half of it. */
const HEAP = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 768 };
/** Time limit. Matching areas alone may take 20 s. */
const DEADLINE_MS = 60_000;

const MAX_RUNNING = 2;
const MAX_WAITING = 8;
const running = pLimit(MAX_RUNNING);

/**
 * Stores a report on what importing a file would do for a brand, without changing anything else.
 * @param file a list of ZIP codes, a table with a column of them, GeoJSON, or KML; with the column to read, if a table
 *   has several
 * @param visibleTo brands whose names the report may contain. Default: only the brand itself
 * @returns the report's id
 * @throws ServiceError 400 for any other file, or one that is too large; 503 while too many files wait
 */
export async function checkImport(
  tenant: TenantDatabase,
  brand: Brand,
  file: ImportFile,
  visibleTo?: BrandScope,
): Promise<string> {
  if (running.pendingCount >= MAX_WAITING) {
    throw unavailable('Many files are being checked right now. Try again in a minute.');
  }
  const checked = await running(() => readInWorker(lookUpsOf(tenant, brand, visibleTo), file));
  return saveReport(tenant, brand, checked, file.bytes);
}

export const lookUpsOf = (
  tenant: TenantDatabase,
  brand: Brand,
  visibleTo?: BrandScope,
): ImportLookUps => ({
  matchAreas: (areas) => matchAreas(tenant, areas),
  readZipStates: (zips) => readZipStates(tenant, brand, zips, visibleTo),
  zipsInRanges: (ranges) => zipsInRanges(tenant, ranges),
});

async function readInWorker(lookUps: ImportLookUps, file: ImportFile): Promise<CheckedFile> {
  const worker = new PoolWorker<ImportFile, CheckedFile>(
    threadChannel(compiledModule('territory/import/worker.ts'), HEAP),
    (question) => answer(lookUps, question as Question),
    { ServiceError },
  );
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    void worker.stop();
  }, DEADLINE_MS);
  try {
    return await worker.run(file);
  } catch (error) {
    if (!(error instanceof LostWorkerError)) throw error;
    throw badRequest(
      `The file takes too much ${isLate ? 'time' : 'memory'} to read. Simplify it or split it up.`,
      { cause: error },
    );
  } finally {
    clearTimeout(deadline);
    void worker.stop();
  }
}

async function answer(lookUps: ImportLookUps, question: Question): Promise<unknown> {
  if ('areas' in question) return lookUps.matchAreas(question.areas);
  if ('ranges' in question) return lookUps.zipsInRanges(question.ranges);
  return lookUps.readZipStates(question.zips);
}
