import { WRITER, refusalFor } from '../../../../people/account/access.ts';
import type { Action } from '../../../../people/account/activity.ts';
import { listBrands } from '../../../../territories/brands/list-brands.ts';
import {
  readActivityLog,
  listActivityActors,
} from '../../../../territories/brands/activity-log.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import { readActivityLogFilter } from './filter.ts';

const PAGE_SIZE = 50;
const OFFERED_BRANDS = 200;

/** Loads the entries for a page of the activity log, and the choices of its filters. */
export async function loadTrail({ caller, query }: MemberVisit, kinds?: readonly Action[]) {
  const { tenant, brandScope } = caller;
  const cursor = query.get('cursor') ?? undefined;
  const [trail, brands, actors] = await Promise.all([
    readActivityLog(tenant, brandScope, readActivityLogFilter(query, kinds), {
      cursor,
      limit: PAGE_SIZE,
    }),
    listBrands(tenant, brandScope, { limit: OFFERED_BRANDS }),
    listActivityActors(tenant),
  ]);
  return {
    query,
    entries: trail.rows,
    nextCursor: trail.nextCursor,
    brands: brands.rows,
    actors,
    mayUndo: refusalFor(caller, WRITER) === undefined,
  };
}
