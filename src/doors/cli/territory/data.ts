/** Commands for the organization’s own data. */
import { basename } from 'node:path';
import { Option } from 'commander';
import type { z } from 'zod';
import { formatCount, pluralize } from '../../../base/text/words.ts';
import { formatAmount } from '../../../territories/own-data/amount-text.ts';
import type { RowOutcome } from '../../../territories/own-data/import/types.ts';
import { OUTCOME_WORDS } from '../../../territories/own-data/outcome-words.ts';
import type {
  DataSetBody,
  DataSetListBody,
  DataSetUploadsBody,
} from '../../http/own-data/schema.ts';
import type { UploadBody } from '../../http/own-data/upload-schema.ts';
import { minuteOf } from '../names.ts';
import { formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Answer, Command, Formats, Formatter, Given, Steps } from './command.ts';
import { EXIT, Failure } from './failure.ts';
import { ATTENTION, columns, fileBody, findingLines, SHOWN, writeAttention } from './upload.ts';

export const dataCommands: readonly Command[] = [
  { usage: 'data list', calls: ['listDataSets'], examples: ['data list'] },
  {
    usage: 'data show',
    summary: 'show a data set and its uploads, or save its amounts with --csv',
    calls: ['getDataSet', 'getDataSetCsv'],
    names: { dataSet: 'data-set' },
    more: [new Option('--csv', 'print a row per ZIP code, as CSV').conflicts('json')],
    choose: ({ csv }) => csv && 'getDataSetCsv',
    examples: ['data show jobs-2025', 'data show jobs-2025 --csv -o jobs-2025.csv'],
  },
  {
    usage: 'data delete',
    summary: 'delete a data set with all of its uploads',
    calls: ['deleteDataSet'],
    names: { dataSet: 'data-set' },
    confirm: 'Deleting "{dataSet}" can’t be undone.',
    done: 'Deleted the data set "{dataSet}".',
    examples: ['data delete jobs-2025 --confirm', 'data delete "Open leads"'],
  },
  {
    usage: 'data upload <file>',
    summary: 'upload your own data, such as CSV or Excel; only sums by ZIP code are stored',
    calls: ['uploadDataSets'],
    names: { groupBy: 'group', suppressBelow: 'suppress' },
    hides: ['findings'],
    texts: {
      name: 'name of the data set (default: the name of the file)',
      sum: 'add up a column; repeatable',
      mean: 'average a column; repeatable',
      'decimal-comma': 'a column with amounts such as 1.234,50; repeatable',
      address: 'column of an address; repeatable, in order',
    },
    read: { sum: columns, mean: columns, 'decimal-comma': columns, address: columns },
    more: [ATTENTION],
    perform: upload,
    examples: [
      'data upload jobs.csv --name "Jobs 2025" --count --sum revenue',
      'data upload jobs.csv --preview --attention attention.csv',
    ],
  },
  {
    usage: 'data restore',
    summary: 'make an earlier upload of a data set count again',
    calls: ['restoreDataSet'],
    names: { dataSet: 'data-set' },
    done: 'Upload {upload} of "{dataSet}" counts again.',
    examples: ['data restore jobs-2025 1', 'data restore "Jobs 2025" 1'],
  },
];

/** Name of the data set by default: that of the file, without its ending */
const nameOfFile = (file: string) =>
  file === '-' ? undefined : basename(file).replace(/\.[a-z0-9]{2,7}$/i, '') || undefined;

async function upload(
  { call }: Steps,
  { options: _, file, attention, ...given }: Given,
): Promise<Answer> {
  const name = given['name'] ?? nameOfFile(file);
  if (name === undefined) throw new Failure(EXIT.usage, 'Name the data set with --name.');
  const input = { ...given, name, findings: attention && 10_000 };
  const answer = await call('uploadDataSets', input, await fileBody(file));
  if (attention) {
    const { findings } = JSON.parse(answer.bytes.toString()) as Upload;
    const rows = findings.map((one) => {
      return [one.line, one.given, one.zip, OUTCOME_WORDS[one.outcome], one.reason];
    });
    await writeAttention(attention, ['line', 'given', 'zip', 'outcome', 'reason'], rows);
  }
  return answer;
}

type Upload = z.output<typeof UploadBody>;

const uploaded: Formatter<Upload> = (answer, layout) => {
  const { dataSets, stored, counts, findings, moreFindings, rows } = answer;
  const digits = formatCount(rows).length;
  const more = rows - counts.placed - Math.min(SHOWN, findings.length);
  return paragraphs(
    wrapLines(answer.summary, layout),
    formatTable(layout, dataSets, {
      [stored ? 'Stored' : 'Data set']: 'name',
      'ZIP codes': 'zipCount',
      Total: ({ total, kind }) =>
        `${formatAmount({ unit: 'count' }, total)}${kind === 'mean' ? ' (mean)' : ''}`,
      'Short name?': ({ slug }) => slug ?? '',
      '?': ({ replaces, suppressedZips }) =>
        [
          replaces ? `${stored ? 'replaced' : 'replaces'} the last upload` : '',
          suppressedZips > 0 ? `${formatCount(suppressedZips)} left out` : '',
        ]
          .filter(Boolean)
          .join(', '),
    }),
    [
      `${pluralize(rows, 'row')}:`,
      ...Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(
          ([outcome, count]) =>
            `  ${formatCount(count).padStart(digits)} ${OUTCOME_WORDS[outcome as RowOutcome]}`,
        ),
    ].join('\n'),
    wrapLines(findingLines(answer), layout),
    findings.length > 0 && (more > 0 || moreFindings)
      ? `… and ${pluralize(more, 'more row')}. --attention attention.csv lists them in a file.`
      : '',
    stored ? '' : 'Nothing was stored. To store it, leave out --preview.',
  );
};

type DataSet = z.output<typeof DataSetBody>;

const at = ({ uploadedAt, uploadedBy }: DataSet['upload']) =>
  `${minuteOf(uploadedAt)} by ${uploadedBy}`;
const totalOf = ({ total, unit, addsUp }: DataSet) =>
  `${formatAmount({ unit }, total)}${addsUp === 'mean' ? ' (mean)' : ''}`;

const list: Formatter<z.output<typeof DataSetListBody>> = ({ dataSets, limits }, layout) =>
  paragraphs(
    formatTable(
      layout,
      dataSets,
      {
        'Data set': 'slug',
        'ZIP codes': 'zipCount',
        Total: totalOf,
        'Uploaded (UTC)?': ({ upload: last }) => at(last),
        'Name?': 'name',
        'Period?': ({ period }) => period ?? '',
      },
      'No data sets yet. Upload one with: territory data upload',
    ),
    `${formatCount(dataSets.length)} of ${pluralize(limits.dataSets, 'data set')}, ` +
      `${formatCount(limits.rowsUsed)} of ${pluralize(limits.rowsIncluded, 'row')} this month`,
  );

const show: Formatter<z.output<typeof DataSetUploadsBody>> = (set, layout) =>
  paragraphs(
    `${layout.paint('bold', set.name)} (${set.slug}): ${totalOf(set)} in ${pluralize(set.zipCount, 'ZIP code')}` +
      (set.period === null ? '' : `, ${set.period}`),
    wrapLines(set.upload.summary, layout),
    formatTable(layout, set.uploads, {
      Upload: 'number',
      '': ({ number }) => (number === set.upload.number ? 'counts' : ''),
      Rows: 'rows',
      'ZIP codes': 'zipCount',
      'Uploaded (UTC)?': at,
    }),
  );

export const dataFormats: Formats = {
  listDataSets: list,
  getDataSet: show,
  uploadDataSets: uploaded,
};
