/**
 * What to send next, and what came of it. A process claims a webhook, and sends for it alone until it releases the claim
 * or stops renewing it. Within a lane, which is a brand, only the first waiting delivery is due, so events of a brand
 * arrive in order, and brands don't wait for each other.
 */
import { randomUUID } from 'node:crypto';
import { tenantOf, type Tenant, type TenantTransaction } from '../../../people/account/tenant.ts';
import type { Database } from '../../../base/db/database.ts';
import { PUBLIC_EVENT_TYPES, type EventType } from '../../../people/events/catalog.ts';
import { listEvents, type RecordedEvent } from '../../../people/events/events.ts';
import type { Attempt } from './attempt.ts';
import { queueOffMails } from './off-mail.ts';
import { turnOff, type OffReason } from './endpoints.ts';
import type { StoredSecrets } from './secrets.ts';
import { secondsToRetry } from './retries.ts';

export interface Claim {
  organizationId: string;
  endpointId: string;
  claim: string;
}

/** Longer than a round takes. Afterwards, another process may take over from a dead one. */
const CLAIM_SECONDS = 60;
/** Deliveries that one process sends at the same time to a webhook, each of another brand */
const AT_ONCE = 5;
/** Events that become deliveries in one round. They are short, and further ones follow in the next round. */
const EVENTS_A_ROUND = 200;

const NO_BRAND = '00000000-0000-0000-0000-000000000000';

/** The places of a process for webhooks */
interface FreePlaces {
  free: number;
  /** Those that one organization may hold */
  share: number;
  /** Those that each organization holds now */
  held?: ReadonlyMap<string, number>;
}

/** Checked again once the row is locked, because another process may have claimed it meanwhile */
const CLAIMABLE = `e.disabled_at is null and (e.claimed_until is null or e.claimed_until <= now())`;

/**
 * Claims webhooks with new events or due deliveries, and those of processes that died. The first of each organization
 * come before the second ones, and otherwise the order is random, so that no webhook waits for busy ones.
 * @param db searches all organizations
 */
export async function claimEndpoints(
  db: Database,
  { free, share, held = new Map() }: FreePlaces,
): Promise<Claim[]> {
  return db.query<Claim & Record<string, unknown>>(
    // Materialized: within `in`, PostgreSQL may choose again for each row, and then claims too many.
    `with chosen as materialized (
       select e.id from webhook_endpoints e join (
         select e.id, coalesce(holder.places, 0)
             + row_number() over (partition by organization_id order by random()) as place
         from webhook_endpoints e
           left join event_positions last using (organization_id)
           left join unnest($4::uuid[], $5::int[]) holder (organization_id, places) using (organization_id)
         where ${CLAIMABLE}
           and (e.claimed_until is not null or last.position > e.position or e.due_at <= now())
       ) due using (id)
       where due.place <= $6 and ${CLAIMABLE}
       order by due.place, random() limit $3 for update of e skip locked
     )
     update webhook_endpoints set claim = $1, claimed_until = now() + $2::int * interval '1 second'
     where id in (select id from chosen)
     returning organization_id as "organizationId", id as "endpointId", claim`,
    [randomUUID(), CLAIM_SECONDS, free, [...held.keys()], [...held.values()], share],
  );
}

/** A delivery to send now */
export interface DueDelivery {
  id: string;
  lane: string;
  resent: boolean;
  /** Failed attempts so far */
  attempts: number;
  event: Omit<RecordedEvent, 'position'>;
}

export interface Round {
  url: string;
  secrets: StoredSecrets;
  due: DueDelivery[];
  /** Whether further events have no delivery yet */
  hasMore: boolean;
}

interface ClaimedEndpoint extends Omit<StoredSecrets, 'id'> {
  url: string;
  types: EventType[] | null;
  brandIds: string[] | null;
  position: number;
}

/**
 * Renews the claim, makes deliveries of new events, and returns those that are due.
 * @returns null if the claim is lost, or the webhook is off or deleted
 */
