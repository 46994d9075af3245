/**
 * Watches the process of the embedded database from a thread of its own, since PGlite occupies the main thread during a
 * statement. It tells on a socket that the process runs, so that a busy database isn't taken for a dead one, and ends
 * the process when a statement runs for too long, because PGlite can't cancel it. The next query restarts the
 * database. No committed change is lost.
 */
import { createServer } from 'node:net';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { compiledModule } from '../workers/compiled-module.ts';

export interface Watchdog {
  /** Call it before a statement. @param limitMs 0 means no limit */
  begin(limitMs: number): void;
  /** Call it after the statement. */
  end(): void;
  /** Ends the thread, and removes its socket. */
  stop(): Promise<unknown>;
}

const TICK_MS = 100;
/** Positions in the shared memory: the number of the running statement, or 0, and its limit in ticks */
const STATEMENT = 0;
const LIMIT = 1;

interface Watched {
  shared: Int32Array;
  /** Path of the socket that tells that the process runs */
  pulse: string;
}

/** @param pulse path of the socket that tells that the process runs */
export function startWatchdog(pulse: string): Watchdog {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const watched: Watched = { shared, pulse };
  const thread = new Worker(compiledModule('base/db/watchdog.ts'), { workerData: watched });
  thread.unref();
  let statements = 0;
  return {
    begin(limitMs) {
      statements = (statements % 0x7fffffff) + 1;
      Atomics.store(shared, LIMIT, Math.ceil(limitMs / TICK_MS));
      Atomics.store(shared, STATEMENT, limitMs > 0 ? statements : 0);
    },
    end: () => Atomics.store(shared, STATEMENT, 0),
    stop: () => thread.terminate(),
  };
}

/** Counts ticks instead of reading a clock, because a clock continues while the process is suspended. */
function watch({ shared, pulse }: Watched): void {
  let statement = 0;
  let ticks = 0;
  setInterval(() => {
    const current = Atomics.load(shared, STATEMENT);
    ticks = current !== 0 && current === statement ? ticks + 1 : 0;
    statement = current;
    if (ticks > Atomics.load(shared, LIMIT)) process.kill(process.pid, 'SIGKILL');
  }, TICK_MS);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end('.');
  });
  server.listen(pulse);
}

if (!isMainThread && workerData?.shared instanceof Int32Array) watch(workerData as Watched);
