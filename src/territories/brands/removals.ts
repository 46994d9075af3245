/** Removals of a brand's ZIP codes, and their undo. */
import { z } from 'zod';
import type { Actor } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { Moment, momentText, pageOf, rowsToRead, startAfter } from '../../base/contract/paging.ts';
import type { Page, PageRequest } from '../../base/contract/paging.ts';
import type { Brand } from './brands.ts';
import type { RefusedZips } from './groups/refusal-words.ts';
import { mayOverlap } from './groups/allowed-overlaps.ts';

export interface Removal {
  id: string;
  at: Date;
  by: Actor;
  /** The activity's summary, with the reason */
  summary: string;
  /** Removed ZIP codes, sorted */
  zips: string[];
  /** Null while the removal can be undone */
  undone: Undo | null;
  /** The change that it's part of, which is undone as one; null for a removal of its own */
  changeId: string | null;
}

/** The result of an undo. Lists are sorted. */
export interface Undo {
  at: Date;
  by: Actor;
  /** ZIP codes that got their earlier state back */
  restored: string[];
  /** ZIP codes left unchanged, because the brand already held them again */
  left: string[];
  /** ZIP codes that a rule of a group kept from being restored, by reason */
  refused: RefusedZips[];
  /** Restored ZIP codes that other brands of the organization hold now */
  shared: string[];
}

/** Returns a brand's removals, latest first. @param removalId limits the result to one removal */
export async function listRemovals(
  tenant: Tenant,
  brand: Pick<Brand, 'id'>,
  page: PageRequest = {},
  removalId: string | null = null,
): Promise<Page<Removal>> {
  const before = startAfter(page, z.tuple([Moment, z.uuid()]));
  const rows = await tenant.acrossBrands.query<RemovalRow>(
    `select r.id, r.change_id as "changeId", r.removed_at as at, r.removed_by as by, removal.summary,
       array(select zip from removal_zips rz
             where rz.organization_id = $1 and rz.removal_id = r.id order by zip) as zips,
       r.undone_at as "undoneAt", undo.actor as "undoneBy", undo.zips as restored,
       array(select zip from unnest(undo.zips) as restored (zip)
             where exists (
               select from brand_zips other
               where other.organization_id = $1 and other.zip = restored.zip
                 and other.brand_id <> r.brand_id and other.state <> 'removed'
                 and not ${mayOverlap('r.brand_id', 'other.brand_id')})
             order by zip) as shared,
       array(select jsonb_build_object('reason', rz.not_restored, 'zips', jsonb_agg(rz.zip order by rz.zip))
             from removal_zips rz
             where rz.organization_id = $1 and rz.removal_id = r.id and rz.not_restored is not null
             group by rz.not_restored order by min(rz.zip)) as refused,
       ${momentText('r.removed_at')} as moment
     from removals r
     join activity removal on removal.organization_id = $1 and removal.brand_id = r.brand_id
       and removal.removal_id = r.id and removal.action = 'territory_removed'
     left join activity undo on undo.organization_id = $1 and undo.brand_id = r.brand_id
       and undo.removal_id = r.id and undo.action = 'removal_undone'
     where r.organization_id = $1 and r.brand_id = $2
       and ($3::text is null or r.id::text = $3)
       and ($4::timestamptz is null or (r.removed_at, r.id) < ($4, $5::uuid))
     order by r.removed_at desc, r.id desc limit $6`,
    [brand.id, removalId, ...(before ?? [null, null]), rowsToRead(page)],
  );
  const { rows: removals, nextCursor } = pageOf(rows, page, ({ moment, id }) => [moment, id]);
  return { rows: removals.map(removalOf), nextCursor };
}

interface RemovalRow extends Omit<Removal, 'undone'> {
  moment: string;
  undoneAt: Date | null;
  undoneBy: Actor | null;
  restored: string[] | null;
  refused: RefusedZips[];
  shared: string[];
}

function removalOf({
  moment,
  undoneAt,
  undoneBy,
  restored,
  refused,
  shared,
  ...removal
}: RemovalRow): Removal {
  if (!undoneAt || !undoneBy || !restored) return { ...removal, undone: null };
  const others = new Set([...restored, ...refused.flatMap(({ zips }) => zips)]);
  const left = removal.zips.filter((zip) => !others.has(zip));
  return { ...removal, undone: { at: undoneAt, by: undoneBy, restored, left, refused, shared } };
}
