/** Transactions in few round trips. */
import type { Statement } from './batch.ts';
import type { Queryable } from './queryable.ts';
import type { Run } from './statements.ts';

export interface Transaction extends Queryable {
  /**
   * Adds a statement whose rows aren't needed. It's sent with the next query or the commit, so it takes no
   * round trip of its own. If it fails, that query or the commit fails instead, and the transaction rolls
   * back.
   * @param explain turns an error of the server into the error for callers
   */
  defer(sql: string, values?: readonly unknown[], explain?: Statement['explain']): void;
  /**
   * Adds a statement that runs after all others, with the commit. Use it for a lock that other transactions wait for.
   */
  deferToEnd(sql: string, values?: readonly unknown[]): void;
}

/**
 * Commits when `work` returns, and returns its result once the commit is confirmed. Rolls back and rethrows
 * when `work` throws. Also rolls back if `work` has caught the error of a statement.
 * @param opening statements that open the transaction. They are sent with the first query, which is skipped
 *   if they fail.
 */
export async function runInTransaction<T>(
  run: Run,
  opening: readonly Statement[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const waiting = [...opening];
  const last: Statement[] = [];
  /** The first round trip. Until it's answered, another statement could run outside the transaction. */
  let opened: Promise<unknown> | undefined;
  let isOver = false;
  /** Errors of statements. After one, PostgreSQL would roll back at a commit without reporting an error. */
  const failures: unknown[] = [];

  const send: Run = (sql, values, before) => {
    const rows = run<never>(sql, values, before);
    rows.catch((error: unknown) => failures.push(error));
    return rows;
  };

  async function query<Row extends object>(sql: string, values?: readonly unknown[]) {
    const before = waiting.splice(0);
    if (!opened) {
      const rows = send<Row>(sql, values, before);
      opened = rows;
      return rows;
    }
    await opened;
    if (isOver) throw new Error('a statement was sent after the end of its transaction');
    return send<Row>(sql, values, before);
  }

  const defer: Transaction['defer'] = (sql, values, explain) => {
    waiting.push({ sql, values, explain });
  };
  const deferToEnd: Transaction['deferToEnd'] = (sql, values) => {
    last.push({ sql, values });
  };

  try {
    const result = await work({ query, defer, deferToEnd });
    if (failures.length > 0) throw failures[0];
    waiting.push(...last);
    if (opened || waiting.length > opening.length) await query('commit');
    return result;
  } catch (error) {
    isOver = true;
    // If the connection is gone, the server has already rolled back.
    if (opened) await run('rollback').catch(() => {});
    throw error;
  } finally {
    isOver = true;
  }
}
