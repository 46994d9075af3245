/** The colors of the ZIP codes on a map, and the legend that explains them. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { ZipStatus } from '../../data/basemap/palette.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { Dataset, DatasetName } from '../../base/db/datasets.ts';
import { scoresOfZips } from '../../data/market/zips.ts';
import type { Legend } from '../../render/furniture/furniture.ts';
import { amountColor, amountLegend, type AmountColoring } from './amount-coloring.ts';
import { categoryLegend, type CategoryColoring } from './categories.ts';
import type { ZipColor } from './choropleth.ts';
import {
  OUTSIDE_MARKET,
  scoreLegend,
  statusLegend,
  type ShownScores,
} from './furniture/legends.ts';

/** ZIP codes by flag, shown by their edges */
type FlaggedZips = Partial<Record<'shared' | 'isolated', ReadonlySet<string>>>;

/** Determines the colors of ZIP codes. */
export type ZipColoring =
  | {
      by: 'score';
      /** Slug */
      vertical: string;
      /** Name of the land outside the ZIP codes. Default: `Outside this market` */
      outside?: string | undefined;
    }
  | ({
      by: 'status';
      statuses: ReadonlyMap<string, ZipStatus>;
      /** ZIP codes that approved changes add (those that aren't live) or remove, with the day: `2027-01-01` */
      planned?: ReadonlyMap<string, string>;
    } & FlaggedZips)
  | CategoryColoring
  | AmountColoring
  | { by: 'plain' };

/** Returns the color of each ZIP code. */
export async function colorsOf(
  db: Queryable,
  zips: readonly string[],
  coloring: ZipColoring,
): Promise<Map<string, ZipColor>> {
  if (coloring.by === 'score') {
    const scores = await scoresOfZips(db, zips, coloring.vertical);
    return new Map(zips.map((zip) => [zip, { score: scores.get(zip) ?? null }]));
  }
  if (coloring.by === 'plain') return new Map(zips.map((zip) => [zip, { status: 'plain' }]));
  if (coloring.by === 'category') {
    const { categoryOf } = coloring;
    return new Map(zips.map((zip) => [zip, { category: categoryOf.get(zip)! }]));
  }
  if (coloring.by === 'amount')
    return new Map(zips.map((zip) => [zip, amountColor(coloring, zip)]));
  const { statuses, planned, shared, isolated } = coloring;
  const colorOf = (zip: string): ZipColor => ({
    status: statuses.get(zip) ?? 'plain',
    ...(planned?.has(zip) && { planned: true }),
    ...(shared?.has(zip) && { shared: true }),
    ...(isolated?.has(zip) && { isolated: true }),
  });
  return new Map(zips.map((zip) => [zip, colorOf(zip)]));
}

export const hasScore = (color: ZipColor) => 'score' in color && color.score !== null;

/** Returns the legend of the ZIP codes; undefined without classes or categories. */
export function legendOf(
  style: StyleSpecification,
  coloring: ZipColoring,
  zips: readonly string[],
  { hasLand, ...shown }: Omit<ShownScores, 'outside'> & { hasLand: boolean },
): Legend | undefined {
  if (coloring.by === 'plain') return undefined;
  if (coloring.by === 'category') return categoryLegend(style, coloring, zips);
  if (coloring.by === 'status') {
    const flags = (['isolated', 'shared'] as const).filter((flag) =>
      zips.some((zip) => coloring[flag]?.has(zip)),
    );
    const { statuses, planned = new Map<string, string>() } = coloring;
    const shown = statusesOf(
      zips.filter((zip) => statuses.get(zip) !== 'pending' || !planned.has(zip)),
      statuses,
    );
    const daysOf = (status: ZipStatus) =>
      new Set(zips.flatMap((zip) => (statuses.get(zip) === status && planned.get(zip)) || []));
    const days = { live: daysOf('live'), pending: daysOf('pending') };
    return statusLegend(style, 'Territory', shown, flags, days) ?? undefined;
  }
  if (coloring.by === 'amount') {
    return amountLegend(style, coloring, zips, hasLand ? OUTSIDE_MARKET : undefined);
  }
  const outside = hasLand ? (coloring.outside ?? OUTSIDE_MARKET) : undefined;
  return scoreLegend(style, 'Demand score', { ...shown, outside }) ?? undefined;
}

function statusesOf(zips: readonly string[], statuses: ReadonlyMap<string, ZipStatus>) {
  return new Set(zips.map((zip) => statuses.get(zip) ?? 'plain'));
}

/** The vintage of the scores on a map colored by score; otherwise of the boundaries. */
export function vintageOf(facts: ReadonlyMap<DatasetName, Dataset>, { by }: ZipColoring): string {
  return by === 'score'
    ? (facts.get('scores')?.vintage ?? 'No scores yet')
    : (facts.get('boundaries')?.vintage ?? '');
}
