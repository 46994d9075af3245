/** The activity log: shown, downloaded, and used to undo removals. */
import { requireChange } from '../../../account/access.ts';
import type { Operation } from '../../../contract/operation.ts';
import { undoRemoval, type Undone } from '../../../territory/undo.ts';
import { FormState } from '../../form-state.ts';
import { data } from '../../framework/data.ts';
import { form } from '../../framework/form.ts';
import { page, type Page } from '../../framework/page.ts';
import { streamText } from '../../framework/stream-text.ts';
import type { MemberVisit, SiteParts } from '../../framework/visit.ts';
import { CSV } from '../../media-types.ts';
import { loadFrame } from '../load-frame.ts';
import { activityCsv } from './csv.ts';
import { UNDO_ENTRY_PATH } from './entries.ts';
import { readActivityLogFilter } from './filter.ts';
import { loadTrail } from './load-trail.ts';
import { ACTIVITY_CSV_PATH, ACTIVITY_PATH, activityPage } from './view.ts';

export function activityRoutes(parts: SiteParts): Operation[] {
  const show = async (visit: MemberVisit, state: FormState, undone?: Undone) => {
    const frame = await loadFrame(parts.db, visit);
    const trail = await loadTrail(visit);
    const content = { ...frame, ...trail, form: state, ...(undone && { undone }) };
    return activityPage(content, visit.links);
  };
  const activity: Page<'member'> = { audience: 'member', path: ACTIVITY_PATH, show };
  const undo = form(
    activity,
    {
      path: UNDO_ENTRY_PATH,
      async submit(visit, fields) {
        const { caller } = visit;
        requireChange(caller);
        const removal = fields.get('removal') ?? '';
        const undone = await undoRemoval(caller.tenant, caller.actor, removal);
        return { page: await show(visit, FormState.EMPTY, undone) };
      },
    },
    parts,
  );
  const csv = data(
    {
      audience: 'member',
      path: ACTIVITY_CSV_PATH,
      type: CSV,
      async answer({ caller, query }) {
        const headers = {
          'Content-Type': CSV,
          'Content-Disposition': 'attachment; filename="activity.csv"',
        };
        const lines = activityCsv(caller.tenant, caller.brandScope, readActivityLogFilter(query));
        return { body: await streamText(lines), headers };
      },
    },
    parts,
  );
  return [page(activity, parts), undo, csv];
}
