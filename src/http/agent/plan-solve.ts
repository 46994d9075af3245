/** Draws the territories of a saved plan with the solver. */
import { planBody } from '../../agent/plans/describe.ts';
import { planParams } from '../../agent/plans/schema.ts';
import {
  optionsOf,
  SOLVE_UNITS,
  SolutionBody,
  solutionBody,
  SolveRequest,
  taskOf,
} from '../../agent/plans/solve-schema.ts';
import { operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import type { Database } from '../../db/database.ts';
import { runMetered } from '../../metering/units.ts';
import { requireVersion, saveTerritories } from '../../plans/edit.ts';
import { findPlan } from '../../plans/plans.ts';
import { solvePlan } from '../../plans/solve.ts';
import { readPlanData } from '../../own-data/data-sets.ts';
import type { DriveTimes } from '../../outside/routing/drive-times.ts';
import { PLANS, writerOf } from './plan-callers.ts';
import { NO_STORE } from './shared.ts';

export const solvePlanOperation = (db: Database, driveTimes: DriveTimes | undefined) =>
  operation({
    ...PLANS,
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
      const writer = await writerOf(caller);
      const { tenant, actor } = writer;
      const task = taskOf(body);
      const plan = await findPlan(tenant, params.plan);
      requireVersion(plan, body.version);
      const measures = await readPlanData(tenant, plan);
      const call = { tool: 'solve_plan', units: SOLVE_UNITS };
      // Results that can't be saved are free, too.
      const { solved, result, withoutPosition } = await runMetered(writer, call, async () => {
        const proposal = await solvePlan(db, writer, { ...plan, measures }, task, {
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
          ...{ saved: body.save, withoutPosition },
          plan: await planBody(db, writer, solved),
        },
      };
    },
  });
