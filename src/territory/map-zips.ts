/** The ZIP codes on a brand's map. */
import type { Tenant } from '../account/tenant.ts';
import { BBOX } from '../market/zips.ts';
import { bboxAround, COUNTRY, type Bbox } from '../spatial/bbox.ts';
import type { Brand } from './brands.ts';
import { IS_HELD, IS_ISOLATED } from './held-conditions.ts';
import { OTHER_HOLDER_NAMES } from './other-holders.ts';

export interface MapZip {
  zip: string;
  status: 'live' | 'pending';
  /** Names of the other brands of the organization that hold it, in order */
  sharedWith: string[];
  /** Whether the brand holds none of its neighbors */
  isolated: boolean;
}

/** Returns all ZIP codes that a brand holds, in order. */
export async function mapZips(tenant: Tenant, brand: Pick<Brand, 'id'>): Promise<MapZip[]> {
  return tenant.query<MapZip>(
    `select bz.zip, bz.state as status, ${IS_ISOLATED} as isolated,
       ${OTHER_HOLDER_NAMES} as "sharedWith"
     from brand_zips bz
     where bz.organization_id = $1 and bz.brand_id = $2 and ${IS_HELD}
     order by bz.zip`,
    [brand.id],
  );
}

/** Returns the bounding box of ZIP codes, or of the country if none has a boundary. */
export async function bboxOfZips(tenant: Tenant, zips: Iterable<string>): Promise<Bbox> {
  const rows = await tenant.common.query<{ bbox: Bbox }>(
    `select ${BBOX} as bbox from zips where zip = any($1)`,
    [[...zips]],
  );
  return rows.length === 0 ? COUNTRY : bboxAround(rows.map(({ bbox }) => bbox));
}

/** A part of a territory to zoom to: a launched metro or, outside metros, a state. */
export interface MapArea {
  label: string;
  zips: number;
  bbox: Bbox;
}

/** Returns the areas that contain the most ZIP codes, most first. */
export async function areasOfZips(
  tenant: Tenant,
  zips: Iterable<string>,
  limit: number,
): Promise<MapArea[]> {
  return tenant.common.query<MapArea & Record<string, unknown>>(
    `select label, zips, ${BBOX} as bbox
     from (
       select coalesce(m.label, zips.state) as label, count(*) as zips, st_extent(bbox) as bbox
       from zips
       left join metro_counties using (county_fips)
       left join metros m on m.slug = metro_slug
       where zip = any($1)
       group by 1) areas
     where label is not null
     order by zips desc, label limit $2`,
    [[...zips], limit],
  );
}
