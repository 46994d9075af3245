/** The plan, to be looked at: nothing is bought here. */
import { listMembers } from '../../../account/members.ts';
import { TOOLS } from '../../../agent/tools.ts';
import { meterOf } from '../../../metering/meter.ts';
import { PLAN_PATH, planPage } from './view.ts';
import type { PersonPage } from '../../framework/page.ts';
import { residentOf } from '../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';

export const plan = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: PLAN_PATH,
  show: async (visit) => {
    const { tenant, plan: bought } = visit.caller;
    const [common, meter, people] = await Promise.all([
      residentOf(db, visit),
      meterOf(tenant, bought),
      listMembers(tenant),
    ]);
    return planPage(
      { ...common, plan: bought, meter, people, me: visit.caller.actor.id!, tools: TOOLS },
      visit.links,
    );
  },
});
