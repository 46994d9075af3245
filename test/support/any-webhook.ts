/** Webhooks for services that send nothing: every address is accepted, and answers with 204. */
import type { WebhookParts } from '../../src/territories/notify/webhooks/manage.ts';
import { webhookSecretBox } from '../../src/territories/notify/webhooks/secrets.ts';

export const ANY_WEBHOOK: WebhookParts = {
  box: webhookSecretBox([]),
  fetch: async () => new Response(null, { status: 204 }),
  requireHost: async () => {},
};
