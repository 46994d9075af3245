/** Plans: named drafts of territories. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Tenant } from '../../account/tenant.ts';
import { MAP_DATASETS } from '../../cartography/zip-map.ts';
import type { Database } from '../../db/database.ts';
import { importedData } from '../../db/imported-data.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { exactQuery } from '../../contract/exact-query.ts';
import { metered, reserveUnits } from '../../metering/units.ts';
import { EXPORT_TYPES } from '../../export-formats.ts';
import { pageFields } from '../../paging.ts';
import { applyPlan, previewApplyPlan, type AppliedChange } from '../../plans/apply.ts';
import { planGeoJson } from '../../plans/boundaries.ts';
import { newPlanOf } from '../../plans/create.ts';
import { editPlan, requireVersion, saveTerritories } from '../../plans/edit.ts';
import { liveTerritories } from '../../plans/live.ts';
import { createPlan, deletePlan, findPlan, listPlans, type SavedPlan } from '../../plans/plans.ts';
import { drawComparison, drawPlan } from '../../plans/picture.ts';
import { solvePlan } from '../../plans/solve.ts';
import { readPlanMeasures } from '../../plans/uploaded-measures.ts';
import type { Renderer } from '../../render/renderer.ts';
import { drawPaid, PAID_DAYS, PICTURE_UNITS } from '../../static/paid-pictures.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import {
  optionsOf,
  SOLVE_UNITS,
  SolutionBody,
  solutionBody,
  SolveRequest,
  taskOf,
} from '../../agent/plans/solve-schema.ts';
import { GEOJSON_EXAMPLE } from './plan-geojson-example.ts';
import { PLANS, readerOf, writerOf } from './plan-callers.ts';
import { planExportOperations } from './plan-exports.ts';
import { NO_STORE } from './shared.ts';
import { comparisonBody, planBody, summaryBody } from '../../agent/plans/describe.ts';
import {
  DeletedPlanBody,
  NewPlanRequest,
  PlanApplicationBody,
  PlanApplyRequest,
  PlanBody,
  PlanComparisonBody,
  PlanEditRequest,
  PlanListBody,
  planParams,
} from '../../agent/plans/schema.ts';

/** Like a request for ZIP codes, `service_apply_territory` */
const APPLY = { tool: 'apply_plan', units: 1 };

