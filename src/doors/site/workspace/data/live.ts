/** The territories of the organization's brands in a market, now or on an earlier day, as JSON. */
import { group as groupBy } from 'd3-array';
import { PreparedAnswer } from '../../../../base/contract/prepared.ts';
import { callerAsOf } from '../../../../people/account/days/as-of.ts';
import { plannedZips, type PlannedZip } from '../../../../territories/brands/changes/read.ts';
import { heldInMarket } from '../../../../territories/brands/held-in-market.ts';
import type { MemberData } from '../../framework/data.ts';
import { readPlace } from './place.ts';

export const liveRoute: MemberData = {
  audience: 'member',
  path: '/account/map/live.json',
  prepared: true,
  async answer({ caller, query }) {
    const { zips } = await readPlace(caller, query);
    const { tenant, brandScope } = await callerAsOf(caller, query.get('asOf') ?? undefined);
    const isToday = !query.has('asOf');
    const [held, planned] = await Promise.all([
      heldInMarket(tenant, brandScope, zips),
      isToday ? plannedZips(tenant, { zips }) : [],
    ]);
    const byBrand = groupBy(planned, ({ brandId }) => brandId);
    const territories = held.map((one) => ({
      ...one,
      planned: plansOf(byBrand.get(one.brand.id) ?? []),
    }));
    return { body: new PreparedAnswer(JSON.stringify({ territories })) };
  },
};

/** What changes plan for the ZIP codes of a brand, by day. Lists of ZIP codes are texts, separated by spaces. */
const plansOf = (planned: readonly PlannedZip[]) =>
  Array.from(
    groupBy(planned, ({ on, part }) => `${on} ${part}`),
    ([, ofDay]) => ({
      on: ofDay[0]!.on,
      part: ofDay[0]!.part,
      zips: ofDay.map(({ zip }) => zip).join(' '),
    }),
  );
