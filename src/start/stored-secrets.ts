/** All secrets that the service must be able to read again, which `SECRET_KEY` encrypts. */
import type { Logger } from 'pino';
import { APP_SECRETS } from '../account/authenticator-app.ts';
import { COMPANY_SECRETS } from '../account/company-sign-in/parts.ts';
import { SIGNING_SECRETS } from '../account/signing-secret.ts';
import {
  boxOf,
  countStored,
  encryptStored,
  type SecretColumn,
  type SecretCounts,
} from '../account/stored-secrets.ts';
import type { Database } from '../db/database.ts';
import { WEBHOOK_SECRETS } from '../notify/webhooks/secrets.ts';

export const SECRET_COLUMNS: readonly SecretColumn[] = [
  ...[APP_SECRETS, SIGNING_SECRETS],
  ...[...WEBHOOK_SECRETS, ...COMPANY_SECRETS],
];

/** Encrypts secrets that were stored before `SECRET_KEY` was set or changed. Failures are logged. */
export async function encryptAllStored(
  db: Database,
  secretKeys: readonly Uint8Array[],
  log: Logger,
): Promise<void> {
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
