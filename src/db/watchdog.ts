/**
 * Ends the process of the embedded database when a statement runs for too long. PGlite occupies the main
 * thread during a statement and can't cancel it, so this module also runs as a thread that watches. The
 * next query restarts the database. No committed change is lost.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { compiledModule } from '../geodata/project-files.ts';

export interface Watchdog {
  /** Call it before a statement. @param limitMs 0 means no limit */
  begin(limitMs: number): void;
  /** Call it after the statement. */
  end(): void;
}

const TICK_MS = 100;
/** Positions in the shared memory: the number of the running statement, or 0, and its limit in ticks */
const STATEMENT = 0;
const LIMIT = 1;

export function startWatchdog(): Watchdog {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  new Worker(compiledModule('db/watchdog.ts'), { workerData: shared }).unref();
  let statements = 0;
  return {
    begin(limitMs) {
      statements = (statements % 0x7fffffff) + 1;
      Atomics.store(shared, LIMIT, Math.ceil(limitMs / TICK_MS));
      Atomics.store(shared, STATEMENT, limitMs > 0 ? statements : 0);
    },
    end: () => Atomics.store(shared, STATEMENT, 0),
  };
}

/** Counts ticks instead of reading a clock, because a clock continues while the process is suspended. */
function watch(shared: Int32Array): never {
  const sleeping = new Int32Array(new SharedArrayBuffer(4));
  let statement = 0;
  let ticks = 0;
  for (;;) {
    Atomics.wait(sleeping, 0, 0, TICK_MS);
    const current = Atomics.load(shared, STATEMENT);
    ticks = current !== 0 && current === statement ? ticks + 1 : 0;
    statement = current;
    if (ticks > Atomics.load(shared, LIMIT)) process.kill(process.pid, 'SIGKILL');
  }
}

if (!isMainThread && workerData instanceof Int32Array) watch(workerData);
