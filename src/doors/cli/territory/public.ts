/** Commands that need no key. */
import { Option } from 'commander';
import type { z } from 'zod';
import type * as zips from '../../../base/contract/resources.ts';
import type * as verticals from '../../../base/contract/vertical-resources.ts';
import { formatCount, formatPercent, formatTenths, orDash } from '../../../base/text/words.ts';
import type { CensusFigure } from '../../../data/ingest/demographics.ts';
import { FIGURE_TEXTS } from '../../../data/ingest/figure-texts.ts';
import type { MapContext } from '../../http/basemap/map-context.ts';
import type { ToolSummary } from '../../tools/capabilities.ts';
import type { getZipProfile } from '../../tools/get-zip-profile.ts';
import type { AnswerOf } from '../../tools/tool.ts';
import { lengthBar, scoreBar, type Layout } from '../layout.ts';
import { formatPlace, metroName, verticalName } from '../names.ts';
import { formatEntries, formatTable, paragraphs, wrapLines } from '../table.ts';
import type { Command, Formats, Formatter, Given } from './command.ts';

const CSV = new Option('--csv', 'print CSV with a row per metro and vertical').conflicts('json');
const YAML = new Option('--yaml', 'print the document as YAML').conflicts('json');
const METRO = { metroSlug: 'metro' };

const endsWith = ({ options }: Given, ending: RegExp) => ending.test(options.output ?? '');

export const publicCommands: readonly Command[] = [
  {
    usage: 'zip',
    summary: 'show scores and census figures of a ZIP code',
    calls: ['getPublicZipProfile', 'getPublicZipVertical', 'service_get_zip_profile'],
    choose: ({ full, vertical }) =>
      full ? 'service_get_zip_profile' : vertical && 'getPublicZipVertical',
    more: [new Option('--full', 'any ZIP code, with neighbors and holders; needs a key')],
    texts: { vertical: 'only the score for this vertical; with --full, its reasons' },
    examples: [
      'zip 75201',
      'zip 75201 --vertical roofing',
      'zip 59001 --full',
      'zip 75201 --full --vertical hvac',
    ],
  },
  {
    usage: 'vertical',
    summary: 'show what drives a vertical’s score, and its metros',
    calls: ['getPublicVertical'],
    examples: ['vertical hvac'],
  },
  {
    usage: 'metro',
    calls: ['getPublicMetroVertical'],
    names: METRO,
    examples: ['metro dallas-tx roofing'],
  },
  {
    usage: 'best',
    calls: ['getPublicBestZips'],
    names: METRO,
    examples: ['best dallas-tx roofing'],
  },
  {
    usage: 'study',
    summary: 'show figures of all verticals and metros',
    calls: ['getPublicDataStudy', 'getPublicDataStudyCsv'],
    choose: (given) => (given['csv'] || endsWith(given, /\.csv$/i)) && 'getPublicDataStudyCsv',
    more: [CSV],
    examples: ['study', 'study --csv | head -3', 'study -o study.csv'],
  },
  {
    usage: 'map',
    summary: 'draw a metro with ZIP codes colored by score, as PNG',
    calls: ['getPublicMapImage'],
    names: METRO,
    examples: [
      'map dallas-tx roofing -o map.png',
      'map dallas-tx roofing --size 1200x800 --ratio 2 --style dark -o map.png',
      'map dallas-tx roofing > map.png',
    ],
  },
  {
    usage: 'map-context',
    summary: 'get the basemap of a view as GeoJSON',
    calls: ['getMapContext'],
    examples: [
      'map-context --bbox -97.5,32.5,-96.5,33.1 --zoom 10',
      'map-context --bbox -97.5,32.5,-96.5,33.1 --zoom 10 -o dallas.json',
    ],
  },
  {
    usage: 'openapi',
    summary: 'show the OpenAPI document of the API',
    calls: ['getOpenApi', 'getOpenApiYaml'],
    choose: (given) => (given['yaml'] || endsWith(given, /\.ya?ml$/i)) && 'getOpenApiYaml',
    more: [YAML],
    examples: ['openapi', 'openapi --yaml', 'openapi -o openapi.yaml'],
  },
  {
    usage: 'tools',
    summary: 'list the MCP tools and their units',
    calls: ['getMcpInfo'],
    examples: ['tools'],
  },
];

const NO_BOUNDARY = 'It has figures but no imported boundary, so maps can’t show it.';

interface Source {
  /** Vintage of the census figures */
  census?: string | null | undefined;
  /** Vintage of the scores */
  vintage?: string | undefined;
  /** Time when the scores were computed, ISO 8601 */
  updatedAt?: string | undefined;
}

/** Returns lines that name the source of the figures in a response. */
export function formatSource({ census, vintage, updatedAt }: Source, layout: Layout): string {
  const computed = updatedAt ? `, computed on ${updatedAt.slice(0, 10)}` : '';
  return [
    ...(census ? [`Census figures: ${census}`] : []),
    ...(vintage ? [`Scores: ${vintage}${computed}`] : []),
  ]
    .map((line) => layout.paint('dim', line))
    .join('\n');
}

type Demographics = z.output<typeof zips.ZipDemographics>;

