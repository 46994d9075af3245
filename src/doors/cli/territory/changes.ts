/** Commands for changes that are reviewed, go live, and are undone as one. */
import { InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { formatCount, joinFirst, pluralize } from '../../../base/text/words.ts';
import { formatDay } from '../../../base/text/days.ts';
import type {
  ChangeBody,
  ChangeListBody,
  MadeChangeBody,
  UndoneChangeBody,
} from '../../http/changes/schema.ts';
import { splitZips } from '../arguments.ts';
import type { Layout } from '../layout.ts';
import { formatEntries, formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Command, Formats, Formatter, Given } from './command.ts';
import { formatNextPage } from './markets.ts';

const ON = 'the day on which it goes live, such as 2027-01-01';
const ID = '8d4c2b1a-9e7f-4a6b-8c5d-3e2f1a0b9c8d';

interface BrandZips {
  brand: string;
  zips: string[];
}

/** Reads `lone-star-roofing=75201,75202`, with other values of the option. */
function readBrandZips(text: string, before: BrandZips[] = []): BrandZips[] {
  const [brand = '', list = ''] = text.split(/=(.*)/s);
  const zips = splitZips(list);
  if (brand === '' || zips.length === 0) {
    throw new InvalidArgumentError(
      'Expected a brand and its ZIP codes: lone-star-roofing=75201,75202.',
    );
  }
  return [...before, { brand, zips }];
}

/** Returns what each brand gets and gives up, by its first mention. */
function changesOf({ add = [], remove = [] }: Given) {
  const changes = new Map<string, { brand: string; add: string[]; remove: string[] }>();
  const changeOf = (brand: string) => {
    const change = changes.get(brand) ?? { brand, add: [], remove: [] };
    changes.set(brand, change);
    return change;
  };
  for (const { brand, zips } of add as BrandZips[]) changeOf(brand).add.push(...zips);
  for (const { brand, zips } of remove as BrandZips[]) changeOf(brand).remove.push(...zips);
  return [...changes.values()];
}

export const changeCommands: readonly Command[] = [
  {
    usage: 'changes list',
    summary: 'list changes that wait, are planned for a day, are live, or have ended',
    calls: ['listChanges'],
    examples: ['changes list', 'changes list --status scheduled'],
  },
  {
    usage: 'changes show',
    summary: 'show what each brand gets and gives up, and what keeps it from going live',
    calls: ['getChange'],
    examples: [`changes show ${ID}`],
  },
  {
    usage: 'changes make',
    summary: 'request and remove ZIP codes of several brands as one change',
    calls: ['makeChange'],
    texts: { on: ON, note: 'for the reviewer and the activity log' },
    more: [
      new Option(
        '--add <brand=zips>',
        'a brand and the ZIP codes that it gets; repeatable',
      ).argParser(readBrandZips),
      new Option(
        '--remove <brand=zips>',
        'a brand and the ZIP codes that it gives up; repeatable',
      ).argParser(readBrandZips),
    ],
    input: (given) => ({ changes: changesOf(given) }),
    examples: [
      'changes make --remove lone-star-roofing=75201 --add desert-air-hvac=75201',
      'changes make --add lone-star-roofing=76102,76107 --on 2099-01-01',
    ],
  },
  {
    usage: 'changes transfer <zips...>',
    summary: 'pass ZIP codes from one brand to another, without a day in between',
    calls: ['transferZips'],
    texts: {
      from: 'brand that gives them up',
      to: 'brand that gets them',
      on: ON,
      note: 'for the reviewer and the activity log',
    },
    examples: [
      'changes transfer 75201 --from lone-star-roofing --to desert-air-hvac',
      'changes transfer 75201 --from lone-star-roofing --to desert-air-hvac --on 2099-01-01',
    ],
  },
  {
    usage: 'changes move <change>',
    summary: 'move a change to another day, or to now',
    calls: ['moveChange'],
    texts: { on: ON },
    more: [new Option('--now', 'go live as soon as it’s approved').conflicts('on')],
    edits: true,
    async perform({ call }, { change, on, now }) {
      return call('moveChange', { change, on: now ? null : on });
    },
    examples: [`changes move ${ID} --on 2099-02-01`, `changes move ${ID} --on 2099-03-01`],
  },
  {
    usage: 'changes withdraw',
    summary: 'withdraw a change that isn’t live yet',
    calls: ['withdrawChange'],
    confirm: 'The change {change} would be withdrawn.',
    examples: [`changes withdraw ${ID}`],
  },
  {
    usage: 'changes undo',
    summary: 'undo a live change as one; a key asks for it, and a person decides',
    calls: ['undoChange'],
    texts: { note: 'for the reviewer' },
    examples: [`changes undo ${ID}`],
  },
];

type Change = z.output<typeof ChangeBody>;

/** `scheduled for January 1, 2027` */
function statusText({ status, on }: Pick<Change, 'status' | 'on'>): string {
  if (on === null) return status;
  const day = formatDay(on);
  if (status === 'scheduled') return `scheduled for ${day}`;
  return status === 'waiting' ? `waiting for a review, then for ${day}` : `${status}, for ${day}`;
}

const list: Formatter<z.output<typeof ChangeListBody>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', 'Changes'),
    formatEntries(
      layout,
      'Latest first',
      answer.changes.map((change) => ({
        mark: change.madeAt.slice(0, 10),
        name: statusText(change),
        note: [
          ...change.brands.map(
            ({ brandName, addedCount, removedCount }) =>
              `${brandName} +${formatCount(addedCount)} −${formatCount(removedCount)}`,
          ),
          ...(change.otherBrands > 0 ? [pluralize(change.otherBrands, 'other brand')] : []),
          `by ${change.madeBy}`,
          change.id,
        ].join(', '),
      })),
    ) || '  No changes yet. Make one with: territory changes make',
    formatNextPage(answer.nextCursor, layout),
  );

