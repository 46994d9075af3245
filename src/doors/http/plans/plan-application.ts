/** Applies a plan, or previews the changes. */
import { planParams } from './schema.ts';
import { APPLY_UNITS, PlanApplicationBody, PlanApplyRequest } from './application-schema.ts';
import { operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { needsNoReview } from '../../../people/account/review-settings.ts';
import { reserveUnits } from '../../../people/metering/units.ts';
import {
  applyPlan,
  previewApplyPlan,
  type AppliedChange,
  type AppliedPlan,
  type PlanApplication,
} from '../../../territories/plans/apply.ts';
import { changeDay } from '../../../territories/brands/changes/day.ts';
import { formatDay } from '../../../territories/brands/groups/refusal-words.ts';
import { requireVersion } from '../../../territories/plans/edit.ts';
import { findPlan } from '../../../territories/plans/plans.ts';
import { NO_STORE, PLANS } from '../agent/shared.ts';

export const applyPlanOperation = () =>
  operation({
    ...PLANS,
    needs: 'writer',
    id: 'applyPlan',
    method: 'post',
    path: '/agent/plans/{plan}/apply',
    summary: 'Apply a plan',
    description:
      'Requests each territory’s new ZIP codes for its brand, and removes those that the brand holds ' +
      'in the market and the territory doesn’t have. All of it is one change: a person reviews it as one, unless it’s an ' +
      'owner’s and owners need no review; it goes live as one, at once or on a day; and it’s undone as one. ' +
      `Territories without a brand don’t go live. Without \`confirm\`, the response is a free preview. Applying costs ${APPLY_UNITS} unit.`,
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
    handle: async ({ caller, params, body: { version, confirm, on: day } }) => {
      const { tenant, actor, subscription } = caller;
      const on = day === undefined ? null : await changeDay(tenant, day);
      const goesLive = on === null && (await needsNoReview(tenant, actor));
      if (!confirm) {
        const plan = await findPlan(tenant, params.plan);
        requireVersion(plan, version);
        const { changes, ...rest } = await previewApplyPlan(tenant, plan, on);
        return {
          status: 200,
          headers: NO_STORE,
          body: {
            status: 'preview' as const,
            next: 'To apply the plan, send the same request with "confirm": true.',
            goesLive,
            change: null,
            changes: changes.map((change) =>
              changeBody({ ...change, batchId: null, removalId: null }, goesLive),
            ),
            ...restBody(rest),
          },
        };
      }
      const reservation = await reserveUnits(tenant, subscription, 'apply_plan', APPLY_UNITS);
      try {
        const { changes, made, ...rest } = await tenant.transaction(async (tx) => {
          const applied = await applyPlan(tx, actor, params.plan, version, on);
          await reservation.settle(tx);
          return applied;
        });
        return {
          status: 200,
          headers: NO_STORE,
          body: {
            status: 'applied' as const,
            next: nextStep(made),
            goesLive,
            change: made,
            changes: changes.map((change) => changeBody(change, goesLive)),
            ...restBody(rest),
          },
        };
      } catch (error) {
        await reservation.release();
        throw error;
      }
    },
  });

/** Without a review, there is no meanwhile. */
const changeBody = (
  { brand: { slug, name }, liveMeanwhile, ...change }: AppliedChange,
  goesLive: boolean,
) => ({
  brand: slug,
  brandName: name,
  ...change,
  liveMeanwhile: goesLive ? change.kept + change.additions.length : liveMeanwhile,
});

const restBody = ({
  withoutBrand,
  untouched,
  inOtherChanges,
}: Omit<PlanApplication, 'changes'>) => ({
  withoutBrand: withoutBrand.map(({ number, name, zips }) => ({ number, name, zips: [...zips] })),
  untouched: untouched.map(({ brand: { slug, name }, zipCount }) => ({
    brand: slug,
    brandName: name,
    zipCount,
  })),
  openMeanwhile: [],
  inOtherChanges,
});

function nextStep({ id, status, on }: AppliedPlan['made']): string {
  const day = on === null ? null : formatDay(on);
  if (status === 'waiting') {
    return `A reviewer decides on the change.${day === null ? ' It goes live when it’s approved.' : ` Once approved, it goes live on ${day}.`}`;
  }
  if (status === 'scheduled') return `The change goes live on ${day!}.`;
  return `The change is live.${id === null ? ' Removals can be undone on the page of the brand.' : ' It can be undone as one.'}`;
}
