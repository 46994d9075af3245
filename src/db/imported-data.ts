/**
 * Reads of imported data: ZIP codes, boundaries, figures, scores, and the basemap. They belong to no
 * organization, and an import replaces a dataset at once. An answer takes several reads, which may go to
 * the primary and to a replica that is behind it. Two checks keep versions apart:
 *
 * - The code that makes an answer reads the stamp before and after it, on the primary. Stamps never repeat, so
 *   if both are equal, the primary had this version all the while. Otherwise the answer is made again.
 * - Each read on a replica is answered only if the replica has the same stamp before and after it.
 */
import { unavailable } from '../errors.ts';
import type { Database, Queryable } from './database.ts';
import { datasetsStamps, type DatasetName } from './datasets.ts';

/** Lists of datasets, each with a stamp of its own: see `datasetsStamps` */
type Lists = readonly (readonly DatasetName[])[];

export interface DataVersion {
  lists: Lists;
  /** The stamps of the lists, separated by spaces */
  stamp: string;
}

/** Reads for an answer of one version */
export interface DataAt extends Queryable {
  readonly stamp: string;
}

export interface ImportedData {
  /** Reads the stamp of the current version, on the primary. */
  stamp(): Promise<string>;
  /** Returns reads for an answer that began with this stamp. */
  at(stamp: string): DataAt;
  /**
   * Runs `work` with reads of the current version, and again if an import changes it meanwhile.
   * @throws ServiceError 503 if it changes again and again
   */
  read<T>(work: (db: DataAt) => Promise<T>): Promise<T>;
}

/** An import takes seconds, so a second change during one answer is rare. */
const ATTEMPTS = 3;

/** @param lists all datasets that the reads depend on; usually a single list */
export function importedData(db: Database, ...lists: Lists): ImportedData {
  const stamp = () => readStamp(db, lists);
  const at = (stamp: string) => ({ stamp, query: db.at({ lists, stamp }).query });
  return {
    stamp,
    at,
    async read(work) {
      let before = await stamp();
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const result = await work(at(before));
        const after = await stamp();
        if (after === before) return result;
        before = after;
      }
      throw unavailable('The data is being replaced. Try again in a moment.');
    },
  };
}

const readStamp = async (db: Queryable, lists: Lists) =>
  (await datasetsStamps(db, lists)).join(' ');

/** The replica has another version. */
export class OtherVersionError extends Error {
  override name = 'OtherVersionError';

  constructor() {
    super('the replica has another version of the data');
  }
}

/**
 * Runs a statement on a replica. All messages are sent at once, so it takes one round trip.
 *
 * A transaction with one snapshot wouldn't do: an import replaces whole tables, and the name of a table
 * leads to the newest one, whatever the snapshot.
 *
 * @param query runs statements on one connection
 * @throws OtherVersionError
 */
export async function queryVersion<Row extends object>(
  query: Queryable['query'],
  { lists, stamp }: DataVersion,
  sql: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const sent = [
    readStamp({ query }, lists),
    query<Row>(sql, values),
    readStamp({ query }, lists),
  ] as const;
  await Promise.allSettled(sent);
  const [before, rows, after] = await Promise.all(sent);
  if (before !== stamp || after !== stamp) throw new OtherVersionError();
  return rows;
}
