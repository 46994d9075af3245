/** Reads activity, which `people/account/activity.ts` records. */
import { z } from 'zod';
import type { Actor, BrandScope } from '../../people/account/caller.ts';
import type { Action } from '../../people/account/activity.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import {
  readablePageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { BRAND_JSON } from './named-brands.ts';

/** A change in a list */
export interface ActivityEntry {
  /** Increases with time */
  id: number;
  at: Date;
  actor: Actor;
  action: Action;
  /** Null for an entry about the whole organization */
  brand: Brand | null;
  summary: string;
  /** Affected ZIP codes, sorted */
  zips: string[];
  /** Set for a removal and for its undo */
  removalId: string | null;
  /** For a removal of its own: whether it can still be undone */
  undoable: boolean;
  /** The change that the entry is part of, which is undone as one; null for most entries */
  changeId: string | null;
  /** Whether that change is live, and the entry tells of it, so that the change can be undone */
  isChangeUndoable: boolean;
}

/** A change with its values before and after */
export interface Activity extends ActivityEntry {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** Columns of an `ActivityEntry` */
export const ENTRY_COLUMNS = `a.id, a.at, a.actor, a.action, a.summary, a.zips,
  case when b.id is not null
    then ${BRAND_JSON} end as brand,
  a.removal_id as "removalId",
  a.action = 'territory_removed' and r.undone_at is null and r.change_id is null as undoable,
  a.change_id as "changeId", a.action in ('territory_approved', 'territory_removed') and coalesce((
    select c.status = 'live' from changes c
    where c.organization_id = $1 and c.id = a.change_id), false) as "isChangeUndoable"`;

/** Entries of the organization `$1` within the scope `$2` */
const ENTRIES = `activity a
  left join brands b on b.organization_id = $1 and b.id = a.brand_id
  left join removals r on r.organization_id = $1 and r.id = a.removal_id
  where a.organization_id = $1 and ($2::uuid[] is null or a.brand_id = any($2))`;

export interface ActivityFilter {
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

/** The `actorKey` of operators, who have no id */
const OPERATOR: Actor['kind'] = 'operator';

/** SQL for the entries that match a filter. `$2` to `$8` are `filterValues`. */
export const matching = ({ actor }: ActivityFilter) => `${ENTRIES}
  and ($3::bigint[] is null or a.id = any($3))
  and ($4::text is null or a.brand_id = (
    select id from brands where organization_id = $1 and id::text = $4))
  and ($5::text[] is null or a.action = any($5))
  and ${actor === OPERATOR ? '$6::text is not null and a.actor_id is null' : '($6::text is null or a.actor_id = $6)'}
  and ($7::timestamptz is null or a.at >= $7)
  and ($8::timestamptz is null or a.at < $8)`;

export const filterValues = (scope: BrandScope, filter: ActivityFilter) => {
  const { ids, brandId, actions, actor, from, until } = filter;
  return [brandIdsInScope(scope), ids, brandId, actions, actor, from, until];
};

/**
 * Returns activity of the brands within the scope, latest first. The scope `all` includes entries
 * about the organization itself.
 */
export async function listActivity(
  tenant: Tenant,
  scope: BrandScope,
  filter: ActivityFilter = {},
  page: PageRequest = {},
): Promise<Page<Activity>> {
  const [lastId] = startAfter(page, z.tuple([z.int()])) ?? [];
  const rows = await tenant.query<Activity>(
    `select ${ENTRY_COLUMNS}, a.before, a.after
     from ${matching(filter)}
       and ($9::bigint is null or a.id < $9)
     order by a.id desc limit $10`,
    [...filterValues(scope, filter), lastId, rowsToRead(page)],
  );
  return readablePageOf(rows, page, ({ id }) => [id]);
}

/** All changes of one kind to one brand */
export interface ActivityTotal {
  /** Null for changes of the organization itself */
  brand: Brand | null;
  action: Action;
  changes: number;
  /** Affected ZIP codes. A ZIP code that changed twice counts twice. */
  zips: number;
}

/** Returns the totals of matching activity, by brand. */
export const activityTotals = (
  tenant: Tenant,
  scope: BrandScope,
  filter: ActivityFilter,
): Promise<ActivityTotal[]> =>
  tenant.query<ActivityTotal>(
    `select case when b.id is not null then ${BRAND_JSON} end as brand, a.action,
       count(*)::int as changes, sum(cardinality(a.zips))::int as zips
     from ${matching(filter)}
     group by b.id, a.action order by b.slug nulls first, a.action`,
    filterValues(scope, filter),
  );
