/** Statements on one connection of a pool, each within the deadlines. */
import type { Statement } from './batch.ts';
import { queryWithin } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import type { Pool } from './pool.ts';

/** Runs a statement, and others in front of it in the same round trip. */
export type Run = <Row extends object>(
  sql: string,
  values?: readonly unknown[],
  before?: readonly Statement[],
) => Promise<Row[]>;

export interface StatementLimits {
  deadlines: Deadlines;
  /** Limit of each statement. Default: that of the deadlines */
  statementMs?: number | undefined;
  /** When the wait for the connection began. Default: now */
  startedAt?: number;
}

/** Runs `work` with a connection of its own. @throws as `Pool.withClient` */
export function withStatements<T>(
  pool: Pool,
  {
    deadlines,
    statementMs = deadlines.statementMs,
    startedAt = performance.now(),
  }: StatementLimits,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const passedMs = () => performance.now() - startedAt;
  return pool.withClient(deadlines.waitMs - passedMs(), async (client) => {
    // The client waits a little longer than the server, whose answer is more precise.
    const answerMs = statementMs + deadlines.answerMs - deadlines.statementMs;
    let limitMs = Math.min(answerMs, deadlines.totalMs - passedMs());
    const run: Run = async (sql, values, before) => {
      const rows = await queryWithin(client, limitMs, sql, values, before);
      limitMs = answerMs;
      return rows as never;
    };
    return work(run);
  });
}
