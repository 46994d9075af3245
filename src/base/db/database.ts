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
import type { Config } from '../../config.ts';
import type { Statement } from './batch.ts';
import { OPERATOR_DEADLINES, type Deadlines } from './deadlines.ts';
import { isEmbeddedBusy, startEmbeddedDatabase } from './embedded.ts';
import { callersError } from './failures.ts';
import { gatherReads, readVersion, type DataVersion } from './imported-data.ts';
import { openLiveness, type Liveness } from './liveness.ts';
import type { PoolUse, ReplicaState } from '../observe/sources.ts';
import { openPool } from './pool.ts';
import type { Queryable } from './queryable.ts';
import { openReplica, replicaLag, type ReplicaOptions } from './replica.ts';
import { withStatements, type Run } from './statements.ts';
import { actAs, readAsOf, type BrandScope } from './tenant-role.ts';
import { runInTransaction, type Transaction } from './transaction.ts';
import { unavailable } from '../../errors.ts';

export type { Queryable };

/** Limits the rows and the running time of statements */
export interface Scope {
  /** Limits statements to the organization's rows and shared tables. Default: all tables, as their owner */
  organizationId?: string;
  /** Limits them to rows of these brands. Default: all brands of the organization */
  brands?: BrandScope;
  /** Reads the rows of all brands, but for a person with only these */
  viewer?: BrandScope;
  /** Reads territories and boundaries as of this moment, and can't change them. Default: as they are */
  asOf?: Date | undefined;
  /** Time limit of each statement in a transaction. Default: the limit in the database's deadlines */
  statementMs?: number;
}

export interface Database extends Queryable, Pick<Liveness, 'responds'> {
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: readonly unknown[],
    scope?: Scope,
  ): Promise<Row[]>;
  /** Commits when `work` returns. Rolls back and rethrows when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>, scope?: Scope): Promise<T>;
  /**
   * Reads imported data, from the replica if it has this version: see `imported-data.ts`
   * @throws OtherVersionError from the reads if the primary no longer has this version
   */
  at(version: DataVersion): Queryable;
  /** Current use of the pool. Substitutes in tests may lack it. */
  poolUse?(): PoolUse;
  /** Undefined without a replica */
  replica?: ReplicaState;
  /**
   * Waits for running queries, then closes all connections.
   * @param graceMs how long to wait. Default: 5 seconds
   */
  close(graceMs?: number): Promise<void>;
}

export type DatabaseSettings = Pick<Config, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>;

export interface DatabaseOptions {
  /** Default: the deadlines for operators' work */
  deadlines?: Deadlines;
  /** Receives connection errors that occur outside of queries */
  report?(problem: Error): void;
  /** The replica that serves reads of imported data. Default: none */
  replica?: Omit<ReplicaOptions, 'size'> | undefined;
}

const CLOSE_MS = 5_000;

/**
 * Opens the configured database and starts the embedded one if needed. If the embedded database
 * dies, the next query restarts it.
 * @throws ServiceError 503 from every method while the database is unreachable, silent, or busy
 */
export async function openDatabase(
  settings: DatabaseSettings,
  { deadlines = OPERATOR_DEADLINES, report = () => {}, replica: options }: DatabaseOptions = {},
): Promise<Database> {
  const embedded = settings.databaseUrl === undefined;
  const start = () => startEmbeddedDatabase(settings.dataDir);
  const address: pg.ClientConfig = embedded
    ? await start()
    : { connectionString: settings.databaseUrl };
  const server = { address, deadlines, ...(embedded && { revive: start }) };
  const size = settings.databasePoolSize;
  const pool = openPool({ ...server, size, silentWhenBusy: embedded, report });
  const isBusy = () => isEmbeddedBusy(address.host!);
  const liveness = openLiveness({ ...server, ...(embedded && { isBusy }) });
  const replica = options && openReplica({ ...options, size });
  const placeOf = fairShares(Math.ceil(size * deadlines.organizationShare));

  let closing: Promise<unknown> | undefined;

  /** Runs `work` with a connection, within the organization's share of the pool. */
  async function withConnection<T>(
    { organizationId, statementMs }: Scope,
    work: (run: Run) => Promise<T>,
  ) {
    const startedAt = performance.now();
    let leave: (() => void) | undefined;
    try {
      if (organizationId !== undefined) leave = await placeOf(organizationId, deadlines.waitMs);
      return await withStatements(pool, { deadlines, statementMs, startedAt }, work);
    } catch (error) {
      throw callersError(error);
    } finally {
      leave?.();
    }
  }

  const query: Database['query'] = (sql, values, scope = {}) =>
    withConnection(scope, (run) => run(sql, values, limitsOf(scope)));

  return {
    query,
    transaction: (work, scope = {}) =>
      withConnection(scope, (run) => runInTransaction(run, opening(scope), work)),
    at: (version) =>
      gatherReads(
        async (take) =>
          (await replica?.tryAt(version, take)) ??
          (await withConnection({}, (run) => readVersion(run, version, take(), false))),
      ),
    poolUse: () => pool.use(),
    ...(replica && { replica: { ...replica, lag: () => replicaLag({ query }, replica) } }),
    responds: () => liveness.responds(),
    async close(graceMs = CLOSE_MS) {
      closing ??= Promise.all([liveness.close(), pool.close(graceMs), replica?.close(graceMs)]);
      await closing;
    },
  };
}

const limitsOf = ({ organizationId, brands = 'all', viewer, asOf }: Scope): Statement[] => [
  ...(organizationId === undefined ? [] : [actAs(organizationId, brands, viewer)]),
  ...(asOf ? [readAsOf(asOf)] : []),
];

/** Returns the statements that open a transaction of a scope. */
function opening({ statementMs, ...scope }: Scope): Statement[] {
  const statements: Statement[] = [{ sql: 'begin' }, ...limitsOf(scope)];
  if (statementMs !== undefined) {
    statements.push({ sql: `set local statement_timeout = ${Math.round(statementMs)}` });
  }
  return statements;
}

/**
 * Waits for a free place of the organization.
 * @returns a function that returns the place
 * @throws ServiceError 503 if no place becomes free within `waitMs`
 */
type FairShares = (organizationId: string, waitMs: number) => Promise<() => void>;

interface Line {
  /** Places in use */
  held: number;
  /** Callers that wait for a place, in order */
  waiting: Set<() => void>;
}

/** @param places number of places for each organization */
export function fairShares(places: number): FairShares {
  const lines = new Map<string, Line>();
  return async (organizationId, waitMs) => {
    const line = lines.get(organizationId) ?? { held: 0, waiting: new Set() };
    lines.set(organizationId, line);
    if (line.held < places) line.held++;
    else await turnIn(line, waitMs);
    return () => {
      const [next] = line.waiting;
      if (next) next();
      else if (--line.held === 0) lines.delete(organizationId);
    };
  };
}

function turnIn({ waiting }: Line, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer);
      waiting.delete(enter);
      resolve();
    };
    const timer = setTimeout(() => {
      waiting.delete(enter);
      reject(
        unavailable('Too many calls of your organization are running. Try again in a moment.'),
      );
    }, waitMs);
    waiting.add(enter);
  });
}
