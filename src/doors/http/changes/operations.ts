/** Changes of territories that go live as one: list, make, transfer, move, withdraw, undo. */
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { exampleOf } from '../../../base/contract/resources.ts';
import type { Caller } from '../../../people/account/caller.ts';
import { findBrand } from '../../../territories/brands/brands.ts';
import { changeBrands } from '../../../territories/brands/changes/change-brands.ts';
import { changeDay } from '../../../territories/brands/changes/day.ts';
import { moveChange } from '../../../territories/brands/changes/move.ts';
import {
  findChange,
  isOpen,
  listChanges,
  type Change,
} from '../../../territories/brands/changes/read.ts';
import { obstacles, openParts } from '../../../territories/brands/changes/settle.ts';
import { reverseOf, undoChange } from '../../../territories/brands/changes/undo.ts';
import { withdrawChange } from '../../../territories/brands/changes/withdraw.ts';
import { NO_STORE, SUBSCRIBED } from '../agent/shared.ts';
import { makeChange } from './make.ts';
import {
  ChangeBody,
  changeBody,
  ChangeListBody,
  changeListQuery,
  changeParams,
  changeSummaryBody,
  MadeChangeBody,
  MoveChangeRequest,
  NewChangeRequest,
  TransferRequest,
  UndoChangeRequest,
  UndoneChangeBody,
} from './schema.ts';

const CHANGES = { ...SUBSCRIBED, tag: 'Changes' } as const;

/** The change, with what would keep it from going live */
async function bodyOf({ tenant, brandScope }: Caller, change: Change) {
  if (!isOpen(change)) return changeBody(change);
  const on =
    change.on !== null && change.dueAt! > new Date() ? { day: change.on, at: change.dueAt! } : null;
  const time = { on, change: change.id, countsPlanned: true };
  const parts = await openParts(tenant, change.id);
  return changeBody(change, await obstacles(tenant, brandScope, parts, time));
}

