/** Plans: named drafts of territories. */
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { exactQuery, oneOf } from '../../contract/exact-query.ts';
import { MAX_LIMIT, pageFields } from '../../contract/paging.ts';
import { newPlanOf } from '../../plans/create.ts';
import { editPlan } from '../../plans/edit.ts';
import { createPlan, deletePlan, findPlan, listPlans } from '../../plans/plans.ts';
import type { DriveTimes } from '../../outside/routing/drive-times.ts';
import type { MapRenderer } from '../../cartography/map-renderer.ts';
import { applyPlanOperation } from './plan-application.ts';
import { PLANS, readerOf, writerOf } from './plan-callers.ts';
import { comparePlan, planPicture } from './plan-comparison.ts';
import { planExportOperations } from './plan-exports.ts';
import { solvePlanOperation } from './plan-solve.ts';
import { NO_STORE } from './shared.ts';
import { planBody, summaryBody } from '../../agent/plans/describe.ts';
import {
  DeletedPlanBody,
  NewPlanRequest,
  PlanBody,
  PlanEditRequest,
  PlanListBody,
  planParams,
} from '../../agent/plans/schema.ts';
import { wholeNumber } from '../../contract/whole-number.ts';

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
      const reader = await readerOf(caller);
      const { rows, nextCursor } = await listPlans(reader.tenant, query);
      return { status: 200, headers: NO_STORE, body: { plans: rows.map(summaryBody), nextCursor } };
    },
  });

const create = (db: Database) =>
  operation({
    ...PLANS,
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
      const writer = await writerOf(caller);
      const { tenant, actor } = writer;
      const plan = await newPlanOf(tenant, body);
      const created = await tenant.transaction(async (tx) =>
        findPlan(tx, await createPlan(tx, actor, plan)),
      );
      return {
        status: 200,
        headers: NO_STORE,
        body: await planBody(db, writer, created, query.totals === 'true'),
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
      const reader = await readerOf(caller);
      const plan = await findPlan(reader.tenant, params.plan);
      return {
        status: 200,
        headers: NO_STORE,
        body: await planBody(db, reader, plan, query.totals === 'true'),
      };
    },
  });

const edit = (db: Database) =>
  operation({
    ...PLANS,
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
      const writer = await writerOf(caller);
      const { version, balance, vertical, ...rest } = body;
      const settings = { ...(balance && { balance }), ...(vertical && { vertical }) };
      const edited = await writer.tenant.transaction(async (tx) =>
        findPlan(tx, await editPlan(tx, writer.actor, params.plan, version, { ...rest, settings })),
      );
      return {
        status: 200,
        headers: NO_STORE,
        body: await planBody(db, writer, edited, query.totals === 'true'),
      };
    },
  });

const remove = () =>
  operation({
    ...PLANS,
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
      const { tenant } = await writerOf(caller);
      const { name } = await tenant.transaction((tx) => deletePlan(tx, params.plan));
      return { status: 200, headers: NO_STORE, body: { deleted: name } };
    },
  });
