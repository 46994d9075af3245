/** A market: a metro, a state, the country, or a list of ZIP codes. */
import type { Queryable } from '../../base/db/database.ts';
import { badRequest, notFound } from '../../errors.ts';
import { findState } from '../../base/geodata/states.ts';
import { metroBySlug } from './metros.ts';
import { zipsOfMetro } from './zips.ts';

export type Market =
  | { /** Slug of a launched metro */ metro: string }
  | { /** USPS code or name */ state: string }
  | { /** The states and Puerto Rico */ nation: true }
  | { zips: readonly string[] };

/** Territories that maps of the country omit. */
const OUTLYING = ['AS', 'GU', 'MP', 'VI'];

export interface MarketZips {
  /** Sorted, without duplicates */
  zips: string[];
  /** Null for a list of ZIP codes */
  name: string | null;
}

/** @throws ServiceError 400 for malformed ZIP codes, 404 for an unknown metro or state */
export async function resolveMarket(db: Queryable, market: Market): Promise<MarketZips> {
  if ('metro' in market) {
    const { slug, fullName } = metroBySlug(market.metro);
    return { zips: await zipsOfMetro(db, slug), name: fullName };
  }
  if ('state' in market) {
    const { usps, name } = stateByName(market.state);
    return { zips: await zipsWhere(db, 'state = any($1)', [usps]), name };
  }
  if ('nation' in market) {
    const zips = await zipsWhere(db, 'not state = any($1)', OUTLYING);
    return { zips, name: 'United States' };
  }
  const malformed = market.zips.filter((zip) => !/^\d{5}$/.test(zip));
  if (malformed.length > 0) {
    throw badRequest(
      `ZIP codes must have five digits, such as 75201. Correct these: ${malformed.join(', ')}.`,
    );
  }
  return { zips: [...new Set(market.zips)].sort(), name: null };
}

function stateByName(text: string) {
  const state = findState(text);
  if (state) return state;
  throw notFound(`There is no state "${text}". Use a code or name, such as TX or Texas.`);
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
