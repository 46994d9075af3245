/** The ZIP codes on a brand's map. */
import type { Tenant } from '../../people/account/tenant.ts';
import type { Queryable } from '../../base/db/database.ts';
import { BBOX } from '../../data/market/zips.ts';
import { COUNTRY, type Bbox } from '../../base/spatial/bbox.ts';
import type { Brand } from './brands.ts';
import { IS_HELD, IS_ISOLATED, OTHER_HOLDER_NAMES } from './held-conditions.ts';
import { zipArray } from '../../base/db/zip-array.ts';

interface MapZip {
  zip: string;
  status: 'live' | 'pending';
  /** Names of the other brands of the organization that hold it, sorted */
  sharedWith: string[];
  /** Whether the brand holds none of its neighbors */
  isolated: boolean;
}

/** Returns all ZIP codes that a brand holds, sorted. */
export async function mapZips(tenant: Tenant, brand: Pick<Brand, 'id'>): Promise<MapZip[]> {
  return tenant.acrossBrands.query<MapZip>(
    `select bz.zip, bz.state as status, ${IS_ISOLATED} as isolated,
       ${OTHER_HOLDER_NAMES} as "sharedWith"
     from brand_zips bz
     where bz.organization_id = $1 and bz.brand_id = $2 and ${IS_HELD}
     order by bz.zip`,
    [brand.id],
  );
}

/** Returns the bounding box of ZIP codes, or of the country if none has a boundary. */
export const bboxOfZips = async (db: Queryable, zips: Iterable<string>): Promise<Bbox> =>
  (await extentOfZips(db, zips)).bbox;

/** Returns the same bounding box as `bboxOfZips`, and the number of ZIP codes without a boundary. */
export async function extentOfZips(
  db: Queryable,
  zips: Iterable<string>,
): Promise<{ bbox: Bbox; withoutBoundary: number }> {
  const wanted = [...zips];
  const [row] = await db.query<{ bbox: Bbox | null; placed: number }>(
    `select case when bbox is not null then ${BBOX} end as bbox, placed
     from (select st_extent(bbox) as bbox, count(bbox)::int as placed
           from zips where zip = any($1)) extent`,
    [zipArray(wanted)],
  );
  return { bbox: row!.bbox ?? COUNTRY, withoutBoundary: wanted.length - row!.placed };
}
