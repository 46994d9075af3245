/**
 * The client side of the embedded database: PGlite with PostGIS in a separate process, so that queries
 * never block the event loop. The `pg` pool connects to it through a Unix socket, as it would to a PostGIS
 * server. The first client starts the process, and it stops after its last client disconnects, so operator
 * commands work whether or not the service is running.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import { compiledModule } from '../workers/compiled-module.ts';
import { postgresMb } from '../workers/memory.ts';

interface EmbeddedAddress {
  /** Folder that contains the socket `.s.PGSQL.5432`, as `pg` expects it */
  host: string;
  port: number;
  user: string;
  database: string;
}

const PORT = 5432;
/** The first start unpacks PostgreSQL and creates a cluster. That takes 6 to 8 s, or more on slow disks. */
const START_DEADLINE_MS = 120_000;

/** Exit code of a database process if another one serves the folder or is about to */
export const LOCK_TAKEN = 3;

/** The folder of the cluster, in the data folder */
export const clusterFolder = (dataDir: string) => join(dataDir, 'postgres');

/** Whether a start would create the database. */
export const isNew = (dataDir: string) => !existsSync(join(clusterFolder(dataDir), 'PG_VERSION'));

/**
 * Settings of glibc, which otherwise keeps up to half of the memory that compiling PostgreSQL took. Larger blocks are
 * returned as soon as they are free. Other allocators ignore them.
 */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** Starts in progress by folder, shared by concurrent callers. */
const starting = new Map<string, Promise<EmbeddedAddress>>();

/**
 * Returns the address of a folder's embedded database once it accepts connections. Starts the database if
 * needed.
 * @param dataDir absolute path; created if missing
 * @param memoryMb limit for PostgreSQL in a process that this call starts. Default: its share of the budget
 * @throws ServiceError 503 with the last lines of its log if it doesn't start
 */
export function startEmbeddedDatabase(
  dataDir: string,
  memoryMb = postgresMb(),
): Promise<EmbeddedAddress> {
  const running = starting.get(dataDir);
  if (running) return running;
  const start = launch(dataDir, memoryMb).finally(() => starting.delete(dataDir));
  starting.set(dataDir, start);
  return start;
}

async function launch(
  dataDir: string,
  memoryMb: number,
  deadline = Date.now() + START_DEADLINE_MS,
): Promise<EmbeddedAddress> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const host = socketFolder(dataDir);
  mkdirSync(host, { recursive: true, mode: 0o700 });
  if (host !== dataDir) refuseForeignFolder(host);
  const address = { host, port: PORT, user: 'postgres', database: 'postgres' };
  const socket = socketPath(host);
  if (await isListening(socket)) return address;

  const logFile = join(dataDir, 'database.log');
  const log = openSync(logFile, 'w', 0o600);
  // Detached, because Ctrl-C must not stop the database while the service finishes its requests.
  const server = spawn(
    process.execPath,
    [compiledModule('base/db/embedded-server.ts'), dataDir, socket, `${memoryMb}`],
    { detached: true, stdio: ['ignore', log, log], env: { ...process.env, ...ALLOCATOR } },
  );
  closeSync(log);
  server.unref();
  let exitCode: number | undefined;
  server.once('exit', (code) => (exitCode = code ?? -1));
  server.once('error', () => (exitCode = -1));

  while (Date.now() < deadline) {
    if (await isListening(socket)) return address;
    if (exitCode === LOCK_TAKEN) {
      return (await startsListening(socket, 5_000)) ? address : launch(dataDir, memoryMb, deadline);
    }
    if (exitCode !== undefined) break;
    await delay(25);
  }
  const lastLines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join(' ');
  throw unavailable(
    `The embedded database in ${dataDir} did not start. ${logFile} ends with: ${lastLines}`,
  );
}

/**
 * Returns the folder for the socket. A socket path is limited to 107 bytes on Linux and 103 on macOS. If it
 * would be longer, the socket is created in the system's temporary folder, under a hash of the data
 * folder's path.
 */
function socketFolder(dataDir: string): string {
  if (Buffer.byteLength(socketPath(dataDir)) <= 100) return dataDir;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `territory-${process.getuid?.() ?? 0}-${name}`);
}

const socketPath = (folder: string) => join(folder, `.s.PGSQL.${PORT}`);

/** The socket of the thread that answers while the database runs a statement, beside that of the database */
export const pulsePath = (folder: string) => join(folder, '.pulse');

/**
 * Anyone may create folders in the system's temporary folder. The database asks for no password, so whoever owns the
 * folder of its socket could take its place.
 * @throws ServiceError 503 unless the folder is ours and closed to others
 */
export function refuseForeignFolder(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  const isOurs = uid === (process.getuid?.() ?? uid);
  // A link has all rights for everyone.
  if (isOurs && (mode & 0o077) === 0) return;
  throw unavailable(
    `The folder ${folder}, for the socket of the embedded database, ` +
      (isOurs ? 'is open to other users. ' : 'belongs to another user. ') +
      'Remove it, or set DATA_DIR to a folder with a shorter path.',
  );
}

const PULSE_MS = 500;

/** Whether the database of this folder runs. It may be busy, and then answers no client. */
export function isEmbeddedBusy(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(pulsePath(folder));
    const answer = (isBusy: boolean) => {
      clearTimeout(timer);
      probe.destroy();
      resolve(isBusy);
    };
    const timer = setTimeout(answer, PULSE_MS, false);
    probe.once('data', () => answer(true));
    probe.once('error', () => answer(false));
    probe.once('close', () => answer(false));
  });
}

async function startsListening(socket: string, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await delay(50)) {
    if (await isListening(socket)) return true;
  }
  return false;
}

function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
    probe.once('connect', () => probe.destroy());
  });
}
