/** The first page of the account area. */
import { listMembers } from '../../../account/members.ts';
import { chooseOrganization } from '../../../account/sessions.ts';
import { meterOf, periodAt } from '../../../metering/meter.ts';
import { usageDays } from '../../../metering/usage-days.ts';
import { overviewPage } from './view.ts';
import { readActivityLog } from '../../../territory/activity-log.ts';
import type { PersonPage } from '../../framework/page.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';
import { residentOf } from '../viewer.ts';

const SHOWN_ACTIVITY = 10;

export const overview = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: '/account',
  show: async (visit, form) => {
    const { tenant, plan, brandScope } = visit.caller;
    const now = new Date();
    const period = periodAt(now);
    const [common, meter, usage, people, activity] = await Promise.all([
      residentOf(db, visit),
      meterOf(tenant, plan, now),
      usageDays(tenant, period.start, period.end),
      listMembers(tenant),
      readActivityLog(tenant, brandScope, {}, { limit: SHOWN_ACTIVITY }),
    ]);
    return overviewPage(
      {
        ...common,
        form,
        plan,
        people: people.length,
        meter,
        period,
        usage,
        activity: activity.rows,
      },
      visit.links,
    );
  },
  forms: [
    {
      path: '/account/organization',
      submit: async ({ session }, fields) => {
        await chooseOrganization(db, session, fields.get('organization') ?? '');
        return { to: '/account' };
      },
    },
  ],
});
