/** Commands for groups of brands and their rules. */
import { Option } from 'commander';
import type { z } from 'zod';
import { RULES } from '../../../../territory/groups/rules.ts';
import { formatCount, joinWithAnd, pluralize } from '../../../../text/words.ts';
import type { Layout } from '../../../layout.ts';
import { formatEntries, formatTable, wrapText } from '../../../table.ts';
import { path } from '../../call.ts';
import { formatter, jsonCall, paragraphs, plainCall, type Command } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { collect, parseNumber } from '../../options.ts';

export const groupSchemas = () => import('../../../../agent/groups/schema.ts');
type Schemas = Awaited<ReturnType<typeof groupSchemas>>;
type Group = z.output<Schemas['GroupBody']>;
type Reserve = z.output<Schemas['ReserveBody']>;

const JSON_TYPE = 'application/json';

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

function aboutGroup(group: Group, layout: Layout): string {
  const { name, rule, overlaps } = group;
  const about = `${layout.paint('bold', name)} ${RULE_WORDS[rule]} between its brands: ${brandsOf(group)}.`;
  return paragraphs(wrapText(about, layout.width).join('\n'), overlapNote(name, overlaps));
}

function overlapNote(name: string, overlaps: number | null): string {
  if (overlaps === null) return '';
  if (overlaps === 0) return 'No ZIP code is held by several of them.';
  const held = overlaps === 1 ? 'is held by several' : 'are each held by several';
  return (
    `${pluralize(overlaps, 'ZIP code')} ${held} of them. They stay until you resolve them:\n` +
    `  territory groups overlaps ${quoted(name)}`
  );
}

const quoted = (name: string) => (/^[\w-]+$/.test(name) ? name : `"${name}"`);

export const formatReserve = ({ id, zips, reason, until, open, endedBy }: Reserve) => ({
  mark: open ? `until ${until}` : 'ended',
  name: `${zips.slice(0, 6).join(', ')}${zips.length > 6 ? ` and ${formatCount(zips.length - 6)} more` : ''}`,
  note: [reason, ...(endedBy === null ? [] : [`ended by ${endedBy}`]), id].join(', '),
});

const formatList = formatter(
  async () => (await groupSchemas()).GroupListBody,
  ({ groups }, layout) =>
    formatTable(
      layout,
      [
        { heading: 'Group', cell: ({ name }) => name },
        { heading: 'Overlaps', cell: ({ rule }) => RULE_WORDS[rule].split(' ')[0]! },
        { heading: 'Brands', cell: brandsOf, dropOrder: 1 },
        {
          heading: 'ZIP codes held\nby several',
          cell: ({ overlaps }) => formatCount(overlaps),
          right: true,
        },
      ],
      groups,
    ) || 'No groups yet. Create one with: territory groups create',
);

const formatOne = formatter(
  async () => (await groupSchemas()).GroupWithReservesBody,
  ({ reserves, ...group }, layout) =>
    paragraphs(
      aboutGroup(group, layout),
      formatEntries(layout, 'Reserved ZIP codes', reserves.map(formatReserve)),
    ),
);

const formatChanged = formatter(async () => (await groupSchemas()).GroupBody, aboutGroup);

export const groupsList: Command = {
  usage: 'groups list',
  summary: 'list the groups of brands and their rules',
  examples: ['groups list', 'groups list --json'],
  call: () => ({ ...jsonCall('/agent/brand-groups', formatList), needsKey: true }),
};

export const groupsShow: Command = {
  usage: 'groups show <group>',
  summary: 'show a group, its rule, and its reserved ZIP codes',
  examples: ['groups show Franchisees', 'groups show "Stores in Texas" --json'],
  call: ([group]) => ({
    ...jsonCall(path`/agent/brand-groups/${group!}`, formatOne),
    needsKey: true,
  }),
};

