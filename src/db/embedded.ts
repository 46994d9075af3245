/**
 * The embedded database, seen from its clients: PGlite with PostGIS in a process of its own, so
 * that its queries never block the event loop, reached through a Unix socket by the same `pg` pool
 * as a real PostGIS. Whoever needs it first starts it; it stops by itself when its last client has
 * gone. So the operator's command works while the service runs, and after it.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../errors.ts';
import { compiledModule } from '../paths.ts';

export interface EmbeddedAddress {
  /** Folder of the socket; `pg` finds `.s.PGSQL.5432` in it */
  host: string;
  port: number;
  user: string;
  database: string;
}

const PORT = 5432;
/** The first start unpacks PostgreSQL and makes a cluster: 6 to 8 s measured, slow disks more. */
const START_DEADLINE_MS = 120_000;

/** Starts under way, by folder: callers at the same time share one. */
const starting = new Map<string, Promise<EmbeddedAddress>>();

/**
 * Makes sure that the embedded database of a folder runs and answers.
 * @param dataDir absolute; made if it does not exist
 * @throws ServiceError 503 with the last lines of its log if it does not come up
 */
export function startEmbeddedDatabase(dataDir: string): Promise<EmbeddedAddress> {
  const running = starting.get(dataDir);
  if (running) return running;
  const start = bringUp(dataDir).finally(() => starting.delete(dataDir));
  starting.set(dataDir, start);
  return start;
}

async function bringUp(dataDir: string): Promise<EmbeddedAddress> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const host = socketFolder(dataDir);
  mkdirSync(host, { recursive: true, mode: 0o700 });
  const address = { host, port: PORT, user: 'postgres', database: 'postgres' };
  const socket = socketPath(host);
  if (await answers(socket)) return address;

  const logFile = join(dataDir, 'database.log');
  const log = openSync(logFile, 'w', 0o600);
  // Detached: Ctrl-C in the terminal must reach the service, which drains, and not its database.
  const server = spawn(
    process.execPath,
    [compiledModule('db/embedded-server.ts'), dataDir, socket],
    { detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  server.unref();
  let ended = false;
  server.once('exit', () => (ended = true));
  server.once('error', () => (ended = true));

  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    if (await answers(socket)) return address;
    // Another process may have won the race to start it: then ours ends and theirs answers soon.
    if (ended && !(await answersWithin(socket, 5_000))) break;
    await delay(25);
  }
  const lastLines = readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join(' ');
  throw unavailable(`The embedded database in ${dataDir} did not start: ${lastLines || logFile}`);
}

/**
 * A socket's path may have 107 bytes at most on Linux, 103 on macOS: a longer one moves to the
 * system's temporary folder, under a name made of the data folder's.
 */
function socketFolder(dataDir: string): string {
  if (Buffer.byteLength(socketPath(dataDir)) <= 100) return dataDir;
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `territory-${process.getuid?.() ?? 0}-${name}`);
}

const socketPath = (folder: string) => join(folder, `.s.PGSQL.${PORT}`);

async function answersWithin(socket: string, ms: number): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await delay(50)) {
    if (await answers(socket)) return true;
  }
  return false;
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => resolve(true));
    probe.once('error', () => resolve(false));
    probe.once('connect', () => probe.destroy());
  });
}
