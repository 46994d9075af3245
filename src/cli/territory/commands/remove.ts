import { Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { removeTerritory } from '../../../agent/tools/remove-territory.ts';
import { changeCall, changeFormatter } from '../change-call.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatEffect } from '../format-effect.ts';
import { formatZipGroups } from '../format-zip-groups.ts';
import { readZips } from '../market.ts';
import { changeOptions } from '../options.ts';

const loadResult = async () =>
  (await import('../../../agent/tools/remove-territory.ts')).removeTerritory.output;

const loadEffect = async () => (await import('../../../agent/effect.ts')).ChangeEffect;

type Outcome = Omit<AnswerOf<typeof removeTerritory>, 'removalId'>;

const groups = ({ live, pending, notHeld }: Outcome, removed: string) =>
  [
    [`${removed} (live)`, live],
    [`${removed} (pending)`, pending],
    ['unchanged: not held by the brand', notHeld],
  ] as const;

const format = changeFormatter(
  formatter(
    async () =>
      (await loadResult())
        .omit({ removalId: true })
        .extend({ effect: (await loadEffect()).optional() }),
    (outcome, layout) =>
      paragraphs(
        `Removal from ${outcome.brandName}`,
        formatZipGroups(layout, groups(outcome, 'will be removed')),
        outcome.effect ? formatEffect(outcome.effect, layout) : '',
      ),
  ),
  formatter(loadResult, (outcome, layout) =>
    paragraphs(
      layout.paint('bold', `Removed from ${outcome.brandName}`),
      formatZipGroups(layout, groups(outcome, 'removed')),
      `A person can undo this once: removal ${outcome.removalId}`,
    ),
  ),
);

export const remove: Command = {
  usage: 'remove <brand> <zips...>',
  summary: 'remove ZIP codes from a brand; a person can undo it',
  options: [new Option('--reason <text>', 'reason, shown in the activity'), ...changeOptions()],
  examples: [
    'remove lone-star-roofing 75201 75204',
    'remove lone-star-roofing 75201 75204 --reason Overlap --confirm',
  ],
  call: async ([brand, ...words], { reason, ...change }, readArgument) => {
    const input = { brand, zips: await readZips(words, readArgument), reason };
    return changeCall('service_remove_territory', input, change, format);
  },
};
