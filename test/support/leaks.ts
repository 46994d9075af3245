/** Searches everything that a test run has logged for secrets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a run's logs. */
export const logsIn = (testFolder: string) => join(testFolder, 'logs');

/**
 * API keys, invitation, password, sign-up, and unsubscribe links, OAuth codes and tokens; paths that show more than three
 * characters of a link's token or code, or of an authorization request's id
 */
const SECRETS =
  /svc_(?:live|invite|password|signup|unsubscribe|access|refresh|code|registration)_\w{4}|"path":"[^"]*(?:\/(?:shared|shared-plans|s|p|authorize|connect|password|invite|signup|unsubscribe)\/(?!forgot")|share(?::|%3a))[^/"…]{4}/i;

/** @throws Error with the lines that contain a secret */
export function refuseLeaks(testFolder: string): void {
  const folder = logsIn(testFolder);
  if (!existsSync(folder)) return;
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8').split('\n'),
  );
  const leaking = leaksIn(lines);
  if (leaking.length === 0) return;
  const shown = leaking.slice(0, 10).join('\n');
  throw new Error(`${leaking.length} logged lines contain a key or a token:\n${shown}`);
}

export const leaksIn = (lines: readonly string[]) => lines.filter((line) => SECRETS.test(line));
