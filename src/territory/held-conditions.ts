/**
 * The SQL definitions of held, shared, and isolated: conditions on a row `bz` of brand_zips, in
 * statements where `$1` is the organization.
 */

/** The brand holds the ZIP code: it is live or pending review. */
export const IS_HELD = `bz.state <> 'removed'`;

/** Another brand of the organization holds the ZIP code too. */
export const IS_SHARED = `exists (
  select from brand_zips other
  where other.organization_id = $1 and other.zip = bz.zip and other.brand_id <> bz.brand_id
    and other.state <> 'removed')`;

/**
 * The brand holds no neighbor of the ZIP code. The array and the offset keep the planner to two
 * index lookups per row. Without statistics, a join or an anti-join over all rows takes seconds for
 * 5,000 ZIP codes.
 */
export const IS_ISOLATED = `not exists (
  select from brand_zips near
  where near.brand_id = bz.brand_id and near.state <> 'removed'
    and near.zip = any (array(select neighbor from zip_neighbors where zip_neighbors.zip = bz.zip))
  offset 0)`;
