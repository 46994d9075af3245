/**
 * Before all tests: makes the template databases, on the PostGIS of TEST_DATABASE_URL if it is set, else embedded.
 * After all tests: searches everything logged for secrets.
 */
import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { endProcessesIn, removeFolder } from './end-processes.ts';
import { refuseLeaks } from './leaks.ts';
import { embeddedTemplates, serverTemplates } from './templates.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of this run's embedded databases, logs, and other files */
    testFolder: string;
    /** The server of TEST_DATABASE_URL; undefined: embedded */
    testServer: string | undefined;
    /** Prefix of this run's databases on that server */
    testPrefix: string;
    /** Where the templates are: a folder, or a prefix of names on the server */
    templates: string;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const testFolder = mkdtempSync(join(tmpdir(), 'territory-test-'));
  const testServer = process.env.TEST_DATABASE_URL;
  const testPrefix = `territory_test_${process.pid}_`;
  provide('testFolder', testFolder);
  provide('testServer', testServer);
  provide('testPrefix', testPrefix);
  provide('templates', testServer ? await serverTemplates(testServer) : await embeddedTemplates());
  const release = holdShared(testFolder);

  return async () => {
    release();
    await endProcessesIn(testFolder);
    if (testServer) await dropDatabases(testServer, testPrefix);
    try {
      refuseLeaks(testFolder);
    } catch (error) {
      // Vitest prints the errors of a teardown but still reports success.
      process.exitCode = 1;
      throw error;
    } finally {
      await removeFolder(testFolder);
    }
  };
}

const LOOK_EVERY_MS = 250;

/**
 * Keeps one connection to each shared embedded database. Without a client it would stop after a few
 * seconds, and the next file would wait for it to start again.
 */
function holdShared(testFolder: string): () => void {
  const connections = new Map<string, Socket>();
  const look = setInterval(() => {
    for (const name of readdirSync(testFolder).filter((entry) => entry.startsWith('shared_'))) {
      const path = join(testFolder, name, '.s.PGSQL.5432');
      if (connections.has(name) || !existsSync(path)) continue;
      const socket = connect(path);
      connections.set(name, socket);
      const forget = () => connections.delete(name);
      socket.on('error', forget).on('close', forget);
    }
  }, LOOK_EVERY_MS);
  return () => {
    clearInterval(look);
    for (const socket of connections.values()) socket.destroy();
  };
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
