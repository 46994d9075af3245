/** A database for a test file. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject, onTestFinished, TestRunner } from 'vitest';
import { openDatabase, type Database, type Queryable } from '../../src/base/db/database.ts';
import { removeFolder } from './end-processes.ts';
import { endServicesIn } from './processes.ts';
import {
  recordsChanges,
  refuseReplacedTables,
  restoreSample,
  SAMPLE_TABLES,
} from './sample-changes.ts';
import { stopServicesOn } from './shared-service.ts';
import type { Template } from './templates.ts';

export interface TestDatabase {
  db: Database;
  /** The settings that lead another process to the same database */
  env: Record<string, string>;
}

/**
 * A database made from a template, without organizations: `empty` has the schema and the metros, `sample`
 * also the national sample data and its scores, `blank` nothing at all.
 *
 * Files that run one after another in the same worker share a database, since a copy costs seconds of CPU.
 * When the next file starts, rows that a file wrote are removed, and its changes to the sample are undone. A
 * file that replaces tables, stops the database, or sends emails or webhooks, which a service of another file would
 * send too, sets `own` and gets its own copy.
 */
export async function testDatabase(
  template: Template,
  { own = template === 'blank' } = {},
): Promise<TestDatabase> {
  const server = inject('testServer');
  const worker = process.env['VITEST_POOL_ID'];
  const name = own ? randomBytes(4).toString('hex') : `shared_${template}_${worker}`;
  const env = server ? await serverCopy(server, template, name) : embeddedCopy(template, name);
  if (!own) return { db: await openShared(template, env), env };
  const db = await open(env);
  afterTests(async () => {
    await db.close();
    await endServicesIn(env.DATA_DIR!);
    await removeFolder(env.DATA_DIR!); // embedded, a quarter of a gigabyte
    if (server) await dropDatabase(server, name);
  });
  return { db, env };
}

/** Within a test, Vitest ignores `afterAll`. */
const afterTests = (work: () => Promise<void>) =>
  TestRunner.getCurrentTest() ? onTestFinished(work) : afterAll(work);

const open = (env: Record<string, string>) =>
  openDatabase({ databaseUrl: env.DATABASE_URL, databasePoolSize: 8, dataDir: env.DATA_DIR ?? '' });

/** The shared databases of this worker. They stay open, so that the caches of rooms stay filled. */
const opened = new Map<Template, Database>();

/** Tables that no test of a shared database changes, since nothing restores them */
const FIXED = ['schema_migrations', 'metros', 'metro_counties'];
/** Their contents in the databases of this worker */
const fixedContents = new Map<Template, string>();

async function openShared(template: Template, env: Record<string, string>): Promise<Database> {
  let db = opened.get(template) ?? (await open(env));
  if (await reset(db, template)) {
    // The last file may have changed the cached figures.
    await stopServicesOn(env);
    await db.close();
    db = await open(env);
  }
  opened.set(template, db);
  if (!fixedContents.has(template)) fixedContents.set(template, await hashFixed(db));
  afterTests(async () => {
    if (template === 'sample') await refuseReplacedTables(db);
    if ((await hashFixed(db)) === fixedContents.get(template)) return;
    throw new Error(
      `These tests change ${FIXED.join(' or ')}, which others share. Roll the change back, or use ` +
        `testDatabase('${template}', { own: true }).`,
    );
  });
  return db;
}

async function hashFixed(db: Database): Promise<string> {
  const hashes = FIXED.map(
    (table) => `(select md5(string_agg(t::text, '|' order by t::text)) from ${table} t)`,
  );
  const [row] = await db.query<{ hash: string }>(`select concat(${hashes.join()}) as hash`);
  return row!.hash;
}

function embeddedCopy(template: Template, name: string): Record<string, string> {
  const dataDir = join(inject('testFolder'), name);
  if (!existsSync(dataDir))
    cpSync(join(inject('templates'), template), dataDir, { recursive: true });
  return { DATA_DIR: dataDir };
}

