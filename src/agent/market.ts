/** The market that a call is about: a launched metro, or ZIPs given one by one. */
import type { Queryable } from '../db/database.ts';
import { badRequest, notFound } from '../errors.ts';
import { resolveMarket } from '../market/market.ts';
import { metroBySlug } from '../market/metros.ts';
import { zipsWithoutScore } from '../market/ranked-zips.ts';
import { scoresSource } from '../market/public/source.ts';
import { counted } from '../words.ts';

export interface AskedMarket {
  /** For people: `Dallas-Fort Worth-Arlington, TX`, `12 ZIPs` */
  name: string;
  /** Null for a list of ZIPs */
  metroSlug: string | null;
  /** In order and each once */
  zips: string[];
  /** Of these, those without a score for the vertical */
  withoutScore: string[];
  /** Of the scores */
  vintage: string;
}

/**
 * @throws ServiceError 400 unless it is either a metro or ZIPs; 404 for a metro that is not launched
 *   and where no ZIP has a score; 503 before there are scores
 */
export async function askedMarket(
  db: Queryable,
  asked: { metro?: string | undefined; zips?: readonly string[] | undefined; vertical: string },
): Promise<AskedMarket> {
  const { metro, vertical } = asked;
  if ((metro === undefined) === (asked.zips === undefined)) {
    throw badRequest('Give either metro or zips: the market is one or the other.');
  }
  const { vintage } = await scoresSource(db);
  const market = metro === undefined ? { zips: asked.zips! } : { metro: metroBySlug(metro).slug };
  const { zips, name } = await resolveMarket(db, market);
  const withoutScore = await zipsWithoutScore(db, zips, vertical);
  if (withoutScore.length === zips.length) {
    throw notFound(
      `None of these ZIPs has a score for ${vertical}. PO-box ZIPs cover no ground and have none; of ` +
        'others the census tells too little.',
    );
  }
  const metroSlug = metro ?? null;
  return { name: name ?? counted(zips.length, 'ZIP'), metroSlug, zips, withoutScore, vintage };
}
