/** SQL for brands as JSON, and for the other brands that hold a ZIP code. `$1` is the organization. */
import { mayOverlap } from './groups/allowed-overlaps.ts';

/** SQL for a `Brand` from a row `b` of brands */
export const BRAND_JSON = `jsonb_build_object('id', b.id, 'slug', b.slug, 'name', b.name)`;

/** SQL for rows `b` of the brands that hold a ZIP code too, except those that a group allows to */
export const otherHolders = (zip = 'bz.zip', brandId = 'bz.brand_id') =>
  `brand_zips other join brands b on b.id = other.brand_id
   where other.organization_id = $1 and other.zip = ${zip} and other.brand_id <> ${brandId}
     and other.state <> 'removed' and not ${mayOverlap(brandId, 'other.brand_id')}`;

/** SQL for the other holders as an array of `Brand`, ordered by slug */
export const otherHoldersJson = (...args: Parameters<typeof otherHolders>) =>
  `coalesce((select jsonb_agg(${BRAND_JSON} order by b.slug) from ${otherHolders(...args)}), '[]')`;

/** SQL for the names of the other holders, sorted */
export const OTHER_HOLDER_NAMES = `array(select b.name from ${otherHolders()} order by b.name)`;
