/** Loads the content of the frame of account pages, which is about the person viewing them. */
import { isReviewer } from '../../../people/account/access.ts';
import { organizationsOf } from '../../../people/account/sessions.ts';
import { countUnread } from '../../../territories/notify/notifications.ts';
import type { Caller } from '../../../people/account/caller.ts';
import { countWaitingChanges } from '../../../territories/brands/changes/read.ts';
import { countQueuedReviews } from '../../../territories/brands/review-list.ts';
import { lacksTimeZone, rememberTimeZone } from '../../../territories/notify/settings.ts';
import type { MemberVisit } from '../framework/visit.ts';
import type { AccountFrame } from './frame.ts';

export async function loadFrame(visit: MemberVisit): Promise<AccountFrame> {
  const { db, session, caller, query } = visit;
  const { person } = session;
  const { tenant, organization } = caller;
  const [organizations, pendingReviews, unreadNotifications] = await Promise.all([
    organizationsOf(db, session),
    isReviewer(caller) ? countToReview(caller) : null,
    countUnread(tenant, person.id),
    saveTimeZone(visit),
  ]);
  return {
    viewer: { name: person.name, organization, organizations, pendingReviews, unreadNotifications },
    done: query.get('done'),
  };
}

/** Returns what waits for a reviewer: ZIP codes of the queue, and changes, which are decided as one. */
async function countToReview({ tenant, brandScope }: Caller): Promise<number> {
  const [zips, changes] = await Promise.all([
    countQueuedReviews(tenant, brandScope),
    countWaitingChanges(tenant),
  ]);
  return zips + changes;
}

/** Keeps the time zone that the browser’s script has put into a cookie, once. */
async function saveTimeZone({ caller, session, headers }: MemberVisit): Promise<void> {
  const [, timeZone] = /(?:^|;\s*)time-zone=([\w/+-]{1,64})/.exec(headers.cookie ?? '') ?? [];
  if (timeZone === undefined || !(await lacksTimeZone(caller.tenant, session.person.id))) return;
  await rememberTimeZone(caller.tenant, session.person.id, timeZone);
}
