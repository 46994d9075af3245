/** Commands that rank and recommend ZIP codes for a caller. */
import { InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { formatCount, formatPercent, formatTenths, pluralize } from '../../../base/text/words.ts';
import type { CensusFigure } from '../../../data/ingest/demographics.ts';
import { FIGURE_TEXTS } from '../../../data/ingest/figure-texts.ts';
import type { discoverZips } from '../../tools/discover-zips.ts';
import type { queryTargetingTool } from '../../tools/query-targeting.ts';
import type { scoreTerritory } from '../../tools/score-territory.ts';
import type { TerritoryPlan } from '../../tools/support/territory-plan-schema.ts';
import type { AnswerOf } from '../../tools/tool.ts';
import { scoreBar, type Layout } from '../layout.ts';
import { formatPlace } from '../names.ts';
import {
  formatEntries,
  formatTable,
  paragraphs,
  wrapLines,
  wrapText,
  type Columns,
} from '../table.ts';
import type { Command, Formats, Formatter, Given } from './command.ts';
import { formatSource } from './public.ts';

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

function parseNear({ near }: Given) {
  const [, lat, lng] = /^\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*$/.exec(near ?? '') ?? [];
  return lat === undefined ? { nearZip: near } : { lat: Number(lat), lng: Number(lng) };
}

const NAMES = { excludeZips: 'exclude' };

export const marketCommands: readonly Command[] = [
  {
    usage: 'score <market> <vertical>',
    calls: ['service_score_territory'],
    names: NAMES,
    hides: ['k', 'balance'],
    examples: [
      'score dallas-tx roofing --limit 10',
      'score dallas-tx roofing --size 15 --contiguous --exclude-held',
      'score 75201,75204,75214 hvac',
      'score @zips.txt roofing --min-score 80',
    ],
  },
  {
    usage: 'target',
    calls: ['service_query_targeting'],
    more: [
      new Option('--filter <range>', 'such as ownerOccupiedPct=60.. ; repeatable').argParser(
        parseFilter,
      ),
    ],
    texts: { fields: 'other figures to show, such as medianAge,medianYearBuilt' },
    read: { fields: (text) => text.split(/[\s,]+/).filter(Boolean) },
    input: ({ filter }) => ({ filters: filter }),
    examples: [
      'target roofing --metro dallas-tx --filter ownerOccupiedPct=60..',
      'target hvac --state AZ --filter medianHomeValue=250000..800000 --limit 10',
      'target roofing --state TX --filter medianHouseholdIncome=90000.. --fields medianYearBuilt',
    ],
  },
  {
    usage: 'discover',
    calls: ['service_discover_zips'],
    names: { radiusMiles: 'radius' },
    hides: ['nearZip', 'lat', 'lng'],
    more: [new Option('--near <zip>', 'around a ZIP code or a point: LAT,LNG')],
    texts: { radius: 'maximum distance in miles' },
    input: parseNear,
    examples: [
      'discover roofing --brand lone-star-roofing --radius 10 --limit 10',
      'discover hvac --near 85015 --radius 5 --min-score 80',
      'discover hvac --near 33.45,-112.07 --radius 5',
      'discover hvac --near 85015 --minutes 20',
    ],
  },
  {
    usage: 'plan <market...>',
    summary: 'recommend ZIP codes of a market for a territory',
    calls: ['planTerritory'],
    names: NAMES,
    examples: [
      'plan dallas-tx --vertical roofing --size 10 --contiguous',
      'plan 75201 75204 75214 --vertical hvac',
    ],
  },
];

/** Returns a hint for a list with more pages. */
export const formatNextPage = (nextCursor: string | null, layout: Layout) =>
  nextCursor === null
    ? ''
    : layout.paint('dim', `  More rows: --all, or\n  --cursor ${nextCursor}`);

type Scores = AnswerOf<typeof scoreTerritory>;

const RANKING = {
  Rank: 'rank',
  ZIP: 'zip',
  Place: formatPlace,
  Score: ({ score }: { score: number | null }) => formatCount(score),
} as const;

const score: Formatter<Scores> = (answer, layout) => {
  const pieces =
    answer.pieces === undefined ? '' : `, ${pluralize(answer.pieces, 'connected area')}`;
  const size = layout.paint('dim', `  (${pluralize(answer.total, 'ZIP code')}${pieces})`);
  return paragraphs(
    layout.paint('bold', answer.market) + size,
    formatTable(
      layout,
      answer.zips,
      {
        ...RANKING,
        Households: 'households',
        'Owners?': ({ ownerOccupiedPct }) => formatPercent(ownerOccupiedPct),
        'Income?': (zip) => FIGURE_TEXTS.medianHouseholdIncome.format(zip.medianHouseholdIncome),
        'Home value?': (zip) => FIGURE_TEXTS.medianHomeValue.format(zip.medianHomeValue),
        '?': (zip) => scoreBar(layout, zip.score),
        'Held by?': ({ heldByNames }) => heldByNames.join(', '),
      },
      '  No ZIP codes match. Lower --min-score.',
    ),
    formatNextPage(answer.nextCursor, layout),
    answer.withoutScore.length > 0
      ? wrapLines(`Without a score: ${answer.withoutScore.join(', ')}`, layout)
      : '',
    formatSource(answer, layout),
  );
};

type Targets = AnswerOf<typeof queryTargetingTool>;

const target: Formatter<Targets> = (answer, layout) => {
  const weights = answer.ownWeights ? 'your weights' : 'the public weights';
  const counts =
    `${formatCount(answer.total)} ZIP codes; ${formatCount(answer.filteredOut)} filtered out, ` +
    `${formatCount(answer.withoutScore)} unscored`;
  return paragraphs(
    layout.paint('bold', `Ranked by ${weights}`) + layout.paint('dim', `  (${counts})`),
    formatTable(
      layout,
      answer.zips,
      {
        ...RANKING,
        ...figureColumns(answer.zips),
        'Public score?': 'publicScore',
        'Households?': 'households',
        '?': (zip) => scoreBar(layout, zip.score),
      },
      '  No ZIP codes match. Widen the filters or lower --min-score.',
    ),
    formatNextPage(answer.nextCursor, layout),
    formatSource(answer, layout),
  );
};

const figureColumns = ([first]: Targets['zips']): Columns<Targets['zips'][number]> =>
  Object.fromEntries(
    Object.keys(first?.figures ?? {})
      // Households have their own column.
      .filter((field) => field !== 'householdsTotal')
      .map((field) => {
        // Data sets have no texts here.
        const known = FIGURE_TEXTS[field as CensusFigure];
        return [
          // `Median household income` is wider than its values.
          (known?.label ?? field).replace(' ', '\n'),
          ({ figures }) =>
            known?.format(figures[field] ?? null) ??
            figures[field]?.toLocaleString('en-US') ??
            null,
        ];
      }),
  );

const discover: Formatter<AnswerOf<typeof discoverZips>> = ({ zips, nextCursor }, layout) =>
  paragraphs(
    layout.paint('bold', 'ZIP codes to expand into, best first'),
    formatTable(
      layout,
      zips,
      {
        ZIP: 'zip',
        Place: formatPlace,
        Score: ({ score }) => formatCount(score),
        Miles: ({ distanceMiles }) => formatTenths(distanceMiles),
        Adjacent: ({ adjacent }) => adjacent ?? false,
        'Held by': ({ heldByNames: [first, ...others] }) =>
          others.length === 0 ? first : `${first} and ${pluralize(others.length, 'other')}`,
        'Your data': ({ own }) => own ?? '',
        '?': (zip) => scoreBar(layout, zip.score),
        'Households?': 'households',
      },
      '  No ZIP codes match. Widen --radius or --minutes, or lower --min-score.',
    ),
    formatNextPage(nextCursor, layout),
  );

const plan: Formatter<z.output<typeof TerritoryPlan>> = (answer, layout) => {
  const bullet = (text: string) => `- ${wrapText(text, layout.width - 2).join('\n  ')}`;
  return paragraphs(
    layout.paint('bold', `${answer.verticalLabel} in ${answer.market.name}`),
    wrapLines(answer.summary, layout),
    formatEntries(
      layout,
      'Recommended ZIP codes, best first',
      answer.recommendations.map((zip) => ({
        mark: formatCount(zip.rank),
        name: `${zip.zipCode}  ${formatPlace(zip)}  ${formatCount(zip.score)}, ${zip.demand} demand`,
        note: [
          ...zip.reasons,
          ...zip.cautions.map((caution) => `but ${caution}`),
          ...(zip.heldByNames.length > 0 ? [`held by ${zip.heldByNames.join(', ')}`] : []),
        ].join('; '),
      })),
    ),
    ['Next steps:', ...answer.nextActions.map(({ action }) => bullet(action))].join('\n'),
    layout.paint('dim', wrapLines(answer.sourceNotes.join('\n'), layout)),
  );
};

export const marketFormats: Formats = {
  service_score_territory: score,
  service_query_targeting: target,
  service_discover_zips: discover,
  planTerritory: plan,
};
