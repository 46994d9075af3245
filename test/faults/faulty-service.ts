/** The service as a process, with a proxy to its database that a test can break. */
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { createOrganization } from '../../src/people/account/organizations.ts';
import { mintKey } from '../../src/people/account/keys.ts';
import { changeSubscription } from '../../src/people/account/subscription.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { openDatabase, type Database } from '../../src/base/db/database.ts';
import { startEmbeddedDatabase } from '../../src/base/db/embedded.ts';
import { bringUpToDate } from '../../src/run/start/prepare.ts';
import { createBrand } from '../../src/territories/brands/brands.ts';
import { testFolder } from '../support/database.ts';
import { faultyProxy, type FaultyProxy } from '../support/servers/faulty-proxy.ts';
import { privatePostgis } from '../support/servers/private-postgis.ts';
import { startService, type RunningService } from '../support/processes.ts';
import { drawGrid } from '../territories/brands/grid.ts';
import type { FaultFigures } from './figures.ts';

export interface FaultyDatabase {
  kind: FaultFigures['database'];
  proxy: FaultyProxy;
  /** Past the proxy */
  db: Database;
  /** A connection past the proxy, for a test's own transaction. @param idleMs ends it when idle */
  connect(idleMs?: number): Promise<pg.Client>;
  /** Starts a service that reaches the database through the proxy. */
  serve(env?: Record<string, string>): Promise<RunningService>;
  /** Suspends the database's processes. */
  freeze(): void;
  thaw(): void;
  crash(): Promise<void>;
  /** Starts it again after a crash. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const ENV = { SAMPLE_DATA: 'never', TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'info' };

async function startOnPostgis(): Promise<FaultyDatabase> {
  const server = await privatePostgis();
  const proxy = await faultyProxy({ host: '127.0.0.1', port: server.port });
  const urlOf = (port: number) => `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const db = await open({ databaseUrl: urlOf(server.port), dataDir: '' });
  return {
    kind: 'PostGIS',
    proxy,
    db,
    connect: (idleMs) => connect({ connectionString: urlOf(server.port) }, idleMs),
    serve: (env) => startService({ ...ENV, DATABASE_URL: urlOf(proxy.port), ...env }),
    freeze: server.freeze,
    thaw: server.thaw,
    crash: server.crash,
    start: server.start,
    async remove() {
      await db.close();
      await proxy.close();
      await server.remove();
    },
  };
}

/** The service finds the proxy's socket in its data folder, and takes it for the database's. */
async function startOnEmbedded(): Promise<FaultyDatabase> {
  const dataDir = testFolder();
  const template = join(inject('templates'), 'empty');
  if (existsSync(template)) cpSync(template, dataDir, { recursive: true });
  const db = await open({ databaseUrl: undefined, dataDir });
  const served = join(dataDir, 'served');
  mkdirSync(served);
  const target = join(dataDir, '.s.PGSQL.5432');
  const proxy = await faultyProxy({ path: target }, join(served, '.s.PGSQL.5432'));
  const pid = () => Number(readFileSync(join(dataDir, 'database.pid'), 'utf8'));
  const signal = (name: NodeJS.Signals) => process.kill(pid(), name);
  return {
    kind: 'embedded',
    proxy,
    db,
    connect: (idleMs) => connect({ host: dataDir, user: 'postgres', database: 'postgres' }, idleMs),
    serve: (env) => startService({ ...ENV, DATA_DIR: served, ...env }),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async crash() {
      const killed = pid();
      process.kill(killed, 'SIGKILL');
      while (isRunning(killed)) await delay(5);
    },
    async start() {
      await startEmbeddedDatabase(dataDir);
    },
    async remove() {
      await db.close();
      await proxy.close();
    },
  };
}

export const openFaulty = { PostGIS: startOnPostgis, embedded: startOnEmbedded };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function open(address: { databaseUrl: string | undefined; dataDir: string }) {
  const db = await openDatabase({ ...address, databasePoolSize: 4 });
  await bringUpToDate(db);
  await drawGrid(db, 4, 4);
  await db.query(
    `insert into datasets (name, vintage, synthetic)
     select name, 'none', true from unnest($1::text[]) as name`,
    [['states', 'counties', 'water', 'roads', 'places']],
  );
  return db;
}

async function connect(address: pg.ClientConfig, idleMs?: number): Promise<pg.Client> {
  const client = new pg.Client({
    ...address,
    ...(idleMs && { idle_in_transaction_session_timeout: idleMs }),
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export interface Organization {
  id: string;
  brandId: string;
  /** Several, because each has its own limits */
  keys: string[];
}

let organizations = 0;

/** Creates an organization with a brand, "north". */
export async function newOrganization(db: Database): Promise<Organization> {
  const name = `Faults ${++organizations} ${process.pid}`;
  const organization = await createOrganization(db, { name });
  const tenant = tenantOf(db, organization.id);
  await changeSubscription(tenant, { monthlyUnits: 1_000_000 });
  const brand = await createBrand(tenant, { name: 'North' });
  const keys = await Promise.all(
    Array.from({ length: 30 }, async (_, i) => {
      const minted = { name: `key ${i}`, brands: 'all', mayWrite: true } as const;
      return (await mintKey(tenant, minted)).key;
    }),
  );
  return { id: organization.id, brandId: brand.id, keys };
}

let brands = 0;

export const newBrand = (db: Database, { id }: Organization) =>
  createBrand(tenantOf(db, id), { name: `Brand ${++brands}` });
