/** The activity log as pages show it: filtered, paginated, one sentence per change. */
import { z } from 'zod';
import type { Actor, BrandScope } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import { pageOf, rowsToRead, startAfter, type Page, type PageRequest } from '../paging.ts';
import { ENTRIES, ENTRY_COLUMNS, type Action, type ActivityEntry } from './activity.ts';
import { actorItself, actorKeyOf } from './actor-key.ts';
import { brandIdsInScope } from './brands.ts';

export interface ActivityLogFilter {
  /** Only these entries */
  ids?: readonly number[] | undefined;
  brandId?: string | undefined;
  /** Default: all actions */
  actions?: readonly Action[] | undefined;
  /** An `actorKey` */
  actor?: string | undefined;
  /** Inclusive */
  from?: Date | undefined;
  /** Exclusive */
  until?: Date | undefined;
}

const ACTOR_KEY = actorKeyOf('a.actor');
/** The `actorKey` of operators, who have no id */
const OPERATOR: Actor['kind'] = 'operator';

/**
 * Returns activity of the brands within the scope, latest first. The scope `all` includes entries
 * about the organization itself.
 */
export async function readActivityLog(
  tenant: Tenant,
  scope: BrandScope,
  { ids, brandId, actions, actor, from, until }: ActivityLogFilter = {},
  page: PageRequest = {},
): Promise<Page<ActivityEntry>> {
  const [lastId] = startAfter(page, z.tuple([z.int()])) ?? [];
  const rows = await tenant.query<ActivityEntry>(
    `select ${ENTRY_COLUMNS}
     from ${ENTRIES}
       and ($3::bigint[] is null or a.id = any($3))
       and ($4::text is null or a.brand_id = (
         select id from brands where organization_id = $1 and id::text = $4))
       and ($5::text[] is null or a.action = any($5))
       and ${actor === OPERATOR ? '$6::text is not null and a.actor_id is null' : '($6::text is null or a.actor_id = $6)'}
       and ($7::timestamptz is null or a.at >= $7)
       and ($8::timestamptz is null or a.at < $8)
       and ($9::bigint is null or a.id < $9)
     order by a.id desc limit $10`,
    [brandIdsInScope(scope), ids, brandId, actions, actor, from, until, lastId, rowsToRead(page)],
  );
  return pageOf(rows, page, ({ id }) => [id]);
}

/** `listActivityActors` searches this many of the latest entries: years of activity for most. */
const SEARCHED_ENTRIES = 5_000;

/**
 * Returns the people and keys in the log by name, as they were last called. A person includes all
 * of their connectors.
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
