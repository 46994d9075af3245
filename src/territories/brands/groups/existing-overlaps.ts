/**
 * The ZIP codes that several brands of a group hold, with how to resolve each. Changes nothing. Holdings by a non-exclusive
 * grant need no resolving.
 */
import { z } from 'zod';
import type { Tenant } from '../../../people/account/tenant.ts';
import {
  pageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../../base/contract/paging.ts';
import { joinWithAnd } from '../../../base/text/words.ts';
import type { Brand } from '../brands.ts';
import { IS_HELD } from '../held-conditions.ts';
import { BRAND_JSON } from '../named-brands.ts';
import type { GroupName } from './rules.ts';
import { isNonExclusive } from './terms-conditions.ts';

interface OverlapHolder {
  brand: Brand;
  status: 'live' | 'pending';
  /** When the ZIP code got this status */
  since: Date;
}

export interface GroupOverlap {
  zip: string;
  /** At least two: live ones first, in the order in which they got it */
  holders: OverlapHolder[];
}

type Row = { zip: string; holders: (Omit<OverlapHolder, 'since'> & { since: string })[] };

const OVERLAPS = `select bz.zip, jsonb_agg(
    jsonb_build_object('brand', ${BRAND_JSON}, 'status', bz.state, 'since', bz.changed_at)
    order by bz.state = 'live' desc, bz.changed_at, b.slug) as holders
  from brand_zips bz
  join brands b on b.id = bz.brand_id
  join brand_group_brands m on m.organization_id = $1 and m.group_id = $2 and m.brand_id = bz.brand_id
  where bz.organization_id = $1 and ${IS_HELD} and not ${isNonExclusive('bz.brand_id', 'bz.zip')}
  group by bz.zip having count(*) > 1`;

/** Returns a page of the overlaps of a group, by ZIP code. */
export async function groupOverlaps(
  tenant: Tenant,
  { id }: GroupName,
  page: PageRequest = {},
): Promise<Page<GroupOverlap>> {
  const after = startAfter(page, z.tuple([z.string()]));
  const rows = await tenant.query<Row>(
    `select * from (${OVERLAPS}) overlapping where $3::text is null or zip > $3 order by zip limit $4`,
    [id, after?.[0], rowsToRead(page)],
  );
  const { rows: kept, nextCursor } = pageOf(rows, page, ({ zip }) => [zip]);
  return { rows: kept.map(fromRow), nextCursor };
}

const fromRow = ({ zip, holders }: Row): GroupOverlap => ({
  zip,
  holders: holders.map((holder) => ({ ...holder, since: new Date(holder.since) })),
});

/** Returns the number of overlaps of each group, by its id. Groups without overlaps are missing. */
export async function countOverlaps(tenant: Tenant): Promise<Map<string, number>> {
  const rows = await tenant.query<{ id: string; zips: number }>(
    `select id, count(*) as zips from (
       select m.group_id as id, bz.zip
       from brand_group_brands m
       join brand_zips bz on bz.organization_id = $1 and bz.brand_id = m.brand_id and ${IS_HELD}
       where m.organization_id = $1 and not ${isNonExclusive('bz.brand_id', 'bz.zip')}
       group by m.group_id, bz.zip having count(*) > 1) overlapping
     group by id`,
  );
  return new Map(rows.map(({ id, zips }) => [id, zips]));
}

/** Returns the ZIP codes that each brand of a group holds, live or pending, by slug. Brands without any are missing. */
export async function groupTerritories(
  tenant: Tenant,
  { id }: GroupName,
): Promise<{ brand: Brand; zips: string[] }[]> {
  // Receiving a row per ZIP code would take ten times as long.
  const rows = await tenant.query<{ brand: Brand; zips: string }>(
    `select ${BRAND_JSON} as brand, string_agg(bz.zip, ' ' order by bz.zip) as zips
     from brand_zips bz
     join brands b on b.id = bz.brand_id
     join brand_group_brands m on m.organization_id = $1 and m.group_id = $2 and m.brand_id = bz.brand_id
     where bz.organization_id = $1 and ${IS_HELD}
     group by b.id order by b.slug`,
    [id],
  );
  return rows.map(({ brand, zips }) => ({ brand, zips: zips.split(' ') }));
}

/** Says how to resolve an overlap. The brand that got the ZIP code first keeps it. */
export function resolutionOf({ zip, holders }: GroupOverlap): string {
  const names = (some: readonly OverlapHolder[]) =>
    joinWithAnd(some.map(({ brand }) => brand.name));
  const live = holders.filter(({ status }) => status === 'live');
  const pending = holders.filter(({ status }) => status === 'pending');
  if (live.length === 0) return `Approve the request of one brand only: ${names(pending)} wait.`;
  const [first, ...later] = live;
  const when = later.length > 1 ? `got it after ${first!.brand.name}` : 'got it last';
  return [
    ...(later.length > 0 ? [`Remove ${zip} from ${names(later)}, which ${when}.`] : []),
    ...(pending.length > 0
      ? [`Reject the ${pending.length > 1 ? 'requests' : 'request'} of ${names(pending)}.`]
      : []),
  ].join(' ');
}
