/** A separate PostGIS server for a test that stops or restarts it, and a streaming replica of it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';

export interface PrivatePostgis {
  port: number;
  /** Suspends the server with all its processes: it accepts connections but doesn't answer. */
  freeze(): void;
  thaw(): void;
  /** Stops it immediately, without saving its state. */
  crash(): Promise<void>;
  start(): Promise<void>;
  /** Copies it with pg_basebackup, and starts the copy as its streaming replica. */
  replicate(): Promise<PrivatePostgis>;
  /** Everything that it has logged: all statements, if `logsStatements` */
  log(): string;
  remove(): Promise<void>;
}

const VERSIONS = '/usr/lib/postgresql';

/** Folder of the newest PostgreSQL programs for which PostGIS is installed */
const programs = !existsSync(VERSIONS)
  ? undefined
  : readdirSync(VERSIONS)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => ({
        bin: join(VERSIONS, version, 'bin'),
        postgis: `/usr/share/postgresql/${version}/extension/postgis.control`,
      }))
      .find(({ bin, postgis }) => existsSync(join(bin, 'initdb')) && existsSync(postgis))?.bin;

export const hasPrivatePostgis = programs !== undefined;

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** @param logsStatements whether its log contains all statements. Default: false */
export function privatePostgis({ logsStatements = false } = {}): Promise<PrivatePostgis> {
  return serverWith(logsStatements, (data) => [
    'initdb',
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '-N',
  ]);
}

/** @param fill the command that fills its data folder */
async function serverWith(
  logsStatements: boolean,
  fill: (data: string) => string[],
): Promise<PrivatePostgis> {
  const user = ordinaryUser();
  // Not in the run's folder, which only its owner may enter.
  const folder = mkdtempSync(join(tmpdir(), 'territory-postgis-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const [program, ...args] = fill(data);
  execFileSync(join(programs!, program!), args, { ...user, stdio: 'ignore' });
  const port = await freePort();
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  if (logsStatements) options.push('log_statement=all');
  const logFile = join(folder, 'log');
  let server: ChildProcess;
  async function start(): Promise<void> {
    const log = openSync(logFile, 'a');
    server = spawn(
      join(programs!, 'postgres'),
      ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
      { ...user, stdio: ['ignore', log, log] },
    );
    closeSync(log);
    while (!(await answers(port))) {
      if (server.exitCode !== null) throw new Error('PostgreSQL did not start');
      await delay(50);
    }
  }
  async function stop(): Promise<void> {
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }
  /** The server's process first, so that it starts no others */
  const signal = (name: NodeJS.Signals) => {
    server.kill(name);
    for (const pid of childrenOf(server.pid!)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has already ended.
      }
    }
  };
  await start();
  return {
    port,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    crash: stop,
    start,
    replicate: () =>
      serverWith(logsStatements, (copy) => [
        'pg_basebackup',
        '-D',
        copy,
        '-R',
        '--no-sync',
        '--checkpoint=fast',
        '-d',
        `postgresql://postgres@127.0.0.1:${port}/`,
      ]),
    log: () => readFileSync(logFile, 'utf8'),
    async remove() {
      signal('SIGCONT');
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number);

async function answers(port: number): Promise<boolean> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
