/** The activity log of pages: filtered and paginated, with one sentence per change. */
import { z } from 'zod';
import type { Actor, BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import {
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import {
  ENTRY_COLUMNS,
  filterValues,
  matching,
  type ActivityEntry,
  type ActivityFilter,
} from './activity.ts';
import { actorItself, actorKeyOf } from './actor-key.ts';

const ACTOR_KEY = actorKeyOf('a.actor');
/**
 * Returns activity of the brands within the scope, latest first. The scope `all` includes entries
 * about the organization itself.
 */
export async function readActivityLog(
  tenant: Tenant,
  scope: BrandScope,
  filter: ActivityFilter = {},
  page: PageRequest = {},
): Promise<Page<ActivityEntry>> {
  const [lastId] = startAfter(page, z.tuple([z.int()])) ?? [];
  const rows = await tenant.query<ActivityEntry>(
    `select ${ENTRY_COLUMNS}
     from ${matching(filter)}
       and ($9::bigint is null or a.id < $9)
     order by a.id desc limit $10`,
    [...filterValues(scope, filter), lastId, rowsToRead(page)],
  );
  return pageOf(rows, page, ({ id }) => [id]);
}

/** Number of the latest entries that `listActivityActors` searches: years of activity for most organizations */
const SEARCHED_ENTRIES = 5_000;

/**
 * Returns the people and keys in the log, ordered by their latest name. A person includes all of their connectors.
 */
export async function listActivityActors(tenant: Tenant): Promise<Actor[]> {
  const rows = await tenant.query<{ actor: Actor }>(
    `select distinct on (${ACTOR_KEY}) ${actorItself('a.actor')} as actor
     from (select id, actor from activity where organization_id = $1 order by id desc limit $2) a
     order by ${ACTOR_KEY}, a.id desc`,
    [SEARCHED_ENTRIES],
  );
  return rows.map(({ actor }) => actor).sort((a, b) => (a.name < b.name ? -1 : 1));
}
