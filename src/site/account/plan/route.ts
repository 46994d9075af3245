import { listMembers } from '../../../account/members.ts';
import { TOOLS } from '../../../agent/tools.ts';
import type { Operation } from '../../../contract/operation.ts';
import { meterOf } from '../../../metering/meter.ts';
import { page, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { PLAN_PATH, planPage } from './view.ts';

export function planRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const plan: Page<'member'> = {
    audience: 'member',
    path: PLAN_PATH,
    async show(visit) {
      const { tenant, plan: current, actor } = visit.caller;
      const [frame, meter, members] = await Promise.all([
        loadFrame(db, visit),
        meterOf(tenant, current),
        listMembers(tenant),
      ]);
      const content = {
        ...frame,
        plan: current,
        meter,
        members,
        viewerId: actor.id!,
        tools: TOOLS,
      };
      return planPage(content, visit.links);
    },
  };
  return [page(plan, parts)];
}