export const changeOperations = (): Operation[] => [
  operation({
    ...CHANGES,
    id: 'listChanges',
    method: 'get',
    path: '/agent/changes',
    summary: 'List changes',
    description:
      'Returns changes of territories that go live as one, latest first: those that wait for a review or for their day, and ' +
      'those that are live or have ended. Requests and removals of one brand without a day aren’t among them.',
    query: changeListQuery,
    answers: { 200: { description: 'The changes', schema: ChangeListBody } },
    errors: [402, 404],
    handle: async ({ caller, query }) => {
      const { tenant, brandScope } = caller;
      const brand =
        query.brand === undefined ? null : await findBrand(tenant, brandScope, query.brand);
      const { rows, nextCursor } = await listChanges(
        tenant,
        brandScope,
        { ...(query.status && { statuses: [query.status] }), ...(brand && { brandId: brand.id }) },
        query,
      );
      return {
        status: 200,
        headers: NO_STORE,
        body: { changes: rows.map(changeSummaryBody), nextCursor },
      };
    },
  }),
  operation({
    ...CHANGES,
    needs: 'writer',
    id: 'makeChange',
    method: 'post',
    path: '/agent/changes',
    summary: 'Change several brands as one',
    description:
      'Requests and removes ZIP codes of one or several brands as one change: a person reviews it as one, unless it’s an ' +
      'owner’s and owners need no review, or only removes; it goes live as one, at once or on a day; and it’s undone as one. ' +
      'What a brand gives up, another one can get in the same change. Without `confirm`, the response is a preview.',
    body: NewChangeRequest,
    bodyExamples: {
      pass: {
        summary: 'A ZIP code passes from one brand to another',
        value: exampleOf(NewChangeRequest) as typeof NewChangeRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The change, previewed or made', schema: MadeChangeBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, body }) => ({
      status: 200,
      headers: NO_STORE,
      body: await makeChange(caller, 'request', body),
    }),
  }),
  operation({
    ...CHANGES,
    needs: 'writer',
    id: 'transferZips',
    method: 'post',
    path: '/agent/transfers',
    summary: 'Transfer ZIP codes between brands',
    description:
      'Passes ZIP codes from one brand to another as one change, so that they are never open in between, and on no day held ' +
      'by both. Without `confirm`, the response is a preview.',
    body: TransferRequest,
    bodyExamples: {
      transfer: {
        summary: 'As soon as it’s approved',
        value: exampleOf(TransferRequest) as typeof TransferRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The change, previewed or made', schema: MadeChangeBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, body: { from, to, zips, ...rest } }) => ({
      status: 200,
      headers: NO_STORE,
      body: await makeChange(caller, 'transfer', {
        ...rest,
        changes: [
          { brand: from, add: [], remove: zips },
          { brand: to, add: zips, remove: [] },
        ],
      }),
    }),
  }),
  operation({
    ...CHANGES,
    id: 'getChange',
    method: 'get',
    path: '/agent/changes/{change}',
    summary: 'Get a change',
    description:
      'Returns a change with the ZIP codes that each brand gets and gives up, and with what would keep it from going live.',
    params: changeParams,
    answers: { 200: { description: 'The change', schema: ChangeBody } },
    errors: [402, 404],
    handle: async ({ caller, params }) => {
      const change = await findChange(caller.tenant, caller.brandScope, params.change);
      return { status: 200, headers: NO_STORE, body: await bodyOf(caller, change) };
    },
  }),
  operation({
    ...CHANGES,
    needs: 'writer',
    id: 'moveChange',
    method: 'post',
    path: '/agent/changes/{change}/move',
    summary: 'Move a change to another day',
    description:
      'Changes the day on which a change goes live. The author moves what waits for a review; what is approved is moved by ' +
      'a reviewer, stays approved, and is checked for its new day.',
    params: changeParams,
    body: MoveChangeRequest,
    bodyExamples: {
      later: {
        summary: 'To a later day',
        value: exampleOf(MoveChangeRequest) as typeof MoveChangeRequest._zod.input,
      },
    },
    answers: { 200: { description: 'The change after the move', schema: ChangeBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body }) => {
      const on = body.on === null ? null : await changeDay(caller.tenant, body.on);
      const change = await caller.tenant.transaction((tx) =>
        moveChange(tx, caller, params.change, on),
      );
      return { status: 200, headers: NO_STORE, body: await bodyOf(caller, change) };
    },
  }),
  operation({
    ...CHANGES,
    needs: 'writer',
    id: 'withdrawChange',
    method: 'post',
    path: '/agent/changes/{change}/withdraw',
    summary: 'Withdraw a change',
    description:
      'Ends a change that isn’t live yet: its requests are withdrawn, and its removals don’t happen. Its author and ' +
      'reviewers can do it.',
    params: changeParams,
    answers: { 200: { description: 'The withdrawn change', schema: ChangeBody } },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params }) => {
      const change = await caller.tenant.transaction((tx) =>
        withdrawChange(tx, caller, params.change),
      );
      return { status: 200, headers: NO_STORE, body: changeBody(change) };
    },
  }),
  operation({
    ...CHANGES,
    needs: 'writer',
    id: 'undoChange',
    method: 'post',
    path: '/agent/changes/{change}/undo',
    summary: 'Undo a change',
    description:
      'Undoes a live change as one: what brands got leaves them, and what they gave up returns. Only people undo. A key ' +
      'asks for it: the reverse change waits for a review. Without `confirm`, the response is a preview.',
    params: changeParams,
    body: UndoChangeRequest,
    bodyExamples: {
      preview: {
        summary: 'See what it would do',
        value: exampleOf(UndoChangeRequest) as typeof UndoChangeRequest._zod.input,
      },
    },
    answers: {
      200: { description: 'The undo, previewed, made, or requested', schema: UndoneChangeBody },
    },
    errors: [402, 403, 404, 409],
    handle: async ({ caller, params, body }) => ({
      status: 200,
      headers: NO_STORE,
      body: await undo(caller, params.change, body),
    }),
  }),
];

async function undo(
  caller: Caller,
  id: string,
  { note, confirm }: { note?: string | undefined; confirm: boolean },
) {
  const { tenant, actor, brandScope } = caller;
  if (!confirm || actor.kind === 'key') {
    const { parts, changedSince } = await reverseOf(tenant, caller, id);
    const brands = parts.map(({ brand, added, removed }) => ({
      brand: brand.slug,
      brandName: brand.name,
      restored: added,
      removed,
    }));
    if (!confirm) {
      return {
        status: 'preview' as const,
        next: 'To undo the change, send the same request with "confirm": true.',
        change: changeBody(await findChange(tenant, brandScope, id)),
        brands,
        changedSince,
      };
    }
    const { id: asked } = await tenant.transaction((tx) =>
      changeBrands(tx, actor, parts, { source: 'undo', note, asks: true, undoes: id }),
    );
    return {
      status: 'requested' as const,
      next: 'A person decides on the reverse change. It waits for a review.',
      change: changeBody(await findChange(tenant, brandScope, asked!)),
      brands,
      changedSince,
    };
  }
  const { change, parts, changedSince } = await tenant.transaction((tx) =>
    undoChange(tx, caller, id),
  );
  return {
    status: 'undone' as const,
    next: 'The change is undone.',
    change: changeBody(change),
    brands: parts.map(({ brand, restored, removed }) => ({
      brand: brand.slug,
      brandName: brand.name,
      restored,
      removed,
    })),
    changedSince,
  };
}
