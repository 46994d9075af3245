/** A Redis server for a test file. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const BINARY = '/usr/bin/redis-server';

export const hasRedis = existsSync(BINARY);

export interface TestRedis {
  url: string;
  start(): Promise<void>;
  /** Kills it; all counts are lost */
  stop(): Promise<void>;
  /** Suspends it: connections stay open, but nothing is answered */
  freeze(): void;
  thaw(): void;
}

/**
 * Returns a stopped server, whose address stays the same over restarts.
 * @param more settings, such as `--maxmemory 2mb`
 */
export async function testRedis(more: readonly string[] = []): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', ...more];
      child = spawn(BINARY, settings, { stdio: 'ignore' });
      while (!(await answers(port))) await delay(20);
    },
    async stop() {
      if (!child) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      child = undefined;
    },
    freeze: () => child!.kill('SIGSTOP'),
    thaw: () => child!.kill('SIGCONT'),
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
