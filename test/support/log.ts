/**
 * What is logged while tests run, by their apps and by processes that they start, is kept until the
 * end of the run, when all of it is searched for secrets (`leaks.ts`).
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { inject } from 'vitest';
import { createLog } from '../../src/log.ts';
import { logsIn } from './leaks.ts';

/** The service's own log, to the last word. @param heard is told each line */
export const testLog = (heard: (line: string) => void = () => {}): Logger =>
  createLog('trace', {
    write(line) {
      keepLog(line);
      heard(line);
    },
  });

/** Whether a line tells of a fault of ours. */
export const isFault = (line: string) => /^\{"level":[56]0/.test(line);

/** @param lines whole ones */
export function keepLog(lines: string): void {
  file ??= newFile();
  writeSync(file, lines);
}

let file: number | undefined;

/** Of this test file alone: others run at the same time. */
function newFile(): number {
  const folder = logsIn(inject('testFolder'));
  mkdirSync(folder, { recursive: true });
  return openSync(join(folder, randomBytes(8).toString('hex')), 'a');
}
