/** Resolves the market of a call: a launched metro or a list of ZIP codes. */
import type { Queryable } from '../../base/db/database.ts';
import { badRequest, notFound } from '../../errors.ts';
import {
  groupByReason,
  isAbsent,
  formatMissing,
  missingBoundaries,
  type MissingGroup,
} from '../../data/market/missing-boundaries.ts';
import { resolveMarket } from '../../data/market/market.ts';
import { metroBySlug } from '../../data/market/metros.ts';
import { zipsWithoutScore } from '../../data/market/ranked-zips.ts';
import { scoresSource } from '../../data/market/public/source.ts';
import { pluralize } from '../../base/text/words.ts';

export interface CallMarket {
  /** Name for people: `Dallas-Fort Worth-Arlington, TX`, `12 ZIP codes` */
  name: string;
  /** Null for a list of ZIP codes */
  metroSlug: string | null;
  /** Sorted, without duplicates */
  zips: string[];
  /** The subset of `zips` without a score for the vertical */
  withoutScore: string[];
  /** The same ZIP codes by reason */
  withoutScoreReasons: MissingGroup[];
  /** Vintage of the scores */
  vintage: string;
}

/**
 * Resolves a market.
 * @throws ServiceError 400 unless either a metro or ZIP codes are given; 404 for an unknown metro, or if no ZIP code
 *   has a score; 503 before scores are computed
 */
export async function resolveCallMarket(
  db: Queryable,
  request: { metro?: string | undefined; zips?: readonly string[] | undefined; vertical: string },
): Promise<CallMarket> {
  const { metro, vertical } = request;
  if ((metro === undefined) === (request.zips === undefined)) {
    throw badRequest(
      metro === undefined
        ? 'The market is missing. Give a metro, such as dallas-tx, or a list of zips.'
        : 'Give either metro or zips, not both.',
    );
  }
  const { vintage } = await scoresSource(db);
  const market = metro === undefined ? { zips: request.zips! } : { metro: metroBySlug(metro).slug };
  const { zips, name } = await resolveMarket(db, market);
  const withoutScore = await zipsWithoutScore(db, zips, vertical);
  if (withoutScore.length === zips.length) {
    const reasons = await reasonsOf(db, withoutScore);
    throw notFound(
      `None of these ZIP codes has a score for ${vertical}: ${formatMissing(reasons)}. Check them, or score a metro.`,
    );
  }
  const metroSlug = metro ?? null;
  return {
    name: name ?? pluralize(zips.length, 'ZIP code'),
    metroSlug,
    zips,
    withoutScore,
    withoutScoreReasons: await reasonsOf(db, withoutScore),
    vintage,
  };
}

async function reasonsOf(db: Queryable, zips: readonly string[]): Promise<MissingGroup[]> {
  if (zips.length === 0) return [];
  const missing = (await missingBoundaries(db, zips)).filter(isAbsent);
  const absent = new Set(missing.map(({ zip }) => zip));
  const scarce = zips.filter((zip) => !absent.has(zip));
  return [
    ...(scarce.length > 0 ? [{ reason: 'too little Census data', zips: scarce }] : []),
    ...groupByReason(missing),
  ];
}
