import { listMembers } from '../../../account/members.ts';
import { TOOLS } from '../../../agent/tools.ts';
import { figuresMeterOf } from '../../../metering/figures.ts';
import { meterOf } from '../../../metering/meter.ts';
import type { Page } from '../../framework/page.ts';
import { PLAN_PATH, planPage } from './view.ts';

export const planRoute: Page<'account'> = {
  audience: 'account',
  path: PLAN_PATH,
  async show({ caller, links }) {
    const { tenant, plan, actor } = caller;
    const [meter, figures, members] = await Promise.all([
      meterOf(tenant, plan),
      figuresMeterOf(caller),
      listMembers(tenant),
    ]);
    return planPage({ plan, meter, figures, members, viewerId: actor.id!, tools: TOOLS }, links);
  },
};
