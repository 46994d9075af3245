/** `territory apply`: asks for ZIPs for a brand. */
import { Option } from 'commander';
import { z } from 'zod';
import { changeCall, changeReading } from '../change-call.ts';
import { paragraphs, type Command } from '../command.ts';
import { zipsOf } from '../market.ts';
import { changeOptions } from '../options.ts';
import { zipGroups } from '../zip-groups.ts';

const zips = z.array(z.string());

const Outcome = z.object({
  brand: z.string(),
  queued: zips,
  shared: zips,
  alreadyPending: zips,
  alreadyLive: zips,
  unknown: zips,
});

const Done = Outcome.extend({ batchId: z.string().nullable() });

const groups = (outcome: z.output<typeof Outcome>, queued: string) =>
  [
    [queued, outcome.queued],
    ['of these, another brand of yours holds too', outcome.shared],
    ['are in review already', outcome.alreadyPending],
    ['are live already', outcome.alreadyLive],
    ['are left out: PO boxes or buildings without an area', outcome.unknown],
  ] as const;

const text = changeReading(
  { preview: Outcome, done: Done },
  {
    preview: (outcome, paper) =>
      paragraphs(
        `For ${outcome.brand}`,
        zipGroups(paper, groups(outcome, 'would wait for a person’s review')),
      ),
    done: (outcome, paper) =>
      paragraphs(
        paper.paint('bold', `Applied for ${outcome.brand}`),
        zipGroups(paper, groups(outcome, 'wait for a person’s review')),
        outcome.batchId === null
          ? 'Nothing waits that did not before.'
          : `What becomes of them:\n  territory pending --batch ${outcome.batchId}`,
      ),
  },
);

export const apply: Command = {
  usage: 'apply <brand> <zips...>',
  summary: 'ask for ZIPs for a brand; a person reviews them',
  options: [new Option('--note <text>', 'why, for the reviewer'), ...changeOptions()],
  examples: [
    'apply lone-star-roofing 76102 76107',
    'apply lone-star-roofing 76102 76107 --note "Next to our crews" --confirm',
    'apply lone-star-roofing @zips.txt --confirm',
  ],
  call: async ([brand, ...words], { note, ...change }, given) => {
    const input = { brand, zips: await zipsOf(words, given), note };
    return changeCall('service_apply_territory', input, change, text);
  },
};
