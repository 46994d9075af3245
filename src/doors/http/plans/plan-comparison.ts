/** Compares a plan with another state, and draws the plan and the differences. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Tenant } from '../../../people/account/tenant.ts';
import { comparisonBody } from './describe.ts';
import { planParams } from './schema.ts';
import { PlanComparisonBody } from './comparison-schema.ts';
import { zipCounts } from '../../../maps/cartography/counted-picture.ts';
import { MAP_DATASETS } from '../../../maps/cartography/zip-map.ts';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { operation } from '../../../base/contract/operation.ts';
import { zipCountsField } from '../../../base/contract/zip-counts.ts';
import type { Database } from '../../../base/db/database.ts';
import { liveTerritories } from '../../../territories/plans/live.ts';
import { drawComparison, drawPlan } from '../../../territories/plans/picture.ts';
import { findPlan, type SavedPlan } from '../../../territories/plans/plans.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import { drawPaid, PAID_DAYS, PICTURE_UNITS } from '../../../territories/static/paid-pictures.ts';
import { pictureOptions, pictureQuery } from '../requests/picture-query.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';

export const comparePlan = () =>
  operation({
    ...PLANS,
    id: 'comparePlan',
    method: 'get',
    path: '/agent/plans/{plan}/comparison',
    summary: 'Compare a plan',
    description:
      'Compares a plan with the ZIP codes that your brands hold now, or with another plan: ZIP codes ' +
      'that change hands, and totals before and after. Territories are paired by brand, then by common ZIP codes.',
    params: planParams,
    query: exactQuery({ with: otherState.default('live') }),
    answers: { 200: { description: 'The comparison', schema: PlanComparisonBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, query }) => {
      const plan = await findPlan(caller.tenant, params.plan);
      const before = await stateNamed(caller.tenant, query.with, plan);
      return { status: 200, headers: NO_STORE, body: await comparisonBody(caller, before, plan) };
    },
  });

const otherState = z
  .string()
  .min(1)
  .max(120)
  .meta({
    description: 'Id or name of another plan, or `live` for the ZIP codes that your brands hold',
  });

/** @throws ServiceError 404 as `findPlan` */
const stateNamed = async (tenant: Tenant, ref: string, { zips }: Pick<SavedPlan, 'zips'>) =>
  ref === 'live'
    ? { name: 'live', territories: await liveTerritories(tenant, zips) }
    : findPlan(tenant, ref);

const PNG = 'image/png';

export const planPicture = (db: Database, renderer: MapRenderer) =>
  operation({
    ...PLANS,
    id: 'getPlanPicture',
    method: 'get',
    path: '/agent/plans/{plan}/map.png',
    summary: 'Get a picture of a plan',
    description:
      'Draws each territory in its own color and pattern, with its outline, its name, and a legend. ' +
      'With `with`, the picture shows the difference: ZIP codes that are added, moved, and removed, and ' +
      'broken lines around the territories before. It has no figures. A picture costs ' +
      `${PICTURE_UNITS} units; repeats are free for ${PAID_DAYS} days while the territories don’t change.`,
    params: planParams,
    query: exactQuery({ ...pictureQuery.shape, with: otherState.optional() }),
    answers: { 200: { description: 'The picture', countsZips: true, type: PNG } },
    errors: [402, 403, 404],
    // Ignores the request's signal: a disconnect must not cancel a picture that is paid for.
    handle: async ({ caller, params, query: { with: other, ...query } }) => {
      const look = pictureOptions(query);
      const plan = await findPlan(caller.tenant, params.plan);
      const before = other === undefined ? null : await stateNamed(caller.tenant, other, plan);
      const shown = [before, plan].map((state) => state && [state.name, state.territories]);
      const content = JSON.stringify(['plan', plan.market, plan.zips, ...shown, look]);
      const key = createHash('sha256').update(content).digest();
      const map = await drawPaid(caller, key, () =>
        renderer
          .data(db, MAP_DATASETS)
          .read((data) =>
            before === null
              ? drawPlan(data, renderer, plan, look)
              : drawComparison(data, renderer, { before, after: plan }, look),
          ),
      );
      return {
        status: 200,
        headers: { ...NO_STORE, 'Content-Type': PNG, ...zipCountsField(zipCounts(map)) },
        body: Readable.from([map.picture], { objectMode: false }),
      };
    },
  });
