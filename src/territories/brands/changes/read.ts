/** Reads changes: one with its parts, and lists. */
import { z } from 'zod';
import {
  Moment,
  momentText,
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../../base/contract/paging.ts';
import type { Actor, BrandScope } from '../../../people/account/caller.ts';
import type { Tenant } from '../../../people/account/tenant.ts';
import { notFound, ServiceError } from '../../../errors.ts';
import { brandIdsInScope, type Brand } from '../brands.ts';
import { BRAND_JSON } from '../named-brands.ts';

export const CHANGE_STATUSES = [
  'waiting',
  'scheduled',
  'blocked',
  'live',
  'rejected',
  'withdrawn',
  'undone',
] as const;
export const CHANGE_SOURCES = ['save', 'plan', 'transfer', 'import', 'request', 'undo'] as const;

export type ChangeStatus = (typeof CHANGE_STATUSES)[number];
export type ChangeSource = (typeof CHANGE_SOURCES)[number];

/** The statuses of changes that may still go live */
export const OPEN_STATUSES: readonly ChangeStatus[] = ['waiting', 'scheduled', 'blocked'];

export const isOpen = ({ status }: Pick<Change, 'status'>) => OPEN_STATUSES.includes(status);

/** What a brand gets and gives up. Lists are sorted. */
export interface ChangePart {
  brand: Brand;
  added: string[];
  removed: string[];
  /** ZIP codes that a reviewer left out, with the reason */
  refused: { zip: string; reason: string }[];
}

export interface Change {
  id: string;
  source: ChangeSource;
  status: ChangeStatus;
  note: string | null;
  madeBy: Actor;
  madeAt: Date;
  /** The day on which it goes live, `2027-01-01`. Null: when it's approved */
  on: string | null;
  /** The start of that day where the organization is */
  dueAt: Date | null;
  /** Why it was rejected, or what keeps it from going live */
  reason: string | null;
  decidedBy: Actor | null;
  decidedAt: Date | null;
  liveAt: Date | null;
  /** Who withdrew or undid it */
  endedBy: Actor | null;
  endedAt: Date | null;
  /** The change that it reverts, if it was asked for as an undo */
  undoes: string | null;
  /** By brand, in the order of their slugs. Of brands that the reader doesn't see, only the number */
  parts: ChangePart[];
  /** Number of brands of the change that the reader doesn't see */
  otherBrands: number;
}

/** SQL for a `Change` from a row `c` of changes; the parts follow the brands that the statement may see. */
const CHANGE = `c.id, c.source, c.status, c.note, c.made_by as "madeBy", c.made_at as "madeAt",
  to_char(c.on_day, 'YYYY-MM-DD') as on, c.due_at as "dueAt", c.reason, c.decided_by as "decidedBy",
  c.decided_at as "decidedAt", c.live_at as "liveAt", c.ended_by as "endedBy", c.ended_at as "endedAt", c.undoes,
  coalesce((
    select jsonb_agg(part order by part->'brand'->>'slug') from (
      select jsonb_build_object('brand', ${BRAND_JSON},
        'added', coalesce(jsonb_agg(cz.zip order by cz.zip) filter (where cz.part = 'added' and cz.refused is null), '[]'),
        'removed', coalesce(jsonb_agg(cz.zip order by cz.zip) filter (where cz.part = 'removed' and cz.refused is null), '[]'),
        'refused', coalesce(jsonb_agg(jsonb_build_object('zip', cz.zip, 'reason', cz.refused) order by cz.zip)
          filter (where cz.refused is not null), '[]')) as part
      from change_zips cz join brands b on b.id = cz.brand_id
      where cz.organization_id = $1 and cz.change_id = c.id
      group by b.id) parts), '[]') as parts`;

/**
 * Finds a change by its id.
 * @throws ServiceError 404 if the organization has no such change, or none of its brands is within the scope
 */
export async function findChange(tenant: Tenant, scope: BrandScope, id: string): Promise<Change> {
  const [change] = await readChanges(tenant, scope, [id]);
  if (change) return change;
  throw notFound(
    `There is no change ${id}. List the changes to see their ids: those of brands that you have no access to aren’t included.`,
  );
}

/** Whether the organization has a change with this id */
export async function isChange(tenant: Tenant, id: string): Promise<boolean> {
  const [row] = await tenant.query<{ id: string }>(
    'select id from changes where organization_id = $1 and id::text = $2',
    [id],
  );
  return row !== undefined;
}

async function readChanges(
  tenant: Tenant,
  scope: BrandScope,
  ids: readonly string[],
): Promise<Change[]> {
  const rows = await tenant.query<Omit<Change, 'otherBrands'> & Record<string, unknown>>(
    `select ${CHANGE} from changes c where c.organization_id = $1 and c.id::text = any($2)
     order by c.made_at desc, c.id`,
    [ids],
  );
  const brandIds = brandIdsInScope(scope);
  const counts = await tenant.acrossBrands.query<{ id: string; others: number }>(
    `select change_id as id, count(distinct brand_id)::int as others from change_zips
     where organization_id = $1 and change_id = any($2::uuid[])
       and $3::uuid[] is not null and brand_id <> all($3)
     group by change_id`,
    [rows.map(({ id }) => id), brandIds],
  );
  const others = new Map(counts.map(({ id, others }) => [id, others]));
  return rows.map((row) => {
    const otherBrands = others.get(row.id) ?? 0;
    const isHidden = otherBrands > 0 && row.status === 'blocked';
    return { ...row, otherBrands, reason: isHidden ? HIDDEN_REASON : row.reason };
  });
}

/** Why a change of several brands can't go live, for people without access to all of them */
export const HIDDEN_REASON = 'a part of it can’t go live';

export interface ChangeFilter {
  statuses?: readonly ChangeStatus[] | undefined;
  brandId?: string | undefined;
}

/** Returns the changes of the brands within the scope, latest first. */
export async function listChanges(
  tenant: Tenant,
  scope: BrandScope,
  { statuses, brandId }: ChangeFilter = {},
  page: PageRequest = {},
): Promise<Page<Change>> {
  const before = startAfter(page, z.tuple([Moment, z.uuid()]));
  const rows = await tenant.query<{ id: string; moment: string }>(
    `select c.id, ${momentText('c.made_at')} as moment from changes c
     where c.organization_id = $1 and ($2::text[] is null or c.status = any($2))
       and ($3::uuid is null or exists (
         select from change_zips cz
         where cz.organization_id = $1 and cz.change_id = c.id and cz.brand_id = $3))
       and ($4::timestamptz is null or (c.made_at, c.id) < ($4, $5::uuid))
     order by c.made_at desc, c.id desc limit $6`,
    [statuses, brandId, ...(before ?? [null, null]), rowsToRead(page)],
  );
  const { rows: kept, nextCursor } = pageOf(rows, page, ({ moment, id }) => [moment, id]);
  const changes = new Map(
    (
      await readChanges(
        tenant,
        scope,
        kept.map(({ id }) => id),
      )
    ).map((change) => [change.id, change]),
  );
  return { rows: kept.flatMap(({ id }) => changes.get(id) ?? []), nextCursor };
}

/** Returns the number of changes that wait for a review, within the scope of the tenant. */
export async function countWaitingChanges(tenant: Tenant): Promise<number> {
  const [row] = await tenant.query<{ n: number }>(
    `select count(*)::int as n from changes c where c.organization_id = $1 and c.status = 'waiting'`,
  );
  return row!.n;
}

/**
 * Requires that a caller sees all brands of a change, because it's decided, moved, withdrawn, and undone as one.
 * @throws ServiceError 403 `brand_out_of_scope`
 */
export function requireWhole({ otherBrands }: Pick<Change, 'otherBrands'>): void {
  if (otherBrands === 0) return;
  throw new ServiceError(
    403,
    'brand_out_of_scope',
    'This change includes brands that you have no access to, and it goes live as one. Ask someone with access to all of its brands.',
  );
}

/** What is planned for a ZIP code of a brand */
export interface PlannedZip {
  brandId: string;
  zip: string;
  part: 'added' | 'removed';
  changeId: string;
  status: ChangeStatus;
  /** `2027-01-01`; null: when the change is approved */
  on: string | null;
}

/** Returns what open changes plan for brands within the tenant's scope. @param zips default: all */
export const plannedZips = (
  tenant: Tenant,
  { brandIds, zips }: { brandIds?: readonly string[]; zips?: readonly string[] } = {},
): Promise<PlannedZip[]> =>
  tenant.query<PlannedZip & Record<string, unknown>>(
    `select cz.brand_id as "brandId", cz.zip, cz.part, c.id as "changeId", c.status,
       to_char(c.on_day, 'YYYY-MM-DD') as on
     from change_zips cz join changes c on c.id = cz.change_id
     where cz.organization_id = $1 and cz.is_open
       and ($2::uuid[] is null or cz.brand_id = any($2))
       and ($3::text[] is null or cz.zip = any($3))
     order by cz.zip, cz.brand_id`,
    [brandIds, zips],
  );

/**
 * Returns the days on which approved changes add or remove ZIP codes of a brand, `2027-01-01`, for its map. A map of an
 * earlier day shows no plans of today.
 */
export async function plannedDays(
  tenant: Tenant,
  { id }: Pick<Brand, 'id'>,
): Promise<Map<string, string>> {
  const rows = await tenant.query<{ zip: string; day: string }>(
    `select cz.zip, to_char(c.on_day, 'YYYY-MM-DD') as day
     from change_zips cz join changes c on c.id = cz.change_id
     where cz.organization_id = $1 and cz.brand_id = $2 and cz.is_open and c.status = 'scheduled'
       and nullif(current_setting('territory.as_of', true), '') is null
     order by cz.zip`,
    [id],
  );
  return new Map(rows.map(({ zip, day }) => [zip, day]));
}
