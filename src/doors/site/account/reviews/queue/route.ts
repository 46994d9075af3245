import { isReviewer, WRITER, refusalFor } from '../../../../../people/account/access.ts';
import type { Caller } from '../../../../../people/account/caller.ts';
import { listMembers } from '../../../../../people/account/members.ts';
import { reviewSettings } from '../../../../../people/account/review-settings.ts';
import { figuresOrReason } from '../../../../../people/metering/figures.ts';
import { bboxOfZips } from '../../../../../territories/brands/map-zips.ts';
import { countWaitingChanges } from '../../../../../territories/brands/changes/read.ts';
import {
  queueExtent,
  queueParts,
  pendingRequests,
} from '../../../../../territories/brands/review-queue.ts';
import { readActivityLog } from '../../../../../territories/brands/activity-log.ts';
import { verticalScores } from '../../../../../territories/brands/targeting/vertical-scores.ts';
import type { Page } from '../../../framework/page.ts';
import { DECISIONS } from '../../activity/view.ts';
import { loadMapSources } from '../../map/load.ts';
import { notReviewerPage } from '../not-reviewer.ts';
import { readQueueFilter, readVertical } from '../queue-query.ts';
import { QUEUE_PATH, queuePage } from './view.ts';

const PAGE_SIZE = 100;

export const queueRoute: Page<'account'> = {
  audience: 'account',
  path: QUEUE_PATH,
  async show(visit) {
    const { db, caller, query, links } = visit;
    if (!isReviewer(caller)) return notReviewerPage(visit);
    const { tenant, brandScope } = caller;
    const now = new Date();
    const range = { cursor: query.get('cursor') ?? undefined, limit: PAGE_SIZE };
    const filter = readQueueFilter(query, now);
    const [vertical, queue, parts, extent, sources, decided, settings, members, changes] =
      await Promise.all([
        readVertical(tenant, query),
        pendingRequests(tenant, brandScope, filter, range),
        queueParts(tenant, brandScope),
        queueExtent(tenant, brandScope, filter),
        loadMapSources(visit),
        ownDecisions(caller, query),
        reviewSettings(tenant),
        listMembers(tenant),
        countWaitingChanges(tenant),
      ]);
    const [first, ...others] = queue.requests.map(({ zips }) => zips.map(({ zip }) => zip));
    // The map opens at the first request.
    const start = first && (await bboxOfZips(tenant.common, first));
    const map = { ...extent, ...(start && { start }), ...sources };
    const zips = [first ?? [], ...others].flat();
    const scores = await figuresOrReason(() => verticalScores(db, caller, vertical, zips));
    const refusal = refusalFor(caller, WRITER);
    const people = { ...settings, isAlone: members.length === 1, refusal };
    return queuePage(
      { query, queue, parts, map, vertical, scores, changes, decided, now, ...people },
      links,
    );
  },
};

/** Maximum number of decisions that are summarized, one per brand. */
export const MAX_SUMMARIES = 20;

/** Reads the caller's own decisions from the activity log, by the ids in the address. */
async function ownDecisions({ tenant, brandScope, actor }: Caller, query: URLSearchParams) {
  const ids = (query.get('decided') ?? '').split(' ').filter((id) => /^\d{1,15}$/.test(id));
  if (ids.length === 0) return [];
  const filter = { ids: ids.map(Number), actions: DECISIONS, actor: actor.id! };
  return (await readActivityLog(tenant, brandScope, filter, { limit: MAX_SUMMARIES })).rows;
}
