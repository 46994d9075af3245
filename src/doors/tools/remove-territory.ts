import { z } from 'zod';
import { findBrand, type Brand } from '../../territories/brands/brands.ts';
import { previewRemove, removeZips, type RemovableZips } from '../../territories/brands/remove.ts';
import { changeBrands } from '../../territories/brands/changes/change-brands.ts';
import { changeDay, type ChangeDay } from '../../territories/brands/changes/day.ts';
import { formatDay } from '../../territories/brands/groups/refusal-words.ts';
import { effectLines, previewEffect } from './support/effect.ts';
import { brand, changeId, onDay, remark, writeFields, zips } from './support/fields.ts';
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
    on: onDay,
    ...writeFields,
  }),
  output: z.object({
    brand: z.string(),
    brandName: z.string(),
    removalId: z.string().nullable().meta({ description: 'Id for undoing it, once' }),
    live: zipCodes.meta({ description: 'Removed; were live' }),
    pending: zipCodes.meta({ description: 'Removed; were in review' }),
    notHeld: zipCodes.meta({ description: 'Unchanged' }),
    inChange: zipCodes.meta({ description: 'Unchanged; part of a change' }),
    changeId,
  }),
  example: { brand: 'lone-star-roofing', zips: ['75201'], reason: 'Overlap', confirm: true },
  async preview(input, context) {
    const { tenant, brandScope } = context.caller;
    const named = await findBrand(tenant, brandScope, input.brand);
    const removable = await previewRemove(tenant, named, input.zips);
    const on = input.on === undefined ? null : await changeDay(tenant, input.on);
    const removed = [...removable.live, ...removable.pending];
    const effect = await previewEffect(context, named, { removed });
    return {
      changes: { brand: named.slug, brandName: named.name, ...dataOf(removable), effect },
      text: [
        describeRemovable(named, removable, `To be removed${onText(on)}`),
        ...effectLines(effect),
      ].join('\n'),
    };
  },
  async handle(input, { caller: { tenant, brandScope, actor, organization }, charge }) {
    const named = await findBrand(tenant, brandScope, input.brand);
    return writeOnce(this.name, input, tenant, async (tx) => {
      const brandData = { brand: named.slug, brandName: named.name };
      if (input.on !== undefined) {
        const on = await changeDay(tx, input.on);
        const removable = await previewRemove(tx, named, input.zips);
        const changes = [{ brand: named, added: [], removed: input.zips }];
        const options = { source: 'request', note: input.reason, on } as const;
        const { id, parts } = await changeBrands(tx, actor, changes, options);
        await charge(tx);
        const planned = { ...removable, live: parts[0]!.leaving };
        return {
          data: { ...brandData, ...dataOf(planned), removalId: null, changeId: id },
          text:
            id === null
              ? describeRemovable(named, planned, 'Removed')
              : `${describeRemovable(named, planned, `To be removed${onText(on)}`)}\nChange ${id}.`,
        };
      }
      const removed = await removeZips(tx, actor, named, input);
      await charge(tx);
      return {
        data: { ...brandData, ...dataOf(removed), removalId: removed.removalId, changeId: null },
        text:
          `${describeRemovable(named, removed, 'Removed')}\n` +
          `Removal ${removed.removalId}. ${howToUndo(removed.removalId, organization.slug)}`,
      };
    });
  },
});

const dataOf = ({ live, pending, notHeld, inChange }: RemovableZips) => {
  return { live, pending, notHeld, inChange };
};

const onText = (on: ChangeDay | null) => (on ? ` on ${formatDay(on.day)}` : '');

function describeRemovable(
  { name }: Brand,
  { live, pending, notHeld, inChange }: RemovableZips,
  removed: string,
): string {
  return [
    ...labeledList(`${removed} from ${name} (live)`, live),
    ...labeledList(`${removed} from ${name} (pending)`, pending),
    ...labeledList(`Unchanged, not held by ${name}`, notHeld),
    ...labeledList('Unchanged, part of a change that is decided as one', inChange),
  ].join('\n');
}
