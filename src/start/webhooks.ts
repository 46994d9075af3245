/** Starts sending events to webhooks. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import type { WebhookParts } from '../notify/webhooks/manage.ts';
import { webhookSecretBox } from '../notify/webhooks/secrets.ts';
import { startWebhookSender, type WebhookSender } from '../notify/webhooks/sender.ts';
import { publicFetch } from '../outside/public-fetch.ts';

export const webhookPartsOf = ({ secretKeys }: Pick<Config, 'secretKeys'>): WebhookParts => ({
  box: webhookSecretBox(secretKeys),
  fetch: publicFetch(),
});

export const startWebhooks = (
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  { box, fetch }: WebhookParts,
  db: Database,
  log: Logger,
): WebhookSender => startWebhookSender({ db, log, box, fetch, sendsMail: smtpUrl !== undefined });
