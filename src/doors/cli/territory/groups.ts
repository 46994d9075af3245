/** Commands for groups of brands and their rules. */
import type { z } from 'zod';
import { formatCount, joinWithAnd, pluralize } from '../../../base/text/words.ts';
import type {
  GroupBody,
  GroupListBody,
  GroupWithReservesBody,
  OverlapsBody,
  ReserveBody,
} from '../../http/groups/schema.ts';
import { formatEntries, formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Command, Formats, Formatter } from './command.ts';
import { formatNextPage } from './markets.ts';

const RULE = 'allow: no flag; warn: a flag; block: a ZIP code goes to one brand only';

export const groupCommands: readonly Command[] = [
  { usage: 'groups list', calls: ['listBrandGroups'], examples: ['groups list'] },
  { usage: 'groups show', calls: ['getBrandGroup'], examples: ['groups show Franchisees'] },
  {
    usage: 'groups overlaps',
    summary: 'list the ZIP codes that several brands of a group hold, and how to resolve each',
    calls: ['listBrandGroupOverlaps'],
    examples: ['groups overlaps Franchisees'],
  },
  {
    usage: 'groups delete',
    summary: 'delete a group with its rule and its reserved ZIP codes',
    calls: ['deleteBrandGroup'],
    confirm: 'Deleting "{group}" ends its rule and its reserves.',
    done: 'Deleted the group "{group}".',
    examples: ['groups delete Franchisees --confirm', 'groups delete "Stores in Texas"'],
  },
  {
    usage: 'groups create',
    summary: 'group brands whose territories have a common rule',
    calls: ['createBrandGroup'],
    texts: { rule: `${RULE} (default: warn)` },
    examples: [
      'groups create "All brands" lone-star-roofing desert-air-hvac',
      'groups create "Must not overlap" lone-star-roofing desert-air-hvac --rule block',
    ],
  },
  {
    usage: 'groups change',
    summary: 'change the rule, name, or brands of a group; existing overlaps stay',
    calls: ['changeBrandGroup'],
    names: { brands: 'brand' },
    texts: { rule: RULE, name: 'new name', brand: 'replace the brands' },
    edits: true,
    examples: [
      'groups change Franchisees --rule block',
      'groups change Franchisees --name Stores --brand lone-star-roofing --brand desert-air-hvac',
    ],
  },
  {
    usage: 'groups reserve <group> <zips...>',
    summary: 'reserve ZIP codes, so that no brand of the group can request them',
    calls: ['createZipReserve'],
    texts: { until: 'last day, such as 2027-03-31' },
    examples: [
      'groups reserve Franchisees 76102 76107 --until 2099-03-31 --reason "Sale in progress"',
      'groups reserve Franchisees @zips.txt --until 2099-03-31 --reason "Corporate market"',
    ],
  },
  {
    usage: 'groups end-reserve',
    summary: 'end a reserve before its last day; groups show lists their ids',
    calls: ['endZipReserve'],
    examples: ['groups end-reserve Franchisees 0c8e4a52-41f3-4c55-9d3e-0b7c5c1e5d11'],
  },
];

type Group = z.output<typeof GroupBody>;

/** `Desert Air HVAC, Lone Star Roofing, and 2 others` */
const brandsOf = ({ brands, others }: Group) =>
  joinWithAnd([
    ...brands.map(({ brandName }) => brandName),
    ...(others > 0 ? [pluralize(others, 'other')] : []),
  ]);

const RULE_WORDS: Readonly<Record<Group['rule'], string>> = {
  allow: 'allows overlaps',
  warn: 'warns about overlaps',
  block: 'blocks overlaps',
};

const quoted = (name: string) => (/^[\w-]+$/.test(name) ? name : `"${name}"`);

const group: Formatter<Group> = (answer, layout) => {
  const { name, rule, overlaps } = answer;
  const held = overlaps === 1 ? 'is held by several' : 'are each held by several';
  const about = `${layout.paint('bold', name)} ${RULE_WORDS[rule]} between its brands: ${brandsOf(answer)}.`;
  return paragraphs(
    wrapLines(about, layout),
    overlaps === 0 ? 'No ZIP code is held by several of them.' : '',
    overlaps
      ? `${pluralize(overlaps, 'ZIP code')} ${held} of them. They stay until you resolve them:\n` +
          `  territory groups overlaps ${quoted(name)}`
      : '',
  );
};

const list: Formatter<z.output<typeof GroupListBody>> = ({ groups }, layout) =>
  formatTable(
    layout,
    groups,
    {
      Group: 'name',
      Overlaps: ({ rule }) => RULE_WORDS[rule].split(' ')[0],
      'Brands?': brandsOf,
      'ZIP codes held\nby several': 'overlaps',
    },
    'No groups yet. Create one with: territory groups create',
  );

const show: Formatter<z.output<typeof GroupWithReservesBody>> = ({ reserves, ...rest }, layout) =>
  paragraphs(
    group(rest, layout, ''),
    formatEntries(
      layout,
      'Reserved ZIP codes',
      reserves.map(({ id, zips, reason, until, open, endedBy }) => ({
        mark: open ? `until ${until}` : 'ended',
        name: `${zips.slice(0, 6).join(', ')}${zips.length > 6 ? ` and ${formatCount(zips.length - 6)} more` : ''}`,
        note: [reason, ...(endedBy === null ? [] : [`ended by ${endedBy}`]), id].join(', '),
      })),
    ),
  );

const overlapList: Formatter<z.output<typeof OverlapsBody>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', 'Overlaps between the brands of the group'),
    formatEntries(
      layout,
      'ZIP codes',
      answer.overlaps.map(({ zip, holders, resolution }) => ({
        mark: zip,
        name: holders.map(({ brandName, status }) => `${brandName} (${status})`).join(', '),
        note: resolution,
      })),
    ) || '  No ZIP code is held by several of them.',
    formatNextPage(answer.nextCursor, layout),
  );

const reserve: Formatter<z.output<typeof ReserveBody>> = ({ id, zips, until, open, reason }) =>
  open
    ? `Reserved ${pluralize(zips.length, 'ZIP code')} through ${until}: ${reason}.\nTo end it earlier:\n` +
      `  territory groups end-reserve <group> ${id}`
    : `Ended the reserve of ${pluralize(zips.length, 'ZIP code')}. Brands can request them again.`;

export const groupFormats: Formats = {
  listBrandGroups: list,
  getBrandGroup: show,
  createBrandGroup: group,
  changeBrandGroup: group,
  listBrandGroupOverlaps: overlapList,
  createZipReserve: reserve,
  endZipReserve: reserve,
};
