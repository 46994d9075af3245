/**
 * What it means to hold a ZIP, once, in SQL: conditions over a row `bz` of brand_zips, in statements
 * whose `$1` is the organisation.
 */

/** The brand holds the ZIP: it is live, or waits for review. */
export const IS_HELD = `bz.state <> 'removed'`;

/** Another brand of the organisation holds the ZIP too. */
export const IS_SHARED = `exists (
  select from brand_zips other
  where other.organization_id = $1 and other.zip = bz.zip and other.brand_id <> bz.brand_id
    and other.state <> 'removed')`;

/**
 * None of the ZIPs that share a border line with it is held by the brand. The array and the offset
 * keep the planner to two looks into indexes for each row: a join, or an anti-join over all rows,
 * takes seconds for 5,000 ZIPs where statistics are missing.
 */
export const IS_ISOLATED = `not exists (
  select from brand_zips near
  where near.brand_id = bz.brand_id and near.state <> 'removed'
    and near.zip = any (array(select neighbor from zip_neighbors where zip_neighbors.zip = bz.zip))
  offset 0)`;
