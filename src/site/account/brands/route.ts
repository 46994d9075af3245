import {
  changeRefusal,
  isManager,
  MANAGERS,
  requireChange,
  requireRole,
} from '../../../account/access.ts';
import { checkedName } from '../../../account/names.ts';
import type { Operation } from '../../../contract/operation.ts';
import { checkedSlug } from '../../../slug.ts';
import { createBrand, listBrands } from '../../../territory/brands.ts';
import { flagCounts } from '../../../territory/flag-counts.ts';
import { form } from '../../framework/form.ts';
import { checkedFields, isConflict, showAtField } from '../../framework/form-problems.ts';
import { page, type Page } from '../../framework/page.ts';
import type { SiteParts } from '../../framework/visit.ts';
import { loadFrame } from '../load-frame.ts';
import { brandPath, BRANDS_PATH } from './brand/frame.ts';
import { brandsPage } from './view.ts';

const PAGE_SIZE = 24;

export function brandsRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const brands: Page<'member'> = {
    audience: 'member',
    path: BRANDS_PATH,
    async show(visit, state) {
      const { caller, query, links } = visit;
      const { tenant, brandScope } = caller;
      const cursor = query.get('cursor') ?? undefined;
      const [frame, rows] = await Promise.all([
        loadFrame(db, visit),
        listBrands(tenant, brandScope, { cursor, limit: PAGE_SIZE }),
      ]);
      const flags = await flagCounts(
        tenant,
        rows.rows.map(({ id }) => id),
      );
      const refusal = isManager(caller)
        ? changeRefusal(caller)
        : 'Only owners and admins can create brands.';
      return brandsPage({ ...frame, form: state, page: rows, query, flags, refusal }, links);
    },
  };
  const create = form(
    brands,
    {
      async submit({ caller }, fields) {
        requireRole(caller, MANAGERS, 'Creating a brand');
        requireChange(caller);
        const slug = fields.get('slug')?.trim() || undefined;
        const { name } = checkedFields({
          name: () => checkedName('A brand', fields.get('name') ?? ''),
          slug: () => slug && checkedSlug(slug),
        });
        const created = createBrand(caller.tenant, { name, slug });
        const brand = await showAtField('name', isConflict, created);
        return { to: brandPath(brand), notice: 'brand-created' };
      },
    },
    parts,
  );
  return [page(brands, parts), create];
}
