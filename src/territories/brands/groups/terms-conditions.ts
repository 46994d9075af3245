/** What rules read in the terms of holdings. In statements where `$1` is the organization. */

/**
 * SQL condition: what a brand is granted in a ZIP code isn't exclusive, so others may hold it, too. Without a kind of
 * grant, it is.
 */
export const isNonExclusive = (brandId: string, zip: string) => `exists (
  select from holding_terms t
  where t.organization_id = $1 and t.brand_id = ${brandId} and t.zip = ${zip} and t.replaced_at is null
    and t.granted = 'non_exclusive')`;

/** SQL condition on terms `t`: the brand loses the ZIP code before a day. @param day SQL; null: it isn't known */
export const endsBefore = (day: string) => `(t.replaced_at is null and t.ended_at is null
  and t.at_end = 'ends' and t.ends_on < ${day})`;
