/** Shows a group of brands, changes and deletes it, and reserves ZIP codes. */
import type { Caller } from '../../../../account/caller.ts';
import { badRequest } from '../../../../errors.ts';
import { brandsInScope } from '../../../../territory/brands.ts';
import { requireGroupChange } from '../../../../territory/groups/access.ts';
import { groupOverlaps } from '../../../../territory/groups/existing-overlaps.ts';
import { deleteGroup, findGroup, updateGroup } from '../../../../territory/groups/groups.ts';
import {
  checkedDay,
  checkedReason,
  createReserve,
  endReserve,
  listReserves,
  type ReserveFields,
} from '../../../../territory/groups/reserves.ts';
import { lastOpenDay } from '../../../../territory/groups/rules.ts';
import { zipsInRanges } from '../../../../territory/import/zip-states.ts';
import { readPastedZips } from '../../../../territory/pasted-zips.ts';
import { checkedFields, isConflict, showAtField } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import { groupRefusal, readGroupFields } from '../route.ts';
import { GROUP_PATH, groupAddress, GROUPS_PATH } from '../view.ts';
import { GROUP_FORMS, groupPage } from './view.ts';

export const groupRoute: Page<'account'> = {
  audience: 'account',
  path: GROUP_PATH,
  async show({ caller, params, query, links }, form) {
    const { tenant, brandScope } = caller;
    const group = await findGroup(tenant, brandScope, params.group!);
    const cursor = query.get('cursor') ?? undefined;
    const [overlaps, reserves, brands] = await Promise.all([
      brandScope === 'all' ? groupOverlaps(tenant, group, { cursor }) : null,
      listReserves(tenant, group),
      brandsInScope(tenant, brandScope),
    ]);
    const today = lastOpenDay(new Date());
    const refusal = groupRefusal(caller);
    return groupPage({ form, group, overlaps, reserves, brands, query, today, refusal }, links);
  },
  forms: [
    {
      path: GROUP_FORMS.change,
      async submit({ caller, params }, fields) {
        requireGroupChange(caller);
        const given = readGroupFields(fields);
        const changed = caller.tenant.transaction((tx) =>
          updateGroup(tx, caller.actor, params.group!, given),
        );
        const group = await showAtField('name', isConflict, changed);
        return { to: groupAddress(group), notice: 'group-changed' };
      },
    },
    {
      path: GROUP_FORMS.delete,
      async submit({ caller, params }) {
        requireGroupChange(caller);
        await caller.tenant.transaction((tx) => deleteGroup(tx, params.group!));
        return { to: GROUPS_PATH, notice: 'group-deleted' };
      },
    },
    {
      path: GROUP_FORMS.reserve,
      async submit({ caller, params }, fields) {
        requireGroupChange(caller);
        const reserve = await readReserve(caller, fields);
        const group = await findGroup(caller.tenant, 'all', params.group!);
        await caller.tenant.transaction((tx) => createReserve(tx, caller.actor, group, reserve));
        return { to: groupAddress(group), notice: 'zips-reserved' };
      },
    },
    {
      path: GROUP_FORMS.end,
      async submit({ caller, params }, fields) {
        requireGroupChange(caller);
        const group = await findGroup(caller.tenant, 'all', params.group!);
        await caller.tenant.transaction((tx) =>
          endReserve(tx, caller.actor, group, fields.get('reserve') ?? ''),
        );
        return { to: groupAddress(group), notice: 'reserve-ended' };
      },
    },
  ],
};

/** @throws ServiceError 400 with each problem at its field */
async function readReserve({ tenant }: Caller, fields: URLSearchParams): Promise<ReserveFields> {
  const { zips, doubts } = await readPastedZips(fields.get('zips') ?? '', (ranges) =>
    zipsInRanges(tenant, ranges),
  );
  return checkedFields({
    zips: () => {
      const [doubt] = doubts;
      if (doubt && doubt.zips.length === 0) throw badRequest(`“${doubt.given}”: ${doubt.reason}`);
      if (zips.length > 0) return zips;
      throw badRequest('Enter the ZIP codes to reserve, such as 75201.');
    },
    reason: () => checkedReason(fields.get('reason') ?? ''),
    until: () => checkedDay(fields.get('until') ?? ''),
  });
}
