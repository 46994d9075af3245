import { z } from 'zod';
import type { Actor } from '../../people/account/caller.ts';
import type { TenantTransaction } from '../../people/account/tenant.ts';
import {
  applyZips,
  previewApply,
  type Applied,
  type ApplyOutcome,
} from '../../territories/brands/apply.ts';
import { findBrand, type Brand } from '../../territories/brands/brands.ts';
import { changeBrands } from '../../territories/brands/changes/change-brands.ts';
import { changeDay, type ChangeDay } from '../../territories/brands/changes/day.ts';
import { formatDay } from '../../territories/brands/groups/refusal-words.ts';
import { effectLines, previewEffect } from './support/effect.ts';
import { brand, changeId, onDay, remark, writeFields, zips } from './support/fields.ts';
import { writeOnce } from '../../people/metering/idempotent.ts';
import { tool } from './tool.ts';
import { labeledList } from '../../base/text/words.ts';

const zipCodes = z.array(z.string());

export const applyTerritory = tool({
  name: 'service_apply_territory',
  title: 'Request ZIP codes',
  summary: 'Request ZIP codes for a brand; a person reviews them before they go live',
  description:
    'Use for ZIP codes found with service_score_territory or service_discover_zips. ZIP codes that ' +
    'the brand already holds stay unchanged.',
  units: 1,
  write: true,
  destructive: false,
  idempotent: true,
  input: z.object({
    brand,
    zips,
    note: remark.optional().meta({ description: 'Reason, for the reviewer' }),
    on: onDay,
    ...writeFields,
  }),
  output: z.object({
    brand: z.string(),
    brandName: z.string(),
    queued: zipCodes.meta({ description: 'Now in review, except live' }),
    live: zipCodes.meta({ description: 'Queued ones live at once, as owners need no review' }),
    shared: zipCodes.meta({ description: 'Queued ones also held by another brand' }),
    alreadyPending: zipCodes,
    alreadyLive: zipCodes,
    unknown: zipCodes.meta({ description: 'Neither a boundary nor figures' }),
    unknownReasons: z
      .array(z.object({ reason: z.string(), zips: zipCodes }))
      .meta({ description: 'Why some are skipped' }),
    batchId: z.string().nullable().meta({ description: 'Batch of these reviews' }),
    changeId,
  }),
  example: {
    brand: 'lone-star-roofing',
    zips: ['76102', '76107'],
    note: 'Next to our crews',
    confirm: true,
  },
  async preview(input, context) {
    const { tenant, brandScope, actor } = context.caller;
    const brand = await findBrand(tenant, brandScope, input.brand);
    const on = input.on === undefined ? null : await changeDay(tenant, input.on);
    const time = { on, countsPlanned: true };
    const outcome = await previewApply(tenant, brand, input.zips, {
      naming: 'known',
      by: actor,
      time,
    });
    const effect = await previewEffect(context, brand, { added: outcome.queued });
    return {
      changes: {
        brand: brand.slug,
        brandName: brand.name,
        ...dataOf(outcome),
        ...NO_CHANGE,
        effect,
      },
      text: [
        describeOutcome(brand, outcome, ['To be queued for review', liveLabel('To go live', on)]),
        ...(on ? [`Once approved, live on ${formatDay(on.day)}.`] : []),
        ...effectLines(effect),
      ].join('\n'),
    };
  },
  async handle(input, { caller: { tenant, brandScope, actor }, charge }) {
    const brand = await findBrand(tenant, brandScope, input.brand);
    return writeOnce(this.name, input, tenant, async (tx) => {
      const on = input.on === undefined ? null : await changeDay(tx, input.on);
      const { applied, id } = await request(tx, actor, brand, input, on);
      await charge(tx);
      const next =
        applied.batchId && applied.live.length === 0
          ? `\nNext: a reviewer decides. Check with service_list_pending_review and batchId ${applied.batchId}.`
          : '';
      return {
        data: { brand: brand.slug, brandName: brand.name, ...dataOf(applied), changeId: id },
        text:
          describeOutcome(brand, applied, ['Queued for review', liveLabel('Live', on)]) +
          (on ? `\nOnce approved, live on ${formatDay(on.day)}. Change ${id!}.` : '') +
          next,
      };
    });
  },
});

/** Requests ZIP codes, as a change if they are to go live on a day. */
async function request(
  tx: TenantTransaction,
  actor: Actor,
  brand: Brand,
  { zips, note }: { zips: string[]; note?: string | undefined },
  on: ChangeDay | null,
): Promise<{ applied: Applied; id: string | null }> {
  if (on === null) {
    return {
      applied: await applyZips(tx, actor, brand, { zips, note, naming: 'known' }),
      id: null,
    };
  }
  const changes = [{ brand, added: zips, removed: [] }];
  const { id, parts } = await changeBrands(tx, actor, changes, { source: 'request', note, on });
  return { applied: parts[0]!.requested!, id };
}

/** A preview has no change yet. */
const NO_CHANGE = { changeId: null };

const liveLabel = (label: string, on: ChangeDay | null) =>
  on ? `${label} on ${formatDay(on.day)}` : label === 'Live' ? 'Live now' : `${label} at once`;

/** ZIP codes that a rule of a group refuses are skipped, like unknown ones. */
function dataOf<T extends ApplyOutcome>({ refused: _, refusedReasons, ...outcome }: T) {
  return { ...outcome, unknownReasons: [...outcome.unknownReasons, ...refusedReasons] };
}

/** @param labels of ZIP codes that need a review, and of those that need none */
function describeOutcome(
  { name }: Brand,
  outcome: ApplyOutcome,
  [queued, live]: readonly [string, string],
): string {
  const isLive = new Set(outcome.live);
  const lines = [
    ...labeledList(`${live} for ${name}, without a review`, outcome.live),
    ...labeledList(
      `${queued} for ${name}`,
      outcome.queued.filter((zip) => !isLive.has(zip)),
    ),
    ...labeledList('Of these, also held by another brand of the organization', outcome.shared),
    ...labeledList('Already live', outcome.alreadyLive),
    ...labeledList('Already in review', outcome.alreadyPending),
    ...[...outcome.unknownReasons, ...outcome.refusedReasons].flatMap(({ reason, zips }) =>
      labeledList(`Skipped, ${reason}`, zips),
    ),
  ];
  return (outcome.queued.length > 0 ? lines : ['Nothing to request.', ...lines]).join('\n');
}
