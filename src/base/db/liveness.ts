/**
 * Checks whether the database responds. The check has its own connection, so that it neither waits for the
 * pool nor uses one of its places, and all callers share a running check.
 */
import pg from 'pg';
import { connectionOptions, destroy, queryWithin } from './connection.ts';
import { serverLimits, type Deadlines } from './deadlines.ts';

export interface Liveness {
  /** Never fails, and answers within 1.5 seconds. */
  responds(): Promise<boolean>;
  close(): Promise<void>;
}

/** A database that takes longer for a trivial query is considered unreachable. */
const NEW_CONNECTION_MS = 1_000;
const HELD_CONNECTION_MS = 500;

interface LivenessOptions {
  address: pg.ClientConfig;
  deadlines: Deadlines;
  /** Tries to start a database that can't be reached */
  revive?(): Promise<unknown>;
  /** Whether a database that gives no answer is busy with a statement. Default: it isn't */
  isBusy?(): Promise<boolean>;
}

export function openLiveness({ address, deadlines, revive, isBusy }: LivenessOptions): Liveness {
  let held: pg.Client | undefined;
  let running: Promise<boolean> | undefined;

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connectionOptions,
      ...serverLimits(deadlines),
      ...address,
      connectionTimeoutMillis: NEW_CONNECTION_MS,
    });
    client.on('error', () => forget(client));
    await client.connect();
    return client;
  }

  function forget(client: pg.Client): void {
    if (held === client) held = undefined;
    destroy(client);
  }

  async function answers(client: pg.Client, ms: number): Promise<boolean> {
    try {
      await queryWithin(client, ms, 'select 1');
      return true;
    } catch {
      forget(client);
      return false;
    }
  }

  async function check(): Promise<boolean> {
    if (held && (await answers(held, HELD_CONNECTION_MS))) return true;
    if (await isBusy?.()) return true;
    // A connection can die while the database is healthy, so a new one decides.
    const start = performance.now();
    try {
      held = await connect();
      return await answers(held, NEW_CONNECTION_MS - (performance.now() - start));
    } catch {
      revive?.().catch(() => {});
      return false;
    }
  }

  return {
    responds: () => (running ??= check().finally(() => (running = undefined))),
    async close() {
      await running;
      const client = held;
      held = undefined;
      if (!client) return;
      const goodbye = setTimeout(() => destroy(client), HELD_CONNECTION_MS);
      await client.end();
      clearTimeout(goodbye);
    },
  };
}
