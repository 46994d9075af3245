/** The events of the organization as a feed. */
import type { Caller } from '../../account/caller.ts';
import { EventFeedBody, EventTypeName } from '../../agent/webhooks/schema.ts';
import { exactQuery } from '../../contract/exact-query.ts';
import { operation } from '../../contract/operation.ts';
import { wholeNumber } from '../../contract/whole-number.ts';
import { badRequest } from '../../errors.ts';
import { PUBLIC_EVENT_TYPES, type EventType } from '../../events/catalog.ts';
import { KEPT_DAYS, listEvents } from '../../events/events.ts';
import { publicEvent } from '../../events/public-event.ts';
import { requireMeteredAccess } from '../../metering/require-access.ts';
import { z } from 'zod';
import { AGENTS, NO_STORE } from './shared.ts';

/** More than any organization has */
const MAX_POSITION = 1e12;
const MAX_EVENTS = 200;
const DEFAULT_EVENTS = 100;

export const eventsOperation = () =>
  operation({
    ...AGENTS,
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
      after: wholeNumber(0, MAX_POSITION).optional().meta({
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
      const { tenant, brandScope } = caller as Caller;
      await requireMeteredAccess(caller as Caller);
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
          nextAfter: page.nextAfter,
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
