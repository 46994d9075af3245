/** The live territories of the organization's brands in a market, as JSON. */
import { PreparedAnswer } from '../../../../base/contract/prepared.ts';
import { heldInMarket } from '../../../../territories/brands/held-in-market.ts';
import type { MemberData } from '../../framework/data.ts';
import { readPlace } from './place.ts';

export const liveRoute: MemberData = {
  audience: 'member',
  path: '/account/map/live.json',
  prepared: true,
  async answer({ caller, query }) {
    const { tenant, brandScope } = caller;
    const { zips } = await readPlace(caller, query);
    const territories = await heldInMarket(tenant, brandScope, zips);
    return { body: new PreparedAnswer(JSON.stringify({ territories })) };
  },
};
