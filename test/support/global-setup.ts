/**
 * Before all tests: compiles the project (threads, processes and commands run the compiled code)
 * and makes the databases that tests are given copies of, an empty one and one with sample data:
 * on the PostGIS of TEST_DATABASE_URL if that is set, else embedded. After them: searches all that
 * was logged for secrets.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/database.ts';
import { bringUpToDate, fillWithSample } from '../../src/prepare.ts';
import { projectFile } from '../../src/paths.ts';
import { refuseLeaks } from './leaks.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder that holds the embedded templates, `empty` and `sample`, and the tests' own data */
    testFolder: string;
    /** The server of TEST_DATABASE_URL; undefined: embedded */
    testServer: string | undefined;
    /** Prefix of this run's databases on that server */
    testPrefix: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const compiler = projectFile('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', '.', 'src/site'], {
    cwd: projectFile('.'),
    stdio: 'inherit',
  });
  const testFolder = mkdtempSync(join(tmpdir(), 'territory-test-'));
  const testServer = process.env.TEST_DATABASE_URL;
  const testPrefix = `territory_test_${process.pid}_`;
  provide('testFolder', testFolder);
  provide('testServer', testServer);
  provide('testPrefix', testPrefix);

  if (testServer) await makeServerTemplates(testServer, testPrefix);
  else await makeEmbeddedTemplates(testFolder);

  return async () => {
    if (testServer) await dropDatabases(testServer, testPrefix);
    try {
      refuseLeaks(testFolder);
    } catch (error) {
      // Vitest shows what a teardown throws, and goes on to say that all is well.
      process.exitCode = 1;
      throw error;
    } finally {
      rmSync(testFolder, { recursive: true, force: true });
    }
  };
}

async function makeEmbeddedTemplates(folder: string): Promise<void> {
  const fill = async (name: string, withSample: boolean) => {
    const dataDir = join(folder, name);
    const db = await openDatabase({ databaseUrl: undefined, databasePoolSize: 2, dataDir });
    await bringUpToDate(db);
    if (withSample) await fillWithSample(db, () => {});
    await db.close();
    await embeddedStopped(dataDir);
  };
  await fill('empty', false);
  cpSync(join(folder, 'empty'), join(folder, 'sample'), { recursive: true });
  await fill('sample', true);
}

/** A template may be copied only when its database has written everything and gone. */
async function embeddedStopped(dataDir: string): Promise<void> {
  const { existsSync } = await import('node:fs');
  while (existsSync(join(dataDir, 'database.pid'))) await delay(100);
}

async function makeServerTemplates(server: string, prefix: string): Promise<void> {
  const admin = new pg.Client(server);
  await admin.connect();
  const fill = async (name: string, withSample: boolean) => {
    const url = new URL(server);
    url.pathname = `/${prefix}${name}`;
    const db = await openDatabase({
      databaseUrl: url.href,
      databasePoolSize: 2,
      dataDir: '',
    });
    await bringUpToDate(db);
    if (withSample) await fillWithSample(db, () => {});
    await db.close();
  };
  await admin.query(`create database ${prefix}empty`);
  await fill('empty', false);
  await admin.query(`create database ${prefix}sample template ${prefix}empty`);
  await fill('sample', true);
  await admin.end();
}

async function dropDatabases(server: string, prefix: string): Promise<void> {
  const admin = new pg.Client(server);
  await admin.connect();
  const { rows } = await admin.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [prefix],
  );
  for (const { name } of rows) await admin.query(`drop database ${name} with (force)`);
  await admin.end();
}
