/**
 * The one way to the database: a pool of connections, plain SQL with parameters, transactions.
 *
 * The embedded database runs one transaction at a time, so a piece of work that has opened a
 * transaction must go on with the `Queryable` it was handed and never ask for a second connection.
 * All its clients share one session: no state of a session (`set`, temporary tables, prepared
 * statements with a name, session locks) may be relied on, only that of a transaction.
 */
import pg from 'pg';
import type { Config } from '../config.ts';
import { ServiceError, unavailable } from '../errors.ts';
import { startEmbeddedDatabase } from './embedded.ts';

export interface Queryable {
  /** Runs one statement and returns its rows. Values travel apart from the text (`$1`, `$2`). */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

export interface Database extends Queryable {
  /** Commits when `work` returns, rolls back and rethrows when it throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Waits for the queries under way, then closes every connection. */
  close(): Promise<void>;
}

export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>;

/**
 * Opens the database of the settings and, where it is the embedded one, starts it if it does not
 * run yet. An embedded database that has died is started again by the next query.
 * @throws ServiceError 503 from any method while the database cannot be reached
 */
export async function openDatabase(
  settings: DatabaseSettings,
  report: (problem: Error) => void = () => {},
): Promise<Database> {
  const embedded = settings.databaseUrl === undefined;
  const address = embedded
    ? await startEmbeddedDatabase(settings.dataDir)
    : { connectionString: settings.databaseUrl };
  const pool = new pg.Pool({
    ...address,
    max: settings.databasePoolSize,
    min: 1, // the embedded database stops soon after its last client has gone
    connectionTimeoutMillis: 5_000,
    application_name: 'territory',
    types,
  });
  // An idle connection that breaks is dropped from the pool by itself; without a listener it would
  // end the process.
  pool.on('error', report);

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (!embedded || !isAway(error)) throw error;
      await startEmbeddedDatabase(settings.dataDir);
      return pool.connect();
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await connect();
    } catch (error) {
      throw databaseAway(error);
    }
    let broken: Error | undefined;
    const onBreak = (error: Error) => (broken = error);
    client.on('error', onBreak);
    try {
      return await work(client);
    } catch (error) {
      if (isAway(error)) broken ??= error as Error;
      throw broken ? databaseAway(error) : error;
    } finally {
      client.off('error', onBreak);
      client.release(broken);
    }
  }

  return {
    query: (sql, values) => withClient((client) => rowsOf(client, sql, values)),
    transaction: (work) =>
      withClient(async (client) => {
        await client.query('begin');
        try {
          const result = await work({ query: (sql, values) => rowsOf(client, sql, values) });
          await client.query('commit');
          return result;
        } catch (error) {
          // Where the connection itself is gone, so is the transaction.
          await client.query('rollback').catch(() => {});
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}

async function rowsOf<Row>(
  client: pg.PoolClient,
  sql: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await client.query(sql, values as unknown[] | undefined);
  return rows as Row[];
}

/** bigint and numeric as numbers: every count and sum of ours is far below 2^53. */
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
};
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/**
 * Codes that mean "no database there", not "bad query": Node's socket errors, SQLSTATE class 08
 * (connection exception), 57P01..57P03 (shutdown, crash, starting up) and 53300 (too many clients).
 */
const AWAY_CODES =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|08...|57P0[123]|53300)$/;
/** pg gives these without a code */
const AWAY_MESSAGES = /Connection terminated|timeout exceeded when trying to connect|not queryable/;

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? AWAY_CODES.test(code) : AWAY_MESSAGES.test(error.message);
}

function databaseAway(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return unavailable('The database cannot be reached right now. Please try again in a moment.', {
    cause,
  });
}
