/** The deliveries of a webhook: the list, and sending one again. */
import { z } from 'zod';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import {
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../../base/contract/paging.ts';
import { conflict, notFound } from '../../../errors.ts';
import type { EventType } from '../../../people/events/catalog.ts';
import type { RecordedEvent } from '../../../people/events/events.ts';
import { publicEvent, type PublicEvent } from '../../../people/events/public-event.ts';
import { BRAND_JSON } from '../../brands/named-brands.ts';
import type { Brand } from '../../brands/brands.ts';
import { findEndpoint, GIVEN_UP_FOR_NOW, type Endpoint } from './endpoints.ts';

/**
 * `waiting`: not sent yet, or behind an earlier event of its brand; `retrying`: failed, and is repeated;
 * `failed`: given up. One that turned the webhook off is sent when it's turned on
 */
export const DELIVERY_STATES = ['waiting', 'retrying', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export interface Delivery {
  id: string;
  state: DeliveryState;
  event: PublicEvent;
  type: EventType;
  brand: Brand | null;
  attempts: number;
  /** The last attempt; null before the first */
  attempted: {
    at: Date;
    /** HTTP status; null without an answer */
    status: number | null;
    problem: string | null;
    answer: string | null;
    ms: number;
  } | null;
  /** The next attempt; null if there is none, or while it waits for an earlier event */
  dueAt: Date | null;
}

const STATE = `case when d.result is not null then d.result
  when ${GIVEN_UP_FOR_NOW} then 'failed'
  when d.attempts > 0 then 'retrying' else 'waiting' end`;

interface Row {
  id: string;
  position: number;
  state: DeliveryState;
  eventId: string;
  type: EventType;
  at: Date;
  data: RecordedEvent['data'];
  brand: Brand | null;
  attempts: number;
  attemptedAt: Date | null;
  status: number | null;
  problem: string | null;
  answer: string | null;
  ms: number;
  dueAt: Date | null;
}

const deliveryOf = ({ eventId, type, at, data, brand, attemptedAt, ...row }: Row): Delivery => {
  const { id, state, attempts, dueAt, status, problem, answer, ms } = row;
  const event = publicEvent({ id: eventId, type, at, data, brandId: null, actor: null });
  return {
    id,
    state,
    event,
    type,
    brand,
    attempts,
    dueAt,
    attempted: attemptedAt && { at: attemptedAt, status, problem, answer, ms },
  };
};

/** Lists the deliveries of a webhook, latest event first. */
export async function listDeliveries(
  tenant: Tenant,
  { id }: Pick<Endpoint, 'id'>,
  { state }: { state?: DeliveryState | undefined } = {},
  page: PageRequest = {},
): Promise<Page<Delivery>> {
  const [before] = startAfter(page, z.tuple([z.int()])) ?? [];
  const rows = await tenant.query<Row & Record<string, unknown>>(
    `select d.id, d.position, ${STATE} as state, v.id as "eventId", v.type, v.at, v.data,
       case when b.id is not null then ${BRAND_JSON} end as brand,
       d.attempts, d.attempted_at as "attemptedAt", d.status, d.problem, d.answer, d.ms,
       d.due_at as "dueAt"
     from webhook_deliveries d
     join events v on v.organization_id = $1 and v.id = d.event_id
     left join brands b on b.organization_id = $1 and b.id = v.brand_id
     where d.organization_id = $1 and d.endpoint_id = $2
       and ($3::bigint is null or d.position < $3) and ($4::text is null or ${STATE} = $4)
     order by d.position desc limit $5`,
    [id, before, state, rowsToRead(page)],
  );
  const { rows: kept, nextCursor } = pageOf(rows, page, ({ position }) => [position]);
  return { rows: kept.map(deliveryOf), nextCursor };
}

/**
 * Sends a delivery again, within seconds. One that succeeded or was given up gets one further attempt, for which others
 * don't wait. One that is being repeated is tried now.
 * @throws ServiceError 404; 409 while the webhook is off, or while an earlier event of the brand isn't delivered
 */
export async function resendDelivery(
  tx: TenantTransaction,
  endpointId: string,
  deliveryId: string,
): Promise<Endpoint> {
  const endpoint = await findEndpoint(tx, endpointId);
  if (endpoint.off) {
    throw conflict('This webhook is off. Turn it on first, then send the delivery again.');
  }
  // The webhook first, as in `dispatch.ts`, so that the two don't wait for each other
  tx.defer('update webhook_endpoints set due_at = now() where organization_id = $1 and id = $2', [
    endpoint.id,
  ]);
  const [found] = await tx.query<{ isBehind: boolean }>(
    `select done_at is null and due_at is null as "isBehind" from webhook_deliveries
     where organization_id = $1 and endpoint_id = $2 and id::text = $3`,
    [endpoint.id, deliveryId],
  );
  if (!found) {
    throw notFound(
      `This webhook has no delivery ${deliveryId}. The list of deliveries has their ids.`,
    );
  }
  if (found.isBehind) {
    throw conflict(
      'This delivery waits for an earlier event of its brand, which isn’t delivered yet. Send that one again.',
    );
  }
  tx.defer(
    `update webhook_deliveries set due_at = now(), resent = resent or done_at is not null,
       attempts = case when done_at is null then attempts else 0 end, done_at = null, result = null
     where organization_id = $1 and id = $2`,
    [deliveryId],
  );
  return endpoint;
}
