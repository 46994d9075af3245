/** Removals from a brand, each of which can be undone once. */
import { WRITER, refusalFor } from '../../../../../../people/account/access.ts';
import { notFound } from '../../../../../../errors.ts';
import { listRemovals } from '../../../../../../territories/brands/removals.ts';
import { previewUndo, undoRemoval } from '../../../../../../territories/brands/undo.ts';
import type { Page } from '../../../../framework/page.ts';
import { brandPath } from '../frame.ts';
import { loadBrand } from '../load-brand.ts';
import { removalsPage, UNDO_REMOVAL_PATH } from './view.ts';

const PAGE_SIZE = 20;

export const historyRoute: Page<'account'> = {
  audience: 'account',
  path: '/account/brands/{brand}/history',
  async show(visit, form) {
    const { caller, query, links } = visit;
    const brand = await loadBrand(visit);
    const cursor = query.get('cursor') ?? undefined;
    const page = await listRemovals(caller.tenant, brand, { cursor, limit: PAGE_SIZE });
    const open = page.rows.filter(({ undone }) => !undone);
    const undo = await previewUndo(caller.tenant, brand, open);
    const refusal = refusalFor(caller, WRITER);
    return removalsPage({ brand, form, page, query, undo, refusal }, links);
  },
  forms: [
    {
      path: UNDO_REMOVAL_PATH,
      needs: 'writer',
      async submit(visit, fields) {
        const { caller } = visit;
        const brand = await loadBrand(visit);
        const id = fields.get('removal') ?? '';
        const [removal] = (await listRemovals(caller.tenant, brand, {}, id)).rows;
        if (!removal) throw notFound(`${brand.name} has no such removal.`);
        // A form that is submitted twice shows the result of the first submission.
        if (!removal.undone) {
          await undoRemoval(caller.tenant, caller.actor, id);
        }
        return { to: `${brandPath(brand, '/history')}?done=removal-undone#removal-${id}` };
      },
    },
  ],
};