/** Formats the census figures of a ZIP code. @param flags remarks by field, such as `suppressed` */
const formatDemographics = (
  zip: Omit<Demographics, 'zipCode'>,
  layout: Layout,
  flags: Readonly<Record<string, string>> = {},
): string =>
  formatTable(layout, Object.keys(FIGURE_TEXTS) as CensusFigure[], {
    'Census figure': (field) => FIGURE_TEXTS[field].label,
    Value: (field) => FIGURE_TEXTS[field].format(zip[field] ?? null),
    '': (field) => layout.paint('dim', flags[field] ?? ''),
  });

function formatRanking(
  all: readonly z.output<typeof zips.RankedZip>[],
  layout: Layout,
  sampled = false,
): string {
  const ranking = formatTable(
    layout,
    all,
    {
      Rank: ({ rank }) => formatCount(rank),
      ZIP: 'zipCode',
      City: ({ city }) => orDash(city),
      State: ({ state }) => orDash(state),
      Score: ({ score }) => formatCount(score),
      '': ({ score }) => scoreBar(layout, score),
    },
    '  No ZIP code has a score.',
  );
  const more = `\n${layout.paint('dim', `  Top ${all.length} only; the market has more.`)}`;
  return ranking + (sampled && all.length > 0 ? more : '');
}

function formatTitle(
  { zipCode, city, state }: Pick<Demographics, 'zipCode' | 'city' | 'state'>,
  metroLabel: string | null | undefined,
  layout: Layout,
): string {
  const place = city ? `  ${formatPlace({ city, state })}` : '';
  const metro = metroLabel ? layout.paint('dim', `  (${metroLabel} metro)`) : '';
  return layout.paint('bold', `${zipCode}${place}`) + metro;
}

const boundaryNote = (hasBoundary: boolean | undefined, layout: Layout) =>
  hasBoundary === false ? wrapLines(NO_BOUNDARY, layout) : '';

const profile: Formatter<z.output<typeof zips.PublicZipProfile>> = (answer, layout) =>
  paragraphs(
    formatTitle(answer.demographics, answer.metroLabel, layout),
    formatTable(
      layout,
      answer.scores.toSorted((a, b) => b.score - a.score),
      {
        Demand: ({ verticalLabel, verticalSlug }) => verticalLabel ?? verticalSlug,
        Score: 'score',
        '': ({ score }) => scoreBar(layout, score),
      },
    ),
    formatDemographics(answer.demographics, layout),
    boundaryNote(answer.hasBoundary, layout),
    formatSource({ ...answer, census: answer.demographics.sourceVintage }, layout),
  );

const zipScore: Formatter<z.output<typeof zips.PublicZipVerticalScore>> = (answer, layout) =>
  paragraphs(
    formatTitle(answer.demographics ?? { zipCode: answer.zipCode }, answer.metroLabel, layout),
    `  ${verticalName(answer.verticalSlug)} demand  ` +
      `${layout.paint('bold', formatCount(answer.score))}  ` +
      (answer.score === null
        ? 'not enough data to score this ZIP code'
        : scoreBar(layout, answer.score)),
    answer.demographics ? formatDemographics(answer.demographics, layout) : '',
    boundaryNote(answer.hasBoundary, layout),
    formatSource({ ...answer, census: answer.demographics?.sourceVintage }, layout),
  );

/** The profile that a key gets: its own text tells of neighbors, holders, and reasons. */
const fullProfile: Formatter<AnswerOf<typeof getZipProfile>> = (answer, layout, text) =>
  paragraphs(
    text,
    formatTable(
      layout,
      answer.scores.toSorted((a, b) => (b.percentile ?? -1) - (a.percentile ?? -1)),
      {
        Demand: ({ vertical: slug }) => verticalName(slug),
        Score: ({ score }) => formatCount(score),
        '': ({ score }) => scoreBar(layout, score),
        Percentile: ({ percentile }) => percentile && formatPercent(percentile),
      },
    ),
    formatDemographics(answer.demographics, layout, answer.flags),
    boundaryNote(answer.hasBoundary, layout),
    formatSource({ census: answer.vintage }, layout),
  );

const ARROWS: Record<string, string> = { higher: '↑', lower: '↓' };

const vertical: Formatter<z.output<typeof verticals.PublicVerticalSummary>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', answer.verticalLabel ?? answer.verticalSlug),
    wrapLines(answer.methodology ?? '', layout),
    formatEntries(
      layout,
      'Signals by weight; ↑ higher is better, ↓ lower is better',
      (answer.signals ?? []).map(({ weight, direction, label, reason }) => ({
        mark: `${Math.round(100 * weight)}%`,
        name: `${ARROWS[direction] ?? direction} ${label}`,
        note: reason,
      })),
    ),
    formatTable(layout, answer.metros ?? [], {
      Metro: 'metroLabel',
      'ZIP codes': 'zipCount',
      Scored: 'scoredZipCount',
      Average: ({ averageScore }) => formatTenths(averageScore),
      '': ({ averageScore }) => scoreBar(layout, averageScore),
    }),
    formatRanking(answer.topZips ?? [], layout, true),
    formatSource(answer, layout),
  );

