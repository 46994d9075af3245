/**
 * The process of the embedded database: `node embedded-server.js DATA_DIR SOCKET MEMORY_MB`. Opens
 * PGlite with PostGIS in DATA_DIR and listens on SOCKET. PostgreSQL gets at most MEMORY_MB. Stops on a signal, or
 * `IDLE_SECONDS` after its last client disconnects. `embedded.ts` starts it.
 */
import { openAsBlob, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PGlite, type Extension } from '@electric-sql/pglite';
import { postgis } from '@electric-sql/pglite-postgis';
import { collectGarbage } from '../workers/collect-garbage.ts';
import { projectFile } from '../geodata/project-files.ts';
import { clusterFolder, isNew, LOCK_TAKEN, pulsePath } from './embedded.ts';
import { createGateway } from './gateway.ts';
import { startWatchdog } from './watchdog.ts';

/**
 * With one session and no replicas, the write-ahead log is needed only for crash recovery. With the default
 * settings, it would grow to 1 GB.
 */
const SETTINGS = [
  'wal_level = minimal',
  'max_wal_senders = 0',
  'min_wal_size = 32MB',
  'max_wal_size = 128MB',
  'jit = off',
  'wal_recycle = off', // otherwise 100 MB of old log remain
  // The system caches the files, too. The default of 128 MB is no faster, and all of it becomes resident.
  'shared_buffers = 16MB',
];
const CHECKPOINT_MS = 5 * 60_000;
const COLLECT_MS = 60_000;
const LOCK_MS = 250;
/** Long enough for consecutive commands to share a process, and short enough that it doesn't linger. */
const IDLE_SECONDS = 3;

/** The parts of PostGIS that the build packs. Without rasters and topology, a start takes half the time. */
const packedPostgis: Extension = {
  ...postgis,
  async setup(pg, options) {
    const bundlePath = pathToFileURL(projectFile('dist/base/db/postgis.tar.gz'));
    return { ...(await postgis.setup(pg, options)), bundlePath };
  },
};

const [dataDir, socket, memoryMb] = process.argv.slice(2) as [string, string, string];
const lockFile = join(dataDir, 'database.pid');

takeLock();
limitMemory();
process.once('exit', () => rmSync(lockFile, { force: true }));
// The folder may be another one by now: removed, and made again by a service that was started afterward. Closing would
// write into it and remove its socket.
setInterval(() => hasLock() || process.kill(process.pid, 'SIGKILL'), LOCK_MS).unref();

const db = await PGlite.create({
  dataDir: clusterFolder(dataDir),
  ...(isNew(dataDir) && {
    loadDataDir: await openAsBlob(projectFile('dist/base/db/cluster.tar.gz')),
  }),
  extensions: { postgis: packedPostgis },
  postgresqlconf: SETTINGS,
});
forgetInstallation();
// Sockets that a killed process left. We hold the lock.
const pulse = pulsePath(dirname(socket));
for (const path of [socket, pulse]) rmSync(path, { force: true });
const watchdog = startWatchdog(pulse);
const { server, clients, execute } = createGateway(db, watchdog, (error) => {
  process.stderr.write(`The embedded database failed: ${String(error)}\n`);
  process.exit(1);
});
server.listen(socket);

// What the last statements returned may be large.
setInterval(collectGarbage, COLLECT_MS).unref();

// PGlite has no background process for checkpoints. Without them, the log and the recovery time after a
// crash would keep growing.
setInterval(() => execute('checkpoint'), CHECKPOINT_MS).unref();

let idleSeconds = 0;
const watch = setInterval(() => {
  idleSeconds = clients() === 0 ? idleSeconds + 1 : 0;
  if (idleSeconds > IDLE_SECONDS) void stop();
}, 1_000);
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

async function stop(): Promise<void> {
  if (!hasLock()) process.kill(process.pid, 'SIGKILL');
  clearInterval(watch);
  server.close();
  await db.close();
  await watchdog.stop();
  process.exit(0);
}

/**
 * Limits the memory of PostgreSQL, which never shrinks. PGlite allows 2 GB. A statement that needs more than the limit
 * fails with an error.
 */
function limitMemory(): void {
  const { Memory } = WebAssembly;
  const maximum = Number(memoryMb) * 16; // pages of 64 kB
  class LimitedMemory extends Memory {
    constructor(limits: ConstructorParameters<typeof Memory>[0]) {
      super({ ...limits, maximum });
    }
  }
  Object.assign(WebAssembly, { Memory: LimitedMemory });
}

/**
 * Frees 50 MB that PGlite needs only until it has compiled PostGIS: the archive, and its copy of the library. The
 * empty file remains, because PostgreSQL checks that it exists.
 */
function forgetInstallation(): void {
  const { FS, WASM_PREFIX, pg_extensions: archives } = db.Module;
  delete archives.postgis;
  FS.truncate(`${WASM_PREFIX}/lib/postgresql/postgis-3.so`, 0);
}

/**
 * Locks the data folder, or exits if another process has locked it. Two processes on one data folder would
 * corrupt it, and PGlite doesn't lock it. The lock file contains our process id. A stale lock is renamed
 * before it is replaced: if two processes find it at the same time, only one rename succeeds.
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
    process.stderr.write(`Process ${holder} already serves ${dataDir}.\n`);
    process.exit(LOCK_TAKEN);
  }
  const taken = `${lockFile}.${process.pid}`;
  renameSync(lockFile, taken);
  const stale = readFileSync(taken, 'utf8') === holder;
  if (!stale) renameSync(taken, lockFile);
  else rmSync(taken);
  if (!stale) process.exit(LOCK_TAKEN);
  takeLock();
}

function hasLock(): boolean {
  try {
    return readFileSync(lockFile, 'utf8') === String(process.pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** Whether a process id belongs to a running embedded database and hasn't been reused. */
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
    return true; // no /proc (macOS): assume that it is
  }
}
