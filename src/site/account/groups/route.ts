/** Lists the groups of brands, and creates one. */
import type { Caller } from '../../../account/caller.ts';
import { refusalOf } from '../../../account/access.ts';
import { checkedName } from '../../../account/names.ts';
import { badRequest } from '../../../errors.ts';
import { brandsInScope } from '../../../territory/brands.ts';
import { requireGroupChange } from '../../../territory/groups/access.ts';
import { countOverlaps } from '../../../territory/groups/existing-overlaps.ts';
import { createGroup, listGroups, type GroupFields } from '../../../territory/groups/groups.ts';
import { RULES } from '../../../territory/groups/rules.ts';
import { checkedFields, isConflict, oneOf, showAtField } from '../../framework/form-problems.ts';
import type { Page } from '../../framework/page.ts';
import { groupAddress, GROUPS_PATH, groupsPage } from './view.ts';

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
    const refusal = groupRefusal(caller);
    return groupsPage({ form, groups, brands, overlaps, refusal }, links);
  },
  forms: [
    {
      async submit({ caller }, fields) {
        requireGroupChange(caller);
        const given = readGroupFields(fields);
        const created = caller.tenant.transaction((tx) => createGroup(tx, caller.actor, given));
        const group = await showAtField('name', isConflict, created);
        return { to: groupAddress(group), notice: 'group-created' };
      },
    },
  ],
};

/** @returns the reason why the caller can't change groups, or undefined */
export const groupRefusal = (caller: Caller): string | undefined =>
  refusalOf(() => requireGroupChange(caller));

/** @throws ServiceError 400 with each problem at its field */
export const readGroupFields = (fields: URLSearchParams): GroupFields =>
  checkedFields({
    name: () => checkedName('A group', fields.get('name') ?? ''),
    rule: () => oneOf(RULES, fields.get('rule')),
    brands: () => {
      const brands = fields.getAll('brands');
      if (brands.length > 0) return brands;
      throw badRequest('Choose the brands of the group.');
    },
  });
