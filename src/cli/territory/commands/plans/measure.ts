/** Commands for the data sets of a plan. */
import { Option } from 'commander';
import { path } from '../../call.ts';
import {
  formatter,
  jsonCall,
  paragraphs,
  plainCall,
  type CallService,
  type Command,
} from '../../command.ts';
import { EXIT, Failure } from '../../failure.ts';
import type { ReadArgument } from '../../read-argument.ts';
import { formatCount, joinFirst, pluralize } from '../../../../text/words.ts';
import { formatTable, wrapText } from '../../../table.ts';
import { versionOf } from './versions.ts';

const JSON_TYPE = 'application/json';
const schemas = () => import('../../../../agent/plans/measure-schema.ts');

const formatMeasures = formatter(
  async () => (await schemas()).PlanMeasureListBody,
  ({ measures }, layout) =>
    formatTable(
      layout,
      [
        { heading: 'Data set', cell: ({ name }) => name },
        { heading: 'ZIP codes', cell: ({ zipCount }) => formatCount(zipCount), right: true },
        { heading: 'Total', cell: ({ total }) => formatCount(total), right: true },
        {
          heading: 'Uploaded (UTC)',
          cell: ({ createdAt, createdBy }) =>
            `${createdAt.slice(0, 16).replace('T', ' ')} by ${createdBy}`,
          dropOrder: 1,
        },
      ],
      measures,
    ) || 'No data sets yet. Add one with: territory plan-measure',
);

const formatUploaded = formatter(
  async () => (await schemas()).UploadedMeasureBody,
  ({ name, zipCount, total, summary, withoutAmount, outsideMarket, ...report }, layout) => {
    const { rejected, findings } = report;
    const more = rejected - findings.filter(({ outcome }) => outcome !== 'guessed').length;
    return paragraphs(
      wrapText(
        `${layout.paint('bold', name)}: ${formatCount(total)} in ${pluralize(zipCount, 'ZIP code')}. ${summary}`,
        layout.width,
      ).join('\n'),
      [
        ...(withoutAmount.length === 0
          ? []
          : wrapText(
              `${pluralize(withoutAmount.length, 'ZIP code')} of the market without an amount, which count as 0: ${joinFirst(withoutAmount)}.`,
              layout.width,
            )),
        ...(outsideMarket === 0
          ? []
          : [`Ignored ${pluralize(outsideMarket, 'ZIP code')} outside the market.`]),
        ...findings.map(
          ({ line, given, outcome, reason }) =>
            `Line ${line}, ${given}: ${outcome === 'guessed' ? 'counted.' : 'ignored.'} ${reason}`,
        ),
        ...(more > 0 ? [`Ignored ${pluralize(more, 'more row')}.`] : []),
      ].join('\n'),
    );
  },
);

/** Reads a file, or standard input for `-`. */
export const readCsv = (file: string, readArgument: ReadArgument): Promise<string> =>
  readArgument(file === '-' || file.startsWith('@') ? file : `@${file}`);

/** Adds a data set, and balances the plan by it. @returns the plan's new version */
export async function balanceByFile(
  callService: CallService,
  plan: string,
  measure: { csv?: string; dataSet?: string; name?: string; column?: string; replace?: boolean },
): Promise<{ version: number; uploaded: Buffer }> {
  const at = path`/agent/plans/${plan}`;
  const body = { ...measure };
  const uploaded = await callService({ path: `${at}/measures`, body, type: JSON_TYPE });
  const { name } = JSON.parse(uploaded.toString()) as { name: string };
  const version = versionOf(await callService({ path: at, type: JSON_TYPE }));
  const edit = { version, balance: name };
  return {
    version: versionOf(await callService({ path: at, body: edit, type: JSON_TYPE })),
    uploaded,
  };
}

export const planMeasure: Command = {
  usage: 'plan-measure <plan> [file]',
  summary: 'add one of your data sets to a plan, or upload one from a CSV file',
  options: [
    new Option('--data <data-set>', 'a data set that was uploaded before, instead of a file'),
    new Option('--name <name>', 'name of the data set (default: the heading of the amounts)'),
    new Option('--column <heading>', 'column of the amounts, if several have numbers'),
    new Option('--zip-column <heading>', 'column of the ZIP codes, if several have them'),
    new Option('--replace', 'replace the data set of the same name'),
    new Option('--balance', 'balance the plan’s territories by it'),
  ],
  examples: [
    'plan-measure "Dallas 2027" jobs.csv --name Jobs --balance',
    'plan-measure "Dallas 2027" --data jobs-2025',
    'plan-measure "Dallas 2027" crm.csv --column "Open leads" --replace',
  ],
  call: async ([plan, file], { data, name, column, zipColumn, replace, balance }, readArgument) => {
    if ((file === undefined) === (data === undefined)) {
      throw new Failure(EXIT.usage, 'Give either a file or --data with one of your data sets.');
    }
    const measure =
      file === undefined
        ? { dataSet: data }
        : { csv: await readCsv(file, readArgument), name, column, zipColumn, replace };
    const at = path`/agent/plans/${plan!}/measures`;
    return {
      type: JSON_TYPE,
      needsKey: true,
      format: formatUploaded,
      async perform(callService) {
        const bytes = balance
          ? (await balanceByFile(callService, plan!, measure)).uploaded
          : await callService({ path: at, body: measure, type: JSON_TYPE });
        return { bytes, type: JSON_TYPE };
      },
    };
  },
};

export const planMeasures: Command = {
  usage: 'plan-measures <plan>',
  summary: 'list the data sets of a plan',
  examples: ['plan-measures "Dallas 2027"', 'plan-measures "Dallas 2027" --json'],
  call: ([plan]) => ({
    ...jsonCall(path`/agent/plans/${plan!}/measures`, formatMeasures),
    needsKey: true,
  }),
};

export const planMeasureDelete: Command = {
  usage: 'plan-measure-delete <plan> <data>',
  summary: 'remove a data set from a plan; the data set stays',
  options: [new Option('--confirm', 'remove it')],
  examples: [
    'plan-measure-delete "Dallas 2027" Jobs --confirm',
    'plan-measure-delete "Dallas 2027" "Open leads"',
  ],
  call: ([plan, measure], { confirm }) => {
    if (!confirm) {
      throw new Failure(
        EXIT.unconfirmed,
        `Nothing was changed. To remove "${measure}" from "${plan}", add --confirm.`,
      );
    }
    const at = path`/agent/plans/${plan!}/measures/${measure!}/delete`;
    const format = async () => `Removed "${measure}" from the plan "${plan}".`;
    return { ...plainCall({ path: at, body: {}, type: JSON_TYPE }, format), needsKey: true };
  },
};
