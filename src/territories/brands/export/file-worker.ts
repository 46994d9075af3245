/** Files that take seconds to write, each in a thread. */
import { unavailable } from '../../../errors.ts';
import { compiledModule } from '../../../base/workers/compiled-module.ts';
import { JobKind } from '../../../base/workers/once.ts';

/** @param module module of the thread, such as `territories/brands/export/xlsx-worker.ts` */
export const fileKind = <Job>(module: string) =>
  new JobKind<Job, Uint8Array>({
    module: compiledModule(module),
    megabytes: 832,
    deadlineMs: 120_000,
    threads: 1,
    busy: 'Many files are being written right now. Try again in a minute.',
    exceeded: (what, cause) =>
      unavailable(`The file takes too much ${what} to write. Try again later, or export CSV.`, {
        cause,
      }),
  });

/** Writes a file. @param load reads the content when it's the file's turn */
export const writeInThread = <Job>(
  kind: JobKind<Job, Uint8Array>,
  load: () => Promise<Job>,
): Promise<Uint8Array> => kind.run(async (turn) => turn.inThread(await load()));
