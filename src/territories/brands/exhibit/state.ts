/** The state of a territory in an exhibit, and its fingerprint. */
import { createHash } from 'node:crypto';
import type { Tenant } from '../../../people/account/tenant.ts';
import type { Brand } from '../brands.ts';
import type { Terms } from '../terms/terms.ts';

export interface DatedZip {
  zip: string;
  /** Day of the last change in UTC, `2026-11-22` */
  day: string;
}

/** The ZIP codes of a territory by status. Lists are sorted. */
export interface TerritoryState {
  live: string[];
  pending: DatedZip[];
  removed: DatedZip[];
  /** Pending ZIP codes that are approved for a day to come, with that day; empty on earlier days */
  scheduled: DatedZip[];
  /** Live ZIP codes that leave the territory on a day to come, with that day; empty on earlier days */
  leaving: DatedZip[];
}

/** What agreements grant in live ZIP codes */
export type ExhibitTerms = ReadonlyMap<string, Pick<Terms, 'granted' | 'endsOn'>>;

/** Reads all ZIP codes that a brand holds or has held, at a single moment. */
export async function territoryState(
  tenant: Tenant,
  { id }: Pick<Brand, 'id'>,
): Promise<TerritoryState> {
  // Receiving a row per ZIP code would take ten times as long.
  const [row] = await tenant.query<Record<keyof TerritoryState, string | null>>(
    `select string_agg(zip, ' ' order by zip) filter (where state = 'live') as live,
       string_agg(zip || day, ' ' order by zip) filter (where state = 'pending') as pending,
       string_agg(zip || day, ' ' order by zip) filter (where state = 'removed') as removed,
       string_agg(zip || on_day, ' ' order by zip) filter (where state = 'pending') as scheduled,
       string_agg(zip || on_day, ' ' order by zip) filter (where state = 'live') as leaving
     from brand_zips
       left join (
         select cz.brand_id, cz.zip, to_char(c.on_day, 'YYYY-MM-DD') as on_day
         from change_zips cz join changes c on c.id = cz.change_id
         where cz.organization_id = $1 and cz.is_open and c.status = 'scheduled'
           and nullif(current_setting('territory.as_of', true), '') is null
       ) planned using (brand_id, zip),
       lateral (select to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD') as day) changed
     where organization_id = $1 and brand_id = $2`,
    [id],
  );
  const splitBySpaces = (text: string | null) => text?.split(' ') ?? [];
  const parseDatedZips = (text: string | null) =>
    splitBySpaces(text).map((one) => ({ zip: one.slice(0, 5), day: one.slice(5) }));
  const { live, pending, removed, scheduled, leaving } = row!;
  return {
    live: splitBySpaces(live),
    pending: parseDatedZips(pending),
    removed: parseDatedZips(removed),
    scheduled: parseDatedZips(scheduled),
    leaving: parseDatedZips(leaving),
  };
}

/**
 * Returns the SHA-256, in hexadecimal, of a sorted list with a line per live or pending ZIP code. Each line, such as
 * `75201 live`, ends with a line break. Anyone can compute it from an export.
 * @param boundaries vintage of the boundaries that define the area, in a last line such as
 *   `boundaries Census 2020 ZCTAs`; null: none do
 */
export function fingerprintOf(
  { live, pending }: TerritoryState,
  boundaries: string | null,
): string {
  const lines = [
    ...live.map((zip) => `${zip} live\n`),
    ...pending.map(({ zip }) => `${zip} pending\n`),
  ].sort();
  if (boundaries !== null) lines.push(`boundaries ${boundaries}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** Returns the fingerprint's first 64 bits in a form that people can compare: `4F7A-91C2-08BD-77E3`. */
export const referenceOf = (fingerprint: string): string =>
  fingerprint.slice(0, 16).toUpperCase().match(/.{4}/g)!.join('-');
