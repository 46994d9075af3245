/** The events of an organization: records them with their change, and reads them in the order of the commits. */
import { actorName, type Actor, type BrandScope } from '../account/caller.ts';
import type { Tenant, TenantTransaction } from '../account/tenant.ts';
import { expiring } from '../../base/db/expiring-rows.ts';
import { EVENT_TYPES, type EventData, type EventType } from './catalog.ts';

/** An event to record. Its data gets `by` from the actor. */
export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    /** Default: none, for an event of the whole organization */
    brandId?: string | undefined;
    data: Omit<EventData<Type>, 'by'>;
  } & ('by' extends keyof EventData<Type> ? { actor: Actor } : { actor?: undefined });
}[EventType];

/**
 * Records an event at the end of a change's transaction, after all other statements, so that the event exists exactly
 * if the change was committed.
 */
export const recordEvent = (tx: TenantTransaction, event: NewEvent): void => record(tx, event);

/**
 * Records an event unless the organization has one with the same key. Keys are forgotten with their events, after
 * `KEPT_DAYS`.
 * @param key starts with the type of the event
 */
export const recordEventOnce = (tx: TenantTransaction, event: NewEvent, key: string): void =>
  record(tx, event, key);

/** Returns whether `recordEventOnce` recorded an event with a key, as long as it is kept. */
export async function isRecorded(tenant: Tenant, key: string): Promise<boolean> {
  const rows = await tenant.acrossBrands.query(
    'select from events where organization_id = $1 and once_key = $2',
    [key],
  );
  return rows.length > 0;
}

function record(
  tx: TenantTransaction,
  { type, brandId, actor, data }: NewEvent,
  key?: string,
): void {
  const shown = actor ? { ...data, by: { kind: actor.kind, name: actorName(actor) } } : data;
  // An event of the whole organization is recorded once, also if the caller sees only some brands' events.
  const within = brandId === undefined ? tx.acrossBrands : tx;
  within.deferToEnd('select record_event($1, $2, $3, $4, $5, $6)', [
    type,
    brandId,
    actor,
    shown,
    key,
  ]);
}

export interface RecordedEvent<Type extends EventType = EventType> {
  /** Increases in the order of the commits. A time, in microseconds since 1970 */
  position: number;
  id: string;
  type: Type;
  at: Date;
  brandId: string | null;
  /** Null for an event that nobody caused, such as a threshold */
  actor: Actor | null;
  data: EventData<Type>;
}

interface EventFilter {
  /** Default: all types, including those for people only */
  types?: readonly EventType[] | undefined;
  /** Brands whose events are listed. `all` includes events of the whole organization. Default: `all` */
  brandScope?: BrandScope | undefined;
}

interface EventPage {
  /** In the order of their positions */
  events: RecordedEvent[];
  /** Where the next page starts. It passes events that the filter excludes, and never goes back. */
  nextAfter: number;
}

/**
 * Returns where a caller's next page starts. With access to some brands, it depends only on their events: otherwise it
 * would tell when others have events, and how many.
 * @param after where the page started
 */
export const nextAfterFor = (
  brandScope: BrandScope,
  { events, nextAfter }: EventPage,
  after: number,
): number => (brandScope === 'all' ? nextAfter : (events.at(-1)?.position ?? after));

/**
 * Lists events after a position.
 * @param after the position of the last event that was read; 0 to start with the oldest event that is kept
 */
export async function listEvents(
  tenant: Tenant,
  after: number,
  limit: number,
  { types = EVENT_TYPES, brandScope = 'all' }: EventFilter = {},
): Promise<EventPage> {
  // One statement, so that no event is committed between the last position and the list.
  const rows = await tenant.query<RecordedEvent & { last: number }>(
    `select last.position as last, e.*
     from (select coalesce((select position from event_positions where organization_id = $1), 0) as position) last
     left join lateral (
       select position, id, type, at, brand_id as "brandId", actor, data
       from events
       where organization_id = $1 and position > $2 and type = any($3)
         and ($4::uuid[] is null or brand_id = any($4))
       order by position limit $5
     ) e on true
     order by e.position`,
    [after, types, brandScope === 'all' ? null : [...brandScope], limit],
  );
  const events = rows.flatMap(({ last, ...event }) => (event.position === null ? [] : [event]));
  const isFull = events.length === limit;
  return { events, nextAfter: isFull ? events.at(-1)!.position : Math.max(after, rows[0]!.last) };
}

/** Returns the position of the last event. */
export async function lastPosition(tenant: Tenant): Promise<number> {
  const [row] = await tenant.query<{ position: number }>(
    'select position from event_positions where organization_id = $1',
  );
  return row?.position ?? 0;
}

export const KEPT_DAYS = 90;

export const OLD_EVENTS = expiring({
  table: 'events',
  column: 'at',
  before: `now() - interval '${KEPT_DAYS} days'`,
});
