/** Shows and downloads the activity log, and undoes removals from it. */
import { undoChange } from '../../../../territories/brands/changes/undo.ts';
import { undoRemoval, type Undone } from '../../../../territories/brands/undo.ts';
import { FormState } from '../../form-state.ts';
import { attachment, type MemberData } from '../../framework/data.ts';
import type { Page } from '../../framework/page.ts';
import { streamText } from '../../../../base/text/stream-text.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import { CSV } from '../../media-types.ts';
import { UNDO_ENTRY_PATH } from './entries.ts';
import { readActivityLogFilter } from './filter.ts';
import { loadTrail } from './load-trail.ts';
import { ACTIVITY_CSV_PATH, ACTIVITY_PATH, activityPage, ACTION_LABELS } from './view.ts';
import { actorName, type BrandScope } from '../../../../people/account/caller.ts';
import type { Tenant } from '../../../../people/account/tenant.ts';
import { csvLines } from '../../../../base/text/csv.ts';
import type { ActivityEntry, ActivityFilter } from '../../../../territories/brands/activity.ts';
import { readActivityLog } from '../../../../territories/brands/activity-log.ts';

const show = async (visit: MemberVisit, form: FormState, undone?: Undone) =>
  activityPage({ ...(await loadTrail(visit)), form, undone }, visit.links);

export const activityRoute: Page<'account'> = {
  audience: 'account',
  path: ACTIVITY_PATH,
  show,
  forms: [
    {
      path: UNDO_ENTRY_PATH,
      needs: 'writer',
      async submit(visit, fields) {
        const { caller } = visit;
        const change = fields.get('change') ?? '';
        if (change !== '') {
          await caller.tenant.transaction((tx) => undoChange(tx, caller, change));
          return { to: `/account/reviews/changes/${change}`, notice: 'change-undone' };
        }
        const removal = fields.get('removal') ?? '';
        const undone = await undoRemoval(caller.tenant, caller.actor, removal);
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

/** Rows to read at a time. Each can list thousands of ZIP codes. */
const BATCH_SIZE = 500;

const COLUMNS = ['at', 'who', 'by', 'what', 'brand', 'summary', 'zip_count', 'zips'];

/** Yields all matching entries of the activity log as CSV text. */
async function* activityCsv(
  tenant: Tenant,
  scope: BrandScope,
  filter: ActivityFilter,
): AsyncGenerator<string> {
  let header = csvLines([COLUMNS]);
  let cursor: string | undefined;
  do {
    const page = { cursor, limit: BATCH_SIZE };
    const { rows, nextCursor } = await readActivityLog(tenant, scope, filter, page);
    yield header + csvLines(rows.map(csvRow));
    header = '';
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const csvRow = ({ at, actor, action, brand, summary, zips }: ActivityEntry) => [
  at.toISOString(),
  actorName(actor),
  actor.kind,
  ACTION_LABELS[action],
  brand?.name ?? null,
  summary,
  zips.length,
  zips.join(' '),
];
