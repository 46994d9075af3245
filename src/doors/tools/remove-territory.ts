import { z } from 'zod';
import { findBrand, type Brand } from '../../territories/brands/brands.ts';
import { previewRemove, removeZips, type RemovableZips } from '../../territories/brands/remove.ts';
import { effectLines, previewEffect } from './support/effect.ts';
import { brand, remark, writeFields, zips } from './support/fields.ts';
import { writeOnce } from '../../people/metering/idempotent.ts';
import { tool } from './tool.ts';
import { labeledList } from '../../base/text/words.ts';
import { howToUndo } from './get-activity.ts';

const zipCodes = z.array(z.string());

export const removeTerritory = tool({
  name: 'service_remove_territory',
  title: 'Remove ZIP codes',
  summary: 'Remove live and pending ZIP codes from a brand immediately; a person can undo it',
  description:
    'Needs no review, so check the preview first. Withdraws pending reviews of the ZIP codes.',
  units: 1,
  write: true,
  destructive: true,
  idempotent: true,
  input: z.object({
    brand,
    zips,
    reason: remark.optional().meta({ description: 'Shown in the activity' }),
    ...writeFields,
  }),
  output: z.object({
    brand: z.string(),
    brandName: z.string(),
    removalId: z.string().meta({ description: 'Id for undoing it, once' }),
    live: zipCodes.meta({ description: 'Removed; were live' }),
    pending: zipCodes.meta({ description: 'Removed; were in review' }),
    notHeld: zipCodes.meta({ description: 'Unchanged' }),
  }),
  example: { brand: 'lone-star-roofing', zips: ['75201'], reason: 'Overlap', confirm: true },
  async preview(input, context) {
    const { tenant, brandScope } = context.caller;
    const named = await findBrand(tenant, brandScope, input.brand);
    const removable = await previewRemove(tenant, named, input.zips);
    const removed = [...removable.live, ...removable.pending];
    const effect = await previewEffect(context, named, { removed });
    return {
      changes: { brand: named.slug, brandName: named.name, ...removable, effect },
      text: [describeRemovable(named, removable, 'To be removed'), ...effectLines(effect)].join(
        '\n',
      ),
    };
  },
  async handle(input, { caller: { tenant, brandScope, actor, organization }, charge }) {
    const named = await findBrand(tenant, brandScope, input.brand);
    return writeOnce(this.name, input, tenant, async (tx) => {
      const removed = await removeZips(tx, actor, named, input);
      await charge(tx);
      return {
        data: { brand: named.slug, brandName: named.name, ...removed },
        text:
          `${describeRemovable(named, removed, 'Removed')}\n` +
          `Removal ${removed.removalId}. ${howToUndo(removed.removalId, organization.slug)}`,
      };
    });
  },
});

function describeRemovable(
  { name }: Brand,
  { live, pending, notHeld }: RemovableZips,
  removed: string,
): string {
  return [
    ...labeledList(`${removed} from ${name} (live)`, live),
    ...labeledList(`${removed} from ${name} (pending)`, pending),
    ...labeledList(`Unchanged, not held by ${name}`, notHeld),
  ].join('\n');
}
