/** Requests and responses of the operations on events and webhooks. */
import { z } from 'zod';
import { actorName } from '../../../people/account/caller.ts';
import { NextCursor } from '../../../base/contract/paging.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { PUBLIC_EVENT_TYPES, type EventType } from '../../../people/events/catalog.ts';
import { EVENT_EXAMPLES, EXAMPLE_EVENT_ID, EXAMPLE_TIME } from '../../../people/events/examples.ts';
import { PublicEventBody } from '../../../people/events/public-event.ts';
import type { Attempt } from '../../../territories/notify/webhooks/attempt.ts';
import { DELIVERY_STATES, type Delivery } from '../../../territories/notify/webhooks/deliveries.ts';
import { HEALTHS, type Endpoint } from '../../../territories/notify/webhooks/endpoints.ts';
import type { TestResult } from '../../../territories/notify/webhooks/manage.ts';

export const EventTypeName = z.enum(PUBLIC_EVENT_TYPES as [EventType, ...EventType[]]);

const eventExample = {
  id: EXAMPLE_EVENT_ID,
  type: 'territory.approved' as const,
  timestamp: EXAMPLE_TIME,
  data: EVENT_EXAMPLES['territory.approved']!,
};

export const EventFeedBody = z
  .object({
    events: z.array(PublicEventBody).meta({ description: 'In the order in which they happened' }),
    nextAfter: z
      .int()
      .meta({
        description:
          'Value of `after` for the next request, which only grows. Store it after handling the events',
      }),
  })
  .meta({
    id: 'EventFeed',
    examples: [{ events: [eventExample], nextAfter: 1_796_292_000_000_000 }],
  });

export const webhookParams = z.object({
  webhook: z.string().min(1).max(120).meta({ description: 'Id of the webhook' }),
});

export const deliveryParams = webhookParams.extend({
  delivery: z.string().min(1).max(120).meta({ description: 'Id of the delivery' }),
});

const url = z
  .string()
  .min(1)
  .max(2_000)
  .meta({ description: 'An https URL at a public address. Redirects aren’t followed' });
const description = z.string().max(200).nullable().meta({ description: 'What it’s for' });
const types = z
  .array(EventTypeName)
  .max(PUBLIC_EVENT_TYPES.length)
  .nullable()
  .meta({ description: 'Types of events to send; null: all, including future ones' });
const brands = z
  .array(z.string().min(1).max(120))
  .max(1_000)
  .nullable()
  .meta({
    description:
      'Slugs, names, or ids of the brands whose events are sent; null: all brands, and events of the whole organization',
  });

export const NewWebhookRequest = z
  .strictObject({
    url,
    description: description.optional(),
    types: types.optional(),
    brands: brands.optional(),
  })
  .meta({
    id: 'NewWebhook',
    examples: [
      {
        url: 'https://example.com/territory-events',
        description: 'CRM',
        types: ['territory.approved', 'territory.removed', 'territory.restored'],
      },
    ],
  });

export const EditWebhookRequest = z
  .strictObject({
    url: url.optional(),
    description: description.optional(),
    types: types.optional(),
    brands: brands.optional(),
    on: z
      .boolean()
      .optional()
      .meta({
        description: 'False stops sending. True continues with the events that were missed',
      }),
  })
  .meta({ id: 'WebhookEdit', examples: [{ description: 'CRM in production' }] });

const WEBHOOK_EXAMPLE = {
  id: '8a6e0804-2bd0-4672-b79d-d97027f9071a',
  url: 'https://example.com/territory-events',
  description: 'CRM',
  types: ['territory.approved', 'territory.removed', 'territory.restored'] as EventType[],
  brands: null,
  health: 'working' as const,
  off: null,
  waiting: 0,
  failed: 0,
  deliveredAt: EXAMPLE_TIME,
  oldSecretUntil: null,
  createdBy: 'Rita',
  createdAt: '2026-11-22T10:00:00.000Z',
};

export const WebhookBody = z
  .object({
    id: z.uuid(),
    url: z.string(),
    description: z.string().nullable(),
    types: z.array(EventTypeName).nullable().meta({ description: 'Null: all types' }),
    brands: z
      .array(z.object({ id: z.uuid(), slug: z.string(), name: z.string() }))
      .nullable()
      .meta({ description: 'Null: all brands, and events of the whole organization' }),
    health: z
      .enum(HEALTHS)
      .meta({
        description:
          '`new`: nothing sent yet; `failing`: a delivery failed, and is repeated; `off`: nothing is sent',
      }),
    off: z
      .object({
        at: z.iso.datetime(),
        because: z
          .enum(['person', 'failing', 'gone'])
          .meta({
            description:
              'A person turned it off, a delivery failed for three days, or the receiver answered 410',
          }),
      })
      .nullable()
      .meta({ description: 'Null while it’s on' }),
    waiting: z.int().meta({ description: 'Number of deliveries that wait or are repeated' }),
    failed: z.int().meta({ description: 'Number of deliveries that were given up' }),
    deliveredAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When a delivery last succeeded' }),
    oldSecretUntil: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The replaced secret also signs until then' }),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook', examples: [WEBHOOK_EXAMPLE] });

