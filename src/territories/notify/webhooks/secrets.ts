/** The secrets that sign deliveries, as in the Standard Webhooks specification: `whsec_` and base64. */
import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { SecretBox } from '../../../people/account/secret-box.ts';
import { boxOf, type SecretColumn } from '../../../people/account/stored-secrets.ts';

/** Encrypts the secrets, bound to their webhook. A hash isn't enough, because the service computes signatures. */
const SECRETS = {
  noun: 'webhook secret',
  table: 'webhook_endpoints',
  owner: 'id',
  purpose: 'webhooks',
};

export const WEBHOOK_SECRETS: readonly SecretColumn[] = [
  { ...SECRETS, column: 'secret' },
  { ...SECRETS, noun: 'former webhook secret', column: 'old_secret' },
];

export const webhookSecretBox = (keys: readonly Uint8Array[]) => boxOf(SECRETS, keys);

/** The specification recommends 24 to 64 bytes. */
const SECRET_BYTES = 32;

export const newWebhookSecret = () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** How long a replaced secret still signs */
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
): Record<string, string> {
  const at = new Date();
  const secrets = [secret, ...(oldSecret === null ? [] : [oldSecret])];
  const signatures = secrets.map((one) => new Webhook(box.open(one, id)).sign(messageId, at, body));
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
