/** Writes files that take seconds, each in its own worker thread, one after another. */
import pLimit from 'p-limit';
import { unavailable } from '../../errors.ts';
import { compiledModule } from '../../geodata/project-files.ts';
import { threadChannel } from '../../render/pool/channel.ts';
import { PoolWorker } from '../../render/pool/pool-worker.ts';

const HEAP = { maxYoungGenerationSizeMb: 64, maxOldGenerationSizeMb: 768 };
const MAX_WAITING = 8;
const running = pLimit(1);

/** @throws ServiceError 503 while too many files wait */
export function refuseWaitingFiles(): void {
  if (running.pendingCount < MAX_WAITING) return;
  throw unavailable('Many files are being written right now. Try again in a minute.');
}

/**
 * Writes a file in a worker thread.
 * @param module module of the worker, such as `territory/export/xlsx-worker.ts`
 * @param load reads the content when it's the file's turn
 */
export const writeInThread = <Job>(module: string, load: () => Promise<Job>): Promise<Uint8Array> =>
  running(async () => {
    const worker = new PoolWorker<Job, Uint8Array>(
      threadChannel(compiledModule(module), HEAP),
      () => Promise.reject(new Error('The worker asks nothing.')),
    );
    try {
      return await worker.run(await load());
    } finally {
      void worker.stop();
    }
  });
