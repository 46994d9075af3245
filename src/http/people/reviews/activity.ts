/** The trail, as people read it, take it away and undo removals in it. */
import { requireAccess, requireWrite } from '../../../account/access.ts';
import { csvText } from '../../../csv.ts';
import {
  ACTION_LABELS,
  ACTIVITY_CSV_PATH,
  ACTIVITY_PATH,
  activityPage,
} from '../../../site/account/reviews/activity.ts';
import { UNDO_PATH } from '../../../site/account/reviews/trail.ts';
import { FormState } from '../../../site/form-state.ts';
import type { Action } from '../../../territory/activity.ts';
import { listBrands } from '../../../territory/brands.ts';
import { readTrail, trailActors } from '../../../territory/trail.ts';
import { undoRemoval, type Undone } from '../../../territory/undo.ts';
import type { MemberData } from '../data.ts';
import type { PersonPage } from '../page.ts';
import { residentOf } from '../resident.ts';
import { trailFilter } from './trail-filter.ts';
import type { MemberVisit, PeopleParts } from '../visit.ts';

const SHOWN = 50;
const SHOWN_BRANDS = 200;
/** Rows of a file: more are taken by days. */
const MOST_IN_FILE = 10_000;

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
        path: UNDO_PATH,
        submit: async (visit, fields) => {
          const { caller } = visit;
          requireAccess(caller);
          requireWrite(caller);
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
  const { tenant, brandScope, plan, mayWrite } = caller;
  const cursor = query.get('cursor') ?? undefined;
  const [trail, brands, actors] = await Promise.all([
    readTrail(tenant, brandScope, trailFilter(query, kinds), { cursor, limit: SHOWN }),
    listBrands(tenant, brandScope, { limit: SHOWN_BRANDS }),
    trailActors(tenant),
  ]);
  return {
    query,
    entries: trail.rows,
    nextCursor: trail.nextCursor,
    brands: brands.rows,
    actors,
    mayUndo: plan.writeEntitlement && mayWrite,
  };
}

const CSV = 'text/csv; charset=utf-8';
const COLUMNS = ['at', 'who', 'by', 'what', 'brand', 'summary', 'zip_count', 'zips'] as const;

export const activityCsv = (): MemberData => ({
  method: 'get',
  path: ACTIVITY_CSV_PATH,
  type: CSV,
  answer: async ({ caller, query }) => {
    const { tenant, brandScope } = caller;
    const filter = trailFilter(query);
    const { rows } = await readTrail(tenant, brandScope, filter, { limit: MOST_IN_FILE });
    const lines = rows.map(({ at, actor, action, brand, summary, zips }) => ({
      at: at.toISOString(),
      who: actor.name,
      by: actor.kind,
      what: ACTION_LABELS[action],
      brand: brand?.name ?? null,
      summary,
      zip_count: zips.length,
      zips: zips.join(' '),
    }));
    const headers = {
      'Content-Type': CSV,
      'Content-Disposition': 'attachment; filename="activity.csv"',
    };
    return { body: csvText(COLUMNS, lines), headers };
  },
});
