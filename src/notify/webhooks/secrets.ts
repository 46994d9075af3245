/** The secrets that sign deliveries, as in the Standard Webhooks specification: `whsec_` and base64. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { secretBox, type SecretBox } from '../../account/secret-box.ts';
import type { Queryable } from '../../db/database.ts';

/** Encrypts the secrets, bound to their webhook. A hash isn't enough, because the service computes signatures. */
export const webhookSecretBox = (keys: readonly Uint8Array[]) => secretBox(keys, 'webhooks');

/** The specification recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

export const newWebhookSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** How long a replaced secret signs, too */
export const OVERLAP_HOURS = 24;

export interface StoredSecrets {
  /** Id of the webhook */
  id: string;
  secret: string;
  /** Null if the replaced secret no longer signs */
  oldSecret: string | null;
}

/**
 * Returns the headers that identify and sign a message.
 * @param messageId the same for all attempts
 * @throws Error as `SecretBox.open`
 */
export function signedHeaders(
  { id, secret, oldSecret }: StoredSecrets,
  box: SecretBox,
  messageId: string,
  body: string,
  at = new Date(),
): Record<string, string> {
  const secrets = [secret, ...(oldSecret === null ? [] : [oldSecret])];
  const signatures = secrets.map((one) => new Webhook(box.open(one, id)).sign(messageId, at, body));
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

/**
 * Encrypts secrets that are stored in plain text or under an older key. A secret whose key is missing stays until it is
 * rotated.
 */
export async function encryptWebhookSecrets(db: Queryable, box: SecretBox): Promise<void> {
  if (box.prefix === '') return;
  const rows = await db.query<StoredSecrets>(
    `select id, secret, old_secret as "oldSecret" from webhook_endpoints
     where not starts_with(secret, $1) or not starts_with(old_secret, $1)`,
    [box.prefix],
  );
  for (const { id, secret, oldSecret } of rows) {
    let sealed: [string, string | null];
    try {
      const again = (stored: string) => box.seal(box.open(stored, id), id);
      sealed = [again(secret), oldSecret && again(oldSecret)];
    } catch {
      continue;
    }
    await db.query(
      `update webhook_endpoints set secret = $3, old_secret = $4 where id = $1 and secret = $2`,
      [id, secret, ...sealed],
    );
  }
}
