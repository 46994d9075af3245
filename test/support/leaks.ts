/** Secrets that no log may hold, looked for in all that a run of tests has logged. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the logs of a run are kept. */
export const logsIn = (testFolder: string) => join(testFolder, 'logs');

/**
 * An API key, a link that lets somebody in, a connector's code or token; a path with more of a share link's token or
 * code, or of the name of a connector's request, than three characters
 */
const SECRETS =
  /svc_(?:live|invite|password|access|refresh|code|registration)_\w{4}|"path":"[^"]*\/(?:shared|s|authorize|connect)\/[^/"…]{4}/i;

/** @throws Error with the lines that hold one */
export function refuseLeaks(testFolder: string): void {
  const folder = logsIn(testFolder);
  if (!existsSync(folder)) return;
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n'),
  );
  const leaking = leaksIn(lines);
  if (leaking.length === 0) return;
  const shown = leaking.slice(0, 10).join('\n');
  throw new Error(`${leaking.length} lines that were logged hold a key or a token:\n${shown}`);
}

export const leaksIn = (lines: readonly string[]) => lines.filter((line) => SECRETS.test(line));
