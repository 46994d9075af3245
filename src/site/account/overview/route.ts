import {
  changeRefusal,
  isManager,
  MANAGERS,
  requireChange,
  requireRole,
} from '../../../account/access.ts';
import { listMembers } from '../../../account/members.ts';
import { chooseOrganization } from '../../../account/sessions.ts';
import { figuresMeterOf } from '../../../metering/figures.ts';
import { meterOf, periodAt } from '../../../metering/meter.ts';
import { usageDays } from '../../../metering/usage-days.ts';
import { readActivityLog } from '../../../territory/activity-log.ts';
import { ensureBrand, hasNoTerritory } from '../../../territory/first-brand.ts';
import { badRequest } from '../../../errors.ts';
import { firstTerritoryPath } from '../../first-territory.ts';
import type { Page } from '../../framework/page.ts';
import { FIRST_TERRITORY_PATH, overviewPage } from './view.ts';

const OVERVIEW_PATH = '/account';
const SHOWN_ACTIVITY = 10;

export const overviewRoute: Page<'account'> = {
  audience: 'account',
  path: OVERVIEW_PATH,
  async show({ caller, links }, form) {
    const { tenant, plan, brandScope } = caller;
    const now = new Date();
    const period = periodAt(now);
    const mayStart = isManager(caller) && changeRefusal(caller) === undefined;
    const [meter, figures, usage, members, activity, isNew] = await Promise.all([
      meterOf(tenant, plan, now),
      figuresMeterOf(caller, now),
      usageDays(tenant, period.start, period.end),
      listMembers(tenant),
      readActivityLog(tenant, brandScope, {}, { limit: SHOWN_ACTIVITY }),
      mayStart && hasNoTerritory(tenant),
    ]);
    const seatsTaken = members.length;
    return overviewPage(
      { form, plan, seatsTaken, meter, figures, period, usage, activity: activity.rows, isNew },
      links,
    );
  },
  forms: [
    {
      path: '/account/organization',
      // Opens without a second factor, because the person's other organizations may not require one.
      opensWithoutFactor: true,
      async submit({ db, session }, fields) {
        await chooseOrganization(db, session, fields.get('organization') ?? '');
        return { to: OVERVIEW_PATH };
      },
    },
    {
      path: FIRST_TERRITORY_PATH,
      async submit({ caller, db }, fields) {
        requireRole(caller, MANAGERS, 'Creating a brand');
        requireChange(caller);
        const path = await firstTerritoryPath(db, fields);
        if (path === null) throw badRequest('Enter the ZIP code of your business.');
        await ensureBrand(caller.tenant, caller.organization);
        return { to: path };
      },
    },
  ],
};
