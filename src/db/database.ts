/**
 * Access to the database: a connection pool, SQL with parameters, and transactions.
 *
 * Two rules follow from the embedded database, which runs one transaction at a time in a single
 * session that all clients share:
 * - Code inside a transaction uses only the `Queryable` that it receives. Asking for a second
 *   connection would deadlock.
 * - Session state (`set`, temporary tables, named prepared statements, session locks) leaks between
 *   clients. Use only transaction state, such as `set local`.
 */
import pg from 'pg';
import type { Config } from '../config.ts';
import { ServiceError, unavailable } from '../errors.ts';
import { startEmbeddedDatabase } from './embedded.ts';

export interface Queryable {
  /** Runs one statement and returns its rows. `$1`, `$2`, … in `sql` stand for `values`. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/** On whose behalf statements run */
export interface Scope {
  /** Default: no organization, as for sign-in, shared data, and operators */
  organizationId?: string;
}

export interface Database extends Queryable {
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
    scope?: Scope,
  ): Promise<Row[]>;
  /** Commits when `work` returns. Rolls back and rethrows when it throws. */
  transaction<T>(work: (tx: Queryable) => Promise<T>, scope?: Scope): Promise<T>;
  /** Waits for running queries, then closes all connections. */
  close(): Promise<void>;
}

export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>;

/**
 * Opens the configured database and starts the embedded one if needed. If the embedded database
 * dies, the next query restarts it.
 * @param report receives connection errors that no query is waiting for
 * @throws ServiceError 503 from every method while the database is unreachable
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
    min: 1, // the embedded database stops soon after its last client disconnects
    connectionTimeoutMillis: 5_000,
    application_name: 'territory',
    types,
  });
  // The pool drops broken idle connections, but without a listener their errors end the process.
  pool.on('error', report);

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      if (!embedded || !isUnreachable(error)) throw error;
      await startEmbeddedDatabase(settings.dataDir);
      return pool.connect();
    }
  }

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    let client: pg.PoolClient;
    try {
      client = await connect();
    } catch (error) {
      throw unreachable(error);
    }
    let connectionError: Error | undefined;
    const onError = (error: Error) => (connectionError = error);
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (isUnreachable(error)) connectionError ??= error as Error;
      throw connectionError ? unreachable(error) : error;
    } finally {
      client.off('error', onError);
      client.release(connectionError);
    }
  }

  return {
    query: (sql, values) => withClient((client) => runQuery(client, sql, values)),
    transaction: (work, scope) =>
      withClient(async (client) => {
        try {
          await client.query(begin(scope));
          const result = await work({ query: (sql, values) => runQuery(client, sql, values) });
          await client.query('commit');
          return result;
        } catch (error) {
          // If the connection is gone, the server has already rolled back.
          await client.query('rollback').catch(() => {});
          throw error;
        }
      }),
    close: () => pool.end(),
  };
}

/** Statements that open a transaction and state its organization in `territory.organization`. */
function begin({ organizationId }: Scope = {}): string {
  if (organizationId === undefined) return 'begin';
  if (!UUID.test(organizationId))
    throw new Error(`Organization id must be a UUID: ${organizationId}`);
  return `begin; set local territory.organization = '${organizationId}'`;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function runQuery<Row>(
  client: pg.PoolClient,
  sql: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await client.query(sql, values as unknown[] | undefined);
  return rows as Row[];
}

/** Parses bigint and numeric as numbers: all counts and sums here are far below 2^53. */
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
 * Codes that mean "database unreachable", not "bad query": Node's socket errors, SQLSTATE class 08
 * (connection exception), 57P01 to 57P03 (shutdown, crash, starting up), and 53300 (too many
 * connections).
 */
const UNREACHABLE_CODES =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|08...|57P0[123]|53300)$/;
/** pg throws these without a code. */
const UNREACHABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|not queryable/;

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string'
    ? UNREACHABLE_CODES.test(code)
    : UNREACHABLE_MESSAGES.test(error.message);
}

function unreachable(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return unavailable('The database can’t be reached right now. Try again in a moment.', { cause });
}
