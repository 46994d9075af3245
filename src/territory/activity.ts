/**
 * Activity: the log of all changes to territories, with the values before and after. The transaction of a change
 * inserts its entry. A database trigger prevents later changes to entries.
 */
import { z } from 'zod';
import type { Actor, BrandScope } from '../account/caller.ts';
import type { Tenant, TenantTransaction } from '../account/tenant.ts';
import {
  readablePageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../contract/paging.ts';
import { brandIdsInScope, type Brand } from './brands.ts';
import { BRAND_JSON } from './other-holders.ts';

export const ACTIONS = [
  'territory_applied',
  'territory_approved',
  'territory_rejected',
  'territory_removed',
  'removal_undone',
  'share_minted',
  'share_revoked',
  'targeting_set',
  'targeting_reset',
  'branding_set',
  'signed_urls_ended',
] as const;

export type Action = (typeof ACTIONS)[number];

export interface NewActivity {
  actor: Actor;
  action: Action;
  /** Null for an entry about the whole organization */
  brandId: string | null;
  /** One sentence without the actor: "Removed 2 ZIP codes from Lone Star: 75201, 75202." */
  summary: string;
  /** Affected ZIP codes, sorted */
  zips: readonly string[];
  /**
   * The state of each ZIP code, or null if the brand never held it. For weights: the weight of each signal, empty
   * for the public weights. For a look: its parts, with a hash of the logo
   */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  removalId?: string;
}

const INSERT = `insert into activity (organization_id, actor, brand_id, action, summary, zips,
    before, after, removal_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`;

const valuesOf = (entry: NewActivity) => {
  const { actor, action, brandId, summary, zips, before, after, removalId } = entry;
  return [actor, brandId, action, summary, zips, before, after, removalId];
};

/** Inserts an entry with the next query or the commit of the change's transaction. */
export const recordActivity = (tx: TenantTransaction, entry: NewActivity): void =>
  tx.defer(INSERT, valuesOf(entry));

/** Inserts an entry at once. @returns its id */
export async function insertActivity(tx: TenantTransaction, entry: NewActivity): Promise<number> {
  const [row] = await tx.query<{ id: number }>(INSERT, valuesOf(entry));
  return row!.id;
}

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
  /** For a removal: whether it can still be undone */
  undoable: boolean;
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
  a.action = 'territory_removed' and r.undone_at is null as undoable`;

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
