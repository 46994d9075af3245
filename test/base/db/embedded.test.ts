import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { openDatabase, type Database } from '../../../src/base/db/database.ts';
import { serviceDeadlines } from '../../../src/base/db/deadlines.ts';
import { refuseForeignFolder } from '../../../src/base/db/embedded.ts';
import { blankFolder, testFolder } from '../../support/database.ts';

const opened: Database[] = [];
afterAll(() => Promise.all(opened.map((db) => db.close())));

async function open(dataDir: string): Promise<Database> {
  const db = await openDatabase({ databaseUrl: undefined, databasePoolSize: 4, dataDir });
  opened.push(db);
  return db;
}

const databasePid = (dataDir: string) =>
  Number(readFileSync(join(dataDir, 'database.pid'), 'utf8'));

const residentMb = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', `${pid}`])) / 1024;

async function hasStopped(dataDir: string): Promise<boolean> {
  for (let i = 0; i < 150; i++) {
    if (!existsSync(join(dataDir, 'database.pid'))) return true;
    await delay(100);
  }
  return false;
}

describe('the embedded database', () => {
  const dataDir = blankFolder();

  it('is started once and shared by concurrent clients', async () => {
    const [first, second] = await Promise.all([open(dataDir), open(dataDir)]);
    await first!.query('create table notes (note text)');
    await second!.query(`insert into notes values ('seen by both')`);
    expect(await first!.query('select note from notes')).toEqual([{ note: 'seen by both' }]);
  });

  it('is accessible only to its own user', () => {
    expect(statSync(join(dataDir, '.s.PGSQL.5432')).isSocket()).toBe(true);
    expect(statSync(join(dataDir, 'database.pid')).mode & 0o077).toBe(0);
  });

  it('has PostGIS', async () => {
    const db = opened[0]!;
    await db.query('create extension if not exists postgis');
    const [row] = await db.query(`select st_area('POLYGON((0 0,2 0,2 2,0 2,0 0))') as area`);
    expect(row).toEqual({ area: 4 });
  });

  it('rolls back the transaction of a client that disconnects, and serves the others', async () => {
    const db = opened[0]!;
    const client = new pg.Client({ host: dataDir, user: 'postgres', database: 'postgres' });
    client.on('error', () => {});
    await client.connect();
    await client.query('begin');
    await client.query(`insert into notes values ('never committed')`);
    const waiting = db.query('select note from notes');
    (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    expect(await waiting).toEqual([{ note: 'seen by both' }]);
  });

  it('loses no acknowledged write when killed, and restarts with the next query', async () => {
    const db = opened[0]!;
    await db.query(`insert into notes values ('acknowledged')`);
    process.kill(databasePid(dataDir), 'SIGKILL');
    // The first queries may still fail on broken connections.
    await expect
      .poll(() => db.query('select note from notes order by note').catch(() => []))
      .toEqual([{ note: 'acknowledged' }, { note: 'seen by both' }]);
  });

  it('counts as busy, not as dead, during a long statement', async () => {
    const problems: Error[] = [];
    const deadlines = serviceDeadlines(12_000);
    const report = (problem: Error) => problems.push(problem);
    const settings = { databaseUrl: undefined, databasePoolSize: 4, dataDir };
    const service = await openDatabase(settings, { deadlines, report });
    opened.push(service);
    const all = () =>
      Promise.all(Array.from({ length: 8 }, () => service.query('select 1 as one')));
    await all();
    expect(await service.responds()).toBe(true);
    await delay(1_100); // Idle connections are tested after a second.
    const long = opened[0]!.query(`select pg_sleep(${(1.5 * deadlines.pingMs) / 1_000})`);
    await delay(100);
    const answers = all();
    expect(await service.responds()).toBe(true);
    await long;
    expect((await answers).flat()).toEqual(Array.from({ length: 8 }, () => ({ one: 1 })));
    expect(problems).toEqual([]);
  });

  it('counts as dead while its process is stopped', async () => {
    const db = opened[0]!;
    const pid = databasePid(dataDir);
    process.kill(pid, 'SIGSTOP');
    try {
      await expect.poll(() => db.responds()).toBe(false);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await expect.poll(() => db.responds()).toBe(true);
  });

  it('restarts when a statement takes ten times longer than its client allows', async () => {
    const db = opened[0]!;
    const pid = databasePid(dataDir);
    const client = new pg.Client({
      host: dataDir,
      user: 'postgres',
      database: 'postgres',
      statement_timeout: 50,
    });
    client.on('error', () => {});
    await client.connect();
    const endless = client.query('select count(*) from generate_series(1, 10000000000)');
    await expect(endless).rejects.toThrow(/Connection terminated/);
    await expect.poll(() => db.query('select 1 as one').catch(() => [])).toEqual([{ one: 1 }]);
    expect(databasePid(dataDir)).not.toBe(pid);
  });

  it('doesn’t keep its answers in memory', async () => {
    const db = opened[0]!;
    for (let i = 0; i < 100; i++) {
      await db.query(`select repeat('x', 1000) as text from generate_series(1, 5000)`); // 5 MB
    }
    await expect.poll(() => residentMb(databasePid(dataDir))).toBeLessThan(500);
  });

  it('refuses a statement that needs more memory than it may take, and goes on', async () => {
    const db = opened[0]!;
    const pid = databasePid(dataDir);
    await expect(db.query(`select length(repeat('x', 600000000))`)).rejects.toThrow(
      /too little memory for this request, so ask for less/,
    );
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(databasePid(dataDir)).toBe(pid);
  });

  it('stops after its last client disconnects', async () => {
    await Promise.all(opened.splice(0).map((db) => db.close()));
    expect(await hasStopped(dataDir)).toBe(true);
  });

  it('starts in a folder that was removed while its process still ran', async () => {
    const folder = join(testFolder(), 'data');
    cpSync(dataDir, folder, { recursive: true });
    const before = await open(folder);
    await before.query(`insert into notes values ('removed')`);
    await before.close();
    const pid = databasePid(folder);
    // Moved first, because its process may write into it meanwhile.
    renameSync(folder, `${folder}.removed`);
    rmSync(`${folder}.removed`, { recursive: true });
    cpSync(dataDir, folder, { recursive: true });
    const db = await open(folder);
    expect(databasePid(folder)).not.toBe(pid);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/), 20_000);
    await db.query('checkpoint');
    const again = await open(folder);
    expect(await again.query(`select from notes where note = 'removed'`)).toEqual([]);
  });

  it('works in a folder whose path is too long for a socket', async () => {
    const deep = join(testFolder(), 'a'.repeat(60), 'b'.repeat(60));
    cpSync(dataDir, deep, { recursive: true });
    const db = await open(deep);
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('doesn’t put its socket into a folder that others may write to', () => {
    const [closed, shared] = [testFolder(), testFolder()];
    chmodSync(closed, 0o700);
    expect(() => refuseForeignFolder(closed)).not.toThrow();
    chmodSync(shared, 0o777);
    expect(() => refuseForeignFolder(shared)).toThrow(/is open to other users\. Remove it, or/);
    const link = join(testFolder(), 'link');
    symlinkSync(closed, link);
    expect(() => refuseForeignFolder(link)).toThrow(/is open to other users/);
    if (process.getuid?.() !== 0) return;
    chownSync(closed, 1, 1);
    expect(() => refuseForeignFolder(closed)).toThrow(/belongs to another user\. Remove it, or/);
  });

  it('reports why it can’t start', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'postgres'));
    writeFileSync(join(folder, 'postgres', 'PG_VERSION'), 'not a cluster');
    await expect(open(folder)).rejects.toThrow(/did not start\. .+ ends with: .+/);
  });
});