async function serverCopy(
  server: string,
  template: Template,
  name: string,
): Promise<Record<string, string>> {
  const database = inject('testPrefix') + name;
  const admin = new pg.Client(server);
  await admin.connect();
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [database]);
  if (rowCount === 0) {
    const { rows } = await admin.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    );
    // Since PostgreSQL 15, copying by the log is the default. It takes three times the CPU for 180 MB.
    const strategy = Number(rows[0]!.version) >= 150_000 ? 'strategy file_copy' : '';
    const source =
      template === 'blank' ? '' : `template ${inject('templates')}${template} ${strategy}`;
    await admin.query(`create database ${database} ${source}`);
  }
  await admin.end();
  const url = new URL(server);
  url.pathname = `/${database}`;
  return { DATABASE_URL: url.href, DATA_DIR: testFolder() };
}

async function dropDatabase(server: string, name: string): Promise<void> {
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`drop database ${inject('testPrefix')}${name} with (force)`);
  await admin.end();
}

/**
 * Resets a shared database to the state of its template. Services that run on it may write meanwhile, in
 * another order of tables: when PostgreSQL ends the reset to resolve a deadlock, it starts again.
 * @returns whether the sample had changed
 */
async function reset(db: Database, template: Template): Promise<boolean> {
  for (;;) {
    try {
      return await resetOnce(db, template);
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK_DETECTED) throw error;
    }
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01';

async function resetOnce(db: Database, template: Template): Promise<boolean> {
  const kept = [...FIXED, 'spatial_ref_sys'];
  if (template === 'sample') kept.push(...Object.keys(SAMPLE_TABLES));
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and not tablename = any($1)`,
    [kept],
  );
  const staged = await db.query<{ name: string }>(
    `select nspname as name from pg_namespace where nspname like 'staging\\_%'`,
  );
  for (const { name } of staged) await db.query(`drop schema ${name} cascade`);
  const filled = await db.query<{ name: string }>(
    tables
      .map(({ name }) => `select '${name}' as name where exists (select from ${name})`)
      .join(' union all '),
  );
  if (template === 'sample') {
    if (await recordsChanges(db)) await refuseReplacedTables(db);
    else refuseUnlisted(filled);
  }
  if (filled.length > 0) await db.transaction((tx) => clear(tx, filled));
  return template === 'sample' && restoreSample(db);
}

/** Before the first test file, only the sample has filled tables. */
function refuseUnlisted(filled: readonly { name: string }[]): void {
  if (filled.length === 0) return;
  const names = filled.map(({ name }) => name).join(', ');
  throw new Error(
    `The sample fills ${names}. Add them to SAMPLE_TABLES. Otherwise, tests would delete their rows.`,
  );
}

/** Larger tables are truncated, which replaces the files of a table and of all that refer to it: 0.2 s. */
const MAX_DELETED_BYTES = 2 ** 20;

async function clear(tx: Queryable, tables: readonly { name: string }[]): Promise<void> {
  // For a replica, neither foreign keys nor the trigger that keeps activity append-only apply.
  await tx.query('set local session_replication_role = replica');
  const names = tables.map(({ name }) => name);
  const [size] = await tx.query<{ bytes: number }>(
    'select max(pg_table_size(name::regclass))::float as bytes from unnest($1::text[]) as name',
    [names],
  );
  if (size!.bytes > MAX_DELETED_BYTES) {
    await tx.query(`truncate ${names.join()} restart identity cascade`);
    return;
  }
  for (const name of names) await tx.query(`delete from ${name}`);
  await tx.query(
    `select setval(sequence.oid, 1, false)
     from pg_class sequence join pg_depend on objid = sequence.oid and deptype in ('a', 'i')
     where relkind = 'S' and refobjid = any($1::text[]::regclass[])`,
    [names],
  );
}

/**
 * A folder for an embedded database. If the templates are embedded, it contains a new cluster, which saves
 * making one.
 */
export function blankFolder(): string {
  if (inject('testServer')) return testFolder();
  return embeddedCopy('blank', randomBytes(4).toString('hex')).DATA_DIR!;
}

/** An empty folder, removed when all tests have ended. */
export function testFolder(): string {
  const folder = join(inject('testFolder'), randomBytes(4).toString('hex'));
  mkdirSync(folder);
  return folder;
}
