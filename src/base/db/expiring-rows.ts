/**
 * Deletes rows that have expired. The room that owns a table declares when its rows expire, and
 * `src/run/cleanup` deletes them in one process.
 */
import type { Queryable } from './database.ts';

interface Batch {
  /** Number of deleted rows */
  deleted: number;
  /** Where the next batch starts */
  next?: string | undefined;
}

/** Deletes the expired rows of a table. */
export interface ExpiringRows {
  table: string;
  /** Maximum number of rows that one statement deletes */
  batch: number;
  /**
   * Deletes some expired rows, oldest first, in one statement that doesn't wait for locks.
   * @param limit maximum number of rows
   * @param from the `next` of the previous batch. Default: the oldest row
   */
  deleteSome(db: Queryable, limit: number, from?: string): Promise<Batch>;
}

interface Expiry {
  table: string;
  /**
   * The column that decides when a row expires. It has an index, so that a batch reads only the rows that
   * it deletes
   */
  column: string;
  /** Rows expire when their column is below this SQL expression */
  before: string;
  /** Further SQL condition, the one of a partial index */
  only?: string;
  /** Default: 1,000. Fewer for large rows */
  batch?: number;
}

/** A batch of this size takes a few milliseconds */
const BATCH = 1_000;

/** Deletes rows by age. Rows that a transaction has locked remain until the next run. */
export function expiring({ table, column, before, only, batch = BATCH }: Expiry): ExpiringRows {
  // A batch starts where the previous one ended, because the index before that point is full of deleted
  // rows.
  const expiredCondition = (from?: string) =>
    [`${column} < ${before}`, only, from !== undefined && `${column} >= $2`]
      .filter(Boolean)
      .join(' and ');
  return {
    table,
    batch,
    async deleteSome(db, limit, from) {
      const [result] = await db.query<{ deleted: number; next: string | null }>(
        `with expired as materialized (
           select ctid as row, ${column} as at from ${table} where ${expiredCondition(from)}
           order by ${column} limit $1 for update skip locked
         ), gone as (
           delete from ${table} where ctid = any(array(select row from expired))
         )
         select count(*) as deleted, max(at)::text as next from expired`,
        from === undefined ? [limit] : [limit, from],
      );
      return { deleted: result!.deleted, next: result!.next ?? undefined };
    },
  };
}
