/** The events as requests to webhooks, for the OpenAPI document. */
import type { WebhookDeclaration } from '../../base/contract/openapi/webhooks.ts';
import { EVENTS, PUBLIC_EVENT_TYPES } from './catalog.ts';
import { EVENT_EXAMPLES, EXAMPLE_EVENT_ID, EXAMPLE_TIME } from './examples.ts';
import { publicEventSchema } from './public-event.ts';

export const EVENT_WEBHOOKS: readonly WebhookDeclaration[] = PUBLIC_EVENT_TYPES.map((type) => ({
  name: type,
  summary: EVENTS[type].title,
  description: EVENTS[type].description,
  body: publicEventSchema(type),
  example: { id: EXAMPLE_EVENT_ID, type, timestamp: EXAMPLE_TIME, data: EVENT_EXAMPLES[type] },
}));
