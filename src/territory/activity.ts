/**
 * The trail: who did what when, and what it was before and after. Entries are only ever added, in
 * the transaction of the change itself; the database refuses anything else.
 */
import { z } from 'zod';
import type { Actor, BrandScope } from '../account/caller.ts';
import type { Tenant } from '../account/tenant.ts';
import { readablePageOf, rowsToRead, startAfter, type Page, type PageRequest } from '../paging.ts';
import { idsOf, type Brand } from './brands.ts';

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
] as const;

export type Action = (typeof ACTIONS)[number];

export interface NewActivity {
  actor: Actor;
  action: Action;
  /** Null: it is about the whole organisation */
  brandId: string | null;
  /** One sentence for people, without the actor: "Removed 2 ZIPs from Lone Star: 75201, 75202." */
  summary: string;
  /** Those that the change is about, in order */
  zips: readonly string[];
  /** State by ZIP, null where there was none; of weights, each by its signal, none: the public ones */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  removalId?: string;
}

/** Adds an entry; to be called in the transaction of the change. @returns its id */
export async function recordActivity(tx: Tenant, entry: NewActivity): Promise<number> {
  const { actor, action, brandId, summary, zips, before, after, removalId } = entry;
  const [row] = await tx.query<{ id: number }>(
    `insert into activity (organization_id, actor, brand_id, action, summary, zips,
       before, after, removal_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [actor, brandId, action, summary, zips, before, after, removalId ?? null],
  );
  return row!.id;
}

/** A change, as people read of it. */
export interface ActivityEntry {
  /** Grows with time */
  id: number;
  at: Date;
  actor: Actor;
  action: Action;
  /** Null: it is about the whole organisation */
  brand: Brand | null;
  summary: string;
  /** All that it is about, in order */
  zips: string[];
  /** Of a removal and of its undoing */
  removalId: string | null;
  /** Of a removal: whether it can still be undone */
  undoable: boolean;
}

/** With all that is kept of it. */
export interface Activity extends ActivityEntry {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** Of a `ActivityEntry` */
export const ENTRY_COLUMNS = `a.id, a.at, a.actor, a.action, a.summary, a.zips,
  case when b.id is not null
    then jsonb_build_object('id', b.id, 'slug', b.slug, 'name', b.name) end as brand,
  a.removal_id as "removalId",
  a.action = 'territory_removed' and r.undone_at is null as undoable`;

/** Of an organisation, `$1`, within a scope, `$2` */
export const ENTRIES = `activity a
  left join brands b on b.organization_id = $1 and b.id = a.brand_id
  left join removals r on r.organization_id = $1 and r.id = a.removal_id
  where a.organization_id = $1 and ($2::uuid[] is null or a.brand_id = any($2))`;

export interface ActivityFilter {
  /** What one key or person did */
  actorId?: string | undefined;
  brandId?: string | undefined;
  action?: Action | undefined;
}

/**
 * Entries about brands within a scope, and, where that is all of them, about the organisation; the
 * latest first.
 */
export async function listActivity(
  tenant: Tenant,
  scope: BrandScope,
  filter: ActivityFilter = {},
  page: PageRequest = {},
): Promise<Page<Activity>> {
  const before = startAfter(page, z.tuple([z.int()]));
  const rows = await tenant.query<Activity>(
    `select ${ENTRY_COLUMNS}, a.before, a.after
     from ${ENTRIES}
       and ($3::text is null or a.actor->>'id' = $3)
       and ($4::uuid is null or a.brand_id = $4)
       and ($5::text is null or a.action = $5)
       and ($6::bigint is null or a.id < $6)
     order by a.id desc limit $7`,
    [
      idsOf(scope),
      filter.actorId ?? null,
      filter.brandId ?? null,
      filter.action ?? null,
      before?.[0] ?? null,
      rowsToRead(page),
    ],
  );
  return readablePageOf(rows, page, ({ id }) => [id]);
}
