/** Commands for the reserved ZIP codes of a group. */
import { Option } from 'commander';
import { pluralize } from '../../../../text/words.ts';
import { path } from '../../call.ts';
import { formatter, plainCall, type Command } from '../../command.ts';
import { readZips } from '../../market.ts';
import { groupSchemas } from './commands.ts';

const format = formatter(
  async () => (await groupSchemas()).ReserveBody,
  ({ id, zips, until, open, reason }) =>
    open
      ? `Reserved ${pluralize(zips.length, 'ZIP code')} through ${until}: ${reason}.\nTo end it earlier:\n` +
        `  territory groups end-reserve <group> ${id}`
      : `Ended the reserve of ${pluralize(zips.length, 'ZIP code')}. Brands can request them again.`,
);

export const groupsReserve: Command = {
  usage: 'groups reserve <group> <zips...>',
  summary: 'reserve ZIP codes, so that no brand of the group can request them',
  options: [
    new Option('--until <day>', 'last day, such as 2027-03-31').makeOptionMandatory(),
    new Option(
      '--reason <text>',
      'shown to people whose requests are refused',
    ).makeOptionMandatory(),
  ],
  examples: [
    'groups reserve Franchisees 76102 76107 --until 2099-03-31 --reason "Sale in progress"',
    'groups reserve Franchisees @zips.txt --until 2099-03-31 --reason "Corporate market"',
  ],
  call: async ([group, ...words], { until, reason }, readArgument) => {
    const zips = await readZips(words, readArgument);
    const at = path`/agent/brand-groups/${group!}/reserves`;
    return {
      ...plainCall({ path: at, body: { zips, until, reason }, type: 'application/json' }, format),
      needsKey: true,
    };
  },
};

export const groupsEndReserve: Command = {
  usage: 'groups end-reserve <group> <reserve>',
  summary: 'end a reserve before its last day; groups show lists their ids',
  examples: [
    'groups end-reserve Franchisees 0c8e4a52-41f3-4c55-9d3e-0b7c5c1e5d11',
    'groups end-reserve "Stores in Texas" 6e0f1f0a-9d53-4b7e-8a38-5d2f1f9b7c22 --json',
  ],
  call: ([group, reserve]) => {
    const at = path`/agent/brand-groups/${group!}/reserves/${reserve!}/end`;
    return {
      ...plainCall({ path: at, body: {}, type: 'application/json' }, format),
      needsKey: true,
    };
  },
};
