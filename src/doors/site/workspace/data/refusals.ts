/** The ZIP codes of a market that rules of groups refuse to brands, as JSON. */
import { refusedInMarket } from '../../../../territories/brands/groups/refused-in-market.ts';
import type { MemberData } from '../../framework/data.ts';
import { readPlace } from './place.ts';

export const refusalsRoute: MemberData = {
  audience: 'member',
  path: '/account/map/refusals.json',
  async answer({ caller, query }) {
    const { tenant, brandScope } = caller;
    const { zips } = await readPlace(caller, query);
    return { body: { refusals: await refusedInMarket(tenant, brandScope, zips) } };
  },
};
