/** Applies a plan, or previews the changes. */
import { planParams } from '../../agent/plans/schema.ts';
import {
  APPLY_UNITS,
  PlanApplicationBody,
  PlanApplyRequest,
} from '../../agent/plans/application-schema.ts';
import { operation } from '../../contract/operation.ts';
import { exampleOf } from '../../contract/resources.ts';
import { reserveUnits } from '../../metering/units.ts';
import { applyPlan, previewApplyPlan, type AppliedChange } from '../../plans/apply.ts';
import { requireVersion } from '../../plans/edit.ts';
import { findPlan } from '../../plans/plans.ts';
import { PLANS, writerOf } from './plan-callers.ts';
import { NO_STORE } from './shared.ts';

export const applyPlanOperation = () =>
  operation({
    ...PLANS,
    id: 'applyPlan',
    method: 'post',
    path: '/agent/plans/{plan}/apply',
    summary: 'Apply a plan',
    description:
      'Requests each territory’s new ZIP codes for its brand, and removes those that the brand holds ' +
      'in the market and the territory doesn’t have. A person reviews the additions, and the removals ' +
      `of each brand can be undone. Without \`confirm\`, the response is a free preview. Applying costs ${APPLY_UNITS} unit.`,
    params: planParams,
    body: PlanApplyRequest,
    bodyExamples: {
      confirmed: {
        summary: 'After the preview',
        value: exampleOf(PlanApplyRequest) as typeof PlanApplyRequest._zod.input,
      },
    },
    answers: {
      200: { description: 'The changes, previewed or made', schema: PlanApplicationBody },
    },
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
      const reservation = await reserveUnits(tenant, subscription, 'apply_plan', APPLY_UNITS);
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
