/** Loads what a manager comes for: what waits, what needs attention, what has changed, and what to do next. */
import type { MapData } from '../../../../maps/cartography/map-data.ts';
import { isManager, isReviewer, MANAGER, refusalFor } from '../../../../people/account/access.ts';
import { listInvitations } from '../../../../people/account/invitations.ts';
import { listMembers } from '../../../../people/account/members.ts';
import { readActivityLog } from '../../../../territories/brands/activity-log.ts';
import type { ActivityEntry } from '../../../../territories/brands/activity.ts';
import { actorKey } from '../../../../territories/brands/actor-key.ts';
import { statusesOfBrands, type HeldStatuses } from '../../../../territories/brands/brand-zips.ts';
import { brandsInScope, type Brand } from '../../../../territories/brands/brands.ts';
import {
  endingReserves,
  type EndingReserve,
} from '../../../../territories/brands/groups/reserves.ts';
import { listOverlaps, type Overlap } from '../../../../territories/brands/overlaps.ts';
import { countQueuedReviews } from '../../../../territories/brands/review-list.ts';
import { countWaitingChanges } from '../../../../territories/brands/changes/read.ts';
import {
  waitingRequests,
  type WaitingRequest,
} from '../../../../territories/brands/review-queue.ts';
import { cachedShape } from '../../../../territories/brands/shape/shape-cache.ts';
import { recordVisit } from '../../../../territories/notify/visits.ts';
import { listDataSets } from '../../../../territories/own-data/data-sets.ts';
import type { MemberVisit } from '../../framework/visit.ts';

/** Requests in each list. The queue has all of them. */
const LISTED_REQUESTS = 5;
const LISTED_CHANGES = 8;
/** Among these, the person's own changes are left out. */
const READ_CHANGES = 40;
/** A reserve that ends this soon is worth a look. */
const ENDING_DAYS = 30;

/** A step that vanishes when it's done */
export type NextStep = 'invite' | 'upload' | 'share' | 'streets';

export interface Overview {
  brands: readonly Brand[];
  statuses: HeldStatuses;
  /** Requests that the viewer can decide, oldest first; null for members who don't review */
  toReview: { requests: readonly WaitingRequest[]; zips: number; changes: number } | null;
  /** The viewer's own requests that wait for others */
  own: readonly WaitingRequest[];
  overlaps: readonly Overlap[];
  /** ZIP codes inside or between the territories that no brand within the scope holds, sorted */
  gaps: readonly string[];
  reserves: readonly EndingReserve[];
  changes: {
    /** The end of the visit before; null on the first visit */
    since: Date | null;
    entries: readonly ActivityEntry[];
  };
  steps: readonly NextStep[];
}

export async function loadOverview(
  visit: Pick<MemberVisit, 'db' | 'caller' | 'renderer'>,
): Promise<Overview> {
  const { tenant, brandScope, actor } = visit.caller;
  const reviews = isReviewer(visit.caller);
  const statuses = await statusesOfBrands(tenant, brandScope);
  const mine = { requester: actorKey(actor) };
  const [brands, requests, zips, own, overlaps, shape, reserves, changes, steps, waiting] =
    await Promise.all([
      brandsInScope(tenant, brandScope),
      reviews ? waitingRequests(tenant, brandScope, {}, LISTED_REQUESTS) : [],
      reviews ? countQueuedReviews(tenant, brandScope) : 0,
      reviews ? [] : waitingRequests(tenant, brandScope, mine, LISTED_REQUESTS),
      listOverlaps(tenant, brandScope),
      cachedShape(visit.db, statuses),
      endingReserves(tenant, brandScope, ENDING_DAYS),
      loadChanges(visit),
      nextSteps(visit, statuses),
      reviews ? countWaitingChanges(tenant) : 0,
    ]);
  return {
    brands,
    statuses,
    toReview: reviews ? { requests, zips, changes: waiting } : null,
    own,
    overlaps,
    gaps: shape ? [...new Set([...shape.holes.flat(), ...shape.gaps])].sort() : [],
    reserves,
    changes,
    steps,
  };
}

/** Returns what others have changed since the visit before, or the latest changes on the first visit. */
async function loadChanges({
  caller: { tenant, brandScope, actor },
}: Pick<MemberVisit, 'caller'>): Promise<Overview['changes']> {
  const since = await recordVisit(tenant, actor.id!);
  const filter = since ? { from: since } : {};
  const { rows } = await readActivityLog(tenant, brandScope, filter, { limit: READ_CHANGES });
  const others = since ? rows.filter((entry) => actorKey(entry.actor) !== actorKey(actor)) : rows;
  return { since, entries: others.slice(0, LISTED_CHANGES) };
}

async function nextSteps(
  { caller, db, renderer }: Pick<MemberVisit, 'caller' | 'db' | 'renderer'>,
  statuses: HeldStatuses,
): Promise<NextStep[]> {
  // Sharing and uploading need rights to change something.
  if (!isManager(caller) || refusalFor(caller, MANAGER) !== undefined) return [];
  const { tenant, role } = caller;
  const [members, invitations, dataSets, shares, hasStreets] = await Promise.all([
    listMembers(tenant),
    listInvitations(tenant),
    listDataSets(tenant),
    readActivityLog(tenant, 'all', { actions: ['share_minted'] }, { limit: 1 }),
    renderer.data(db, ['boundaries']).read(async (map: MapData) => !!map.streets),
  ]);
  return [
    ...(members.length + invitations.length === 1 ? (['invite'] as const) : []),
    ...(dataSets.length === 0 ? (['upload'] as const) : []),
    ...(shares.rows.length === 0 && statuses.size > 0 ? (['share'] as const) : []),
    ...(role === 'owner' && !hasStreets ? (['streets'] as const) : []),
  ];
}
