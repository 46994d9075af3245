import { Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { applyTerritory } from '../../../agent/tools/apply-territory.ts';
import { changeCall, changeFormatter } from '../change-call.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatEffect } from '../format-effect.ts';
import { formatZipGroups } from '../format-zip-groups.ts';
import { readZips } from '../market.ts';
import { changeOptions } from '../options.ts';

const loadResult = async () =>
  (await import('../../../agent/tools/apply-territory.ts')).applyTerritory.output;

const loadEffect = async () => (await import('../../../agent/effect.ts')).ChangeEffect;

type Outcome = Omit<AnswerOf<typeof applyTerritory>, 'batchId'>;

const groups = (outcome: Outcome, queued: string) =>
  [
    [queued, outcome.queued],
    ['of these, also held by another brand of yours', outcome.shared],
    ['already in review', outcome.alreadyPending],
    ['already live', outcome.alreadyLive],
    ...outcome.unknownReasons.map(({ reason, zips }) => [`skipped: ${reason}`, zips] as const),
  ] as const;

const format = changeFormatter(
  formatter(
    async () =>
      (await loadResult())
        .omit({ batchId: true })
        .extend({ effect: (await loadEffect()).optional() }),
    (outcome, layout) =>
      paragraphs(
        `Request for ${outcome.brandName}`,
        formatZipGroups(layout, groups(outcome, 'will go to review')),
        outcome.effect ? formatEffect(outcome.effect, layout) : '',
      ),
  ),
  formatter(loadResult, (outcome, layout) =>
    paragraphs(
      layout.paint('bold', `Requested for ${outcome.brandName}`),
      formatZipGroups(layout, groups(outcome, 'now in review')),
      outcome.batchId === null
        ? 'No ZIP code was added to the review queue.'
        : `Follow the review with:\n  territory pending --batch ${outcome.batchId}`,
    ),
  ),
);

export const apply: Command = {
  usage: 'apply <brand> <zips...>',
  summary: 'request ZIP codes for a brand; a person reviews them',
  options: [new Option('--note <text>', 'reason, for the reviewer'), ...changeOptions()],
  examples: [
    'apply lone-star-roofing 76102 76107',
    'apply lone-star-roofing 76102 76107 --note "Next to our crews" --confirm',
    'apply lone-star-roofing @zips.txt --confirm',
  ],
  call: async ([brand, ...words], { note, ...change }, readArgument) => {
    const input = { brand, zips: await readZips(words, readArgument), note };
    return changeCall('service_apply_territory', input, change, format);
  },
};
