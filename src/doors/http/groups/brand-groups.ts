/** Groups of brands: their rules, overlaps, and reserves. */
import type { Caller } from '../../../people/account/caller.ts';
import {
  DeletedGroupBody,
  GroupBody,
  groupBody,
  GroupChangeRequest,
  GroupListBody,
  groupParams,
  GroupWithReservesBody,
  NewGroupRequest,
  NewReserveRequest,
  overlapBody,
  OverlapsBody,
  ReserveBody,
  reserveBody,
  reserveParams,
} from './schema.ts';
import { exactQuery } from '../../../base/contract/exact-query.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { MAX_LIMIT, pageFields } from '../../../base/contract/paging.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import { wholeNumber } from '../../../base/contract/whole-number.ts';
import {
  countOverlaps,
  groupOverlaps,
} from '../../../territories/brands/groups/existing-overlaps.ts';
import {
  createGroup,
  deleteGroup,
  findGroup,
  listGroups,
  updateGroup,
  type BrandGroup,
} from '../../../territories/brands/groups/groups.ts';
import {
  createReserve,
  endReserve,
  listReserves,
} from '../../../territories/brands/groups/reserves.ts';
import { SUBSCRIBED, NO_STORE } from '../agent/shared.ts';

const GROUPS = { ...SUBSCRIBED, tag: 'Groups' } as const;

async function bodyOf({ tenant, brandScope }: Caller, group: BrandGroup) {
  const counts = brandScope === 'all' ? await countOverlaps(tenant) : null;
  return groupBody(group, counts && (counts.get(group.id) ?? 0));
}

