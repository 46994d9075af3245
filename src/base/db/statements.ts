/** Runs statements on a connection of a pool, each within the deadlines. */
import type { Statement } from './batch.ts';
import { queryWithin } from './connection.ts';
import type { Deadlines } from './deadlines.ts';
import type { Pool } from './pool.ts';

/** Runs a statement after others, in the same round trip. */
export type Run = <Row extends object>(
  sql: string,
  values?: readonly unknown[],
  before?: readonly Statement[],
) => Promise<Row[]>;

interface StatementLimits {
  deadlines: Deadlines;
  /** Time limit of each statement. Default: the limit in the deadlines */
  statementMs?: number | undefined;
  /** When waiting for the connection started. Default: now */
  startedAt?: number;
}

/** Runs `work` with its own connection. @throws as `Pool.withClient` */
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
    // The client waits slightly longer than the server, whose answer is more precise.
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
