/**
 * Keeps what the tests' apps and processes log until the end of the run, when all of it is searched
 * for secrets (`leaks.ts`).
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { inject } from 'vitest';
import { createLog } from '../../src/base/observe/log.ts';
import { logsIn } from './leaks.ts';

/** The service's log at its most verbose level. @param onLine gets each line */
export const testLog = (onLine: (line: string) => void = () => {}): Logger =>
  createLog('trace', {
    write(line) {
      keepLog(line);
      onLine(line);
    },
  });

/** Whether a line reports a failure of the service. */
export const isFault = (line: string) => /^\{"level":[56]0/.test(line);

/** @param lines complete lines */
export function keepLog(lines: string): void {
  file ??= newFile();
  writeSync(file, lines);
}

let file: number | undefined;

/** One file per test file, since test files run at the same time. */
function newFile(): number {
  const folder = logsIn(inject('testFolder'));
  mkdirSync(folder, { recursive: true });
  return openSync(join(folder, randomBytes(8).toString('hex')), 'a');
}
