/** The data sets of a plan: added from those of the organization, or uploaded. */
import {
  DeletedMeasureBody,
  measureBody,
  measureParams,
  PlanMeasureListBody,
  PlanMeasureRequest,
  uploadedBody,
  UploadedMeasureBody,
} from './measure-schema.ts';
import { planParams } from './schema.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { readAmounts, readPlanData } from '../../../territories/own-data/data-sets.ts';
import { importTable } from '../../../territories/own-data/import-file.ts';
import { addToPlan, removeFromPlan } from '../../../territories/plans/plan-data.ts';
import { findPlan } from '../../../territories/plans/plans.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';

export const planMeasureOperations = (): Operation[] => [
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'uploadPlanMeasure',
    method: 'post',
    path: '/agent/plans/{plan}/measures',
    summary: 'Add a data set to a plan',
    description:
      'Adds a data set of the organization to a plan, such as its own jobs or leads by ZIP code. With `csv` or `file`, uploads ' +
      'the data set first, as `/agent/data-sets` does: rows that can’t be used are reported, and the others count. ' +
      'The plan has the data set in its totals, comparisons, and exports, and with `balance`, its territories are ' +
      'balanced by it. Free.',
    params: planParams,
    body: PlanMeasureRequest,
    bodyExamples: {
      jobs: {
        summary: 'Jobs by ZIP code',
        value: exampleOf(PlanMeasureRequest) as typeof PlanMeasureRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The measure', schema: UploadedMeasureBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body: { csv, file, dataSet, ...body } }) => {
      const { tenant, actor } = caller;
      const market = await findPlan(tenant, params.plan);
      const { ref, findings } =
        dataSet === undefined
          ? await importTable(
              caller,
              csv === undefined ? Buffer.from(file!, 'base64') : Buffer.from(csv),
              { ...body, plan: market },
            )
          : { ref: dataSet, findings: [] };
      const set = await tenant.transaction(async (tx) =>
        addToPlan(tx, actor, await findPlan(tx, market.id, 'for update of p'), ref),
      );
      const full = { ...set, ...(await readAmounts(tenant, set)) };
      return { status: 200, headers: NO_STORE, body: uploadedBody(full, market.zips, findings) };
    },
  }),
  operation({
    ...PLANS,
    id: 'listPlanMeasures',
    method: 'get',
    path: '/agent/plans/{plan}/measures',
    summary: 'List the data sets of a plan',
    description: 'Returns the data sets of a plan, by name, with their totals in its market.',
    params: planParams,
    answers: { 200: { description: 'The measures', schema: PlanMeasureListBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant } = caller;
      const plan = await findPlan(tenant, params.plan);
      const measures = (await readPlanData(tenant, plan)).map((set) => measureBody(set, plan.zips));
      return { status: 200, headers: NO_STORE, body: { measures } };
    },
  }),
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'deletePlanMeasure',
    method: 'post',
    path: '/agent/plans/{plan}/measures/{measure}/delete',
    summary: 'Remove a data set from a plan',
    description:
      'The organization keeps the data set. Refused with 409 while it is the plan’s `balance`.',
    params: measureParams,
    answers: { 200: { description: 'The data set is removed', schema: DeletedMeasureBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params }) => {
      const { tenant, actor } = caller;
      const deleted = await tenant.transaction(async (tx) =>
        removeFromPlan(
          tx,
          actor,
          await findPlan(tx, params.plan, 'for update of p'),
          params.measure,
        ),
      );
      return { status: 200, headers: NO_STORE, body: { deleted: deleted.name } };
    },
  }),
];
