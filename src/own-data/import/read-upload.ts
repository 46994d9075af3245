/**
 * Reads an uploaded file into amounts by ZIP code. A worker thread takes chunk after chunk from the upload, so only one
 * is in memory, and the upload is as fast as the reading. Nothing of the file is written to a disk or a log. Running out
 * of time or memory ends the thread instead of the service.
 */
import pLimit from 'p-limit';
import { badRequest, ServiceError, unavailable } from '../../errors.ts';
import { compiledModule } from '../../geodata/project-files.ts';
import { threadChannel } from '../../render/pool/channel.ts';
import { LostWorkerError } from '../../render/pool/errors.ts';
import { PoolWorker } from '../../render/pool/pool-worker.ts';
import type { Question, UploadLookUps } from './look-ups.ts';
import { arrival, arrivesTooSlowly, ReadingTime } from './reading-time.ts';
import type { UploadOptions, UploadResult } from './types.ts';
import type { UploadJob } from './worker.ts';

export const MAX_MB = 100;
export const MAX_BYTES = MAX_MB * 1024 * 1024;
/** Memory of the worker thread, besides boundaries (75 MB for the whole country) and the bytes of workbooks */
const HEAP = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 384 };
/** Time limit, without the time that the client takes. 5,000 addresses take longer. */
const DEADLINE_MS = { read: 300_000, geocode: 900_000 };

const MAX_RUNNING = 2;
const MAX_WAITING = 8;
const running = pLimit(MAX_RUNNING);

/**
 * Reads a file: CSV, TSV, pasted rows, an Excel workbook, or GeoJSON.
 * @param chunks the file, as it arrives
 * @param limits `rows`: at most a million
 * @throws ServiceError 400 for any other file, or one that is too large; 503 while too many files wait, or if the
 *   geocoder fails
 */
export async function readUpload(
  chunks: AsyncIterable<Uint8Array>,
  options: UploadOptions,
  lookUps: UploadLookUps,
  limits: { rows: number },
): Promise<UploadResult> {
  const source = chunks[Symbol.asyncIterator]();
  // Before the file waits for its turn: the source may refuse the whole file at its first piece.
  const first = await arrival(source.next());
  if (first === undefined || running.pendingCount >= MAX_WAITING) {
    void source.return?.()?.catch(() => {});
    if (first === undefined) throw arrivesTooSlowly();
    throw unavailable('Many files are being read right now. Try again in a minute.');
  }
  return running(() => readInWorker(source, first, options, lookUps, limits));
}

async function readInWorker(
  source: AsyncIterator<Uint8Array>,
  first: IteratorResult<Uint8Array>,
  options: UploadOptions,
  lookUps: UploadLookUps,
  limits: { rows: number },
): Promise<UploadResult> {
  const canGeocode = lookUps.geocode !== undefined;
  let isLate = false;
  const time = new ReadingTime(DEADLINE_MS[canGeocode ? 'geocode' : 'read'], () => {
    isLate = true;
    void worker.stop();
  });
  const next = nextChunk(source, first, time);
  const worker = new PoolWorker<UploadJob, UploadResult>(
    threadChannel(compiledModule('own-data/import/worker.ts'), HEAP),
    (question) => answer(lookUps, next, question as Question),
    { ServiceError },
  );
  try {
    return await worker.run({ options, canGeocode, limits });
  } catch (error) {
    if (!(error instanceof LostWorkerError)) throw error;
    throw badRequest(
      `The file takes too much ${isLate ? 'time' : 'memory'} to read. Remove columns that aren’t needed, or split it up.`,
      { cause: error },
    );
  } finally {
    time.stop();
    void worker.stop();
    // Lets the upload end if the reading stopped early.
    void source.return?.()?.catch(() => {});
  }
}

/** Larger chunks are divided: copying one to the worker would delay others. */
const CHUNK_BYTES = 256 * 1024;

function nextChunk(
  source: AsyncIterator<Uint8Array>,
  first: IteratorResult<Uint8Array>,
  time: ReadingTime,
): () => Promise<Uint8Array | null> {
  let result: IteratorResult<Uint8Array> | undefined = first;
  let total = 0;
  let rest: Uint8Array = new Uint8Array();
  return async () => {
    while (rest.length === 0) {
      result ??= await time.waitFor(source.next(), total);
      if (result === undefined) throw arrivesTooSlowly();
      const { value, done } = result;
      if (done) return null;
      result = undefined;
      total += value.length;
      if (total > MAX_BYTES) {
        throw badRequest(
          `The file is larger than ${MAX_MB} MB. Remove columns that aren’t needed, or split it up.`,
        );
      }
      rest = value;
    }
    // A copy, because sending a part would send all the memory around it.
    const chunk = new Uint8Array(rest.subarray(0, CHUNK_BYTES));
    rest = rest.subarray(chunk.length);
    return chunk;
  };
}

async function answer(
  lookUps: UploadLookUps,
  next: () => Promise<Uint8Array | null>,
  question: Question,
): Promise<unknown> {
  if ('next' in question) return next();
  if ('knownZips' in question) return lookUps.knownZips();
  if ('unknownReasons' in question) return lookUps.unknownReasons(question.unknownReasons);
  if ('zipsIn' in question) return lookUps.zipsIn(question.zipsIn);
  if ('boundaries' in question) return lookUps.boundaries(question.boundaries);
  if ('states' in question) return lookUps.states();
  return lookUps.geocode!(question.geocode);
}
