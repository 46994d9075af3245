/** All secrets that the service must be able to read again, which `SECRET_KEY` encrypts. */
import type { Logger } from 'pino';
import { APP_SECRETS } from '../../people/account/authenticator-app.ts';
import { COMPANY_SECRETS } from '../../people/account/company-sign-in/parts.ts';
import { SIGNING_SECRETS } from '../../people/account/signing-secret.ts';
import {
  boxOf,
  countStored,
  encryptStored,
  type SecretColumn,
  type SecretCounts,
} from '../../people/account/stored-secrets.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../base/db/database.ts';
import { WEBHOOK_SECRETS } from '../../territories/notify/webhooks/secrets.ts';

/** The warning of each start with nothing to encrypt by */
const PLAIN =
  'SECRET_KEY is not set: secrets of webhooks, signed URLs, authenticator apps, and company sign-in are stored in plain ' +
  'text. Set it to a key from `openssl rand -base64 32`, and start again';

export const SECRET_COLUMNS: readonly SecretColumn[] = [
  APP_SECRETS,
  SIGNING_SECRETS,
  ...WEBHOOK_SECRETS,
  ...COMPANY_SECRETS,
];

/**
 * Encrypts secrets that were stored before `SECRET_KEY` was set or changed, or warns that nothing is encrypted. Failures
 * are logged.
 */
export async function encryptAllStored(
  db: Database,
  { secretKeys, databaseUrl }: Pick<Config, 'secretKeys' | 'databaseUrl'>,
  log: Logger,
): Promise<void> {
  if (secretKeys.length === 0) {
    // The embedded database is a folder on this machine, where a key beside it would protect nothing.
    if (databaseUrl !== undefined) log.warn(PLAIN);
    return;
  }
  for (const column of SECRET_COLUMNS) {
    const { noun } = column;
    try {
      const secrets = await encryptStored(db, column, boxOf(column, secretKeys));
      if (secrets > 0) log.info({ noun, secrets }, 'encrypted stored secrets');
    } catch (error) {
      log.error({ err: error, noun }, 'stored secrets can’t be encrypted; next try at start');
    }
  }
}

/** Counts stored secrets by kind. */
export function countAllStored(
  db: Database,
  secretKeys: readonly Uint8Array[],
): Promise<(SecretCounts & { noun: string })[]> {
  return Promise.all(
    SECRET_COLUMNS.map(async (column) => {
      const counts = await countStored(db, column, boxOf(column, secretKeys));
      return { noun: column.noun, ...counts };
    }),
  );
}
