/**
 * Reads an uploaded file into amounts by ZIP code. A thread takes chunk after chunk from the upload, so only one is in
 * memory, and the upload is as fast as the reading. Nothing of the file is written to a disk or a log.
 */
import { badRequest, ServiceError } from '../../../errors.ts';
import { compiledModule } from '../../../base/workers/compiled-module.ts';
import { JobKind } from '../../../base/workers/once.ts';
import { answerCalls, type Call } from '../../../base/workers/serve.ts';
import type { UploadLookUps } from './look-ups.ts';
import type { CellsResult } from './read-cells.ts';
import type { UploadOptions, UploadResult } from './types.ts';
import type { UploadJob } from './worker.ts';

export const MAX_MB = 100;
export const MAX_BYTES = MAX_MB * 1024 * 1024;
/** Without the time that the client takes. 5,000 addresses take longer. */
const DEADLINE_MS = { read: 300_000, geocode: 900_000 };

const uploads = new JobKind<UploadJob, UploadResult | CellsResult, Call>({
  module: compiledModule('territories/own-data/import/worker.ts'),
  // Besides boundaries (75 MB for the whole country) and the bytes of workbooks
  megabytes: 416,
  busy: 'Many files are being read right now. Try again in a minute.',
  exceeded: (what, cause) =>
    badRequest(
      `The file takes too much ${what} to read. Remove columns that aren’t needed, or split it up.`,
      { cause },
    ),
  refusals: { ServiceError },
});

/**
 * Reads a file: CSV, TSV, pasted rows, an Excel workbook, or GeoJSON.
 * @param chunks the file, as it arrives
 * @param limits `rows`: at most a million
 * @throws ServiceError 400 for any other file, or one that is too large; 503 while too many files wait, or if the
 *   geocoder fails
 */
export const readUpload = (
  chunks: AsyncIterable<Uint8Array>,
  options: UploadOptions,
  lookUps: UploadLookUps,
  limits: { rows: number },
): Promise<UploadResult> =>
  read<UploadResult>(
    chunks,
    { reads: 'amounts', options, canGeocode: lookUps.geocode !== undefined, limits },
    lookUps,
  );

/** Reads the cells of a file, for rows that are stored as they are. @throws ServiceError as `readUpload` */
export const readUploadedCells = (
  chunks: AsyncIterable<Uint8Array>,
  options: UploadOptions,
  limits: { rows: number },
): Promise<CellsResult> =>
  read<CellsResult>(chunks, { reads: 'cells', options, canGeocode: false, limits }, {});

async function read<Result extends UploadResult | CellsResult>(
  chunks: AsyncIterable<Uint8Array>,
  job: UploadJob,
  lookUps: Partial<UploadLookUps>,
): Promise<Result> {
  const result = await readInThread(uploads, chunks, job, () => lookUps);
  return result as Result;
}

/** Waits for something that doesn't count toward the deadline, such as a client */
type Uncounted = <T>(wait: () => Promise<T>) => Promise<T>;

/**
 * Reads a file in a thread, which takes its chunks one after another.
 * @param functions that the thread calls, besides `next` for the next chunk
 * @throws ServiceError as `readUpload`
 */
export async function readInThread<Job extends { canGeocode: boolean }, Result>(
  kind: JobKind<Job, Result, Call>,
  chunks: AsyncIterable<Uint8Array>,
  job: Job,
  functions: (uncounted: Uncounted) => object,
  signal?: AbortSignal,
): Promise<Result> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    // Before the file waits for its turn: the source may refuse the whole file at its first piece.
    const first = await arrival(source.next());
    return await kind.run(
      (turn) => {
        const uncounted: Uncounted = (wait) => turn.uncounted(wait);
        const next = nextChunk(source, first, uncounted);
        return turn.inThread(job, answerCalls({ ...functions(uncounted), next }));
      },
      { deadlineMs: DEADLINE_MS[job.canGeocode ? 'geocode' : 'read'], ...(signal && { signal }) },
    );
  } finally {
    // Lets the upload end if the reading stopped early.
    void source.return?.()?.catch(() => {});
  }
}

/** Larger chunks are divided: copying one to the worker would delay others. */
const CHUNK_BYTES = 256 * 1024;

/** Longest wait for the next piece */
const STALL_MS = 20_000;
/** Slower clients would hold up other files. */
const MIN_BYTES_PER_MS = 64;
/** Waiting time that every client may take in addition */
const GRACE_MS = 30_000;

const arrivesTooSlowly = () =>
  badRequest(
    'The file arrives too slowly, or not at all. Check the connection, then send it again.',
  );

/** Waits for a piece of the file. @throws ServiceError 400 if the client sends nothing for too long */
function arrival<T>(piece: Promise<T>): Promise<T> {
  let stall: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_resolve, reject) => {
    stall = setTimeout(() => reject(arrivesTooSlowly()), STALL_MS);
  });
  return Promise.race([piece, stalled]).finally(() => clearTimeout(stall));
}

/** @param uncounted waits without counting the time toward the deadline */
function nextChunk(
  source: AsyncIterator<Uint8Array>,
  first: IteratorResult<Uint8Array>,
  uncounted: <T>(wait: () => Promise<T>) => Promise<T>,
): () => Promise<Uint8Array | null> {
  let result: IteratorResult<Uint8Array> | undefined = first;
  let total = 0;
  let waitedMs = 0;
  let rest: Uint8Array = new Uint8Array();

  async function waitForPiece(): Promise<IteratorResult<Uint8Array>> {
    const since = performance.now();
    const arrived = await uncounted(() => arrival(source.next()));
    waitedMs += performance.now() - since;
    if (waitedMs > GRACE_MS + total / MIN_BYTES_PER_MS) throw arrivesTooSlowly();
    return arrived;
  }

  return async () => {
    while (rest.length === 0) {
      const { value, done } = result ?? (await waitForPiece());
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
