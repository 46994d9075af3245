/** Whom an event concerns, and which part of it. */
import { REVIEWERS } from '../../people/account/access.ts';
import type { Actor, Role } from '../../people/account/caller.ts';
import { creatorOfKey } from '../../people/account/keys.ts';
import type { Member } from '../../people/account/members.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import type { EventData, EventType } from '../../people/events/catalog.ts';
import type { RecordedEvent } from '../../people/events/events.ts';
import { creatorOfPlan } from '../plans/plans.ts';
import { authorOf, brandIdsOf } from '../brands/changes/settle.ts';
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
    case 'territory.scheduled':
    case 'territory.withdrawn':
      return authorOfChange(tenant, members, event as EventOf<'territory.scheduled'>);
    case 'territory.blocked':
      return [
        ...(await onceForChange(
          tenant,
          members.filter(({ role }) => REVIEWERS.includes(role)),
          event as EventOf<'territory.blocked'>,
          'requests',
        )),
        ...(await authorOfChange(tenant, members, event as EventOf<'territory.blocked'>)),
      ].filter(isFirst);
    case 'territory.term_ending':
    case 'territory.term_ended':
      // Reviewers, and the brand's own people: members who see only some brands, with this one
      return everyone(
        members
          .filter(({ role, brandIds }) => brandIds !== null || REVIEWERS.includes(role))
          .map(({ id }) => id),
        'terms',
      );
    case 'plan.applied':
    case 'plan.edited':
      return planCreator(tenant, event as EventOf<'plan.applied'>);
    case 'boundaries.changed':
      return everyone(
        members.map(({ id }) => id),
        'boundaries',
      );
    case 'census.changed':
      return everyone(
        members.map(({ id }) => id),
        'census',
      );
    case 'usage.threshold':
      return withRole(['owner'], 'usage');
    default:
      return [];
  }
}

type ChangeEvent = EventOf<'territory.scheduled' | 'territory.withdrawn' | 'territory.blocked'>;

/** The first notification of each person */
const isFirst = ({ personId }: Recipient, index: number, all: readonly Recipient[]) =>
  all.findIndex((one) => one.personId === personId) === index;

/** A change has an event for each of its brands. People learn of it by the first one that they see. */
async function onceForChange(
  tenant: Tenant,
  members: readonly Member[],
  { brandId, data }: ChangeEvent,
  topic: TopicName,
): Promise<Recipient[]> {
  const all = await brandIdsOf(tenant, data.changeId);
  const firstSeen = ({ brandIds }: Member) => all.find((id) => hasBrand(brandIds, id));
  return everyone(
    members.filter((member) => firstSeen(member) === brandId).map(({ id }) => id),
    topic,
  );
}

async function authorOfChange(
  tenant: Tenant,
  members: readonly Member[],
  event: ChangeEvent,
): Promise<Recipient[]> {
  const author = await authorOf(tenant, event.data.changeId);
  const personId = author && (await personBehind(tenant, author));
  const own = members.filter(({ id }) => id === personId);
  return onceForChange(tenant, own, event, 'decisions');
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
