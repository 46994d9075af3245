/** Starts sending events to webhooks. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { encryptWebhookSecrets, webhookSecretBox } from '../notify/webhooks/secrets.ts';
import { startWebhookSender, type WebhookSender } from '../notify/webhooks/sender.ts';
import { publicFetch } from '../outside/public-fetch.ts';

export function startWebhooks(
  { smtpUrl, secretKeys }: Pick<Config, 'smtpUrl' | 'secretKeys'>,
  db: Database,
  log: Logger,
): WebhookSender {
  const box = webhookSecretBox(secretKeys);
  return startWebhookSender({
    db,
    fetch: publicFetch(),
    box,
    log,
    sendsMail: smtpUrl !== undefined,
  });
}

/** Encrypts secrets that were stored before SECRET_KEY was set or changed. */
export async function encryptStoredWebhookSecrets(
  { secretKeys }: Pick<Config, 'secretKeys'>,
  db: Database,
  log: Logger,
): Promise<void> {
  await encryptWebhookSecrets(db, webhookSecretBox(secretKeys)).catch((error: unknown) =>
    log.error({ err: error }, 'secrets of webhooks can’t be encrypted; next try at start'),
  );
}
