/** Measures that people upload for a plan. */
import {
  DeletedMeasureBody,
  measureBody,
  measureParams,
  PlanMeasureListBody,
  PlanMeasureRequest,
  uploadedBody,
  UploadedMeasureBody,
} from '../../agent/plans/measure-schema.ts';
import { planParams } from '../../agent/plans/schema.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { badRequest } from '../../errors.ts';
import { checkMeasure } from '../../plans/check-measure.ts';
import { findPlan } from '../../plans/plans.ts';
import {
  deletePlanMeasure,
  readPlanMeasures,
  savePlanMeasure,
} from '../../plans/uploaded-measures.ts';
import { PLANS, readerOf, writerOf } from './plan-callers.ts';
import { NO_STORE } from './shared.ts';

export const planMeasureOperations = (): Operation[] => [
  operation({
    ...PLANS,
    id: 'uploadPlanMeasure',
    method: 'post',
    path: '/agent/plans/{plan}/measures',
    summary: 'Upload a measure',
    description:
      'Adds an amount for each ZIP code of a plan’s market, such as your own jobs or leads, from a CSV table. ' +
      'Rows that can’t be used are reported, and the others count. The plan has the measure in its ' +
      'totals, comparisons, and exports, and with `balance`, its territories are balanced by it. Free.',
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
    handle: async ({ caller, params, body: { csv, column, zipColumn, replace, ...body } }) => {
      const { tenant, actor } = await writerOf(caller);
      const market = await findPlan(tenant, params.plan);
      const checked = await checkMeasure(tenant, market, csv, {
        amount: column,
        zip: zipColumn,
      });
      const name = body.name ?? checked.heading;
      if (name === null) throw badRequest('name: the file has no heading to use. Give a name.');
      const stored = await tenant.transaction(async (tx) => {
        const plan = await findPlan(tx, market.id, 'for update of p');
        const { amounts } = checked;
        const saved = await savePlanMeasure(tx, plan, { name, amounts, createdBy: actor }, replace);
        return (await readPlanMeasures(tx, plan)).find((one) => one.name === saved)!;
      });
      return { status: 200, headers: NO_STORE, body: uploadedBody(stored, checked) };
    },
  }),
  operation({
    ...PLANS,
    id: 'listPlanMeasures',
    method: 'get',
    path: '/agent/plans/{plan}/measures',
    summary: 'List the uploaded measures',
    description: 'Returns the measures that were uploaded for a plan, by name.',
    params: planParams,
    answers: { 200: { description: 'The measures', schema: PlanMeasureListBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant } = await readerOf(caller);
      const measures = await readPlanMeasures(tenant, await findPlan(tenant, params.plan));
      return { status: 200, headers: NO_STORE, body: { measures: measures.map(measureBody) } };
    },
  }),
  operation({
    ...PLANS,
    id: 'deletePlanMeasure',
    method: 'post',
    path: '/agent/plans/{plan}/measures/{measure}/delete',
    summary: 'Delete an uploaded measure',
    description: 'Refused with 409 while it is the plan’s `balance`.',
    params: measureParams,
    answers: { 200: { description: 'The measure is deleted', schema: DeletedMeasureBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params }) => {
      const { tenant } = await writerOf(caller);
      const deleted = await tenant.transaction(async (tx) =>
        deletePlanMeasure(tx, await findPlan(tx, params.plan, 'for update of p'), params.measure),
      );
      return { status: 200, headers: NO_STORE, body: { deleted } };
    },
  }),
];
