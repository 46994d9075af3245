/** Plans: named drafts of territories. */
import { z } from 'zod';
import type { Database } from '../../../base/db/database.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { exactQuery, oneOf } from '../../../base/contract/exact-query.ts';
import { MAX_LIMIT, pageFields } from '../../../base/contract/paging.ts';
import { newPlanOf } from '../../../territories/plans/create.ts';
import { editPlan } from '../../../territories/plans/edit.ts';
import { createPlan, deletePlan, findPlan, listPlans } from '../../../territories/plans/plans.ts';
import type { DriveTimes } from '../../../data/routing/drive-times.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { applyPlanOperation } from './plan-application.ts';
import { comparePlan, planPicture } from './plan-comparison.ts';
import { planExportOperations } from './plan-exports.ts';
import { solvePlanOperation } from './plan-solve.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';
import { planBody, summaryBody } from './describe.ts';
import {
  DeletedPlanBody,
  NewPlanRequest,
  PlanBody,
  PlanEditRequest,
  PlanListBody,
  planParams,
} from './schema.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';

/** Callers that don't show totals save the figures of the plan's ZIP codes, which are limited. */
const planQuery = exactQuery({
  totals: z
    .enum(['true', 'false'], oneOf(['true', 'false']))
    .default('true')
    .meta({ description: '`false` leaves out totals, and the ZIP codes don’t count as seen' }),
});

export const planOperations = (
  db: Database,
  renderer: MapRenderer,
  driveTimes: DriveTimes | undefined,
): Operation[] => [
  list(),
  create(db),
  read(db),
  edit(db),
  solvePlanOperation(db, driveTimes),
  comparePlan(),
  planPicture(db, renderer),
  ...planExportOperations(),
  applyPlanOperation(),
  remove(),
];

const list = () =>
  operation({
    ...PLANS,
    id: 'listPlans',
    method: 'get',
    path: '/agent/plans',
    summary: 'List plans',
    description: 'Returns the organization’s plans, last changed first.',
    query: exactQuery({
      cursor: pageFields().cursor,
      limit: wholeNumber(1, MAX_LIMIT)
        .optional()
        // The contract calls it a number.
        .meta({ type: 'number', description: pageFields().limit.description }),
    }),
    answers: { 200: { description: 'Plans', schema: PlanListBody } },
    errors: [402, 403],
    handle: async ({ caller, query }) => {
      const { rows, nextCursor } = await listPlans(caller.tenant, query);
      return { status: 200, headers: NO_STORE, body: { plans: rows.map(summaryBody), nextCursor } };
    },
  });

const create = (db: Database) =>
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'createPlan',
    method: 'post',
    path: '/agent/plans',
    summary: 'Create a plan',
    description:
      'Creates a draft of territories over a market: a launched metro, a state, or a list of ZIP codes. ' +
      'A new plan is empty, contains the ZIP codes that your brands hold, or copies another plan. Nothing goes live ' +
      'before the plan is applied. Plans are free.',
    query: planQuery,
    body: NewPlanRequest,
    bodyExamples: {
      live: {
        summary: 'The ZIP codes that brands hold in a metro',
        value: exampleOf(NewPlanRequest) as typeof NewPlanRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The new plan', schema: PlanBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, query, body }) => {
      const { tenant, actor } = caller;
      const plan = await newPlanOf(tenant, body);
      const created = await tenant.transaction(async (tx) =>
        findPlan(tx, await createPlan(tx, actor, plan)),
      );
      return {
        status: 200,
        headers: NO_STORE,
        body: await planBody(db, caller, created, query.totals === 'true'),
      };
    },
  });

const read = (db: Database) =>
  operation({
    ...PLANS,
    id: 'getPlan',
    method: 'get',
    path: '/agent/plans/{plan}',
    summary: 'Get a plan',
    description:
      'Returns a plan’s territories with their ZIP codes, totals, deviation from the mean, ' +
      'connected areas, and compactness.',
    params: planParams,
    query: planQuery,
    answers: { 200: { description: 'The plan', schema: PlanBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, query }) => {
      const plan = await findPlan(caller.tenant, params.plan);
      return {
        status: 200,
        headers: NO_STORE,
        body: await planBody(db, caller, plan, query.totals === 'true'),
      };
    },
  });

const edit = (db: Database) =>
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'editPlan',
    method: 'post',
    path: '/agent/plans/{plan}',
    summary: 'Edit a plan',
    description:
      'Adds, renames, and deletes territories, assigns brands, and moves ZIP codes. The request names ' +
      'the version that it changes. If someone changed the plan in the meantime, the response is 409, ' +
      'and nothing changes.',
    params: planParams,
    query: planQuery,
    body: PlanEditRequest,
    bodyExamples: {
      move: {
        summary: 'Add a territory and move ZIP codes to it',
        value: exampleOf(PlanEditRequest) as typeof PlanEditRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The plan after the edit', schema: PlanBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, query, body }) => {
      const { version, balance, vertical, ...rest } = body;
      const settings = { ...(balance && { balance }), ...(vertical && { vertical }) };
      const edited = await caller.tenant.transaction(async (tx) =>
        findPlan(tx, await editPlan(tx, caller.actor, params.plan, version, { ...rest, settings })),
      );
      return {
        status: 200,
        headers: NO_STORE,
        body: await planBody(db, caller, edited, query.totals === 'true'),
      };
    },
  });

const remove = () =>
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'deletePlan',
    method: 'post',
    path: '/agent/plans/{plan}/delete',
    summary: 'Delete a plan',
    description:
      'Deletes a plan for everyone in the organization. What was applied stays as it is.',
    params: planParams,
    answers: { 200: { description: 'The plan is deleted', schema: DeletedPlanBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant, actor } = caller;
      const { name } = await tenant.transaction((tx) => deletePlan(tx, actor, params.plan));
      return { status: 200, headers: NO_STORE, body: { deleted: name } };
    },
  });
