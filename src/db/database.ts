/**
 * Access to the database: a connection pool, SQL with parameters, and transactions.
 *
 * Two rules follow from the embedded database, which runs one transaction at a time in a single
 * session that all clients share:
 * - Code inside a transaction uses only the `Queryable` that it receives. Asking for a second
 *   connection would deadlock.
 * - Session state (`set`, temporary tables, named prepared statements, session locks) leaks between
 *   clients. Use only transaction state, such as `set local`.
 *
 * Every statement ends within the deadlines of the database: see `deadlines.ts`.
 */
import type pg from 'pg';
import type { Config } from '../config.ts';
import { queryWithin } from './connection.ts';
import { OPERATOR_DEADLINES, type Deadlines } from './deadlines.ts';
import { startEmbeddedDatabase } from './embedded.ts';
import { callersError } from './failures.ts';
import { fairShares } from './fair-shares.ts';
import { openLiveness, type Liveness } from './liveness.ts';
import { openPool, type PoolUse } from './pool.ts';
import { actAs } from './tenant-role.ts';

export interface Queryable {
  /** Runs one statement and returns its rows. `$1`, `$2`, … in `sql` stand for `values`. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/** Whose rows statements reach, and for how long they run */
export interface Scope {
  /** Limits them to the organization's rows and shared tables. Default: all tables, as their owner */
  organizationId?: string;
  /** Limit of each statement of a transaction. Default: that of the database's deadlines */
  statementMs?: number;
}

export interface Database extends Queryable, Pick<Liveness, 'responds'> {
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
    scope?: Scope,
  ): Promise<Row[]>;
  /** Commits when `work` returns. Rolls back and rethrows when it throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, scope?: Scope): Promise<T>;
  /** How the pool is used now. Substitutes in tests may lack it. */
  poolUse?(): PoolUse;
  /**
   * Waits for running queries, then closes all connections.
   * @param graceMs how long to wait. Default: 5 seconds
   */
  close(graceMs?: number): Promise<void>;
}

export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>;

export interface DatabaseOptions {
  /** Default: those of operators' work */
  deadlines?: Deadlines;
  /** Receives connection errors that no query is waiting for */
  report?(problem: Error): void;
}

const CLOSE_MS = 5_000;

/** Runs a statement, as the organization if one is named. */
type Run = <Row extends object>(
  sql: string,
  values?: readonly unknown[],
  organizationId?: string,
) => Promise<Row[]>;

/**
 * Opens the configured database and starts the embedded one if needed. If the embedded database
 * dies, the next query restarts it.
 * @throws ServiceError 503 from every method while the database is unreachable, silent, or busy
 */
export async function openDatabase(
  settings: DatabaseSettings,
  { deadlines = OPERATOR_DEADLINES, report = () => {} }: DatabaseOptions = {},
): Promise<Database> {
  const embedded = settings.databaseUrl === undefined;
  const start = () => startEmbeddedDatabase(settings.dataDir);
  const address: pg.ClientConfig = embedded
    ? await start()
    : { connectionString: settings.databaseUrl };
  const server = { address, deadlines, ...(embedded && { revive: start }) };
  const pool = openPool({ ...server, size: settings.databasePoolSize, report });
  const liveness = openLiveness(server);
  const placeOf = fairShares(Math.ceil(settings.databasePoolSize * deadlines.organizationShare));

  let closing: Promise<unknown> | undefined;

  /** Runs `work` with a connection, in the organization's share of the pool. */
  async function connected<T>(
    { organizationId, statementMs }: Scope,
    work: (run: Run) => Promise<T>,
  ) {
    const start = performance.now();
    const passedMs = () => performance.now() - start;
    let leave: (() => void) | undefined;
    try {
      if (organizationId !== undefined) leave = await placeOf(organizationId, deadlines.waitMs);
      return await pool.withClient(deadlines.waitMs - passedMs(), async (client) => {
        const answerMs = answerMsOf(statementMs);
        let limitMs = Math.min(answerMs, deadlines.totalMs - passedMs());
        const run: Run = async (sql, values, actingAs) => {
          const rows = await queryWithin(client, limitMs, sql, values, actingAs);
          limitMs = answerMs;
          return rows as never;
        };
        return work(run);
      });
    } catch (error) {
      throw callersError(error);
    } finally {
      leave?.();
    }
  }

  /** The client waits a little longer than the server, whose answer is more precise. */
  const answerMsOf = (statementMs = deadlines.statementMs) =>
    statementMs + deadlines.answerMs - deadlines.statementMs;

  return {
    query: (sql, values, scope = {}) =>
      connected(scope, (run) => run(sql, values, scope.organizationId)),
    transaction: (work, scope = {}) =>
      connected(scope, async (run) => {
        try {
          await run(begin(scope));
          const result = await work({ query: (sql, values) => run(sql, values) });
          await run('commit');
          return result;
        } catch (error) {
          // If the connection is gone, the server has already rolled back.
          await run('rollback').catch(() => {});
          throw error;
        }
      }),
    poolUse: () => pool.use(),
    responds: () => liveness.responds(),
    async close(graceMs = CLOSE_MS) {
      closing ??= Promise.all([liveness.close(), pool.close(graceMs)]);
      await closing;
    },
  };
}

/** Statements that open a transaction of a scope. */
function begin({ organizationId, statementMs }: Scope): string {
  const statements = ['begin'];
  if (organizationId !== undefined) statements.push(actAs(organizationId));
  if (statementMs !== undefined) {
    statements.push(`set local statement_timeout = ${Math.round(statementMs)}`);
  }
  return statements.join('; ');
}
