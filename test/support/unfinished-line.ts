import { appendFileSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { projectFile } from '../../src/base/geodata/project-files.ts';

/** `.ci/run` prints it at its end: by then, the output of the run may have been cut. */
const FILE = projectFile('node_modules/.cache/reports/unfinished.txt');

/** Names what was ended before it had finished. */
export function tellUnfinished(what: string, milliseconds: number): void {
  const line = `Unfinished after ${Math.round(milliseconds / 1000)} s: ${what}\n`;
  writeSync(1, line);
  mkdirSync(dirname(FILE), { recursive: true });
  appendFileSync(FILE, line);
}
