/**
 * Reads imported data: ZIP codes, boundaries, figures, scores, and the basemap. It belongs to no
 * organization, and an import replaces a dataset at once. An answer takes several reads, which may go to
 * the primary or to a replica that lags behind. Therefore, each read is followed by a read of the data's
 * stamp in the same round trip. Stamps never repeat: if the primary has the same stamp at the start of an
 * answer and after a read, it had the same version throughout.
 */
import { unavailable } from '../../errors.ts';
import type { Statement } from './batch.ts';
import type { Queryable } from './queryable.ts';
import type { Run } from './statements.ts';
import { readAsOf } from './tenant-role.ts';
import {
  datasetsStamps,
  readTimedDatasets,
  stampsIn,
  type DatasetName,
  type Datasets,
} from './datasets.ts';

/** Lists of datasets, each with its own stamp: see `stampsIn` */
type Lists = readonly (readonly DatasetName[])[];

export interface DataVersion {
  lists: Lists;
  /** The stamps of the lists, separated by spaces */
  stamp: string;
  /** Reads the boundaries of this moment. Default: those of today */
  asOf?: Date;
}

/**
 * Reads data of one version for an answer. The reads throw an `OtherVersionError` if it's no longer
 * current.
 */
export interface DataAt extends Queryable {
  readonly stamp: string;
  /** The datasets of the lists, if all are known */
  readonly datasets?: Datasets;
}

export interface ImportedData {
  /** Reads the stamp of the current version, on the primary. */
  stamp(): Promise<string>;
  /** Returns reads for an answer that started with this stamp. @throws OtherVersionError, as the reads, if it knows */
  at(stamp: string): DataAt;
  /**
   * Runs `work` with reads of the current version, and repeats it if an import changes the data meanwhile.
   * @throws ServiceError 503 if the data keeps changing
   */
  read<T>(work: (db: DataAt) => Promise<T>): Promise<T>;
}

/** @param lists all datasets that the reads depend on; usually one list */
export function importedData(
  db: Queryable & { at(version: DataVersion): Queryable },
  ...lists: Lists
): ImportedData {
  const names = new Set(lists.flat());
  /** The last stamp, and the datasets from which it was made */
  let last: { stamp: string; datasets: Datasets } | undefined;
  const stamp = async () => {
    const all = await readTimedDatasets(db);
    const datasets = new Map([...all].filter(([name]) => names.has(name)));
    last = { stamp: joinStamps(stampsIn(datasets, lists)), datasets };
    return last.stamp;
  };
  const at = (stamp: string): DataAt => ({
    stamp,
    query: db.at({ lists, stamp }).query,
    // Missing datasets may have been imported since. In that case, the answer reads them instead of
    // failing.
    ...(last?.stamp === stamp && last.datasets.size === names.size && { datasets: last.datasets }),
  });
  return { stamp, at, read: (work) => untilUnchanged(stamp, (stamp) => work(at(stamp))) };
}

/** An import takes seconds, so a second change during one answer is rare. */
const ATTEMPTS = 3;

/**
 * Runs `work` with the current stamp, and repeats it if it reads another version.
 * @param current is called before each attempt
 * @throws ServiceError 503 if the version keeps changing
 */
export async function untilUnchanged<T>(
  current: (attempt: number) => Promise<string>,
  work: (stamp: string) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    try {
      return await work(await current(attempt));
    } catch (error) {
      if (!(error instanceof OtherVersionError)) throw error;
    }
  }
  throw unavailable('The data is being replaced. Try again in a moment.');
}

const joinStamps = (stamps: readonly string[]) => stamps.join(' ');

/** The database and the answer have different versions of the data. */
export class OtherVersionError extends Error {
  override name = 'OtherVersionError';

  constructor() {
    super('the database has another version of the data');
  }
}

/**
 * Runs reads and checks their version. All messages are sent at once, so they take one round trip.
 *
 * A transaction with a single snapshot wouldn't help: an import replaces whole tables, and a table's name
 * refers to the newest one, whatever the snapshot.
 *
 * @param run runs statements on one connection
 * @param isReplica whether the database may have lagged behind the version before the reads
 * @returns the rows of each read
 * @throws OtherVersionError, even if a read failed; otherwise the error of a read
 */
export async function readVersion(
  run: Run,
  { lists, stamp, asOf }: DataVersion,
  reads: readonly Statement[],
  isReplica: boolean,
): Promise<object[][]> {
  const query: Queryable['query'] = asOf
    ? (sql, values) => run(sql, values, [readAsOf(asOf)])
    : run;
  const check = async () => {
    if (joinStamps(await datasetsStamps({ query }, lists)) !== stamp) throw new OtherVersionError();
  };
  const before = isReplica ? check() : undefined;
  const rows = Promise.all(reads.map(({ sql, values }) => query(sql, values)));
  const after = check();
  await Promise.allSettled([before, rows, after]);
  await before;
  await after;
  return rows;
}

/**
 * Combines reads: those that are waiting when a connection becomes available share it and its round trip.
 * If one of them fails, all of them fail.
 * @param send runs the reads that `take` returns once it has a connection. It may call `take` again.
 */
export function gatherReads(
  send: (take: () => readonly Statement[]) => Promise<object[][]>,
): Queryable {
  let waiting: Read[] = [];

  async function sendWaiting(): Promise<void> {
    let taken: Read[] | undefined;
    const take = () => {
      if (taken) return taken;
      taken = waiting;
      waiting = [];
      return taken;
    };
    try {
      const rows = await send(take);
      for (const [i, read] of take().entries()) read.resolve(rows[i]!);
    } catch (error) {
      for (const read of take()) read.reject(error);
    }
  }

  return {
    query: (sql, values) =>
      new Promise((resolve, reject) => {
        waiting.push({ sql, values, resolve: resolve as Read['resolve'], reject });
        if (waiting.length === 1) void sendWaiting();
      }),
  };
}

interface Read extends Statement {
  resolve(rows: object[]): void;
  reject(error: unknown): void;
}
