/**
 * The connection pool. It hands out only connections that are alive: idle connections are tested first, and
 * when one turns out to be dead, all idle ones are replaced, because a failover or a firewall usually
 * breaks them all at once. The embedded database answers nothing while it's busy, and the operating system closes its
 * connections when its process ends. So silence says nothing about them there, and they aren't tested.
 */
import pg from 'pg';
import { connectionOptions, destroy, isDestroyed, joinWrites, queryWithin } from './connection.ts';
import { serverLimits, type Deadlines } from './deadlines.ts';
import { isSilent, isUnreachable, SilentError, tooBusy, unreachable } from './failures.ts';
import type { PoolUse } from '../observe/sources.ts';

export interface Pool {
  /**
   * Runs `work` with its own connection.
   * @param waitMs how long to wait for the connection
   * @throws ServiceError 503 if no connection can be opened or is free; errors of the work
   */
  withClient<T>(waitMs: number, work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  use(): PoolUse;
  /** Waits for running work up to `graceMs`, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

interface PoolOptions {
  address: pg.ClientConfig;
  size: number;
  deadlines: Deadlines;
  /** Tries to start a database that can't be reached */
  revive?(): Promise<unknown>;
  /** Whether the database answers nothing while it runs a statement of another connection. Default: false */
  silentWhenBusy?: boolean;
  /** Receives errors of idle connections */
  report(problem: Error): void;
}

/** Connections that were idle for less than this aren't tested, so that a busy service has no overhead. */
const TRUSTED_IDLE_MS = 1_000;
/** After the server stayed silent, new connections fail for this long without waiting for it. */
const SILENCE_MS = 500;

export function openPool(options: PoolOptions): Pool {
  const { address, size, deadlines, revive, silentWhenBusy = false, report } = options;
  const pool = new pg.Pool({
    ...connectionOptions,
    ...serverLimits(deadlines),
    ...address,
    Client: clientWithin(silentWhenBusy ? deadlines.waitMs : deadlines.dialMs),
    max: size,
    pipeline: true, // statements that a transaction runs at the same time share a round trip
    min: 1, // the embedded database stops soon after its last client disconnects
    maxLifetimeSeconds: deadlines.maxAgeSeconds,
    connectionTimeoutMillis: Math.round(deadlines.waitMs),
  } as pg.PoolConfig);
  const connections = new Map<pg.PoolClient, { busy: boolean; usedUntil: number }>();
  pool.on('connect', (client) => {
    connectedAt = performance.now();
    connections.set(client, { busy: true, usedUntil: Infinity });
    joinWrites(client);
    // Its statements report its errors. Without a listener, these would end the process.
    client.on('error', () => {});
  });
  pool.on('acquire', (client) => (connections.get(client)!.busy = true));
  pool.on('release', (_error, client) => {
    Object.assign(connections.get(client)!, { busy: false, usedUntil: performance.now() });
  });
  pool.on('remove', (client) => connections.delete(client));
  // The pool drops broken idle connections, but without a listener their errors end the process.
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client; // its dump says nothing to operators
    if (error !== REPLACED) report(error);
  });
  let silence: { from: number; until: number; error: unknown } | undefined;
  /** When the server last accepted a connection. What it didn't answer before says nothing about it now. */
  let connectedAt = -Infinity;

  async function dial(): Promise<pg.PoolClient> {
    const from = performance.now();
    const stays = silence && from < silence.until && silence.from > connectedAt;
    if (stays && pool.idleCount === 0) throw silence!.error;
    try {
      return await pool.connect();
    } catch (error) {
      if (isSilent(error) && !silentWhenBusy) {
        silence = { from, until: performance.now() + SILENCE_MS, error };
      }
      throw error;
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    try {
      const client = await dial();
      if (!isDestroyed(client)) return client;
      // An idle connection that was closed in this moment. The pool hasn't heard of it yet.
      client.release(REPLACED);
      return await connect();
    } catch (error) {
      if (!revive || !isUnreachable(error) || isSilent(error)) throw error;
      await revive();
      return dial();
    }
  }

  async function connectAlive(): Promise<pg.PoolClient> {
    const client = await connect();
    const { usedUntil } = connections.get(client)!;
    if (silentWhenBusy || performance.now() - usedUntil < TRUSTED_IDLE_MS) return client;
    try {
      await queryWithin(client, deadlines.pingMs, 'select 1');
      return client;
    } catch (error) {
      client.release(error as Error);
      dropIdle();
      return connect();
    }
  }

  function dropIdle(): void {
    const idle = [...connections].filter(([client, { busy }]) => !busy && !isDestroyed(client));
    for (const [client] of idle) destroy(client, REPLACED);
    if (idle.length === 0) return;
    const replaced = idle.length === 1 ? 'an idle one is' : `${idle.length} idle ones are`;
    report(new Error(`a connection to the database gave no answer, so ${replaced} replaced`));
  }

  /** Whether all connections are in use. Those that are being opened don't count. */
  const isExhausted = () => [...connections.values()].filter(({ busy }) => busy).length >= size;

  async function withClient<T>(waitMs: number, work: (client: pg.PoolClient) => Promise<T>) {
    const client = await withDeadline(connectAlive(), waitMs).catch((error: unknown) => {
      throw isExhausted() ? tooBusy(error) : unreachable(error);
    });
    let connectionError: Error | undefined;
    // The first error names the cause; the others follow from it.
    const onError = (error: Error) => (connectionError ??= error);
    client.on('error', onError);
    try {
      return await work(client);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      connectionError ??= error as Error;
      if (connectionError instanceof SilentError && !silentWhenBusy) dropIdle();
      throw connectionError;
    } finally {
      client.off('error', onError);
      client.release(connectionError);
    }
  }

  function destroyAll(): void {
    for (const client of connections.keys()) destroy(client);
  }

  return {
    withClient,
    use: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: size,
    }),
    async close(graceMs) {
      const timer = setTimeout(destroyAll, graceMs);
      await pool.end();
      clearTimeout(timer);
      // Idle connections have been closed politely. A server that has vanished doesn't answer that.
      setTimeout(destroyAll, GOODBYE_MS).unref();
    },
  };
}

const GOODBYE_MS = 1_000;

/** The reason why an idle connection is closed when another one is dead. It's reported once for all of them. */
const REPLACED = new Error('closed because another connection is dead');

/** A client that gives up connecting before the pool's waiting work does. */
const clientWithin = (dialMs: number) =>
  class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionTimeoutMillis: Math.round(dialMs) });
    }
  };

/** Limits the wait for a connection. One that arrives after the deadline returns to the pool. */
async function withDeadline(
  connecting: Promise<pg.PoolClient>,
  ms: number,
): Promise<pg.PoolClient> {
  let late = false;
  const timeout = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      late = true;
      reject(new SilentError(ms));
    }, ms);
    const stop = () => clearTimeout(timer);
    connecting.then(stop, stop);
  });
  connecting.then(
    (client) => late && client.release(),
    () => {},
  );
  return Promise.race([connecting, timeout]);
}
