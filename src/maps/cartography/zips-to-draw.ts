/** Resolves a market that a map shows. */
import type { Queryable } from '../../base/db/database.ts';
import { notFound } from '../../errors.ts';
import { resolveMarket, type Market, type MarketZips } from '../../data/market/market.ts';

/**
 * @throws ServiceError as `resolveMarket`; 404 also for a metro, a state, or the country without ZIP codes,
 *   because they haven't been imported yet
 */
export async function zipsToDraw(db: Queryable, market: Market): Promise<MarketZips> {
  const found = await resolveMarket(db, market);
  if (found.zips.length === 0 && !('zips' in market)) {
    throw notFound(
      'There are no ZIP codes to draw. An operator imports them with: territory-admin import zcta FILE.',
    );
  }
  return found;
}
