/** The replica in the settings. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { DatabaseOptions } from '../db/database.ts';
import { replicaDeadlines } from '../db/deadlines.ts';

export function readReplicaOf(
  { databaseReadUrl: url, databaseTimeoutMs }: Config,
  log: Logger,
): DatabaseOptions['replica'] {
  if (url === undefined) return undefined;
  return {
    url,
    deadlines: replicaDeadlines(databaseTimeoutMs),
    changed: (lost) =>
      lost
        ? log.warn({ err: lost }, 'replica lost; the primary serves its reads')
        : log.info('the replica answers again'),
  };
}
