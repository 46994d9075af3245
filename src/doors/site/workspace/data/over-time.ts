/** The days on which territories changed, and who held a ZIP code, as JSON for the map. */
import { badRequest } from '../../../../errors.ts';
import { recordedDays } from '../../../../people/account/days/as-of.ts';
import { changedDays } from '../../../../territories/record/changed-days.ts';
import { zipHistory } from '../../../../territories/record/zip-history.ts';
import type { MemberData } from '../../framework/data.ts';

export const DAYS_PATH = '/account/map/days.json';
export const ZIP_RECORD_PATH = '/account/map/zips/{zip}/record.json';

export const daysRoute: MemberData = {
  audience: 'member',
  path: DAYS_PATH,
  async answer({ caller: { tenant, brandScope } }) {
    const [{ first, today }, days] = await Promise.all([
      recordedDays(tenant),
      changedDays(tenant, brandScope),
    ]);
    return { body: { first, today, days } };
  },
};

export const zipRecordRoute: MemberData = {
  audience: 'member',
  path: ZIP_RECORD_PATH,
  async answer({ caller: { tenant, brandScope }, params }) {
    const zip = params.zip!;
    if (!/^\d{5}$/.test(zip)) throw badRequest('A ZIP code has five digits, such as 75201.');
    const periods = await zipHistory(tenant, brandScope, zip);
    return {
      body: {
        periods: periods.map(({ brand, status, from, until, isStartKnown, started, ended }) => ({
          brand: brand.name,
          status,
          from,
          until,
          isStartKnown,
          startedBy: started?.by ?? null,
          endedBy: ended?.by ?? null,
        })),
      },
    };
  },
};
