import { Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { removeTerritory } from '../../../agent/tools/remove-territory.ts';
import { changeCall, changeFormatter } from '../change-call.ts';
import { paragraphs, type Command } from '../command.ts';
import { formatZipGroups } from '../format-zip-groups.ts';
import { readZips } from '../market.ts';
import { changeOptions } from '../options.ts';

type Result = AnswerOf<typeof removeTerritory>;
type Preview = Omit<Result, 'removalId'>;

const groups = ({ live, pending, notHeld }: Preview, removed: string) =>
  [
    [`${removed} (live)`, live],
    [`${removed} (pending)`, pending],
    ['unchanged: not held by the brand', notHeld],
  ] as const;

const format = changeFormatter<Preview, Result>({
  previewFields: ['brandName', 'live', 'pending', 'notHeld'],
  preview: (outcome, layout) =>
    paragraphs(
      `Removal from ${outcome.brandName}`,
      formatZipGroups(layout, groups(outcome, 'will be removed')),
    ),
  resultFields: ['brandName', 'live', 'pending', 'notHeld', 'removalId'],
  result: (outcome, layout) =>
    paragraphs(
      layout.paint('bold', `Removed from ${outcome.brandName}`),
      formatZipGroups(layout, groups(outcome, 'removed')),
      `A person can undo this once: removal ${outcome.removalId}`,
    ),
});

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
