/** Shows a group of brands, changes and deletes it, and reserves ZIP codes. */
import { MANAGER, refusalFor } from '../../../../../people/account/access.ts';
import type { Caller } from '../../../../../people/account/caller.ts';
import { badRequest } from '../../../../../errors.ts';
import { brandsInScope } from '../../../../../territories/brands/brands.ts';
import { groupOverlaps } from '../../../../../territories/brands/groups/existing-overlaps.ts';
import {
  deleteGroup,
  findGroup,
  updateGroup,
} from '../../../../../territories/brands/groups/groups.ts';
import {
  checkedDay,
  checkedReason,
  createReserve,
  endReserve,
  listReserves,
  type ReserveFields,
} from '../../../../../territories/brands/groups/reserves.ts';
import { lastOpenDay } from '../../../../../territories/brands/groups/rules.ts';
import { zipsInRanges } from '../../../../../territories/brands/import/zip-states.ts';
import { readPastedZips } from '../../../../../territories/brands/pasted-zips.ts';
import { checkedFields, isConflict, showAtField } from '../../../framework/form-problems.ts';
import type { Page } from '../../../framework/page.ts';
import { GROUP, GROUP_PATH, groupAddress, GROUPS_PATH } from '../view.ts';
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
    const refusal = refusalFor(caller, MANAGER);
    return groupPage({ form, group, overlaps, reserves, brands, query, today, refusal }, links);
  },
  forms: [
    {
      path: GROUP_FORMS.change,
      ...MANAGER,
      async submit({ caller, params }, fields) {
        const given = GROUP.read(fields);
        const changed = caller.tenant.transaction((tx) =>
          updateGroup(tx, caller.actor, params.group!, given),
        );
        const group = await showAtField('name', isConflict, changed);
        return { to: groupAddress(group), notice: 'group-changed' };
      },
    },
    {
      path: GROUP_FORMS.delete,
      ...MANAGER,
      async submit({ caller, params }) {
        await caller.tenant.transaction((tx) => deleteGroup(tx, caller.actor, params.group!));
        return { to: GROUPS_PATH, notice: 'group-deleted' };
      },
    },
    {
      path: GROUP_FORMS.reserve,
      ...MANAGER,
      async submit({ caller, params }, fields) {
        const reserve = await readReserve(caller, fields);
        const group = await findGroup(caller.tenant, 'all', params.group!);
        await caller.tenant.transaction((tx) => createReserve(tx, caller.actor, group, reserve));
        return { to: groupAddress(group), notice: 'zips-reserved' };
      },
    },
    {
      path: GROUP_FORMS.end,
      ...MANAGER,
      async submit({ caller, params }, fields) {
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
