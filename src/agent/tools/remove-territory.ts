/** Removes ZIPs from a brand. */
import { z } from 'zod';
import { brandNamed, type Brand } from '../../territory/brands.ts';
import { previewRemove, removeZips, type RemovePlan } from '../../territory/remove.ts';
import { brand, remark, writeFields, zips } from '../fields.ts';
import { idempotent } from '../idempotent.ts';
import { tool } from '../tool.ts';
import { labelled } from '../../words.ts';
import { howToUndo } from './get-activity.ts';

const zipCodes = z.array(z.string());

export const removeTerritory = tool({
  name: 'service_remove_territory',
  title: 'Remove ZIPs',
  summary: 'Removes live and pending ZIPs from a brand, at once; a person can undo it',
  description:
    'It needs no review, so look at the preview first. Pending reviews of the ZIPs are withdrawn.',
  units: 1,
  write: true,
  destructive: true,
  idempotent: true,
  input: z.object({
    brand,
    zips,
    reason: remark.optional().meta({ description: 'Kept in the trail' }),
    ...writeFields,
  }),
  output: z.object({
    brand: z.string(),
    removalId: z.string().meta({ description: 'By which it can be undone, once' }),
    live: zipCodes.meta({ description: 'Removed, were live' }),
    pending: zipCodes.meta({ description: 'Removed, were in review' }),
    notHeld: zipCodes.meta({ description: 'Left as they are' }),
  }),
  example: { brand: 'lone-star-roofing', zips: ['75201'], reason: 'Overlap', confirm: true },
  async preview(input, { caller: { tenant, brandScope } }) {
    const named = await brandNamed(tenant, brandScope, input.brand);
    const plan = await previewRemove(tenant, named, input.zips);
    return { changes: { brand: named.slug, ...plan }, text: tell(named, plan, 'Would be removed') };
  },
  async handle(input, { caller: { tenant, brandScope, actor, organization }, charge }) {
    const named = await brandNamed(tenant, brandScope, input.brand);
    const call = { tool: this.name, key: input.idempotencyKey, input };
    const { answer, repeated } = await tenant.transaction((tx) =>
      idempotent(tx, call, async () => {
        const removed = await removeZips(tx, actor, named, input);
        await charge(tx);
        return {
          data: { brand: named.slug, ...removed },
          text:
            `${tell(named, removed, 'Removed')}\n` +
            `Removal ${removed.removalId}. ${howToUndo(removed.removalId, organization.slug)}`,
        };
      }),
    );
    return { ...answer, text: repeated ? `Done before, once.\n${answer.text}` : answer.text };
  },
});

function tell({ name }: Brand, { live, pending, notHeld }: RemovePlan, removed: string): string {
  return [
    ...labelled(`${removed} from ${name}, live until now`, live),
    ...labelled(`${removed} from ${name}, in review until now`, pending),
    ...labelled(`Not held by ${name}, left as they are`, notHeld),
  ].join('\n');
}
