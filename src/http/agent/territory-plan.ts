/** A plan for a territory, which costs what scoring one costs. */
import { requireAccess } from '../../account/access.ts';
import { planTerritory } from '../../agent/territory-plan.ts';
import { TerritoryPlan, TerritoryPlanRequest } from '../../agent/territory-plan-schema.ts';
import { scoreTerritory } from '../../agent/tools/score-territory.ts';
import type { Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import type { Database } from '../../db/database.ts';
import { metered } from '../../metering/units.ts';
import { agentOperation } from './operation.ts';
import { NEVER_KEPT } from './cache-control.ts';

/** By which the use of units tells it from the tools */
const METERED_AS = 'territory_plan';

export function territoryPlanOperation(db: Database): Operation {
  return agentOperation({
    id: 'planTerritory',
    method: 'post',
    path: '/agent/territory-plan',
    summary: 'A plan for a territory',
    description:
      'The ZIPs of a market to go for, best first, each with the reasons in words; what to do next; ' +
      'and what it all rests on. The market is a launched metro or a list of up to 500 ZIPs. It ' +
      `costs ${scoreTerritory.units} units, like \`service_score_territory\`; what fails costs none. ` +
      'It tells neither weights nor the whole ranking.',
    body: TerritoryPlanRequest,
    bodyExamples: {
      metro: {
        summary: 'A connected territory in a metro',
        value: exampleOf(TerritoryPlanRequest) as typeof TerritoryPlanRequest._zod.input,
      },
      zips: {
        summary: 'The best of a list of ZIPs',
        value: { zips: ['75201', '75204', '75214', '75205', '75230'], vertical: 'hvac', size: 3 },
      },
    },
    answers: {
      200: { description: 'The plan', schema: TerritoryPlan, example: exampleOf(TerritoryPlan) },
    },
    errors: [402, 404],
    errorExamples: {
      400: 'Give either metro or zips: the market is one or the other.',
      404: 'No ZIP of Dallas-Fort Worth-Arlington, TX meets the constraints: lower minScore or exclude fewer ZIPs.',
      503: 'Usage cannot be recorded right now, so the call was not served.',
    },
    handle: async ({ body, caller }) => {
      requireAccess(caller);
      const call = { tool: METERED_AS, units: scoreTerritory.units };
      const plan = await metered(caller, call, () => planTerritory(db, caller, body));
      return { status: 200, headers: NEVER_KEPT, body: plan };
    },
  });
}
