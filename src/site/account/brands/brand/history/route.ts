/** Removals from a brand, each of which can be undone once. */
import { changeRefusal, requireChange } from '../../../../../account/access.ts';
import type { Operation } from '../../../../../contract/operation.ts';
import { notFound } from '../../../../../errors.ts';
import { listRemovals } from '../../../../../territory/removals.ts';
import { undoRemoval } from '../../../../../territory/undo.ts';
import { form } from '../../../../framework/form.ts';
import { page, type Page } from '../../../../framework/page.ts';
import type { SiteParts } from '../../../../framework/visit.ts';
import { loadFrame } from '../../../load-frame.ts';
import { brandPath } from '../frame.ts';
import { loadBrand } from '../load-brand.ts';
import { removalsPage, UNDO_REMOVAL_PATH } from './view.ts';

const PAGE_SIZE = 20;

export function historyRoutes(parts: SiteParts): Operation[] {
  const { db } = parts;
  const history: Page<'member'> = {
    audience: 'member',
    path: '/account/brands/{brand}/history',
    async show(visit, state) {
      const { caller, query, links } = visit;
      const brand = await loadBrand(visit);
      const cursor = query.get('cursor') ?? undefined;
      const [frame, rows] = await Promise.all([
        loadFrame(db, visit),
        listRemovals(caller.tenant, brand, { cursor, limit: PAGE_SIZE }),
      ]);
      const refusal = changeRefusal(caller);
      return removalsPage({ ...frame, brand, form: state, page: rows, query, refusal }, links);
    },
  };
  const undo = form(
    history,
    {
      path: UNDO_REMOVAL_PATH,
      async submit(visit, fields) {
        const { caller } = visit;
        requireChange(caller);
        const brand = await loadBrand(visit);
        const id = fields.get('removal') ?? '';
        const [removal] = (await listRemovals(caller.tenant, brand, {}, id)).rows;
        if (!removal) throw notFound(`${brand.name} has no such removal.`);
        // A form sent twice shows the result of the first time.
        if (!removal.undone) await undoRemoval(caller.tenant, caller.actor, id);
        return { to: `${brandPath(brand, '/history')}?done=removal-undone#removal-${id}` };
      },
    },
    parts,
  );
  return [page(history, parts), undo];
}
