/** Applies for ZIPs for a brand. */
import { z } from 'zod';
import { applyZips, previewApply, type ApplyOutcome } from '../../territory/apply.ts';
import { brandNamed, type Brand } from '../../territory/brands.ts';
import { brand, remark, writeFields, zips } from '../fields.ts';
import { idempotent } from '../idempotent.ts';
import { tool } from '../tool.ts';
import { labelled } from '../../words.ts';

const zipCodes = z.array(z.string());

export const applyTerritory = tool({
  name: 'service_apply_territory',
  title: 'Apply for ZIPs',
  summary: 'Adds ZIPs to a brand; they wait for a person’s review before they are live',
  description:
    'Use it for ZIPs found with service_score_territory or service_discover_zips. ZIPs that the ' +
    'brand holds already stay as they are. Nothing goes live without a reviewer.',
  units: 1,
  write: true,
  destructive: false,
  idempotent: true,
  input: z.object({
    brand,
    zips,
    note: remark.optional().meta({ description: 'Why, for the reviewer' }),
    ...writeFields,
  }),
  output: z.object({
    brand: z.string(),
    queued: zipCodes.meta({ description: 'Wait for review now' }),
    shared: zipCodes.meta({ description: 'Queued ones that another brand holds too' }),
    alreadyPending: zipCodes,
    alreadyLive: zipCodes,
    unknown: zipCodes.meta({ description: 'No such area, e.g. PO-box ZIPs' }),
    batchId: z.string().nullable().meta({ description: 'Of these reviews' }),
  }),
  example: {
    brand: 'lone-star-roofing',
    zips: ['76102', '76107'],
    note: 'Next to our crews',
    confirm: true,
  },
  async preview(input, { caller: { tenant, brandScope } }) {
    const named = await brandNamed(tenant, brandScope, input.brand);
    const outcome = await previewApply(tenant, named, input.zips);
    return {
      changes: { brand: named.slug, ...outcome },
      text: tell(named, outcome, 'Would be queued'),
    };
  },
  async handle(input, { caller: { tenant, brandScope, actor }, charge }) {
    const named = await brandNamed(tenant, brandScope, input.brand);
    const call = { tool: this.name, key: input.idempotencyKey, input };
    const { answer, repeated } = await tenant.transaction((tx) =>
      idempotent(tx, call, async () => {
        const applied = await applyZips(tx, actor, named, input);
        await charge(tx);
        const next = applied.batchId
          ? `\nNext: a reviewer decides; service_list_pending_review with batchId ${applied.batchId} tells.`
          : '';
        return {
          data: { brand: named.slug, ...applied },
          text: tell(named, applied, 'Queued') + next,
        };
      }),
    );
    return { ...answer, text: repeated ? `Done before, once.\n${answer.text}` : answer.text };
  },
});

function tell({ name }: Brand, outcome: ApplyOutcome, queued: string): string {
  const lines = [
    ...labelled(`${queued} for a person’s review for ${name}`, outcome.queued),
    ...labelled('Of these, another brand of the organisation holds too', outcome.shared),
    ...labelled('Live already', outcome.alreadyLive),
    ...labelled('In review already', outcome.alreadyPending),
    ...labelled('Left out, PO boxes or single buildings without an area', outcome.unknown),
  ];
  return (outcome.queued.length > 0 ? lines : ['Nothing to apply for.', ...lines]).join('\n');
}
