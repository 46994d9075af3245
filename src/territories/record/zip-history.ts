/** Who held a ZIP code, and when. */
import { actorName, type Actor, type BrandScope } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { brandIdsInScope, type Brand } from '../brands/brands.ts';
import { SHOWN_BRAND_JSON } from '../brands/named-brands.ts';

/** A period in which a brand held a ZIP code, or requested it */
export interface HeldPeriod {
  /** As far as the viewer may know its name */
  brand: Brand;
  status: 'live' | 'pending';
  from: Date;
  /** Null: it lasts */
  until: Date | null;
  /** Whether it began at `from`. If not, it is from before the record, and had begun by then. */
  isStartKnown: boolean;
  /** What began and ended it; null if it isn't known, lasts, or is about a brand that the viewer may not read */
  started: PeriodChange | null;
  ended: PeriodChange | null;
}

/** The entry of activity with a change */
export interface PeriodChange {
  entry: number;
  /** Who made it */
  by: string;
  summary: string;
}

interface PeriodRow extends Omit<HeldPeriod, 'started' | 'ended'> {
  started: StoredChange | null;
  ended: StoredChange | null;
}

interface StoredChange {
  entry: number;
  actor: Actor;
  summary: string;
}

/** Returns the periods in which brands held a ZIP code, the latest first. */
export async function zipHistory(
  tenant: Tenant,
  scope: BrandScope,
  zip: string,
): Promise<HeldPeriod[]> {
  const entry = (column: string) =>
    `(select jsonb_build_object('entry', a.id, 'actor', a.actor, 'summary', a.summary) from activity a
      where a.organization_id = $1 and a.id = h.${column}
        and ($3::uuid[] is null or a.brand_id = any($3)))`;
  const rows = await tenant.acrossBrands.query<PeriodRow & Record<string, unknown>>(
    `select ${SHOWN_BRAND_JSON} as brand, h.state as status, h.held_from as "from", h.held_until as until,
       h.is_start_known as "isStartKnown", ${entry('started_entry')} as started, ${entry('ended_entry')} as ended
     from holdings h join brands b on b.id = h.brand_id
     where h.organization_id = $1 and h.zip = $2 and h.state <> 'removed'
     order by h.held_from desc, b.slug`,
    [zip, brandIdsInScope(scope)],
  );
  return rows.map(({ started, ended, ...row }) => ({
    ...row,
    started: changeOf(started),
    ended: changeOf(ended),
  }));
}

const changeOf = (stored: StoredChange | null): PeriodChange | null =>
  stored && { entry: stored.entry, by: actorName(stored.actor), summary: stored.summary };
