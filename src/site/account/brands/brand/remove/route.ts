/** Removing ZIPs of a brand, shown with its effect first; and undoing it. */
import { randomUUID } from 'node:crypto';
import { idempotent } from '../../../../../agent/idempotent.ts';
import { badRequest, notFound } from '../../../../../errors.ts';
import { brandPath } from '../frame.ts';
import { removalsPage, UNDO_REMOVAL_PATH } from '../history/view.ts';
import { REMOVE_FORMS, removePage, removePreviewPage } from './view.ts';
import { brandNamed, type Brand } from '../../../../../territory/brands.ts';
import { effectOfChange } from '../../../../../territory/effect.ts';
import { matchingZips } from '../../../../../territory/brand-zips.ts';
import { parsePastedZips } from '../../../../../territory/pasted-zips.ts';
import { listRemovals } from '../../../../../territory/removals.ts';
import { previewRemove, removeZips } from '../../../../../territory/remove.ts';
import { undoRemoval } from '../../../../../territory/undo.ts';
import { checkedRemark, onceKey } from '../add/route.ts';
import { footprintFilter, isFiltered } from '../zip-filter.ts';
import { mapGround } from '../../../map/load.ts';
import { changeHindrance, requireChange } from '../../../../../account/may-change.ts';
import type { PersonPage } from '../../../../framework/page.ts';
import { checkedFields } from '../../../../framework/form-problems.ts';
import { residentOf } from '../../../viewer.ts';
import type { MemberVisit, PeopleParts } from '../../../../framework/visit.ts';

const brandOf = ({ caller, params }: MemberVisit) =>
  brandNamed(caller.tenant, caller.brandScope, params.brand!);

export function removeZipsPage({ db }: PeopleParts): PersonPage<MemberVisit> {
  const preview = async (visit: MemberVisit, brand: Brand, zips: readonly string[]) => {
    const { tenant, brandScope } = visit.caller;
    const plan = await previewRemove(tenant, brand, zips);
    const removed = [...plan.live, ...plan.pending].sort();
    const [common, effect, map] = await Promise.all([
      residentOf(db, visit),
      effectOfChange(tenant, brandScope, brand, { removed }),
      mapGround(tenant, removed),
    ]);
    const hindrance = changeHindrance(visit.caller);
    const content = { ...common, brand, plan, removed, effect, map, once: randomUUID(), hindrance };
    return removePreviewPage(content, visit.links);
  };
  return {
    path: REMOVE_FORMS.preview,
    show: async (visit, form) => {
      const { caller, query, links } = visit;
      const brand = await brandOf(visit);
      if (form.isUnsent && query.size > 0) {
        return preview(visit, brand, await zipsOfQuery(visit, brand, query));
      }
      const common = await residentOf(db, visit);
      return removePage({ ...common, brand, form, hindrance: changeHindrance(caller) }, links);
    },
    forms: [
      {
        path: REMOVE_FORMS.preview,
        submit: async (visit, fields) => {
          const { zips } = checkedFields({ zips: () => zipsNamed(fields) });
          return { page: await preview(visit, await brandOf(visit), zips) };
        },
      },
      {
        path: REMOVE_FORMS.send,
        submit: async (visit, fields) => {
          requireChange(visit.caller);
          const brand = await brandOf(visit);
          const removalId = await remove(visit, brand, fields);
          return { to: `${brandPath(brand)}?${new URLSearchParams({ removed: removalId })}` };
        },
      },
    ],
  };
}

/** @throws ServiceError 400 for none */
function zipsNamed(fields: URLSearchParams): string[] {
  // Of a table each row sends its own.
  const { zips } = parsePastedZips(fields.getAll('zips').join(' '));
  if (zips.length > 0) return zips;
  throw badRequest('Name the ZIP codes to remove: one has five digits, such as 75201.');
}

/** Named in the address, or those that a filter means. */
async function zipsOfQuery(
  { caller: { tenant } }: MemberVisit,
  brand: Brand,
  query: URLSearchParams,
): Promise<string[]> {
  const filter = footprintFilter(query);
  if (!isFiltered(filter)) return zipsNamed(query);
  const zips = await matchingZips(tenant, brand, filter);
  if (zips.length > 0) return zips;
  throw notFound(`${brand.name} holds no ZIP that is so.`);
}

/** Once, however often the form is sent. @returns the removal's id */
async function remove(
  { caller }: MemberVisit,
  brand: Brand,
  fields: URLSearchParams,
): Promise<string> {
  const { reason } = checkedFields({ reason: () => checkedRemark(fields.get('reason')) });
  const zips = zipsNamed(fields);
  const input = { brand: brand.id, zips, reason };
  const { answer } = await caller.tenant.transaction((tx) =>
    idempotent(tx, { tool: 'page_remove_zips', key: onceKey(fields), input }, async () => {
      const { removalId } = await removeZips(tx, caller.actor, brand, { zips, reason });
      return { removalId };
    }),
  );
  return answer.removalId;
}

export const removals = ({ db }: PeopleParts): PersonPage<MemberVisit> => ({
  path: '/account/brands/{brand}/history',
  show: async (visit, form) => {
    const { caller, query, links } = visit;
    const brand = await brandOf(visit);
    const cursor = query.get('cursor') ?? undefined;
    const [common, page] = await Promise.all([
      residentOf(db, visit),
      listRemovals(caller.tenant, brand, { cursor, limit: 20 }),
    ]);
    const hindrance = changeHindrance(caller);
    return removalsPage({ ...common, brand, form, page, cursor, hindrance }, links);
  },
  forms: [
    {
      path: UNDO_REMOVAL_PATH,
      submit: async (visit, fields) => {
        const { caller } = visit;
        requireChange(caller);
        const brand = await brandOf(visit);
        const id = fields.get('removal') ?? '';
        const [removal] = (await listRemovals(caller.tenant, brand, {}, id)).rows;
        if (!removal) throw notFound(`${brand.name} has no such removal.`);
        // Sent a second time: what came of the first is what there is to see.
        if (!removal.undone) await undoRemoval(caller.tenant, caller.actor, id);
        return { to: `${brandPath(brand, '/history')}?done=removal-undone#removal-${id}` };
      },
    },
  ],
});
