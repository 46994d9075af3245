/** `territory remove`: takes ZIPs from a brand. */
import { Option } from 'commander';
import { z } from 'zod';
import { changeCall, changeReading } from '../change-call.ts';
import { paragraphs, type Command } from '../command.ts';
import { zipsOf } from '../market.ts';
import { changeOptions } from '../options.ts';
import { zipGroups } from '../zip-groups.ts';

const zips = z.array(z.string());
const Outcome = z.object({ brand: z.string(), live: zips, pending: zips, notHeld: zips });
const Done = Outcome.extend({ removalId: z.string() });

const groups = ({ live, pending, notHeld }: z.output<typeof Outcome>, removed: string) =>
  [
    [`${removed}, live until now`, live],
    [`${removed}, in review until now`, pending],
    ['stay as they are: the brand does not hold them', notHeld],
  ] as const;

const text = changeReading(
  { preview: Outcome, done: Done },
  {
    preview: (outcome, paper) =>
      paragraphs(`From ${outcome.brand}`, zipGroups(paper, groups(outcome, 'would be removed'))),
    done: (outcome, paper) =>
      paragraphs(
        paper.paint('bold', `Removed from ${outcome.brand}`),
        zipGroups(paper, groups(outcome, 'are removed')),
        `A person can undo it, once: removal ${outcome.removalId}`,
      ),
  },
);

export const remove: Command = {
  usage: 'remove <brand> <zips...>',
  summary: 'remove ZIPs from a brand; a person can undo it',
  options: [new Option('--reason <text>', 'kept in the trail'), ...changeOptions()],
  examples: [
    'remove lone-star-roofing 75201 75204',
    'remove lone-star-roofing 75201 75204 --reason Overlap --confirm',
  ],
  call: async ([brand, ...words], { reason, ...change }, given) => {
    const input = { brand, zips: await zipsOf(words, given), reason };
    return changeCall('service_remove_territory', input, change, text);
  },
};
