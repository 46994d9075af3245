/** A PostGIS server of its own for a test that stops or restarts it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

export interface PrivatePostgis {
  port: number;
  /** Suspends the server with all its processes: it accepts connections but doesn't answer. */
  freeze(): void;
  thaw(): void;
  /** Stops it immediately, without saving its state. */
  crash(): Promise<void>;
  start(): Promise<void>;
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

export async function privatePostgis(): Promise<PrivatePostgis> {
  const user = ordinaryUser();
  // Not in the run's folder, which only its owner may enter.
  const folder = mkdtempSync(join(tmpdir(), 'territory-postgis-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(
    join(programs!, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '-N'],
    { ...user, stdio: 'ignore' },
  );
  const port = await freePort();
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  let server: ChildProcess;
  async function start(): Promise<void> {
    server = spawn(
      join(programs!, 'postgres'),
      ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
      { ...user, stdio: 'ignore' },
    );
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
        // It has ended meanwhile.
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
