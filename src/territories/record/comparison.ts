/** Compares the live ZIP codes of brands at the ends of two days. */
import { momentAsOf, recordBegins } from '../../people/account/days/as-of.ts';
import type { BrandScope, Caller } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { figuresOrReason, isWithheld, recordSeenZips } from '../../people/metering/figures.ts';
import { badRequest } from '../../errors.ts';
import { brandIdsInScope, type Brand } from '../brands/brands.ts';
import { SHOWN_BRAND_JSON } from '../brands/named-brands.ts';
import { zipFacts } from '../brands/zip-facts.ts';
import type { FullDataSet } from '../own-data/data-sets.ts';

export const CHANGES = ['taken', 'given_up', 'moved'] as const;
/** `moved`: from a brand of the organization to another one */
export type Change = (typeof CHANGES)[number];

export interface ChangedZip {
  zip: string;
  /** Null if unknown */
  city: string | null;
  /** USPS code */
  state: string | null;
  change: Change;
  /** The brands that held it on the first day only, and on the second day only, as far as the viewer may know them */
  from: Brand[];
  to: Brand[];
  /** Null if unknown, or if the subscription doesn't include the figures */
  households: number | null;
  ownerOccupiedHouseholds: number | null;
}

export interface Comparison {
  /** The days or moments that were compared; null: now */
  from: Date;
  to: Date | null;
  /** In order */
  zips: ChangedZip[];
  totals: Record<Change, { zips: number; households: number }>;
  /** The reason why there are no figures, and what to do; null if there are */
  withheld: string | null;
}

export interface ComparedDays {
  /** A day or a moment. Default: the beginning of the record */
  from?: string | undefined;
  /** Default: now */
  to?: string | undefined;
  /** Only what this brand took and gave up */
  brandId?: string | undefined;
}

/**
 * Compares two days. What a brand took and gave up in between, and has again, isn't a change.
 * @throws ServiceError 400 for the future, for days before the record, and if the first day isn't the earlier one
 */
export async function compareDays(
  caller: Pick<Caller, 'tenant' | 'subscription' | 'brandScope'>,
  { from, to, brandId }: ComparedDays,
): Promise<Comparison> {
  const { tenant, brandScope } = caller;
  const [start, end] = await Promise.all([
    from === undefined ? recordBegins(tenant) : momentAsOf(tenant, from),
    to === undefined ? null : momentAsOf(tenant, to),
  ]);
  if (!start || (end && start >= end)) {
    throw badRequest(
      `from: must be before ${to === undefined || !end ? 'today' : `to, ${to}`}. Choose an earlier day.`,
    );
  }
  const rows = await changedZips(tenant, brandScope, { start, end, brandId });
  const zips = rows.map(({ zip }) => zip);
  const seen = await figuresOrReason(async () => {
    await recordSeenZips(caller, zips);
    return {};
  });
  const isIncluded = !isWithheld(seen);
  const facts = await zipFacts(tenant.common, zips, null);
  const changed = rows.map((row, i): ChangedZip => {
    const { city, state, households, ownerOccupiedHouseholds } = facts[i]!;
    return {
      ...row,
      city,
      state,
      change: row.from.length === 0 ? 'taken' : row.to.length === 0 ? 'given_up' : 'moved',
      households: isIncluded ? households : null,
      ownerOccupiedHouseholds: isIncluded ? ownerOccupiedHouseholds : null,
    };
  });
  return {
    from: start,
    to: end,
    zips: changed,
    totals: totalsOf(changed),
    withheld: isWithheld(seen) ? seen.withheld : null,
  };
}

type ChangedRow = Pick<ChangedZip, 'zip' | 'from' | 'to'>;

/** Reads across brands: a ZIP code that moved to a brand outside the scope has moved, although its name may be hidden. */
const changedZips = (
  tenant: Tenant,
  scope: BrandScope,
  { start, end, brandId }: { start: Date; end: Date | null; brandId: string | undefined },
): Promise<ChangedRow[]> =>
  tenant.acrossBrands.query<ChangedRow & Record<string, unknown>>(
    `with changed as (
       select zip, brand_id, was.zip is not null as is_gone
       from (${liveAt('$2')}) was
       full join (${liveAt('coalesce($3::timestamptz, now())')}) is_now using (brand_id, zip)
       where was.zip is null or is_now.zip is null)
     select zip,
       coalesce(jsonb_agg(${SHOWN_BRAND_JSON} order by b.slug) filter (where c.is_gone), '[]') as "from",
       coalesce(jsonb_agg(${SHOWN_BRAND_JSON} order by b.slug) filter (where not c.is_gone), '[]') as "to"
     from changed c join brands b on b.id = c.brand_id
     group by zip
     having bool_or($4::uuid[] is null or c.brand_id = any($4)) and ($5::uuid is null or bool_or(c.brand_id = $5))
     order by zip`,
    [start, end, brandIdsInScope(scope), brandId ?? null],
  );

/** SQL for the live holdings at a moment */
const liveAt = (moment: string) => `select brand_id, zip from holdings
  where organization_id = $1 and state = 'live'
    and held_from <= ${moment} and (held_until is null or held_until > ${moment})`;

function totalsOf(zips: readonly ChangedZip[]): Comparison['totals'] {
  const totals: Comparison['totals'] = {
    taken: { zips: 0, households: 0 },
    given_up: { zips: 0, households: 0 },
    moved: { zips: 0, households: 0 },
  };
  for (const { change, households } of zips) {
    totals[change].zips++;
    totals[change].households += households ?? 0;
  }
  return totals;
}

/** Column titles and cells of a comparison as a table, with data sets as columns */
export function comparisonTable(
  { zips }: Pick<Comparison, 'zips'>,
  data: readonly FullDataSet[],
): { columns: string[]; rows: (string | number | null)[][] } {
  const names = (brands: readonly Brand[]) => brands.map(({ name }) => name).join('; ') || null;
  return {
    columns: [
      'ZIP code',
      'City',
      'State',
      'Change',
      'From',
      'To',
      'Households',
      'Owner-occupied',
      ...data.map(({ name }) => name),
    ],
    rows: zips.map((zip) => [
      zip.zip,
      zip.city,
      zip.state,
      CHANGE_WORDS[zip.change],
      names(zip.from),
      names(zip.to),
      zip.households,
      zip.ownerOccupiedHouseholds,
      ...data.map(({ amounts }) => amounts.get(zip.zip) ?? null),
    ]),
  };
}

/** For people */
export const CHANGE_WORDS: Readonly<Record<Change, string>> = {
  taken: 'Taken',
  given_up: 'Given up',
  moved: 'Moved',
};
