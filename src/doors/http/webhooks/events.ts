/** The events of the organization as a feed. */
import { EventFeedBody, EventTypeName } from './schema.ts';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { operation } from '../../../base/contract/operation.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import { badRequest } from '../../../errors.ts';
import { PUBLIC_EVENT_TYPES, type EventType } from '../../../people/events/catalog.ts';
import { KEPT_DAYS, listEvents, nextAfterFor } from '../../../people/events/events.ts';
import { publicEvent } from '../../../people/events/public-event.ts';
import { z } from 'zod';
import { SUBSCRIBED, NO_STORE } from '../agent/shared.ts';

const MAX_POSITION = Number.MAX_SAFE_INTEGER;
const MAX_EVENTS = 200;
const DEFAULT_EVENTS = 100;

export const eventsOperation = () =>
  operation({
    ...SUBSCRIBED,
    tag: 'Events',
    id: 'listEvents',
    method: 'get',
    path: '/agent/events',
    summary: 'List events',
    description:
      'Returns the events after a position, in the order in which they happened, the same ones that webhooks get. ' +
      'Start with `after=0`, and continue with `nextAfter`: no event is missed or repeated. Callers with access to ' +
      `only some brands see only their events. Events are kept for ${KEPT_DAYS} days. The feed is free.`,
    query: exactQuery({
      after: wholeNumber(0, MAX_POSITION)
        .optional()
        .meta({
          description: '`nextAfter` of the previous response. Default: 0, the oldest event',
        }),
      limit: wholeNumber(1, MAX_EVENTS)
        .optional()
        .meta({ description: `Largest number of events. Default ${DEFAULT_EVENTS}` }),
      types: z
        .string()
        .max(1_000)
        .optional()
        .meta({ description: 'Types of events, separated by commas. Default: all' }),
    }),
    answers: { 200: { description: 'The events', schema: EventFeedBody } },
    errors: [402],
    handle: async ({ caller, query }) => {
      const { tenant, brandScope } = caller;
      const { after = 0, limit = DEFAULT_EVENTS } = query;
      const types = typesOf(query.types);
      const page = await listEvents(tenant, after, limit, { types, brandScope });
      return {
        status: 200,
        headers: NO_STORE,
        body: {
          events: page.events.map((event) => publicEvent(event)) as z.output<
            typeof EventFeedBody
          >['events'],
          nextAfter: nextAfterFor(brandScope, page, after),
        },
      };
    },
  });

/** @throws ServiceError 400 for an unknown type */
function typesOf(text: string | undefined): readonly EventType[] {
  if (text === undefined) return PUBLIC_EVENT_TYPES;
  return text.split(',').map((name) => {
    const type = EventTypeName.safeParse(name.trim());
    if (type.success) return type.data;
    throw badRequest(
      `There is no event type "${name.trim()}". Use ${PUBLIC_EVENT_TYPES.join(', ')}.`,
    );
  });
}
