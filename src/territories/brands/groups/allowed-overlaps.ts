/** Overlaps that a group allows, which therefore carry no flag. In statements where `$1` is the organization. */
import { endsBefore, isNonExclusive } from './terms-conditions.ts';

/** SQL condition: a group of the organization allows overlaps. */
const ALLOWS_SOME_OVERLAPS = `exists (
  select from brand_groups where organization_id = $1 and rule = 'allow')`;

/**
 * SQL condition: the two brands have a common group, and all of their common groups allow overlaps. Most organizations
 * have no such group, which is found once for a statement.
 */
export const mayOverlap = (
  brandId: string,
  otherId: string,
) => `(${ALLOWS_SOME_OVERLAPS} and coalesce((
  select bool_and(common.rule = 'allow')
  from brand_group_brands mine
  join brand_group_brands theirs on theirs.group_id = mine.group_id and theirs.brand_id = ${otherId}
  join brand_groups common on common.id = mine.group_id
  where mine.organization_id = $1 and mine.brand_id = ${brandId}), false))`;

/**
 * SQL condition: the organization has changes that wait, which is found once for a statement. A statement about an
 * earlier day looks at no plans of today.
 */
const PLANS_SOME_CHANGES = `exists (
  select from changes where organization_id = $1 and status in ('waiting', 'scheduled', 'blocked')
    and nullif(current_setting('territory.as_of', true), '') is null)`;

/**
 * SQL condition: of two brands that hold a ZIP code, live or pending, one gives it up by the time that the other one gets
 * it, so that they never hold it live at one time. A change does both, or an approved one or the end of a term comes
 * first.
 */
const handsOver = (
  zip: string,
  brandId: string,
  otherId: string,
) => `(${PLANS_SOME_CHANGES} and exists (
  select from change_zips arrives
  join changes later on later.id = arrives.change_id
  where arrives.organization_id = $1 and arrives.zip = ${zip} and arrives.is_open and arrives.part = 'added'
    and arrives.brand_id in (${brandId}, ${otherId})
    and (exists (
      select from change_zips leaves
      join changes earlier on earlier.id = leaves.change_id
      where leaves.organization_id = $1 and leaves.zip = ${zip} and leaves.is_open and leaves.part = 'removed'
        and leaves.brand_id in (${brandId}, ${otherId}) and leaves.brand_id <> arrives.brand_id
        and (earlier.id = later.id or earlier.status = 'scheduled' and earlier.due_at <= later.due_at))
    or exists (
      select from holding_terms t
      where t.organization_id = $1 and t.zip = ${zip} and t.brand_id in (${brandId}, ${otherId})
        and t.brand_id <> arrives.brand_id and ${endsBefore('later.on_day')}))))`;

/** SQL condition: some grants of the organization aren't exclusive, which is found once for a statement. */
const GRANTS_TO_SEVERAL = `exists (
  select from holding_terms t
  where t.organization_id = $1 and t.replaced_at is null and t.granted = 'non_exclusive')`;

/** SQL condition: what one of two brands is granted in a ZIP code leaves room for the other one. */
const isGrantedToBoth = (zip: string, brandId: string, otherId: string) =>
  `(${GRANTS_TO_SEVERAL} and (${isNonExclusive(brandId, zip)} or ${isNonExclusive(otherId, zip)}))`;

/** SQL condition: that two brands hold a ZIP code is worth no flag. */
export const isUnflagged = (zip: string, brandId: string, otherId: string) =>
  `(${mayOverlap(brandId, otherId)} or ${handsOver(zip, brandId, otherId)} or ${isGrantedToBoth(zip, brandId, otherId)})`;

/** SQL condition: the organization has pairs of brands that may hold the same ZIP codes, for now or for good. */
export const ALLOWS_SOME_SHARING = `(${ALLOWS_SOME_OVERLAPS} or ${PLANS_SOME_CHANGES} or ${GRANTS_TO_SEVERAL})`;
