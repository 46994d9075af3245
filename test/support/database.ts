/** A database of its own for a test file. */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { openDatabase, type Database } from '../../src/db/database.ts';

export interface TestDatabase {
  db: Database;
  /** The settings that lead another process to the same database */
  env: Record<string, string>;
}

/**
 * A copy of a template: `empty` has the schema and the metros, `sample` also the national sample
 * data and its scores, `blank` nothing at all. It is dropped when the file's tests have ended.
 */
export async function testDatabase(template: 'blank' | 'empty' | 'sample'): Promise<TestDatabase> {
  const env = inject('testServer') ? await serverCopy(template) : embeddedCopy(template);
  const db = await openDatabase({
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: 8,
    dataDir: env.DATA_DIR ?? '',
  });
  afterAll(() => db.close());
  return { db, env };
}

function embeddedCopy(template: string): Record<string, string> {
  const dataDir = testFolder();
  if (template !== 'blank')
    cpSync(join(inject('testFolder'), template), dataDir, { recursive: true });
  return { DATA_DIR: dataDir };
}

async function serverCopy(template: string): Promise<Record<string, string>> {
  const prefix = inject('testPrefix');
  const name = `${prefix}${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client(inject('testServer'));
  await admin.connect();
  await admin.query(
    `create database ${name} ${template === 'blank' ? '' : `template ${prefix}${template}`}`,
  );
  await admin.end();
  const url = new URL(inject('testServer')!);
  url.pathname = `/${name}`;
  return { DATABASE_URL: url.href, DATA_DIR: testFolder() };
}

/** An empty folder that goes when all tests have ended. */
export function testFolder(): string {
  const folder = join(inject('testFolder'), randomBytes(4).toString('hex'));
  mkdirSync(folder);
  return folder;
}
