/** How to connect: the account's own words for it, nothing to send. */
import { connectPage } from './view.ts';
import type { PersonPage } from '../../framework/page.ts';
import { residentOf } from '../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';

export const connect = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: '/account/connect',
  show: async (visit) => connectPage(await residentOf(db, visit), visit.links),
});
