/**
 * Template databases that test databases are copied from: `empty` has the schema and the metros,
 * `sample` also the national sample data and its scores. An embedded `blank` has only a cluster. Building
 * them takes about 20 s of CPU, so they are kept between runs, under a hash of every file that they are
 * made from.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { deserialize, serialize } from 'node:v8';
import pg from 'pg';
import { openDatabase, type DatabaseSettings } from '../../src/base/db/database.ts';
import { generateSample, type GeneratedSample } from '../../src/data/ingest/sample/generate.ts';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { bringUpToDate, fillWithSample } from '../../src/run/start/prepare.ts';
import { PATIENCE_MS } from './patience.ts';

export type Template = 'blank' | 'empty' | 'sample';

const CACHE = projectFile('node_modules/.cache/territory-test');
/** Builds to keep, of 250 MB each. Several work trees on one machine need more than the default. */
const KEPT_BUILDS = Number(process.env.KEPT_TEST_BUILDS ?? 3);

/** Builds the templates unless they exist. @returns their folder; each is a data folder in it */
export async function embeddedTemplates(): Promise<string> {
  const folder = join(CACHE, sourceHash());
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  const unfinished = `${folder}.${process.pid}`;
  const fill = async (template: Template, source?: Template) => {
    const dataDir = join(unfinished, template);
    if (source) cpSync(join(unfinished, source), dataDir, { recursive: true });
    await fillDatabase({ databaseUrl: undefined, databasePoolSize: 2, dataDir }, template);
    // A data folder may be copied only once its database has written everything and ended.
    const isWritten = () => !existsSync(join(dataDir, 'database.pid'));
    const end = Date.now() + PATIENCE_MS;
    while (!isWritten() && Date.now() < end) await delay(50);
    if (!isWritten()) throw new Error(`The embedded database in ${dataDir} didn’t end.`);
  };
  await fill('empty');
  await fill('blank', 'empty');
  await fill('sample', 'empty');
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  const usedAt = (name: string) => statSync(join(CACHE, name)).mtimeMs;
  const builds = readdirSync(CACHE)
    .filter((name) => name.length === HASH_LENGTH && name !== sourceHash())
    .sort((a, b) => usedAt(b) - usedAt(a));
  for (const name of builds.slice(KEPT_BUILDS - 1)) rmSync(join(CACHE, name), { recursive: true });
  return folder;
}

/**
 * Builds both templates unless they exist.
 * @param server URL of a PostgreSQL server whose user may create databases
 * @returns prefix of their names: `{prefix}empty`, `{prefix}sample`
 */
export async function serverTemplates(server: string): Promise<string> {
  const prefix = `${SERVER_PREFIX}${sourceHash()}_`;
  const admin = new pg.Client(server);
  await admin.connect();
  const exists = async (name: string) =>
    (await admin.query('select from pg_database where datname = $1', [name])).rowCount! > 0;
  const fill = async (template: Template, source: string) => {
    const name = prefix + template;
    if (await exists(name)) return;
    const unfinished = `${name}_${process.pid}`;
    await admin.query(`create database ${unfinished} ${source}`);
    const url = new URL(server);
    url.pathname = `/${unfinished}`;
    await fillDatabase({ databaseUrl: url.href, databasePoolSize: 2, dataDir: '' }, template);
    if (await exists(name)) await admin.query(`drop database ${unfinished} with (force)`);
    else await admin.query(`alter database ${unfinished} rename to ${name}`);
  };
  await fill('empty', '');
  await fill('sample', `template ${prefix}empty`);
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database
     where starts_with(datname, $1) and not starts_with(datname, $2) and datname ~ '_(empty|sample)$'
     order by oid desc offset $3`,
    [SERVER_PREFIX, prefix, 2 * (KEPT_BUILDS - 1)],
  );
  for (const { name } of rows) await admin.query(`drop database if exists ${name}`);
  await admin.end();
  return prefix;
}

const SERVER_PREFIX = 'territory_template_';
const HASH_LENGTH = 12;

async function fillDatabase(settings: DatabaseSettings, template: Template): Promise<void> {
  const db = await openDatabase(settings);
  if (template !== 'blank') await bringUpToDate(db);
  // A new cluster has the schema.
  else {
    await db.query(`drop schema if exists as_of, as_of_boundaries cascade; drop schema public cascade; create schema public;
      create extension postgis`);
  }
  if (template === 'sample') await fillWithSample(db, () => {}, await generatedSample());
  await db.close();
}

type StoredSample = { hash: string } & {
  [Part in keyof GeneratedSample]: Awaited<GeneratedSample[Part]>;
};

/** Generating the data takes longest, so embedded and PostGIS templates share one generated file of 65 MB. */
async function generatedSample(): Promise<GeneratedSample> {
  const file = join(CACHE, 'generated-sample');
  const hash = sourceHash();
  let stored = existsSync(file) ? (deserialize(readFileSync(file)) as StoredSample) : undefined;
  if (stored?.hash !== hash) {
    const { demographics, basemap, boundaries } = generateSample();
    stored = {
      hash,
      demographics: await demographics,
      basemap: await basemap,
      boundaries: await boundaries,
    };
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, serialize(stored));
    renameSync(unfinished, file);
  }
  return {
    demographics: Promise.resolve(stored.demographics),
    basemap: Promise.resolve(stored.basemap),
    boundaries: Promise.resolve(stored.boundaries),
  };
}

/** A hash of every file that the templates are made from. */
function sourceHash(): string {
  const files = new Set<string>();
  const visit = (file: string) => {
    if (files.has(file) || !existsSync(file)) return;
    files.add(file);
    // Imported modules, and the names of modules that run in a separate thread or process.
    const source = readFileSync(file, 'utf8');
    for (const [, path] of source.matchAll(/(?:from |import\()'(\.[^']+\.ts)'/g))
      visit(resolve(dirname(file), path!));
    for (const [, path] of source.matchAll(/compiledModule\('([^']+\.ts)'\)/g))
      visit(projectFile(`src/${path}`));
  };
  visit(projectFile('test/support/templates.ts'));
  for (const folder of ['geodata', 'src/base/db/migrations']) {
    for (const entry of readdirSync(projectFile(folder), {
      recursive: true,
      withFileTypes: true,
    })) {
      if (entry.isFile()) files.add(join(entry.parentPath, entry.name));
    }
  }
  files.add(projectFile('package-lock.json'));
  const hash = createHash('sha256');
  for (const file of [...files].sort()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

mkdirSync(CACHE, { recursive: true });
