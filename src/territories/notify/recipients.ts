/** Whom an event concerns, and which part of it. */
import { REVIEWERS } from '../../people/account/access.ts';
import type { Actor, Role } from '../../people/account/caller.ts';
import { creatorOfKey } from '../../people/account/keys.ts';
import type { Member } from '../../people/account/members.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { EventData, EventType } from '../../people/events/catalog.ts';
import type { RecordedEvent } from '../../people/events/events.ts';
import { creatorOfPlan } from '../plans/plans.ts';
import { requestersOf } from '../brands/review-list.ts';
import type { TopicName } from './topics.ts';

export interface Recipient {
  personId: string;
  topic: TopicName;
  /** The person's ZIP codes, in order, if the event is about those of several people. Null: all */
  zips: readonly string[] | null;
}

const hasBrand = (brandIds: readonly string[] | null, id: string) =>
  brandIds === null || brandIds.includes(id);

type EventOf<Type extends EventType> = RecordedEvent & { data: EventData<Type> };

/** Returns the members to notify of an event, among those who see its brand, without the one who caused it. */
export async function recipientsOf(
  tenant: Tenant,
  members: readonly Member[],
  event: RecordedEvent,
): Promise<Recipient[]> {
  // An event without a brand is about the whole organization.
  const mayKnow = members.filter(({ brandIds }) =>
    event.brandId === null ? brandIds === null : hasBrand(brandIds, event.brandId),
  );
  const recipients = await concerned(tenant, mayKnow, event);
  const isMember = new Set(mayKnow.map(({ id }) => id));
  return recipients.filter(
    ({ personId }) => isMember.has(personId) && personId !== event.actor?.id,
  );
}

async function concerned(
  tenant: Tenant,
  members: readonly Member[],
  event: RecordedEvent,
): Promise<Recipient[]> {
  const withRole = (roles: readonly Role[], topic: TopicName) =>
    everyone(
      members.filter(({ role }) => roles.includes(role)).map(({ id }) => id),
      topic,
    );
  switch (event.type) {
    case 'territory.requested':
    case 'territory.waiting':
      return withRole(REVIEWERS, 'requests');
    case 'territory.approved':
    case 'territory.rejected':
      return requesters(tenant, event as EventOf<'territory.approved'>);
    case 'plan.applied':
    case 'plan.edited':
      return planCreator(tenant, event as EventOf<'plan.applied'>);
    case 'usage.threshold':
      return withRole(['owner'], 'usage');
    default:
      return [];
  }
}

const everyone = (personIds: readonly string[], topic: TopicName): Recipient[] =>
  personIds.map((personId) => ({ personId, topic, zips: null }));

/** One decision may be about requests of several people. Each learns only about their own. */
async function requesters(
  tenant: Tenant,
  { type, data }: EventOf<'territory.approved' | 'territory.rejected'>,
): Promise<Recipient[]> {
  // An event doesn't list all ZIP codes of a large decision, which may be about further people's.
  const zips = data.zipCount > data.zips.length ? null : data.zips;
  const status = type === 'territory.approved' ? 'approved' : 'rejected';
  const requests = await requestersOf(tenant, data.requestIds, status, zips);
  const zipsOf = new Map<string, string[]>();
  for (const { requestedBy, zips } of requests) {
    const personId = await personBehind(tenant, requestedBy);
    if (personId !== null) zipsOf.set(personId, [...(zipsOf.get(personId) ?? []), ...zips]);
  }
  const isOnlyOne = zipsOf.size === 1 && requests.length === 1;
  return Array.from(zipsOf, ([personId, zips]) => {
    return { personId, topic: 'decisions' as const, zips: isOnlyOne ? null : zips.sort() };
  });
}

/** Creators know what their own keys did. */
async function planCreator(
  tenant: Tenant,
  { data, actor }: EventOf<'plan.applied' | 'plan.edited'>,
): Promise<Recipient[]> {
  const creator = await creatorOfPlan(tenant, data.plan.id);
  const personId = creator && (await personBehind(tenant, creator));
  const editorId = actor && (await personBehind(tenant, actor));
  return personId && personId !== editorId ? everyone([personId], 'plans') : [];
}

/** The person who acted, or who created the key that did. Null for an operator. */
const personBehind = async (tenant: Tenant, actor: Actor): Promise<string | null> =>
  actor.kind === 'key' ? creatorOfKey(tenant, actor.id) : actor.id;
