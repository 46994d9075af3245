/**
 * The SQL definitions of held, shared, and isolated, conditions on a row `bz` of brand_zips, and of the brands that share
 * it. In statements where `$1` is the organization; what is shared, in statements across brands.
 */
import { ALLOWS_SOME_SHARING, isUnflagged } from './groups/allowed-overlaps.ts';
import { NAME_FOR_VIEWER, SHOWN_BRAND_JSON } from './named-brands.ts';

/** The brand holds the ZIP code: live or pending review. */
export const IS_HELD = `bz.state <> 'removed'`;

/**
 * Another brand of the organization holds the ZIP code too, no group of theirs allows that, and neither hands it over to
 * the other.
 */
export const IS_SHARED = `exists (
  select from brand_zips other
  where other.organization_id = $1 and other.zip = bz.zip and other.brand_id <> bz.brand_id
    and other.state <> 'removed' and not ${isUnflagged('bz.zip', 'bz.brand_id', 'other.brand_id')})`;

/** `IS_SHARED`, for statements over all ZIP codes of an organization. Reads them once, rather than an index for each. */
export const IS_AMONG_SHARED = `(bz.zip in (
  select zip from brand_zips
  where organization_id = $1 and state <> 'removed' group by zip having count(*) > 1)
  and (not ${ALLOWS_SOME_SHARING} or ${IS_SHARED}))`;

/**
 * The brand holds no neighbor of the ZIP code. A ZIP code without a boundary isn't isolated, because its neighbors are
 * unknown. The offsets make the planner look up each neighbor in an index. Without statistics, a join or anti-join
 * over all rows takes seconds for 5,000 ZIP codes. With a list of all neighbors, the planner may read the whole brand
 * and organization for each ZIP code, because it doesn't know that a brand belongs to a single organization.
 */
export const IS_ISOLATED = `(not exists (
  select from zip_neighbors
  where zip_neighbors.zip = bz.zip and exists (
    select from brand_zips near
    where near.brand_id = bz.brand_id and near.zip = zip_neighbors.neighbor and near.state <> 'removed'
    offset 0)
  offset 0) and exists (select from zips where zips.zip = bz.zip and bbox is not null offset 0))`;

/** SQL for rows `b` of the brands that hold a ZIP code too, except those that a group allows to, or that hand it over */
export const otherHolders = (zip = 'bz.zip', brandId = 'bz.brand_id') =>
  `brand_zips other join brands b on b.id = other.brand_id
   where other.organization_id = $1 and other.zip = ${zip} and other.brand_id <> ${brandId}
     and other.state <> 'removed' and not ${isUnflagged(zip, brandId, 'other.brand_id')}`;

/** SQL for the other holders as an array of `Brand`, ordered by slug */
export const otherHoldersJson = (...args: Parameters<typeof otherHolders>) =>
  `coalesce((select jsonb_agg(brand order by brand->>'slug') from (
     select distinct ${SHOWN_BRAND_JSON} as brand from ${otherHolders(...args)}) holders), '[]')`;

/** SQL for the names of the other holders, sorted */
export const OTHER_HOLDER_NAMES = `array(select distinct ${NAME_FOR_VIEWER} from ${otherHolders()} order by 1)`;
