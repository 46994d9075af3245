/** The home ZIP code of a business, and the market around it. */
import type { Queryable } from '../../base/db/database.ts';
import { badRequest } from '../../errors.ts';
import { explainMissing, missingBoundaries } from './missing-boundaries.ts';

export interface HomeZip {
  zip: string;
  /** Slug of its launched metro; null outside the launched metros */
  metro: string | null;
  /** USPS code */
  state: string;
}

/**
 * @param text a ZIP code as people enter it: `75201`, ` 75201-1234`
 * @throws ServiceError 400 with the reason for other text and for a ZIP code without a boundary
 */
export async function findHomeZip(db: Queryable, text: string): Promise<HomeZip> {
  const [, zip] = /^\s*(\d{5})(?:-\d{4})?\s*$/.exec(text) ?? [];
  if (zip === undefined) throw badRequest('Enter a ZIP code with five digits, such as 75201.');
  const [home] = await db.query<HomeZip & Record<string, unknown>>(
    `select zip, state, (
       select metro_slug from metro_counties where metro_counties.county_fips = zips.county_fips
     ) as metro
     from zips where zip = $1 and bbox is not null and state is not null`,
    [zip],
  );
  if (home) return home;
  const [missing] = await missingBoundaries(db, [zip]);
  throw badRequest(
    missing ? explainMissing(missing) : `ZIP code ${zip} isn’t in any state. Use one nearby.`,
  );
}