/** One line for each brand with what it gets and gives up */
const brandLines = (
  layout: Layout,
  heading: string,
  brands: readonly { brandName: string; gets: readonly string[]; gives: readonly string[] }[],
) =>
  formatEntries(
    layout,
    heading,
    brands
      .filter(({ gets, gives }) => gets.length + gives.length > 0)
      .map(({ brandName, gets, gives }) => ({
        mark: brandName,
        name: [
          ...(gets.length > 0 ? [`gets ${pluralize(gets.length, 'ZIP code')}`] : []),
          ...(gives.length > 0 ? [`gives up ${pluralize(gives.length, 'ZIP code')}`] : []),
        ].join(', '),
        note: [
          ...(gets.length > 0 ? [`+ ${joinFirst(gets)}`] : []),
          ...(gives.length > 0 ? [`− ${joinFirst(gives)}`] : []),
        ].join('; '),
      })),
  );

const show: Formatter<Change> = (change, layout) =>
  paragraphs(
    wrapLines(
      `${layout.paint('bold', `Change by ${change.madeBy}`)} ${statusText(change)}.${change.note === null ? '' : ` ${change.note}`}`,
      layout,
    ),
    brandLines(
      layout,
      'Brands',
      change.brands.map(({ brandName, added: gets, removed: gives }) => ({
        brandName,
        gets,
        gives,
      })),
    ),
    wrapLines(
      change.otherBrands > 0
        ? `${pluralize(change.otherBrands, 'other brand')} that you may not see.`
        : '',
      layout,
    ),
    wrapLines(change.reason === null ? '' : `Reason: ${change.reason}.`, layout),
    formatEntries(
      layout,
      'Left out by the reviewer',
      change.brands.flatMap(({ brandName, leftOut }) =>
        leftOut.map(({ zip, reason }) => ({ mark: zip, name: brandName, note: reason })),
      ),
    ),
    refusedLines(layout, 'Keeps it from going live', change.obstacles),
    `Id: ${change.id}`,
  );

const refusedLines = (
  layout: Layout,
  heading: string,
  refused: readonly { reason: string; zips: readonly string[] }[],
) =>
  formatEntries(
    layout,
    heading,
    refused.map(({ reason, zips }) => ({
      mark: formatCount(zips.length),
      name: reason,
      note: joinFirst(zips),
    })),
  );

const made: Formatter<z.output<typeof MadeChangeBody>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', answer.status === 'preview' ? 'Preview' : 'Made'),
    formatTable(layout, answer.brands, {
      'Brand?': 'brandName',
      Gets: ({ added }) => added.length,
      'Gives up': ({ removed }) => removed.length,
      'Live now': 'liveBefore',
      'Live then': 'liveAfter',
    }),
    brandLines(
      layout,
      'ZIP codes',
      answer.brands.map(({ brandName, added: gets, removed: gives }) => ({
        brandName,
        gets,
        gives,
      })),
    ),
    ...answer.brands.map(({ brandName, refused }) =>
      refusedLines(layout, `Left out for ${brandName}`, refused),
    ),
    ...answer.brands.map(({ brandName, already }) =>
      wrapLines(
        already.length === 0
          ? ''
          : `${brandName} holds or has requested already: ${joinFirst(already)}.`,
        layout,
      ),
    ),
    ...answer.brands.map(({ brandName, shared }) =>
      wrapLines(
        shared.length === 0
          ? ''
          : `Other brands hold some of what ${brandName} gets: ${joinFirst(shared)}.`,
        layout,
      ),
    ),
    wrapLines(
      answer.status === 'preview'
        ? `${answer.needsReview ? 'A reviewer decides on it as one.' : 'It needs no review.'}${answer.on === null ? '' : ` It goes live on ${formatDay(answer.on)}.`}`
        : answer.next,
      layout,
    ),
    answer.change === null ? '' : `Id: ${answer.change.id}`,
  );

const undone: Formatter<z.output<typeof UndoneChangeBody>> = (answer, layout) =>
  paragraphs(
    layout.paint(
      'bold',
      { preview: 'Preview', undone: 'Undone', requested: 'Requested' }[answer.status],
    ),
    brandLines(
      layout,
      'Brands',
      answer.brands.map(({ brandName, restored: gets, removed: gives }) => ({
        brandName,
        gets,
        gives,
      })),
    ),
    wrapLines(
      answer.changedSince.length === 0
        ? ''
        : `Changed since, and left as they are: ${joinFirst(answer.changedSince)}.`,
      layout,
    ),
    answer.status === 'preview' ? '' : wrapLines(answer.next, layout),
  );

export const changeFormats: Formats = {
  listChanges: list,
  getChange: show,
  makeChange: made,
  transferZips: made,
  moveChange: show,
  withdrawChange: show,
  undoChange: undone,
};
