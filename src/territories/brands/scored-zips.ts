/** A page of a brand's ZIP codes with scores and households, in the order of either. */
import { figuresOrReason, isWithheld, type LimitReason } from '../../people/metering/figures.ts';
import type { Queryable } from '../../base/db/database.ts';
import { brandZipsIn, matchingZips, type BrandZip, type BrandZipFilter } from './brand-zips.ts';
import type { Brand } from './brands.ts';
import type { DataViewer } from './targeting/own-ranks.ts';
import { verticalScores } from './targeting/vertical-scores.ts';
import { zipFacts } from './zip-facts.ts';

/** By ZIP code, or by a figure with the largest or the smallest first. Unknown figures come last. */
export const ZIP_ORDERS = ['zip', 'score', '-score', 'households', '-households'] as const;
export type ZipOrder = (typeof ZIP_ORDERS)[number];

export interface ScoredZip extends BrandZip {
  /** Null if unknown or withheld */
  score: number | null;
  households: number | null;
}

export interface ScoredZips {
  rows: ScoredZip[];
  /** On all pages */
  total: number;
  /** The reason why the figures are missing; null if they aren't. The order is then by ZIP code */
  withheld: LimitReason | null;
}

interface ScoredZipsRequest {
  filter: BrandZipFilter;
  /** Slug */
  vertical: string;
  order: ZipOrder;
  /** Number of ZIP codes before the page */
  offset: number;
  limit: number;
}

/** @param db the process's database, which caches national signals. @throws ServiceError as `verticalScores` */
export async function scoredZips(
  db: Queryable,
  viewer: DataViewer,
  brand: Pick<Brand, 'id'>,
  { filter, vertical, order, offset, limit }: ScoredZipsRequest,
): Promise<ScoredZips> {
  const { tenant } = viewer;
  const zips = await matchingZips(tenant, brand, filter);
  const figures = await figuresOrReason(async () => {
    const { scores } = await verticalScores(db, viewer, vertical, zips);
    const facts = await zipFacts(tenant.common, zips, null);
    return { score: scores, households: new Map(facts.map((one) => [one.zip, one.households])) };
  });
  const figure = (name: 'score' | 'households', zip: string) =>
    isWithheld(figures) ? null : (figures[name].get(zip) ?? null);
  const by = order.replace('-', '');
  if (by === 'score' || by === 'households') {
    const sign = order.startsWith('-') ? -1 : 1;
    // ZIP codes with equal figures stay in order.
    zips.sort((a, b) => {
      const [x, y] = [figure(by, a), figure(by, b)];
      return x === null || y === null ? Number(x === null) - Number(y === null) : sign * (y - x);
    });
  }
  const shown = zips.slice(offset, offset + limit);
  const rows = new Map((await brandZipsIn(tenant, brand, shown)).map((row) => [row.zip, row]));
  return {
    // A ZIP code may have left the brand meanwhile.
    rows: shown.flatMap((zip) => {
      const row = rows.get(zip);
      if (!row) return [];
      return { ...row, score: figure('score', zip), households: figure('households', zip) };
    }),
    total: zips.length,
    withheld: isWithheld(figures) ? figures : null,
  };
}
