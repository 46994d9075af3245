import { isManager, WRITER, refusalFor } from '../../../../people/account/access.ts';
import { addBrand } from '../../../../territories/brands/brands.ts';
import { listBrands } from '../../../../territories/brands/list-brands.ts';
import { heldCounts } from '../../../../territories/brands/health.ts';
import { isConflict, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { brandPath, BRANDS_PATH } from './brand/frame.ts';
import { BRAND, brandsPage } from './view.ts';

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
      ? refusalFor(caller, WRITER)
      : 'Only owners and admins can create brands.';
    return brandsPage({ form, page, query, counts, refusal }, links);
  },
  forms: [
    {
      needs: 'manager',
      async submit({ caller }, fields) {
        const created = addBrand(caller.tenant, caller.actor, BRAND.read(fields));
        const brand = await showAtField('name', isConflict, created);
        return { to: brandPath(brand), notice: 'brand-created' };
      },
    },
  ],
};
