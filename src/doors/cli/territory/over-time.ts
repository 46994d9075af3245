/** Commands for the record of territories: who held a ZIP code when, the days of changes, and comparisons. */
import { Option } from 'commander';
import type { z } from 'zod';
import { formatCount, pluralize } from '../../../base/text/words.ts';
import type { ComparisonBody, RecordDaysBody, ZipRecordBody } from '../../http/record/schema.ts';
import type { TermsBody } from '../../http/record/terms-schema.ts';
import { minuteOf } from '../names.ts';
import { formatEntries, formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Command, Formats, Formatter } from './command.ts';

const END = 'last day, such as 2027-03-31';

export const recordCommands: readonly Command[] = [
  { usage: 'terms list', calls: ['listTerms'], examples: ['terms list lone-star-roofing'] },
  {
    usage: 'terms set <brand> <zips...>',
    summary: 'set what an agreement grants a brand in ZIP codes, and until when',
    calls: ['setTerms'],
    texts: {
      granted: 'exclusive, protected, or non_exclusive',
      'ends-on': END,
      'at-end': 'told or ends: whether the brand then loses the ZIP codes',
      note: 'such as the number of the agreement',
    },
    edits: true,
    examples: [
      'terms set lone-star-roofing 75201 75204 --granted exclusive --ends-on 2099-03-31',
      'terms set lone-star-roofing 75201 --ends-on 2099-12-31 --at-end ends --note "Agreement 12"',
    ],
  },
  { usage: 'record zip', calls: ['getZipRecord'], examples: ['record zip 75201'] },
  {
    usage: 'record days',
    calls: ['listRecordDays'],
    texts: { brand: 'only this brand' },
    examples: ['record days', 'record days --brand lone-star-roofing'],
  },
  {
    usage: 'record compare [from] [to]',
    summary: 'list what brands took, gave up, or handed over since a day, or between two days',
    calls: ['compareDays', 'compareDaysCsv'],
    names: { dataSets: 'data' },
    texts: { brand: 'only this brand' },
    more: [new Option('--csv', 'as CSV')],
    choose: ({ csv }) => csv && 'compareDaysCsv',
    examples: ['record compare', 'record compare --brand lone-star-roofing --csv -o changes.csv'],
  },
];

const zipRecord: Formatter<z.output<typeof ZipRecordBody>> = ({ zip, periods }, layout) =>
  paragraphs(
    layout.paint('bold', zip),
    formatEntries(
      layout,
      'Held by',
      periods.map(({ brandName, status, from, until, isStartKnown, started, ended }) => ({
        mark: status,
        name: brandName,
        note: [
          `${isStartKnown ? 'from' : 'since at least'} ${minuteOf(from)} UTC`,
          until === null ? 'still' : `until ${minuteOf(until)} UTC`,
          ...(started ? [`begun by ${started.by}`] : []),
          ...(ended ? [`ended by ${ended.by}`] : []),
        ].join(', '),
      })),
    ) || 'No brand has held it.',
  );

const terms: Formatter<z.output<typeof TermsBody>> = ({ brandName, terms: rows }, layout) =>
  formatTable(
    layout,
    rows,
    {
      'ZIP code': 'zip',
      Grant: ({ granted }) => granted?.replace('_', '-') ?? null,
      Through: 'endsOn',
      'Then?': ({ endsOn, atEnd }) =>
        endsOn === null ? null : atEnd === 'ends' ? 'it ends' : 'people are told',
      'Note?': 'note',
    },
    `No ZIP code of ${brandName} has terms.`,
  );

const days: Formatter<z.output<typeof RecordDaysBody>> = ({ first, timeZone, days }, layout) =>
  paragraphs(
    wrapLines(`The record begins on ${first}. Days end at midnight in ${timeZone}.`, layout),
    formatTable(
      layout,
      days,
      { Day: 'day', Taken: 'taken', 'Given up': 'givenUp' },
      'Nothing has changed yet.',
    ),
  );

const WORDS = { taken: 'taken', given_up: 'given up', moved: 'moved' } as const;

const comparison: Formatter<z.output<typeof ComparisonBody>> = (answer, layout) => {
  const { from, to, totals, withheld, zips } = answer;
  const names = (brands: readonly { brandName: string }[]) =>
    brands.map(({ brandName }) => brandName).join(', ');
  const total = (change: keyof typeof totals) =>
    `${pluralize(totals[change].zips, 'ZIP code')} ${WORDS[change]}` +
    (withheld === null ? ` (${pluralize(totals[change].households, 'household')})` : '');
  return paragraphs(
    wrapLines(
      `From ${minuteOf(from)} UTC to ${to === null ? 'now' : `${minuteOf(to)} UTC`}: ` +
        `${total('taken')}, ${total('given_up')}, ${total('moved')}.`,
      layout,
    ),
    withheld === null ? '' : wrapLines(withheld, layout),
    formatTable(
      layout,
      zips,
      {
        'ZIP code': 'zip',
        Change: ({ change }) => WORDS[change],
        'From?': (zip) => names(zip.from),
        'To?': (zip) => names(zip.to),
        'Households?': ({ households }) => (households === null ? null : formatCount(households)),
      },
      'Nothing changed.',
    ),
  );
};

export const recordFormats: Formats = {
  listTerms: terms,
  setTerms: terms,
  getZipRecord: zipRecord,
  listRecordDays: days,
  compareDays: comparison,
};
