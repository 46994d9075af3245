/**
 * Brands as JSON, for statements that read across the brands of an organization: a person with some brands learns that
 * another brand holds a ZIP code, and which one only if a group of both shows names.
 */
import type { Brand } from './brands.ts';

/** SQL for a `Brand` from a row `b` of brands */
export const BRAND_JSON = `jsonb_build_object('id', b.id, 'slug', b.slug, 'name', b.name)`;

/** What stands for a brand whose name the viewer may not know */
export const ANOTHER_BRAND: Omit<Brand, 'id'> = { slug: '', name: 'another brand' };

export const isNamed = ({ slug }: Pick<Brand, 'slug'>): boolean => slug !== ANOTHER_BRAND.slug;

/** The setting stays while a statement reads across brands: see `base/db/tenant-role.ts`. */
const VIEWER = `(select viewer_brands())::uuid[]`;

/** SQL condition on a row `b` of brands: the viewer may know its name. Subqueries run once for a statement. */
const MAY_NAME = `((select viewer_brands() is null) or b.id = any(${VIEWER}) or b.id in (
  select theirs.brand_id
  from brand_group_brands mine
  join brand_groups g on g.id = mine.group_id and g.shows_names
  join brand_group_brands theirs on theirs.group_id = g.id
  where mine.brand_id = any(${VIEWER})))`;

const named = (field: 'slug' | 'name') =>
  `case when ${MAY_NAME} then b.${field} else '${ANOTHER_BRAND[field]}' end`;

/** SQL for the name of a row `b` of brands, as far as the viewer may know it */
export const NAME_FOR_VIEWER = named('name');

/** SQL for a `Brand` as `BRAND_JSON`, for rules that decide by its id. Its name is shown as far as the viewer may know it. */
export const RULED_BRAND_JSON = `jsonb_build_object('id', b.id, 'slug', ${named('slug')}, 'name', ${NAME_FOR_VIEWER})`;

/** SQL for a `Brand` to show */
export const SHOWN_BRAND_JSON = `jsonb_build_object('id', case when ${MAY_NAME} then b.id::text else '' end,
  'slug', ${named('slug')}, 'name', ${NAME_FOR_VIEWER})`;
