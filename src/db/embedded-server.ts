/**
 * The embedded database's own process: `node embedded-server.js DATA_DIR SOCKET`. It opens PGlite
 * with PostGIS in DATA_DIR, listens on SOCKET, and ends when told to or when its last client has
 * been gone for a while. `embedded.ts` starts it.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import { gateway } from './gateway.ts';

/**
 * One session and no replica: the log need only hold what a crash could lose. The defaults would
 * keep a gigabyte of it.
 */
const SETTINGS = [
  'wal_level = minimal',
  'max_wal_senders = 0',
  'min_wal_size = 32MB',
  'max_wal_size = 128MB',
  'jit = off',
];
const CHECKPOINT_MS = 5 * 60_000;
/** Long enough for a command that follows another, short enough not to stay behind unnoticed. */
const IDLE_SECONDS = 3;

const [dataDir, socket] = process.argv.slice(2) as [string, string];
const lockFile = join(dataDir, 'database.pid');

takeLock();
process.once('exit', () => rmSync(lockFile, { force: true }));

const db = await PGlite.create({
  dataDir: join(dataDir, 'postgres'),
  extensions: { postgis },
  postgresqlconf: SETTINGS,
});
rmSync(socket, { force: true }); // left behind by a process that was killed; the lock is ours
const { server, clients, execute } = gateway(db, (error) => {
  process.stderr.write(`the database has failed: ${String(error)}\n`);
  process.exit(1);
});
server.listen(socket);

// A lone session has no background process to do it: the log would grow, and with it the time that
// the start after a crash takes.
setInterval(() => execute('checkpoint'), CHECKPOINT_MS).unref();

let idleSeconds = 0;
const watch = setInterval(() => {
  idleSeconds = clients() === 0 ? idleSeconds + 1 : 0;
  if (idleSeconds > IDLE_SECONDS) void stop();
}, 1_000);
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

async function stop(): Promise<void> {
  clearInterval(watch);
  server.close();
  await db.close();
  process.exit(0);
}

/**
 * Two processes on one data folder would destroy it, and PGlite itself keeps no lock. The lock is a
 * file with our process id; one whose process is gone is taken over. Renaming decides between two
 * that find the same stale lock: only one of them gets hold of that very file.
 */
function takeLock(): void {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx', mode: 0o600 });
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const holder = readFileSync(lockFile, 'utf8');
  if (isDatabaseProcess(Number(holder))) {
    process.stderr.write(`process ${holder} already serves ${dataDir}\n`);
    process.exit(1);
  }
  const taken = `${lockFile}.${process.pid}`;
  renameSync(lockFile, taken);
  const stale = readFileSync(taken, 'utf8') === holder;
  if (!stale) renameSync(taken, lockFile);
  else rmSync(taken);
  if (!stale) process.exit(1);
  takeLock();
}

/** Whether a process id belongs to a running embedded database, not to whatever has it now. */
function isDatabaseProcess(pid: number): boolean {
  if (!pid || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('embedded-server');
  } catch {
    return true; // no /proc here (macOS): believe that it is
  }
}
