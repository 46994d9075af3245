import { InvalidArgumentError, Option } from 'commander';
import type { AnswerOf } from '../../../agent/tool.ts';
import type { queryTargetingTool } from '../../../agent/tools/query-targeting.ts';
import { scoreBar } from '../../bars.ts';
import { formatCount } from '../../../text/words.ts';
import type { CensusFigure } from '../../../ingest/demographics.ts';
import { FIGURE_TEXTS } from '../../../ingest/figure-texts.ts';
import { formatTable, type Column } from '../../table.ts';
import { formatter, paragraphs, type Command } from '../command.ts';
import { formatSource } from '../format-source.ts';
import { readZips } from '../market.ts';
import { brandOption, minScoreOption } from '../options.ts';
import { formatNextPage, pagedCall, pageOptions } from '../paged-call.ts';
import { HOUSEHOLDS, RANKING } from '../ranking-columns.ts';

const format = formatter(
  async () => (await import('../../../agent/tools/query-targeting.ts')).queryTargetingTool.output,
  (answer, layout) => {
    const weights = answer.ownWeights ? 'your weights' : 'the public weights';
    const counts =
      `${formatCount(answer.total)} ZIP codes; ${formatCount(answer.filteredOut)} filtered out, ` +
      `${formatCount(answer.withoutScore)} unscored`;
    return paragraphs(
      layout.paint('bold', `Ranked by ${weights}`) + layout.paint('dim', `  (${counts})`),
      formatTable(
        layout,
        [
          ...RANKING,
          {
            heading: 'Public score',
            cell: (zip) => formatCount(zip.publicScore),
            right: true,
            dropOrder: 1,
          },
          ...figureColumns(answer.zips),
          { ...HOUSEHOLDS, dropOrder: 2 },
          { heading: '', cell: (zip) => scoreBar(layout, zip.score), dropOrder: 3 },
        ],
        answer.zips,
      ) || '  No ZIP codes match. Widen the filters or lower --min-score.',
      formatNextPage(answer.nextCursor, layout),
      formatSource(answer, layout),
    );
  },
);

type TargetedZip = AnswerOf<typeof queryTargetingTool>['zips'][number];

const figureColumns = ([first]: readonly TargetedZip[]): Column<TargetedZip>[] =>
  Object.keys(first?.figures ?? {})
    // Households have their own column.
    .filter((field) => field !== 'householdsTotal')
    .map((field) => {
      // Data sets have no texts here.
      const { label, format } = FIGURE_TEXTS[field as CensusFigure] ?? {
        label: field,
        format: (value) => (value === null ? '–' : value.toLocaleString('en-US')),
      };
      return {
        // `Median household income` is wider than its values.
        heading: label.replace(' ', '\n'),
        cell: ({ figures }) => format(figures[field] ?? null),
        right: true,
      };
    });

type Filters = Record<string, { min?: number; max?: number }>;

/** Parses `ownerOccupiedPct=60..` and `data:jobs-2025=20..80`. The service checks fields. */
function parseFilter(text: string, before: Filters = {}): Filters {
  const [, field, min, max] =
    /^(\w+|(?:data|rate):[^=]+)=(-?[\d.]*?)\.\.(-?[\d.]*)$/.exec(text) ?? [];
  const range = { ...(min && { min: Number(min) }), ...(max && { max: Number(max) }) };
  const bounds = Object.values(range);
  if (!field || bounds.length === 0 || bounds.some(Number.isNaN)) {
    throw new InvalidArgumentError('Expected FIELD=MIN..MAX, FIELD=MIN.., or FIELD=..MAX.');
  }
  return { ...before, [field]: range };
}

export const target: Command = {
  usage: 'target <vertical>',
  summary: 'rank and filter ZIP codes by your own weights',
  options: [
    new Option('--metro <metro>', 'a launched metro'),
    new Option('--state <code>', 'a state, such as TX'),
    brandOption().conflicts(['metro', 'state', 'zips']),
    new Option('--zips <zips>', 'a list of ZIP codes').conflicts(['metro', 'state']),
    new Option('--filter <range>', 'such as ownerOccupiedPct=60.. ; repeatable').argParser(
      parseFilter,
    ),
    new Option('--fields <fields>', 'other figures to show, such as medianAge,medianYearBuilt'),
    minScoreOption(),
    ...pageOptions(),
  ],
  examples: [
    'target roofing --metro dallas-tx --filter ownerOccupiedPct=60..',
    'target hvac --state AZ --filter medianHomeValue=250000..800000 --limit 10',
    'target roofing --state TX --filter medianHouseholdIncome=90000.. --fields medianYearBuilt',
    'target roofing --brand lone-star-roofing --all --json',
  ],
  call: async (
    [vertical],
    { metro, state, brand, zips, filter, fields, minScore, ...paging },
    readArgument,
  ) => {
    const area = {
      metro,
      state,
      brand,
      zips: zips && (await readZips([zips as string], readArgument)),
    };
    const figures = {
      filters: filter as Filters | undefined,
      fields: (fields as string | undefined)?.split(/[\s,]+/).filter(Boolean),
    };
    const input = { vertical, ...area, ...figures, minScore };
    return pagedCall('service_query_targeting', input, paging, 'zips', format);
  },
};
