/** Creates a brand for a territory of a plan, as the page of brands does. */
import { MANAGER } from '../../../../people/account/access.ts';
import { addBrand } from '../../../../territories/brands/brands.ts';
import { BRAND } from '../../account/brands/view.ts';
import type { MemberData } from '../../framework/data.ts';

export const newBrandRoute: MemberData = {
  ...MANAGER,
  audience: 'member',
  method: 'post',
  path: '/account/map/brands.json',
  async answer({ caller }, fields) {
    const { id, slug, name } = await addBrand(caller.tenant, caller.actor, BRAND.read(fields));
    return { body: { brand: { id, slug, name } } };
  },
};
