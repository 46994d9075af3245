import { listMembers } from '../../../account/members.ts';
import { chooseOrganization } from '../../../account/sessions.ts';
import type { Operation } from '../../../contract/operation.ts';
import { meterOf, periodAt } from '../../../metering/meter.ts';
import { usageDays } from '../../../metering/usage-days.ts';
import { readActivityLog } from '../../../territory/activity-log.ts';
import { form } from '../../framework/form.ts';
import { page, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { overviewPage } from './view.ts';

const OVERVIEW_PATH = '/account';
const SHOWN_ACTIVITY = 10;

export function overviewRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const overview: Page<'member'> = {
    audience: 'member',
    path: OVERVIEW_PATH,
    async show(visit, state) {
      const { tenant, plan, brandScope } = visit.caller;
      const now = new Date();
      const period = periodAt(now);
      const [frame, meter, usage, members, activity] = await Promise.all([
        loadFrame(db, visit),
        meterOf(tenant, plan, now),
        usageDays(tenant, period.start, period.end),
        listMembers(tenant),
        readActivityLog(tenant, brandScope, {}, { limit: SHOWN_ACTIVITY }),
      ]);
      return overviewPage(
        {
          ...frame,
          form: state,
          plan,
          seatsTaken: members.length,
          meter,
          period,
          usage,
          activity: activity.rows,
        },
        visit.links,
      );
    },
  };
  const switchOrganization = form(
    overview,
    {
      path: '/account/organization',
      async submit({ session }, fields) {
        await chooseOrganization(db, session, fields.get('organization') ?? '');
        return { to: OVERVIEW_PATH };
      },
    },
    parts,
  );
  return [page(overview, parts), switchOrganization];
}
