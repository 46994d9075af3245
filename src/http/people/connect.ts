/** How to connect: the account's own words for it, nothing to send. */
import { connectPage } from '../../site/account/connect.ts';
import type { PersonPage } from './page.ts';
import { residentOf } from './resident.ts';
import type { MemberVisit, PeopleParts } from './visit.ts';

export const connect = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: '/account/connect',
  show: async (visit) => connectPage(await residentOf(db, visit), visit.links),
});
