/** Links that show a plan to anyone who has them. */
import { z } from 'zod';
import {
  PLAN_SHARE_UNITS,
  PlanShareBody,
  planShareBody,
  PlanShareListBody,
  PlanShareRequest,
} from './share-schema.ts';
import { planParams } from './schema.ts';
import type { Roots } from '../../../base/contract/openapi/about.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { runMetered } from '../../../people/metering/units.ts';
import { findPlan } from '../../../territories/plans/plans.ts';
import {
  listPlanShares,
  mintPlanShare,
  revokePlanShare,
} from '../../../territories/plans/shares.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';

export const planShareOperations = (roots: () => Roots): Operation[] => [
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'sharePlan',
    method: 'post',
    path: '/agent/plans/{plan}/shares',
    summary: 'Share a plan',
    description:
      'Creates a link to a page that always shows the plan’s current state: a map, the territories with ' +
      'their ZIP codes, and a search for a ZIP code. It shows no figures and no brands: a ' +
      'territory with the name of a brand is shown by its number. Anyone with the ' +
      `link can open it until it expires or is revoked. A link costs ${PLAN_SHARE_UNITS} units.`,
    params: planParams,
    body: PlanShareRequest,
    bodyExamples: {
      twoWeeks: {
        summary: 'For two weeks',
        value: exampleOf(PlanShareRequest) as typeof PlanShareRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The link', schema: PlanShareBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body }) => {
      const call = { tool: 'share_plan', units: PLAN_SHARE_UNITS };
      const share = await runMetered(caller, call, () =>
        caller.tenant.transaction(async (tx) =>
          mintPlanShare(tx, caller.actor, await findPlan(tx, params.plan), body.days),
        ),
      );
      return { status: 200, headers: NO_STORE, body: planShareBody(share, roots()) };
    },
  }),
  operation({
    ...PLANS,
    id: 'listPlanShares',
    method: 'get',
    path: '/agent/plans/{plan}/shares',
    summary: 'List the links to a plan',
    description:
      'Returns the links to a plan, newest first, with those that are expired or revoked.',
    params: planParams,
    answers: { 200: { description: 'The links', schema: PlanShareListBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant } = caller;
      const shares = await listPlanShares(tenant, await findPlan(tenant, params.plan));
      const body = { shares: shares.map((share) => planShareBody(share, roots())) };
      return { status: 200, headers: NO_STORE, body };
    },
  }),
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'revokePlanShare',
    method: 'post',
    path: '/agent/plans/{plan}/shares/{share}/revoke',
    summary: 'Revoke a link to a plan',
    description: 'Closes a link for everyone, permanently.',
    params: planParams.extend({
      share: z.string().min(1).max(200).meta({ description: 'Token or short code of the link' }),
    }),
    answers: { 200: { description: 'The link, which is closed', schema: PlanShareBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant, actor } = caller;
      const share = await tenant.transaction(async (tx) =>
        revokePlanShare(tx, actor, await findPlan(tx, params.plan), params.share),
      );
      return { status: 200, headers: NO_STORE, body: planShareBody(share, roots()) };
    },
  }),
];
