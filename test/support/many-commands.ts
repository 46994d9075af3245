/**
 * Runs the commands of a test file in one process. That saves 0.3 s of CPU per command for loading its
 * modules. Tests that use `processes.ts` check that commands exit.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import pLimit from 'p-limit';
import { afterAll } from 'vitest';
import { compiledModule } from '../../src/base/workers/compiled-module.ts';
import { keepLog } from './log.ts';
import type { CommandResult } from './processes.ts';

/** @returns runs `territory-admin` with the arguments */
export function adminCommands() {
  const oneAtATime = pLimit(1);
  let child: ChildProcessWithoutNullStreams | undefined;
  let answers: Interface;
  let ended: Promise<unknown>;
  afterAll(() => child?.kill());
  return (args: string[], env: Record<string, string>): Promise<CommandResult> =>
    oneAtATime(async () => {
      if (!child) {
        child = spawn(process.execPath, ['test/support/many-commands.mjs'], {
          env: { PATH: process.env.PATH },
        });
        child.stderr.on('data', (chunk: Buffer) => keepLog(chunk.toString()));
        answers = createInterface({ input: child.stdout });
        ended = once(child, 'exit');
        child.once('exit', () => (child = undefined));
        ended.catch(() => {}); // between commands
      }
      const answered = once(answers, 'line');
      child.stdin.write(
        `${JSON.stringify({ module: compiledModule('run/admin.ts'), args, env })}\n`,
      );
      const line = await Promise.race([
        answered.then(([text]) => text as string),
        ended.then(() => null),
      ]);
      if (line === null) throw new Error(`The process ended during: ${args.join(' ')}`);
      const result = JSON.parse(line) as CommandResult;
      keepLog(result.stderr);
      return result;
    });
}
