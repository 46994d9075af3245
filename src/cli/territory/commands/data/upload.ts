/** Uploads a file of the organization’s own data. */
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Option } from 'commander';
import type { z } from 'zod';
import { csvLines } from '../../../../text/csv.ts';
import { formatCount, pluralize } from '../../../../text/words.ts';
import type { Layout } from '../../../layout.ts';
import { formatTable, wrapText } from '../../../table.ts';
import type { FileBody } from '../../call.ts';
import { formatter, paragraphs, type Command } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { collect } from '../../options.ts';
import { formatAmount } from '../../../../own-data/amount-text.ts';
import type { Outcome } from '../../../../own-data/import/types.ts';
import { OUTCOME_WORDS } from '../../../../own-data/outcome-words.ts';

const schemas = () => import('../../../../agent/own-data/upload-schema.ts');
type Upload = z.output<Awaited<ReturnType<typeof schemas>>['UploadBody']>;

/** Findings that a terminal shows */
const SHOWN = 10;

const formatUpload = formatter(
  async () => (await schemas()).UploadBody,
  (upload, layout) =>
    paragraphs(
      wrapText(upload.summary, layout.width).join('\n'),
      dataSetTable(upload, layout),
      [
        `${pluralize(upload.rows, 'row')}:`,
        ...Object.entries(upload.counts)
          .filter(([, count]) => count > 0)
          .map(
            ([outcome, count]) =>
              `  ${formatCount(count).padStart(formatCount(upload.rows).length)} ${OUTCOME_WORDS[outcome as Outcome]}`,
          ),
      ].join('\n'),
      findingLines(upload, layout),
      upload.stored ? '' : 'Nothing was stored. To store it, leave out --preview.',
    ),
);

const dataSetTable = ({ dataSets, stored }: Upload, layout: Layout) =>
  formatTable(
    layout,
    [
      { heading: stored ? 'Stored' : 'Data set', cell: ({ name }) => layout.paint('bold', name) },
      { heading: 'Short name', cell: ({ slug }) => slug ?? '', dropOrder: 2 },
      { heading: 'ZIP codes', cell: ({ zipCount }) => formatCount(zipCount), right: true },
      {
        heading: 'Total',
        cell: ({ total, kind }) =>
          `${formatAmount({ unit: 'count' }, total)}${kind === 'mean' ? ' (mean)' : ''}`,
        right: true,
      },
      {
        heading: '',
        cell: ({ replaces, suppressedZips }) =>
          [
            ...(replaces ? [stored ? 'replaced the last upload' : 'replaces the last upload'] : []),
            ...(suppressedZips > 0 ? [`${formatCount(suppressedZips)} left out`] : []),
          ].join(', '),
        dropOrder: 1,
      },
    ],
    dataSets,
  );

function findingLines({ findings, moreFindings, counts, rows }: Upload, layout: Layout): string {
  if (findings.length === 0) return '';
  const attention = rows - counts.placed;
  const lines = findings
    .slice(0, SHOWN)
    .flatMap(({ line, given, reason }) =>
      wrapText(`Line ${line}, ${given}: ${reason}`, layout.width),
    );
  const more = attention - Math.min(SHOWN, findings.length);
  return [
    ...lines,
    ...(more > 0 || moreFindings
      ? [`… and ${pluralize(more, 'more row')}. --attention attention.csv lists them in a file.`]
      : []),
  ].join('\n');
}

/** Opens a file, or standard input for `-`. @throws Failure */
async function fileBody(file: string): Promise<FileBody> {
  if (file === '-') return { open: () => process.stdin, bytes: undefined };
  try {
    const { size } = await stat(file);
    return { open: () => createReadStream(file), bytes: size };
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    throw new Failure(
      EXIT.usage,
      `Could not read ${file}: ${missing ? 'the file does not exist' : (cause as Error).message}.`,
      { cause },
    );
  }
}

/** Name of the data set by default: that of the file, without its ending */
const nameOfFile = (file: string) =>
  file === '-' ? undefined : basename(file).replace(/\.[a-z0-9]{2,7}$/i, '') || undefined;

async function writeAttention(file: string, { findings }: Upload): Promise<void> {
  const rows = findings.map(({ line, given, zip, outcome, reason }) => [
    ...[line, given, zip, OUTCOME_WORDS[outcome], reason],
  ]);
  await writeFile(
    file,
    `\u{FEFF}${csvLines([['line', 'given', 'zip', 'outcome', 'reason'], ...rows])}`,
  );
}

export const dataUpload: Command = {
  usage: 'data upload <file>',
  summary: 'upload your own data: CSV, Excel, or GeoJSON; only sums by ZIP code are stored',
  options: [
    new Option('--name <name>', 'name of the data set (default: the name of the file)'),
    new Option('--count', 'count the rows'),
    new Option('--sum <column>', 'add up a column (repeat for several)').argParser(collect),
    new Option('--mean <column>', 'average a column (repeat for several)').argParser(collect),
    new Option('--group <column>', 'a data set for each value of a column, such as service line'),
    new Option('--zip <column>', 'column of the ZIP codes, if several have them'),
    new Option('--lng <column>', 'column of the longitudes, with --lat'),
    new Option('--lat <column>', 'column of the latitudes, with --lng'),
    new Option('--address <column>', 'column of an address (repeat in order)').argParser(collect),
    new Option('--sheet <sheet>', 'sheet of a workbook'),
    new Option('--period <words>', 'the time that it covers, such as 2025'),
    new Option('--unit <unit>', 'count, dollars, or words such as hours'),
    new Option('--suppress <rows>', 'leave out ZIP codes with fewer rows'),
    new Option('--preview', 'read the file without storing anything'),
    new Option('--attention <file>', 'write the rows that need attention to a CSV file'),
  ],
  examples: [
    'data upload jobs.csv --name "Jobs 2025" --count --sum revenue',
    'data upload jobs.csv --preview --attention attention.csv',
  ],
  call: async ([file], options) => {
    const { name, period, unit, sheet, zip, lng, lat } = options;
    const listed = (columns: string[] | undefined) => {
      const withComma = columns?.find((column) => column.includes(','));
      if (withComma === undefined) return columns?.join(',');
      throw new Failure(
        EXIT.usage,
        `Name the column "${withComma}" by its number: it has a comma.`,
      );
    };
    const chosen = name ?? nameOfFile(file!);
    if (chosen === undefined) throw new Failure(EXIT.usage, 'Name the data set with --name.');
    const type = 'application/json';
    const body = await fileBody(file!);
    return {
      type,
      needsKey: true,
      format: formatUpload,
      async perform(callService) {
        const bytes = await callService({
          path: '/agent/data-sets',
          file: body,
          query: {
            ...{ name: chosen, period, unit, sheet, zip, lng, lat },
            count: options.count && 'true',
            sum: listed(options.sum),
            mean: listed(options.mean),
            address: listed(options.address),
            groupBy: options.group,
            suppressBelow: options.suppress,
            preview: options.preview && 'true',
            findings: options.attention && '10000',
          },
          type,
        });
        if (options.attention) {
          await writeAttention(options.attention, JSON.parse(bytes.toString()) as Upload);
        }
        return { bytes, type };
      },
    };
  },
};