export const brandGroupOperations = (): Operation[] => [
  operation({
    ...GROUPS,
    id: 'listBrandGroups',
    method: 'get',
    path: '/agent/brand-groups',
    summary: 'List the groups of brands',
    description:
      'Returns the groups with their rules, by name. Callers with access to only some brands see the groups of these, ' +
      'without the names of the other brands.',
    answers: { 200: { description: 'The groups', schema: GroupListBody } },
    errors: [402],
    handle: async ({ caller }) => {
      const { tenant, brandScope } = caller;
      const [groups, counts] = await Promise.all([
        listGroups(tenant, brandScope),
        brandScope === 'all' ? countOverlaps(tenant) : null,
      ]);
      const bodies = groups.map((one) => groupBody(one, counts && (counts.get(one.id) ?? 0)));
      return { status: 200, headers: NO_STORE, body: { groups: bodies } };
    },
  }),
  operation({
    ...GROUPS,
    needs: 'manager',
    allBrands: true,
    id: 'createBrandGroup',
    method: 'post',
    path: '/agent/brand-groups',
    summary: 'Create a group of brands',
    description:
      'Groups brands whose territories have a common rule. A brand can be in several groups; the strictest rule that two ' +
      'brands share applies. Creating a group changes no territory. People need the role owner or admin.',
    body: NewGroupRequest,
    bodyExamples: {
      block: {
        summary: 'Franchisees that must not overlap',
        value: exampleOf(NewGroupRequest) as typeof NewGroupRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The new group', schema: GroupBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, body }) => {
      const group = await caller.tenant.transaction((tx) => createGroup(tx, caller.actor, body));
      return { status: 200, headers: NO_STORE, body: await bodyOf(caller, group) };
    },
  }),
  operation({
    ...GROUPS,
    id: 'getBrandGroup',
    method: 'get',
    path: '/agent/brand-groups/{group}',
    summary: 'Get a group and its reserves',
    description:
      'Returns a group with its reserves. Reserves that ended more than a year ago are deleted.',
    params: groupParams,
    answers: { 200: { description: 'The group', schema: GroupWithReservesBody } },
    errors: [402, 404],
    handle: async ({ caller, params }) => {
      const group = await findGroup(caller.tenant, caller.brandScope, params.group);
      const [body, reserves] = await Promise.all([
        bodyOf(caller, group),
        listReserves(caller.tenant, group),
      ]);
      return {
        status: 200,
        headers: NO_STORE,
        body: { ...body, reserves: reserves.map(reserveBody) },
      };
    },
  }),
  operation({
    ...GROUPS,
    needs: 'manager',
    allBrands: true,
    id: 'changeBrandGroup',
    method: 'post',
    path: '/agent/brand-groups/{group}',
    summary: 'Change a group',
    description:
      'Changes the name, the rule, or the brands. Fields that are left out stay. Existing overlaps stay too: the answer ' +
      'has their number, and the list of overlaps says how to resolve each.',
    params: groupParams,
    body: GroupChangeRequest,
    bodyExamples: {
      block: {
        summary: 'Block overlaps from now on',
        value: exampleOf(GroupChangeRequest) as typeof GroupChangeRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The group after the change', schema: GroupBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body }) => {
      const group = await caller.tenant.transaction((tx) =>
        updateGroup(tx, caller.actor, params.group, body),
      );
      return { status: 200, headers: NO_STORE, body: await bodyOf(caller, group) };
    },
  }),
  operation({
    ...GROUPS,
    needs: 'manager',
    allBrands: true,
    id: 'deleteBrandGroup',
    method: 'post',
    path: '/agent/brand-groups/{group}/delete',
    summary: 'Delete a group',
    description: 'Deletes a group with its reserves. Territories stay as they are.',
    params: groupParams,
    answers: { 200: { description: 'The group is deleted', schema: DeletedGroupBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params }) => {
      const { tenant, actor } = caller;
      const { name } = await tenant.transaction((tx) => deleteGroup(tx, actor, params.group));
      return { status: 200, headers: NO_STORE, body: { deleted: name } };
    },
  }),
  operation({
    ...GROUPS,
    allBrands: true,
    id: 'listBrandGroupOverlaps',
    method: 'get',
    path: '/agent/brand-groups/{group}/overlaps',
    summary: 'List the overlaps of a group',
    description:
      'Returns the ZIP codes that several brands of the group hold, by ZIP code, and how to resolve each. The brand that ' +
      'got a ZIP code first keeps it. Nothing is changed.',
    params: groupParams,
    query: exactQuery({
      cursor: pageFields().cursor,
      limit: wholeNumber(1, MAX_LIMIT)
        .optional()
        .meta({ type: 'number', description: pageFields().limit.description }),
    }),
    answers: { 200: { description: 'The overlaps', schema: OverlapsBody } },
    errors: [402, 403, 404],
    handle: async ({ caller, params, query }) => {
      const group = await findGroup(caller.tenant, 'all', params.group);
      const { rows, nextCursor } = await groupOverlaps(caller.tenant, group, query);
      return {
        status: 200,
        headers: NO_STORE,
        body: { overlaps: rows.map(overlapBody), nextCursor },
      };
    },
  }),
  operation({
    ...GROUPS,
    needs: 'manager',
    allBrands: true,
    id: 'createZipReserve',
    method: 'post',
    path: '/agent/brand-groups/{group}/reserves',
    summary: 'Reserve ZIP codes',
    description:
      'No brand of the group can request these ZIP codes through the last day, or get them approved. Brands that hold ' +
      'them keep them.',
    params: groupParams,
    body: NewReserveRequest,
    bodyExamples: {
      sale: {
        summary: 'A sale in progress',
        value: exampleOf(NewReserveRequest) as typeof NewReserveRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The reserve', schema: ReserveBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body }) => {
      const { tenant, actor } = caller;
      const reserve = await tenant.transaction(async (tx) =>
        createReserve(tx, actor, await findGroup(tx, 'all', params.group), body),
      );
      return { status: 200, headers: NO_STORE, body: reserveBody(reserve) };
    },
  }),
  operation({
    ...GROUPS,
    needs: 'manager',
    allBrands: true,
    id: 'endZipReserve',
    method: 'post',
    path: '/agent/brand-groups/{group}/reserves/{reserve}/end',
    summary: 'End a reserve',
    description: 'Ends a reserve now. It stays listed for a year after its last day.',
    params: reserveParams,
    answers: { 200: { description: 'The ended reserve', schema: ReserveBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params }) => {
      const { tenant, actor } = caller;
      const reserve = await tenant.transaction(async (tx) =>
        endReserve(tx, actor, await findGroup(tx, 'all', params.group), params.reserve),
      );
      return { status: 200, headers: NO_STORE, body: reserveBody(reserve) };
    },
  }),
];
