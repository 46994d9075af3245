/** Plans a territory, at the price of scoring one. */
import { requireMeteredAccess } from '../../metering/require-access.ts';
import type { Caller } from '../../account/caller.ts';
import { planTerritory } from '../../agent/territory-plan.ts';
import { TerritoryPlan, TerritoryPlanRequest } from '../../agent/territory-plan-schema.ts';
import { scoreTerritory } from '../../agent/tools/score-territory.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import type { Database } from '../../db/database.ts';
import { runMetered } from '../../metering/units.ts';
import { AGENTS, NO_STORE } from './shared.ts';

/** Name in the usage records, which list tools */
const METERED_AS = 'territory_plan';

export function territoryPlanOperation(db: Database): Operation {
  return operation({
    ...AGENTS,
    id: 'planTerritory',
    method: 'post',
    path: '/agent/territory-plan',
    summary: 'Plan a territory',
    description:
      'Recommends ZIP codes of a market, best first, with reasons, next steps, and the data behind ' +
      'them. The market is a launched metro or a list of up to 500 ZIP codes. A call costs ' +
      `${scoreTerritory.units} units, like \`service_score_territory\`; failed calls cost nothing. The ` +
      'response contains neither weights nor the full ranking.',
    body: TerritoryPlanRequest,
    bodyExamples: {
      metro: {
        summary: 'Plan a connected territory in a metro',
        value: exampleOf(TerritoryPlanRequest) as typeof TerritoryPlanRequest._zod.input,
      },
      zips: {
        summary: 'Pick the best of a list of ZIP codes',
        value: { zips: ['75201', '75204', '75214', '75205', '75230'], vertical: 'hvac', size: 3 },
      },
    },
    answers: {
      200: { description: 'The plan', schema: TerritoryPlan },
    },
    errors: [402, 404],
    errorExamples: {
      400: 'Give either metro or zips, not both.',
      404: 'No ZIP code of the market (Dallas-Fort Worth-Arlington, TX) meets the constraints. Lower minScore or exclude fewer ZIP codes.',
      503: 'Usage can’t be recorded right now, so the call was refused. Try again.',
    },
    handle: async ({ body, ...request }) => {
      const caller = request.caller as Caller;
      await requireMeteredAccess(caller);
      const call = { tool: METERED_AS, units: scoreTerritory.units };
      const plan = await runMetered(caller, call, () => planTerritory(db, caller, body));
      return { status: 200, headers: NO_STORE, body: plan };
    },
  });
}
