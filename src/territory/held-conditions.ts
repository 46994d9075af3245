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
 * The brand holds no neighbor of the ZIP code. Without a boundary, the neighbors are unknown, so the ZIP
 * code isn't isolated. The offsets keep the planner to an index lookup per neighbor. A join or an
 * anti-join over all rows takes seconds for 5,000 ZIP codes without statistics.
 * A list of all neighbors lets the planner read the whole brand and the whole organization for each ZIP
 * code instead, because it doesn't know that a brand belongs to one organization.
 */
export const IS_ISOLATED = `(not exists (
  select from zip_neighbors
  where zip_neighbors.zip = bz.zip and exists (
    select from brand_zips near
    where near.brand_id = bz.brand_id and near.zip = zip_neighbors.neighbor and near.state <> 'removed'
    offset 0)
  offset 0) and exists (select from zips where zips.zip = bz.zip and bbox is not null offset 0))`;
