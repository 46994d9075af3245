/** Events as other systems see them: in webhooks, and in the feed. */
import { z } from 'zod';
import { EVENTS, PUBLIC_EVENT_TYPES, type EventType } from './catalog.ts';
import type { RecordedEvent } from './events.ts';

/** Type, time, and data are the payload of the Standard Webhooks specification. */
export interface PublicEvent {
  /** The same in all deliveries of the event and in the feed: `evt_…` */
  id: string;
  type: EventType;
  /** ISO 8601 */
  timestamp: string;
  /** Set for example events that a person sends to test a webhook */
  test?: true;
  data: Record<string, unknown>;
}

export const publicEvent = ({
  id,
  type,
  at,
  data,
}: Omit<RecordedEvent, 'position'>): PublicEvent => ({
  id: publicId(id),
  type,
  timestamp: at.toISOString(),
  data,
});

const publicId = (id: string) => `evt_${id.replaceAll('-', '')}`;

/** Returns the schema of a type's events. */
export const publicEventSchema = (type: EventType) =>
  z.object({
    id: z
      .string()
      .meta({
        description:
          'Id of the event, the same in repeated deliveries and in the header `webhook-id`',
      }),
    type: z.literal(type),
    timestamp: z.iso.datetime().meta({ description: 'When the event happened' }),
    test: z
      .literal(true)
      .optional()
      .meta({ description: 'Set for an example that someone sends to test a webhook' }),
    data: EVENTS[type].data,
  });

/** Any event that other systems see */
export const PublicEventBody = z.object({
  id: z.string().meta({ description: 'Id of the event, such as `evt_5f0c…`' }),
  type: z.enum(PUBLIC_EVENT_TYPES as [EventType, ...EventType[]]),
  timestamp: z.iso.datetime().meta({ description: 'When the event happened' }),
  data: z
    .record(z.string(), z.unknown())
    .meta({ description: 'By type: see the webhooks in the OpenAPI document' }),
});
