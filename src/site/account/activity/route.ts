/** Shows and downloads the activity log, and undoes removals from it. */
import { requireChange } from '../../../account/access.ts';
import { undoRemoval, type Undone } from '../../../territory/undo.ts';
import { FormState } from '../../form-state.ts';
import { attachment, type MemberData } from '../../framework/data.ts';
import type { Page } from '../../framework/page.ts';
import { streamText } from '../../../text/stream-text.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import { CSV } from '../../media-types.ts';
import { activityCsv } from './csv.ts';
import { UNDO_ENTRY_PATH } from './entries.ts';
import { readActivityLogFilter } from './filter.ts';
import { loadTrail } from './load-trail.ts';
import { ACTIVITY_CSV_PATH, ACTIVITY_PATH, activityPage } from './view.ts';

const show = async (visit: MemberVisit, form: FormState, undone?: Undone) =>
  activityPage({ ...(await loadTrail(visit)), form, undone }, visit.links);

export const activityRoute: Page<'account'> = {
  audience: 'account',
  path: ACTIVITY_PATH,
  show,
  forms: [
    {
      path: UNDO_ENTRY_PATH,
      async submit(visit, fields) {
        const { caller } = visit;
        requireChange(caller);
        const removal = fields.get('removal') ?? '';
        const undone = await undoRemoval(caller.tenant, caller.actor, removal, caller.brandScope);
        return { page: await show(visit, FormState.EMPTY, undone) };
      },
    },
  ],
};

export const activityCsvRoute: MemberData = {
  audience: 'member',
  path: ACTIVITY_CSV_PATH,
  type: CSV,
  async answer({ caller, query }) {
    const lines = activityCsv(caller.tenant, caller.brandScope, readActivityLogFilter(query));
    return { body: await streamText(lines), headers: attachment(CSV, 'activity.csv') };
  },
};
