import {
  changeRefusal,
  isManager,
  MANAGERS,
  requireChange,
  requireRole,
} from '../../../account/access.ts';
import { checkedName } from '../../../account/names.ts';
import { parseSlug } from '../../../text/slug.ts';
import { createBrand } from '../../../territory/brands.ts';
import { listBrands } from '../../../territory/list-brands.ts';
import { heldCounts } from '../../../territory/health.ts';
import { checkedFields, isConflict, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { brandPath, BRANDS_PATH } from './brand/frame.ts';
import { brandsPage } from './view.ts';

const PAGE_SIZE = 24;

export const brandsRoute: Page<'account'> = {
  audience: 'account',
  path: BRANDS_PATH,
  async show({ caller, query, links }, form) {
    const { tenant, brandScope } = caller;
    const cursor = query.get('cursor') ?? undefined;
    const page = await listBrands(tenant, brandScope, { cursor, limit: PAGE_SIZE });
    const ids = page.rows.map(({ id }) => id);
    const counts = await heldCounts(tenant, ids);
    const refusal = isManager(caller)
      ? changeRefusal(caller)
      : 'Only owners and admins can create brands.';
    return brandsPage({ form, page, query, counts, refusal }, links);
  },
  forms: [
    {
      async submit({ caller }, fields) {
        requireRole(caller, MANAGERS, 'Creating a brand');
        requireChange(caller);
        const slug = fields.get('slug')?.trim() || undefined;
        const { name } = checkedFields({
          name: () => checkedName('A brand', fields.get('name') ?? ''),
          slug: () => slug && parseSlug(slug),
        });
        const created = createBrand(caller.tenant, { name, slug });
        const brand = await showAtField('name', isConflict, created);
        return { to: brandPath(brand), notice: 'brand-created' };
      },
    },
  ],
};
