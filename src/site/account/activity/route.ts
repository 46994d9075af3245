/** The trail, as people read it, take it away and undo removals in it. */
import { actorName, type BrandScope } from '../../../account/caller.ts';
import type { Tenant } from '../../../account/tenant.ts';
import { csvLine } from '../../../csv.ts';
import { ACTION_LABELS, ACTIVITY_CSV_PATH, ACTIVITY_PATH, activityPage } from './view.ts';
import { UNDO_ENTRY_PATH } from './entries.ts';
import { FormState } from '../../form-state.ts';
import type { Action, ActivityEntry } from '../../../territory/activity.ts';
import { listBrands } from '../../../territory/brands.ts';
import {
  readActivityLog,
  listActivityActors,
  type ActivityLogFilter,
} from '../../../territory/activity-log.ts';
import { undoRemoval, type Undone } from '../../../territory/undo.ts';
import type { MemberData } from '../../framework/data.ts';
import { changeHindrance, requireChange } from '../../../account/may-change.ts';
import type { PersonPage } from '../../framework/page.ts';
import { residentOf } from '../viewer.ts';
import { streamed } from '../../framework/streamed.ts';
import { trailFilter } from './filter.ts';
import type { MemberVisit, PeopleParts } from '../../framework/visit.ts';

const SHOWN = 50;
const SHOWN_BRANDS = 200;
/** Rows of a file that are read at a time; each may have thousands of ZIPs. */
const READ_AT_ONCE = 500;

export function activity({ db }: PeopleParts): PersonPage<MemberVisit> {
  const show = async (visit: MemberVisit, form: FormState, undone?: Undone) => {
    const common = await residentOf(db, visit);
    const trail = await trailContent(visit);
    const content = { ...common, ...trail, form, ...(undone && { undone }) };
    return activityPage(content, visit.links);
  };
  return {
    path: ACTIVITY_PATH,
    show,
    forms: [
      {
        path: UNDO_ENTRY_PATH,
        submit: async (visit, fields) => {
          const { caller } = visit;
          requireChange(caller);
          const removal = fields.get('removal') ?? '';
          const undone = await undoRemoval(caller.tenant, caller.actor, removal);
          return { page: await show(visit, FormState.EMPTY, undone) };
        },
      },
    ],
  };
}

/** What a page of a trail shows besides whoever looks at it. */
export async function trailContent({ caller, query }: MemberVisit, kinds?: readonly Action[]) {
  const { tenant, brandScope } = caller;
  const cursor = query.get('cursor') ?? undefined;
  const [trail, brands, actors] = await Promise.all([
    readActivityLog(tenant, brandScope, trailFilter(query, kinds), { cursor, limit: SHOWN }),
    listBrands(tenant, brandScope, { limit: SHOWN_BRANDS }),
    listActivityActors(tenant),
  ]);
  return {
    query,
    entries: trail.rows,
    nextCursor: trail.nextCursor,
    brands: brands.rows,
    actors,
    mayUndo: changeHindrance(caller) === undefined,
  };
}

const CSV = 'text/csv; charset=utf-8';

export const activityCsv = (): MemberData => ({
  method: 'get',
  path: ACTIVITY_CSV_PATH,
  type: CSV,
  answer: async ({ caller, query }) => {
    const { tenant, brandScope } = caller;
    const headers = {
      'Content-Type': CSV,
      'Content-Disposition': 'attachment; filename="activity.csv"',
    };
    return { body: await streamed(trailCsv(tenant, brandScope, trailFilter(query))), headers };
  },
});

const COLUMNS = ['at', 'who', 'by', 'what', 'brand', 'summary', 'zip_count', 'zips'];

/** All of it, however long. */
async function* trailCsv(
  tenant: Tenant,
  scope: BrandScope,
  filter: ActivityLogFilter,
): AsyncGenerator<string> {
  let begin = csvLine(COLUMNS);
  let cursor: string | undefined;
  do {
    const page = { cursor, limit: READ_AT_ONCE };
    const { rows, nextCursor } = await readActivityLog(tenant, scope, filter, page);
    yield begin + rows.map(lineOf).join('');
    begin = '';
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

const lineOf = ({ at, actor, action, brand, summary, zips }: ActivityEntry) =>
  csvLine([
    ...[at.toISOString(), actorName(actor), actor.kind, ACTION_LABELS[action]],
    ...[brand?.name ?? null, summary, zips.length, zips.join(' ')],
  ]);