export const beginRound = (db: Database, held: Claim): Promise<Round | null> =>
  tenantOf(db, held.organizationId).transaction(async (tx) => {
    const [endpoint] = await tx.query<ClaimedEndpoint>(
      `update webhook_endpoints set claimed_until = now() + $4::int * interval '1 second'
       where organization_id = $1 and id = $2 and claim = $3 and disabled_at is null
       returning url, types, brand_ids as "brandIds", position, secret,
         case when old_secret_until > now() then old_secret end as "oldSecret"`,
      [held.endpointId, held.claim, CLAIM_SECONDS],
    );
    if (!endpoint) return null;
    const { url, secret, oldSecret } = endpoint;
    const hasMore = await addDeliveries(tx, held.endpointId, endpoint);
    const due = await dueDeliveries(tx, held.endpointId);
    return { url, secrets: { id: held.endpointId, secret, oldSecret }, due, hasMore };
  });

async function addDeliveries(
  tx: TenantTransaction,
  endpointId: string,
  { types, brandIds, position }: ClaimedEndpoint,
): Promise<boolean> {
  const { events, nextAfter } = await listEvents(tx, position, EVENTS_A_ROUND, {
    types: types ?? PUBLIC_EVENT_TYPES,
    brandScope: brandIds === null ? 'all' : new Set(brandIds),
  });
  if (nextAfter === position) return false;
  tx.defer('update webhook_endpoints set position = $3 where organization_id = $1 and id = $2', [
    endpointId,
    nextAfter,
  ]);
  if (events.length === 0) return false;
  tx.defer(
    `insert into webhook_deliveries (organization_id, endpoint_id, event_id, position, lane, due_at)
     select $1, $2, event_id, position, lane,
       case when row_number() over (partition by lane order by position) = 1
         and not exists (
           select from webhook_deliveries earlier
           where earlier.endpoint_id = $2 and earlier.lane = added.lane and earlier.done_at is null
             and not earlier.resent) then now() end
     from unnest($3::uuid[], $4::bigint[], $5::uuid[]) as added (event_id, position, lane)`,
    [
      endpointId,
      events.map(({ id }) => id),
      events.map((event) => event.position),
      events.map(({ brandId }) => brandId ?? NO_BRAND),
    ],
  );
  return events.length === EVENTS_A_ROUND;
}

const dueDeliveries = async (tx: Tenant, endpointId: string): Promise<DueDelivery[]> =>
  tx
    .query<DueDelivery & Record<string, unknown>>(
      `select d.id, d.lane, d.resent, d.attempts,
       jsonb_build_object('id', v.id, 'type', v.type, 'brandId', v.brand_id, 'actor', v.actor, 'data', v.data) as event,
       v.at
     from webhook_deliveries d join events v on v.organization_id = $1 and v.id = d.event_id
     where d.organization_id = $1 and d.endpoint_id = $2 and d.done_at is null and d.due_at <= now()
     order by d.due_at, d.position limit ${AT_ONCE}`,
      [endpointId],
    )
    .then((rows) =>
      rows.map(({ at, event, ...row }) => ({ ...row, event: { ...event, at: at as Date } })),
    );

export interface Sent {
  delivery: DueDelivery;
  attempt: Attempt;
}

type Result = 'delivered' | 'retried' | 'failed';

export interface RoundOptions {
  /** Whether the service sends email */
  sendsMail: boolean;
  schedule?: readonly number[] | undefined;
}

/**
 * Records the attempts of a round. Turns the webhook off, and emails its owners, if a delivery has failed for three days
 * or the receiver is gone. That delivery is given up until the webhook is on again, and keeps its place in its lane.
 * @returns the results in the same order; none if the claim is lost, whose deliveries another process repeats
 */