export const planOperations = (db: Database, renderer: Pick<Renderer, 'render'>): Operation[] => [
  list(),
  create(db),
  read(db),
  edit(db),
  solve(db),
  compare(),
  picture(db, renderer),
  boundaries(),
  ...planExportOperations(),
  apply(),
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
      limit: z.coerce.number().pipe(pageFields().limit.unwrap()).optional(),
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
      'It starts empty, with what the brands hold, or as a copy of another plan. Nothing goes live ' +
      'before the plan is applied. Plans are free.',
    body: NewPlanRequest,
    bodyExamples: {
      live: {
        summary: 'What the brands hold in a metro',
        value: exampleOf(NewPlanRequest) as typeof NewPlanRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The new plan', schema: PlanBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, body }) => {
      const writer = await writerOf(caller);
      const { tenant, actor } = writer;
      const plan = await newPlanOf(tenant, body);
      const created = await tenant.transaction(async (tx) =>
        findPlan(tx, await createPlan(tx, actor, plan)),
      );
      return { status: 200, headers: NO_STORE, body: await planBody(db, writer, created) };
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
    answers: { 200: { description: 'The plan', schema: PlanBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const reader = await readerOf(caller);
      const plan = await findPlan(reader.tenant, params.plan);
      return { status: 200, headers: NO_STORE, body: await planBody(db, reader, plan) };
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
    body: PlanEditRequest,
    bodyExamples: {
      move: {
        summary: 'Add a territory and move ZIP codes to it',
        value: exampleOf(PlanEditRequest) as typeof PlanEditRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The plan after the edit', schema: PlanBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body }) => {
      const writer = await writerOf(caller);
      const { version, balance, vertical, ...rest } = body;
      const settings = { ...(balance && { balance }), ...(vertical && { vertical }) };
      const edited = await writer.tenant.transaction(async (tx) =>
        findPlan(tx, await editPlan(tx, writer.actor, params.plan, version, { ...rest, settings })),
      );
      return { status: 200, headers: NO_STORE, body: await planBody(db, writer, edited) };
    },
  });

const solve = (db: Database) =>
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
        summary: 'Divide what no brand holds into eight territories',
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
      const measures = await readPlanMeasures(tenant, plan);
      const call = { tool: 'solve_plan', units: SOLVE_UNITS };
      // A result that can't be saved costs nothing either.
      const { solved, result, withoutPosition } = await metered(writer, call, async () => {
        const proposal = await solvePlan(
          db,
          writer,
          { ...plan, measures },
          task,
          optionsOf(body, signal),
        );
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

const compare = () =>
  operation({
    ...PLANS,
    id: 'comparePlan',
    method: 'get',
    path: '/agent/plans/{plan}/comparison',
    summary: 'Compare a plan',
    description:
      'Compares a plan with what the brands hold now, or with another plan: ZIP codes that change ' +
      'hands, and totals before and after. Territories are paired by brand, then by common ZIP codes.',
    params: planParams,
    query: exactQuery({ with: otherState.default('live') }),
    answers: { 200: { description: 'The comparison', schema: PlanComparisonBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, query }) => {
      const reader = await readerOf(caller);
      const plan = await findPlan(reader.tenant, params.plan);
      const before = await stateNamed(reader.tenant, query.with, plan);
      return { status: 200, headers: NO_STORE, body: await comparisonBody(reader, before, plan) };
    },
  });

const otherState = z
  .string()
  .min(1)
  .max(120)
  .meta({ description: 'Id or name of another plan, or `live` for what the brands hold' });

/** @throws ServiceError 404 as `findPlan` */
const stateNamed = async (tenant: Tenant, ref: string, { zips }: Pick<SavedPlan, 'zips'>) =>
  ref === 'live'
    ? { name: 'live', territories: await liveTerritories(tenant, zips) }
    : findPlan(tenant, ref);

const PNG = 'image/png';

const picture = (db: Database, renderer: Pick<Renderer, 'render'>) =>
  operation({
    ...PLANS,
    id: 'getPlanPicture',
    method: 'get',
    path: '/agent/plans/{plan}/map.png',
    summary: 'Get a picture of a plan',
    description:
      'Draws each territory in a color and pattern of its own, with its outline, its name, and a legend. ' +
      'With `with`, the picture shows the difference: ZIP codes that are added, moved, and removed, and ' +
      'broken lines around the territories before. It has no figures. A picture costs ' +
      `${PICTURE_UNITS} units; repeats are free for ${PAID_DAYS} days while the territories don’t change.`,
    params: planParams,
    query: exactQuery({ ...pictureQuery.shape, with: otherState.optional() }),
    answers: { 200: { description: 'The picture', type: PNG } },
    errors: [402, 403, 404],
    // Ignores the request's signal: a disconnect must not cancel a picture that is paid for.
    handle: async ({ caller, params, query: { with: other, ...query } }) => {
      const reader = await readerOf(caller);
      const look = pictureOptions(query);
      const plan = await findPlan(reader.tenant, params.plan);
      const before = other === undefined ? null : await stateNamed(reader.tenant, other, plan);
      const shown = [before, plan].map((state) => state && [state.name, state.territories]);
      const content = JSON.stringify(['plan', plan.market, plan.zips, ...shown, look]);
      const key = createHash('sha256').update(content).digest();
      const { picture: drawn } = await drawPaid(reader, key, () =>
        importedData(db, MAP_DATASETS).read((data) =>
          before === null
            ? drawPlan(data, renderer, plan, look)
            : drawComparison(data, renderer, { before, after: plan }, look),
        ),
      );
      return {
        status: 200,
        headers: { ...NO_STORE, 'Content-Type': PNG },
        body: Readable.from([drawn], { objectMode: false }),
      };
    },
  });

const boundaries = () =>
  operation({
    ...PLANS,
    id: 'getPlanBoundaries',
    method: 'get',
    path: '/agent/plans/{plan}/boundaries.geojson',
    summary: 'Get a plan’s boundaries',
    description:
      'Returns the ZIP codes of the market with their boundaries and territories as GeoJSON (RFC 7946), ' +
      'for maps and GIS software. It has no figures and is free.',
    params: planParams,
    answers: {
      200: {
        description: 'A feature per ZIP code',
        type: EXPORT_TYPES.geojson,
        example: GEOJSON_EXAMPLE,
      },
    },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant } = await readerOf(caller);
      const plan = await findPlan(tenant, params.plan);
      const pieces = planGeoJson(tenant.common, plan);
      const headers = { ...NO_STORE, 'Content-Type': EXPORT_TYPES.geojson };
      return { status: 200, headers, body: Readable.from(pieces, { objectMode: false }) };
    },
  });

const apply = () =>
  operation({
    ...PLANS,
    id: 'applyPlan',
    method: 'post',
    path: '/agent/plans/{plan}/apply',
    summary: 'Apply a plan',
    description:
      'Requests each territory’s new ZIP codes for its brand, and removes those that the brand holds ' +
      'in the market and the territory doesn’t have. A person reviews the additions, and the removals ' +
      `of each brand can be undone. Without \`confirm\`, the response is a free preview. Applying costs ${APPLY.units} unit.`,
    params: planParams,
    body: PlanApplyRequest,
    bodyExamples: {
      confirmed: {
        summary: 'After the preview',
        value: exampleOf(PlanApplyRequest) as typeof PlanApplyRequest._zod.input,
      },
    },
    answers: { 200: { description: 'What changes, or changed', schema: PlanApplicationBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body: { version, confirm } }) => {
      const writer = await writerOf(caller);
      const { tenant, actor, plan: subscription } = writer;
      if (!confirm) {
        const plan = await findPlan(tenant, params.plan);
        requireVersion(plan, version);
        const changes = await previewApplyPlan(tenant, plan);
        return {
          status: 200,
          headers: NO_STORE,
          body: {
            status: 'preview' as const,
            next: 'To apply the plan, send the same request with "confirm": true.',
            changes: changes.map((change) =>
              changeBody({ ...change, batchId: null, removalId: null }),
            ),
          },
        };
      }
      const reservation = await reserveUnits(tenant, subscription, APPLY.tool, APPLY.units);
      try {
        const changes = await tenant.transaction(async (tx) => {
          const applied = await applyPlan(tx, actor, params.plan, version);
          await reservation.settle(tx);
          return applied;
        });
        return {
          status: 200,
          headers: NO_STORE,
          body: {
            status: 'applied' as const,
            next: 'A reviewer decides on the additions. The removals of a brand can be undone on its page.',
            changes: changes.map(changeBody),
          },
        };
      } catch (error) {
        await reservation.release();
        throw error;
      }
    },
  });

const changeBody = ({ brand: { slug, name }, ...change }: AppliedChange) => ({
  brand: slug,
  brandName: name,
  ...change,
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
