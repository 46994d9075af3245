/** ZIP codes within a drive, for the workspace to select. It measures radiuses itself. */
import type { MemberData } from '../../framework/data.ts';
import { zipsInReach } from '../../account/map/reach.ts';

export const reachRoute: MemberData = {
  audience: 'member',
  path: '/account/map/reach.json',
  async answer(visit) {
    const { zips, within } = await zipsInReach(visit, visit.query);
    return { body: { zips: zips.join(' '), within } };
  },
};