export const endRound = (
  db: Database,
  held: Claim,
  sent: readonly Sent[],
  { sendsMail, schedule }: RoundOptions,
): Promise<Result[]> =>
  tenantOf(db, held.organizationId).transaction(async (tx) => {
    const [endpoint] = await tx.query<{ url: string; isOn: boolean }>(
      `select url, disabled_at is null as "isOn" from webhook_endpoints
       where organization_id = $1 and id = $2 and claim = $3 for update`,
      [held.endpointId, held.claim],
    );
    if (!endpoint) return [];
    let off: Exclude<OffReason, 'person'> | undefined;
    const results = sent.map(({ delivery, attempt }): Result => {
      const seconds = delivery.resent
        ? null
        : secondsToRetry(delivery.attempts + 1, attempt.retryAfter, schedule);
      const isGone = attempt.status === 410;
      const isRepeated = !attempt.isDelivered && !isGone && seconds !== null;
      if (isGone) off = 'gone';
      else if (!attempt.isDelivered && !isRepeated && !delivery.resent) off ??= 'failing';
      const result = attempt.isDelivered ? 'delivered' : isRepeated ? 'retried' : 'failed';
      storeAttempt(tx, delivery, attempt, result, seconds);
      if (result === 'delivered' && !delivery.resent) {
        startNext(tx, held.endpointId, delivery.lane);
      }
      return result;
    });
    if (off !== undefined && endpoint.isOn) {
      turnOff(tx, held.endpointId, off);
      if (sendsMail) await queueOffMails(tx, held.endpointId, endpoint.url, off);
    }
    return results;
  });

function storeAttempt(
  tx: TenantTransaction,
  { id, resent }: DueDelivery,
  { status, problem, answer, ms }: Attempt,
  result: Result,
  seconds: number | null,
): void {
  const isDone = result === 'delivered' || (result === 'failed' && resent);
  tx.defer(
    `update webhook_deliveries set attempts = attempts + 1, attempted_at = now(),
       status = $3, problem = $4, answer = $5, ms = $6, result = $7,
       done_at = case when $7::text is not null then now() end,
       due_at = now() + $8 * interval '1 second'
     where organization_id = $1 and id = $2 and done_at is null`,
    [
      id,
      status,
      problem,
      answer,
      ms,
      isDone ? result : null,
      result === 'retried' ? seconds : null,
    ],
  );
}

/** Makes the next delivery of a lane due. */
function startNext(tx: TenantTransaction, endpointId: string, lane: string): void {
  tx.defer(
    `update webhook_deliveries set due_at = now()
     where organization_id = $1 and due_at is null and id = (
       select id from webhook_deliveries
       where endpoint_id = $2 and lane = $3 and done_at is null and not resent
       order by position limit 1)`,
    [endpointId, lane],
  );
}

/** Releases a claim, and notes when the webhook is due again. Does nothing if the claim is lost. */
export const releaseEndpoint = (db: Database, held: Claim): Promise<void> =>
  tenantOf(db, held.organizationId).transaction(async (tx) => {
    // The second statement then sees a delivery that a person is sending again: resendDelivery locks the row, too.
    tx.defer(
      'select from webhook_endpoints where organization_id = $1 and id = $2 and claim = $3 for update',
      [held.endpointId, held.claim],
    );
    await tx.query(
      `update webhook_endpoints set claim = null, claimed_until = null,
         due_at = (select min(due_at) from webhook_deliveries
                   where endpoint_id = $2 and done_at is null and due_at is not null)
       where organization_id = $1 and id = $2 and claim = $3`,
      [held.endpointId, held.claim],
    );
  });

/** After a failure of ours, so that a webhook that fails each time doesn't keep a process busy */
const PAUSE_SECONDS = 5;

/** Lets any process claim a webhook again after a pause. Does nothing if the claim is lost. */
export async function endClaimSoon(db: Database, held: Claim): Promise<void> {
  await tenantOf(db, held.organizationId).query(
    `update webhook_endpoints set claimed_until = now() + $4::int * interval '1 second'
     where organization_id = $1 and id = $2 and claim = $3`,
    [held.endpointId, held.claim, PAUSE_SECONDS],
  );
}
