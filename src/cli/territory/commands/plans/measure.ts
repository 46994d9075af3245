/** Commands for uploaded measures of a plan. */
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
        { heading: 'Measure', cell: ({ name }) => name },
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
    ) || 'No measures yet. Upload one with: territory plan-measure',
);

const formatUploaded = formatter(
  async () => (await schemas()).UploadedMeasureBody,
  ({ name, zipCount, total, summary, withoutAmount, outsideMarket, ...report }, layout) => {
    const { rejected, findings } = report;
    const more = rejected - findings.filter(({ outcome }) => outcome !== 'guessed').length;
    return paragraphs(
      `${layout.paint('bold', name)}: ${formatCount(total)} in ${pluralize(zipCount, 'ZIP code')}. ${summary}`,
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

/** Uploads a measure and balances the plan by it. @returns the plan's new version */
export async function balanceByFile(
  callService: CallService,
  plan: string,
  measure: { csv: string; name?: string; column?: string },
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
  usage: 'plan-measure <plan> <file>',
  summary: 'upload amounts by ZIP code from a CSV file, to balance a plan’s territories by',
  options: [
    new Option('--name <name>', 'name of the measure (default: the heading of the amounts)'),
    new Option('--column <heading>', 'column of the amounts, if several have numbers'),
    new Option('--zip-column <heading>', 'column of the ZIP codes, if several have them'),
    new Option('--replace', 'replace the measure of the same name'),
    new Option('--balance', 'balance the plan’s territories by it'),
  ],
  examples: [
    'plan-measure "Dallas 2027" jobs.csv --name Jobs --balance',
    'plan-measure "Dallas 2027" crm.csv --column "Open leads" --replace',
  ],
  call: async ([plan, file], { name, column, zipColumn, replace, balance }, readArgument) => {
    const measure = { csv: await readCsv(file!, readArgument), name, column, zipColumn, replace };
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
  summary: 'list the measures that were uploaded for a plan',
  examples: ['plan-measures "Dallas 2027"', 'plan-measures "Dallas 2027" --json'],
  call: ([plan]) => ({
    ...jsonCall(path`/agent/plans/${plan!}/measures`, formatMeasures),
    needsKey: true,
  }),
};

export const planMeasureDelete: Command = {
  usage: 'plan-measure-delete <plan> <measure>',
  summary: 'delete a measure that was uploaded for a plan',
  options: [new Option('--confirm', 'delete it; this can’t be undone')],
  examples: [
    'plan-measure-delete "Dallas 2027" Jobs --confirm',
    'plan-measure-delete "Dallas 2027" "Open leads"',
  ],
  call: ([plan, measure], { confirm }) => {
    if (!confirm) {
      throw new Failure(
        EXIT.unconfirmed,
        `Nothing was changed. Deleting "${measure}" can’t be undone. To delete it, add --confirm.`,
      );
    }
    const at = path`/agent/plans/${plan!}/measures/${measure!}/delete`;
    const format = async () => `Deleted the measure "${measure}" of the plan "${plan}".`;
    return { ...plainCall({ path: at, body: {}, type: JSON_TYPE }, format), needsKey: true };
  },
};
