/** Commands for the organization’s data sets. */
import { Option } from 'commander';
import type { z } from 'zod';
import { formatCount, pluralize } from '../../../../text/words.ts';
import { formatTable, wrapText } from '../../../table.ts';
import { path } from '../../call.ts';
import { formatter, jsonCall, paragraphs, plainCall, type Command } from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import { formatAmount } from '../../../../own-data/amount-text.ts';

const schemas = () => import('../../../../agent/own-data/schema.ts');
type DataSet = z.output<Awaited<ReturnType<typeof schemas>>['DataSetBody']>;

const uploaded = ({ uploadedAt, uploadedBy }: DataSet['upload']) =>
  `${uploadedAt.slice(0, 16).replace('T', ' ')} by ${uploadedBy}`;
const totalOf = ({ total, unit, addsUp }: DataSet) =>
  `${formatAmount({ unit }, total)}${addsUp === 'mean' ? ' (mean)' : ''}`;

const formatList = formatter(
  async () => (await schemas()).DataSetListBody,
  ({ dataSets, limits }, layout) =>
    paragraphs(
      formatTable(
        layout,
        [
          { heading: 'Data set', cell: ({ slug }) => slug },
          { heading: 'Name', cell: ({ name }) => name, dropOrder: 3 },
          { heading: 'Period', cell: ({ period }) => period ?? '', dropOrder: 2 },
          { heading: 'ZIP codes', cell: ({ zipCount }) => formatCount(zipCount), right: true },
          { heading: 'Total', cell: totalOf, right: true },
          { heading: 'Uploaded (UTC)', cell: ({ upload }) => uploaded(upload), dropOrder: 1 },
        ],
        dataSets,
      ) || 'No data sets yet. Upload one with: territory data upload',
      `${formatCount(dataSets.length)} of ${pluralize(limits.dataSets, 'data set')}, ` +
        `${formatCount(limits.rowsUsed)} of ${pluralize(limits.rowsIncluded, 'row')} this month`,
    ),
);

const formatOne = formatter(
  async () => (await schemas()).DataSetUploadsBody,
  (set, layout) => {
    const current = set.upload.number;
    return paragraphs(
      `${layout.paint('bold', set.name)} (${set.slug}): ${totalOf(set)} in ${pluralize(set.zipCount, 'ZIP code')}` +
        (set.period === null ? '' : `, ${set.period}`),
      wrapText(set.upload.summary, layout.width).join('\n'),
      formatTable(
        layout,
        [
          { heading: 'Upload', cell: ({ number }) => String(number), right: true },
          { heading: '', cell: ({ number }) => (number === current ? 'counts' : '') },
          { heading: 'Rows', cell: ({ rows }) => formatCount(rows), right: true },
          { heading: 'ZIP codes', cell: ({ zipCount }) => formatCount(zipCount), right: true },
          { heading: 'Uploaded (UTC)', cell: uploaded, dropOrder: 1 },
        ],
        set.uploads,
      ),
    );
  },
);

export const dataList: Command = {
  usage: 'data list',
  summary: 'list your data sets',
  examples: ['data list', 'data list --json'],
  call: () => ({ ...jsonCall('/agent/data-sets', formatList), needsKey: true }),
};

export const dataShow: Command = {
  usage: 'data show <data-set>',
  summary: 'show a data set and its uploads, or save its amounts with --csv',
  options: [new Option('--csv', 'print a row per ZIP code, as CSV')],
  examples: ['data show jobs-2025', 'data show jobs-2025 --csv -o jobs-2025.csv'],
  call: ([set], { csv }) => ({
    ...(csv
      ? plainCall({ path: path`/agent/data-sets/${set!}/zips.csv`, type: 'text/csv' })
      : jsonCall(path`/agent/data-sets/${set!}`, formatOne)),
    needsKey: true,
  }),
};

export const dataRestore: Command = {
  usage: 'data restore <data-set> <upload>',
  summary: 'make an earlier upload of a data set count again',
  examples: ['data restore jobs-2025 1', 'data restore "Jobs 2025" 1'],
  call: ([set, upload]) => {
    if (!/^\d{1,9}$/.test(upload!)) {
      throw new Failure(
        EXIT.usage,
        `"${upload}" is not the number of an upload. territory data show ${set} lists them.`,
      );
    }
    const at = path`/agent/data-sets/${set!}/restore`;
    const format = async () => `Upload ${upload} of "${set}" counts again.`;
    const type = 'application/json';
    return {
      ...plainCall({ path: at, body: { upload: Number(upload) }, type }, format),
      needsKey: true,
    };
  },
};

export const dataDelete: Command = {
  usage: 'data delete <data-set>',
  summary: 'delete a data set with all of its uploads',
  options: [new Option('--confirm', 'delete it; this can’t be undone')],
  examples: ['data delete jobs-2025 --confirm', 'data delete "Open leads"'],
  call: ([set], { confirm }) => {
    if (!confirm) {
      throw new Failure(
        EXIT.unconfirmed,
        `Nothing was changed. Deleting "${set}" can’t be undone. To delete it, add --confirm.`,
      );
    }
    const at = path`/agent/data-sets/${set!}/delete`;
    const format = async () => `Deleted the data set "${set}".`;
    return {
      ...plainCall({ path: at, body: {}, type: 'application/json' }, format),
      needsKey: true,
    };
  },
};
