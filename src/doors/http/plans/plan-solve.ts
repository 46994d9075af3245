/** Draws the territories of a saved plan with the solver. */
import { planBody } from './describe.ts';
import { planParams } from './schema.ts';
import {
  optionsOf,
  SOLVE_UNITS,
  SolutionBody,
  solutionBody,
  SolveRequest,
  taskOf,
  withSeedPlaces,
} from './solve-schema.ts';
import { operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import type { Database } from '../../../base/db/database.ts';
import { runMetered } from '../../../people/metering/units.ts';
import { requireVersion, saveTerritories } from '../../../territories/plans/edit.ts';
import { findPlan } from '../../../territories/plans/plans.ts';
import { solvePlan } from '../../../territories/plans/solve.ts';
import { readPlanData } from '../../../territories/own-data/data-sets.ts';
import type { DriveTimes } from '../../../data/routing/drive-times.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';

export const solvePlanOperation = (db: Database, driveTimes: DriveTimes | undefined) =>
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'solvePlan',
    method: 'post',
    path: '/agent/plans/{plan}/solve',
    summary: 'Let the solver draw territories',
    description:
      'Divides the market into connected, compact territories that share the plan’s measure evenly, or ' +
      'rebalances, fills, splits, or grows the ones that the plan has. If a constraint can’t be kept, the ' +
      'response has the nearest result and says why. The result becomes the plan’s next version, unless ' +
      `\`save\` is false. A solve costs ${SOLVE_UNITS} units; failed ones cost nothing.`,
    params: planParams,
    body: SolveRequest,
    bodyExamples: {
      divide: {
        summary: 'Divide the ZIP codes that no brand holds into eight territories',
        value: exampleOf(SolveRequest) as typeof SolveRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The result', schema: SolutionBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body, signal }) => {
      const { tenant, actor } = caller;
      const task = taskOf(await withSeedPlaces(tenant, body));
      const plan = await findPlan(tenant, params.plan);
      requireVersion(plan, body.version);
      const measures = await readPlanData(tenant, plan);
      const call = { tool: 'solve_plan', units: SOLVE_UNITS };
      // Results that can't be saved are free, too.
      const { solved, result, withoutPosition } = await runMetered(caller, call, async () => {
        const proposal = await solvePlan(db, caller, { ...plan, measures }, task, {
          ...optionsOf(body, signal),
          driveTimes,
        });
        const { territories } = proposal;
        const solved = body.save
          ? await tenant.transaction((tx) => saveTerritories(tx, actor, plan, territories))
          : { ...plan, territories };
        return { ...proposal, solved };
      });
      return {
        status: 200,
        headers: NO_STORE,
        body: {
          ...solutionBody(result, result.territories.length),
          saved: body.save,
          withoutPosition,
          plan: await planBody(db, caller, solved),
        },
      };
    },
  });
