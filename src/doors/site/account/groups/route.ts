/** Lists the groups of brands, and creates one. */
import { MANAGER, refusalFor } from '../../../../people/account/access.ts';
import { brandsInScope } from '../../../../territories/brands/brands.ts';
import { countOverlaps } from '../../../../territories/brands/groups/existing-overlaps.ts';
import { createGroup, listGroups } from '../../../../territories/brands/groups/groups.ts';
import { isConflict, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { GROUP, groupAddress, GROUPS_PATH, groupsPage } from './view.ts';

export const groupsRoute: Page<'account'> = {
  audience: 'account',
  path: GROUPS_PATH,
  async show({ caller, links }, form) {
    const { tenant, brandScope } = caller;
    const [groups, brands, overlaps] = await Promise.all([
      listGroups(tenant, brandScope),
      brandsInScope(tenant, brandScope),
      brandScope === 'all' ? countOverlaps(tenant) : null,
    ]);
    const refusal = refusalFor(caller, MANAGER);
    return groupsPage({ form, groups, brands, overlaps, refusal }, links);
  },
  forms: [
    {
      ...MANAGER,
      async submit({ caller }, fields) {
        const given = GROUP.read(fields);
        const created = caller.tenant.transaction((tx) => createGroup(tx, caller.actor, given));
        const group = await showAtField('name', isConflict, created);
        return { to: groupAddress(group), notice: 'group-created' };
      },
    },
  ],
};