const metro: Formatter<z.output<typeof verticals.PublicMetroVertical>> = (answer, layout) => {
  const bins = answer.scoreDistribution ?? [];
  const largest = Math.max(1, ...bins.map(({ count }) => count));
  return paragraphs(
    layout.paint(
      'bold',
      `${answer.verticalLabel ?? answer.verticalSlug} in ${answer.metroLabel ?? answer.metroSlug}`,
    ),
    `  ${formatCount(answer.zipCount)} ZIP codes, ${formatCount(answer.scoredZipCount)} scored; ` +
      `average score ${layout.paint('bold', formatTenths(answer.averageScore))}`,
    formatTable(layout, bins, {
      Score: ({ from, to }) => `${from}–${to}`,
      'ZIP codes': 'count',
      '': ({ count }) => lengthBar(layout, count, largest),
    }),
    formatRanking(answer.topZips ?? [], layout, answer.sampled),
    formatSource(answer, layout),
  );
};

const best: Formatter<z.output<typeof verticals.PublicBestZips>> = (answer, layout) =>
  paragraphs(
    layout.paint(
      'bold',
      `Best ZIP codes for ${verticalName(answer.verticalSlug)} in ${metroName(answer.metroSlug)}`,
    ),
    formatRanking(answer.zips, layout, answer.sampled),
    formatSource(answer, layout),
  );

const study: Formatter<z.output<typeof verticals.PublicDataStudy>> = (answer, layout) =>
  paragraphs(
    layout.paint('bold', 'Demand in the launched metros'),
    formatTable(layout, answer.verticals ?? [], {
      Vertical: 'verticalLabel',
      Scored: 'scoredZipCount',
      Average: ({ averageScore }) => formatTenths(averageScore),
      Median: ({ medianScore }) => formatTenths(medianScore),
      '80 or more': 'highDemandZipCount',
      '': ({ averageScore }) => scoreBar(layout, averageScore),
    }),
    formatTable(
      layout,
      (answer.metros ?? []).map((one) => ({ ...one, best: bestVertical(one.verticals) })),
      {
        Metro: 'metroLabel',
        Population: 'populationTotal',
        Households: 'householdsTotal',
        'Best vertical': (one) => orDash(one.best && verticalName(one.best.verticalSlug)),
        Average: (one) => formatTenths(one.best?.averageScore),
      },
    ),
    formatSource(answer, layout),
  );

/** Returns the vertical with the highest average score, or undefined if none has scores. */
const bestVertical = <V extends { averageScore: number | null }>(all: readonly V[]) =>
  all
    .filter((one) => one.averageScore !== null)
    .toSorted((a, b) => b.averageScore! - a.averageScore!)[0];

const mapContext: Formatter<z.output<typeof MapContext>> = ({ meta }, layout) =>
  paragraphs(
    layout.paint('bold', `Basemap of ${meta.bounds.join(', ')} at zoom ${meta.zoom}`),
    formatTable(layout, Object.entries(meta.counts), {
      Layer: ([layer]) => layer,
      Features: ([, features]) => features,
      Source: ([layer]) => orDash(meta.vintage[layer as keyof typeof meta.vintage]),
    }),
    layout.paint('dim', wrapLines(`Required attribution: ${meta.attribution}`, layout)),
    layout.paint('dim', 'Get the GeoJSON with --json or -o FILE.'),
  );

interface OpenApi {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, { summary?: string; deprecated?: boolean }>>;
}

const METHODS = ['get', 'put', 'post', 'delete'];

const openApi: Formatter<OpenApi> = ({ openapi, info, paths }, layout) =>
  paragraphs(
    `${layout.paint('bold', `${info.title} ${info.version}`)} ` +
      layout.paint('dim', `(OpenAPI ${openapi})`),
    formatEntries(
      layout,
      'Operations',
      Object.entries(paths).flatMap(([name, item]) =>
        METHODS.flatMap((method) => {
          const { summary = '', deprecated } = item[method] ?? {};
          const note = deprecated ? `${summary} (deprecated)` : summary;
          return item[method] ? [{ mark: method.toUpperCase(), name, note }] : [];
        }),
      ),
    ),
  );

const tools: Formatter<{ endpoint: string; tools: z.output<typeof ToolSummary>[] }> = (
  answer,
  layout,
) =>
  paragraphs(
    layout.paint('bold', 'Tools') + layout.paint('dim', `  (${answer.endpoint})`),
    formatEntries(
      layout,
      'Units per call; tools with * make changes and need --confirm',
      answer.tools.map(({ name, summary, units, write }) => ({
        mark: formatCount(units),
        name: write ? `${name} *` : name,
        note: summary,
      })),
    ),
  );

export const publicFormats: Formats = {
  getPublicZipProfile: profile,
  getPublicZipVertical: zipScore,
  service_get_zip_profile: fullProfile,
  getPublicVertical: vertical,
  getPublicMetroVertical: metro,
  getPublicBestZips: best,
  getPublicDataStudy: study,
  getMapContext: mapContext,
  getOpenApi: openApi,
  getMcpInfo: tools,
};