const ruleOption = (more: string) =>
  new Option(
    '--rule <rule>',
    `allow: no flag; warn: a flag; block: a ZIP code goes to one brand only${more}`,
  ).choices([...RULES]);

export const groupsCreate: Command = {
  usage: 'groups create <name> <brands...>',
  summary: 'group brands whose territories have a common rule',
  options: [ruleOption(' (default: warn)')],
  examples: [
    'groups create "All brands" lone-star-roofing desert-air-hvac',
    'groups create "Must not overlap" lone-star-roofing desert-air-hvac --rule block',
  ],
  call: ([name, ...brands], { rule }) => ({
    ...plainCall(
      { path: '/agent/brand-groups', body: { name, brands, rule }, type: JSON_TYPE },
      formatChanged,
    ),
    needsKey: true,
  }),
};

export const groupsChange: Command = {
  usage: 'groups change <group>',
  summary: 'change the rule, name, or brands of a group; existing overlaps stay',
  options: [
    ruleOption(''),
    new Option('--name <name>', 'new name'),
    new Option('--brand <brand>', 'replace the brands (repeat for several)').argParser(collect),
  ],
  examples: [
    'groups change Franchisees --rule block',
    'groups change Franchisees --name Stores --brand lone-star-roofing --brand desert-air-hvac',
  ],
  call: ([group], { rule, name, brand: brands }) => {
    if (rule === undefined && name === undefined && brands === undefined) {
      throw new Failure(EXIT.usage, 'Say what to change: --rule, --name, or --brand.');
    }
    const at = path`/agent/brand-groups/${group!}`;
    return {
      ...plainCall({ path: at, body: { rule, name, brands }, type: JSON_TYPE }, formatChanged),
      needsKey: true,
    };
  },
};

export const groupsDelete: Command = {
  usage: 'groups delete <group>',
  summary: 'delete a group with its rule and its reserved ZIP codes',
  options: [new Option('--confirm', 'delete it; this can’t be undone')],
  examples: ['groups delete Franchisees --confirm', 'groups delete "Stores in Texas"'],
  call: ([group], { confirm }) => {
    if (!confirm) {
      throw new Failure(
        EXIT.unconfirmed,
        `Nothing was changed. Deleting "${group}" ends its rule and its reserves. To delete it, add --confirm.`,
      );
    }
    const at = path`/agent/brand-groups/${group!}/delete`;
    const format = async () => `Deleted the group "${group}".`;
    return { ...plainCall({ path: at, body: {}, type: JSON_TYPE }, format), needsKey: true };
  },
};

const formatOverlaps = formatter(
  async () => (await groupSchemas()).OverlapsBody,
  ({ overlaps, nextCursor }, layout) =>
    paragraphs(
      layout.paint('bold', 'Overlaps between the brands of the group'),
      formatEntries(
        layout,
        'ZIP codes',
        overlaps.map(({ zip, holders, resolution }) => ({
          mark: zip,
          name: holders.map(({ brandName, status }) => `${brandName} (${status})`).join(', '),
          note: resolution,
        })),
      ) || '  No ZIP code is held by several of them.',
      nextCursor === null
        ? ''
        : layout.paint('dim', `  More rows: --limit 200, or\n  --cursor ${nextCursor}`),
    ),
);

export const groupsOverlaps: Command = {
  usage: 'groups overlaps <group>',
  summary: 'list the ZIP codes that several brands of a group hold, and how to resolve each',
  options: [
    new Option('--limit <rows>', 'rows per page (default: 50)').argParser(parseNumber),
    new Option('--cursor <cursor>', 'continue after the previous page'),
  ],
  examples: ['groups overlaps Franchisees', 'groups overlaps Franchisees --limit 200 --json'],
  call: ([group], { limit, cursor }) => ({
    ...jsonCall(path`/agent/brand-groups/${group!}/overlaps`, formatOverlaps, {
      ...(limit !== undefined && { limit: String(limit) }),
      cursor,
    }),
    needsKey: true,
  }),
};