export const WebhookListBody = z
  .object({ webhooks: z.array(WebhookBody) })
  .meta({ id: 'WebhookList', examples: [{ webhooks: [WEBHOOK_EXAMPLE] }] });

export const WebhookSecretBody = z
  .object({
    webhook: WebhookBody,
    secret: z
      .string()
      .meta({ description: 'Verifies signatures: `whsec_` and base64. It isn’t shown again' }),
  })
  .meta({
    id: 'WebhookWithSecret',
    examples: [
      { webhook: WEBHOOK_EXAMPLE, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDq2VfB0xLrG4=' },
    ],
  });

export const DeletedWebhookBody = z
  .object({ deleted: z.uuid() })
  .meta({ id: 'DeletedWebhook', examples: [{ deleted: WEBHOOK_EXAMPLE.id }] });

const attemptFields = {
  status: z.int().nullable().meta({ description: 'HTTP status; null without an answer' }),
  problem: z.string().nullable().meta({ description: 'Why it failed' }),
  answer: z.string().nullable().meta({ description: 'The beginning of the answer' }),
  ms: z.int(),
};
const ATTEMPT_EXAMPLE = {
  status: 503,
  problem: 'The answer was 503. Answer with 2xx to accept an event.',
  answer: 'Down for maintenance',
  ms: 84,
};

export const TestRequest = z
  .strictObject({
    type: EventTypeName.optional().meta({ description: 'Default: a type that the webhook gets' }),
  })
  .meta({ id: 'WebhookTest', examples: [{ type: 'territory.approved' }] });

export const TestBody = z
  .object({
    accepted: z.boolean().meta({ description: 'Whether the answer was 2xx' }),
    eventId: z.string(),
    type: EventTypeName,
    ...attemptFields,
  })
  .meta({
    id: 'WebhookTestResult',
    examples: [
      {
        accepted: true,
        eventId: 'evt_test_mij3x1c0',
        type: 'territory.approved',
        status: 204,
        problem: null,
        answer: null,
        ms: 84,
      },
    ],
  });

const DeliveryBody = z
  .object({
    id: z.uuid(),
    state: z
      .enum(DELIVERY_STATES)
      .meta({
        description:
          '`waiting`: not sent yet, or behind an earlier event of its brand; `retrying`: failed, and is repeated; `failed`: given up. If that turned the webhook off, turning it on sends it again',
      }),
    event: PublicEventBody,
    brand: z.object({ id: z.uuid(), slug: z.string(), name: z.string() }).nullable(),
    attempts: z.int(),
    attempted: z
      .object({ at: z.iso.datetime(), ...attemptFields })
      .nullable()
      .meta({ description: 'The last attempt; null before the first' }),
    dueAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'The next attempt; null if there is none, or while it waits' }),
  })
  .meta({ id: 'WebhookDelivery' });

export const DeliveryListBody = z
  .object({ deliveries: z.array(DeliveryBody), nextCursor: NextCursor })
  .meta({
    id: 'WebhookDeliveryList',
    examples: [
      {
        deliveries: [
          {
            id: 'd0b5a1de-90a1-4a8b-93a0-7f4a4fd5e5aa',
            state: 'retrying',
            event: eventExample,
            brand: EVENT_EXAMPLES['territory.approved']!.brand,
            attempts: 1,
            attempted: { at: EXAMPLE_TIME, ...ATTEMPT_EXAMPLE },
            dueAt: '2026-11-29T10:00:05.000Z',
          },
        ],
        nextCursor: null,
      },
    ],
  });

export const ResentBody = z
  .object({
    resending: z.string().meta({ description: 'Id of the delivery, sent within seconds' }),
  })
  .meta({
    id: 'ResentDelivery',
    examples: [{ resending: 'd0b5a1de-90a1-4a8b-93a0-7f4a4fd5e5aa' }],
  });

const iso = (at: Date | null) => at?.toISOString() ?? null;

export const webhookBody = ({
  off,
  deliveredAt,
  oldSecretUntil,
  createdBy,
  createdAt,
  ...endpoint
}: Endpoint): z.output<typeof WebhookBody> => ({
  ...endpoint,
  off: off && { at: off.at.toISOString(), because: off.because },
  deliveredAt: iso(deliveredAt),
  oldSecretUntil: iso(oldSecretUntil),
  createdBy: actorName(createdBy),
  createdAt: createdAt.toISOString(),
});

const attemptBody = ({
  status,
  problem,
  answer,
  ms,
}: Omit<Attempt, 'isDelivered' | 'retryAfter'>) => ({ status, problem, answer, ms });

export const testBody = ({ attempt, eventId, type }: TestResult): z.output<typeof TestBody> => ({
  accepted: attempt.isDelivered,
  eventId,
  type,
  ...attemptBody(attempt),
});

export const deliveryBody = ({
  id,
  state,
  event,
  brand,
  attempts,
  attempted,
  dueAt,
}: Delivery): z.output<typeof DeliveryBody> => ({
  id,
  state,
  event,
  brand,
  attempts,
  dueAt: iso(dueAt),
  attempted: attempted && { at: attempted.at.toISOString(), ...attemptBody(attempted) },
});

/** The first example of a request, as its operation shows it */
export const requestExample = <Schema extends z.ZodType>(schema: Schema) =>
  exampleOf(schema) as z.input<Schema>;
