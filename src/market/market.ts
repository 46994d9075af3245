/** What people mean by a market: a metro, a state, the country, or a list of ZIPs. */
import type { Queryable } from '../db/database.ts';
import { badRequest, notFound } from '../errors.ts';
import { stateNamed } from '../states.ts';
import { metroBySlug } from './metros.ts';
import { zipsOfMetro } from './zips.ts';

export type Market =
  | { /** Slug of a launched metro */ metro: string }
  | { /** USPS code or name */ state: string }
  | { /** The contiguous states */ nation: true }
  | { zips: readonly string[] };

/** Beyond the contiguous states and the District of Columbia: a map of the country leaves them out. */
const OUTLYING = ['AK', 'HI', 'AS', 'GU', 'MP', 'PR', 'VI'];

export interface MarketZips {
  /** In order and each once */
  zips: string[];
  /** Null for a list of ZIPs */
  name: string | null;
}

/** @throws ServiceError 400 for malformed ZIPs, 404 for a metro or state that there is not */
export async function resolveMarket(db: Queryable, market: Market): Promise<MarketZips> {
  if ('metro' in market) {
    const { slug, fullName } = metroBySlug(market.metro);
    return { zips: await zipsOfMetro(db, slug), name: fullName };
  }
  if ('state' in market) {
    const { usps, name } = stateOrThrow(market.state);
    return { zips: await zipsWhere(db, 'state = any($1)', [usps]), name };
  }
  if ('nation' in market) {
    const zips = await zipsWhere(db, 'not state = any($1)', OUTLYING);
    return { zips, name: 'Contiguous United States' };
  }
  const malformed = market.zips.filter((zip) => !/^\d{5}$/.test(zip));
  if (malformed.length > 0) {
    throw badRequest(
      `A ZIP has five digits, such as 75201. These do not: ${malformed.join(', ')}.`,
    );
  }
  return { zips: [...new Set(market.zips)].sort(), name: null };
}

function stateOrThrow(text: string) {
  const state = stateNamed(text);
  if (state) return state;
  throw notFound(`There is no state "${text}". Its code or name is expected, such as TX or Texas.`);
}

async function zipsWhere(
  db: Queryable,
  condition: string,
  states: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ zip: string }>(
    `select zip from zips where ${condition} order by zip`,
    [states],
  );
  return rows.map((row) => row.zip);
}
