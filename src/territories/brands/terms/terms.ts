/** Terms of holdings: what an agreement grants a brand in a ZIP code, and until when. */
import { recordActivity } from '../../../people/account/activity.ts';
import type { Actor } from '../../../people/account/caller.ts';
import { recordedDays } from '../../../people/account/days/as-of.ts';
import type { Tenant, TenantTransaction } from '../../../people/account/tenant.ts';
import { badRequest, conflict } from '../../../errors.ts';
import { formatDay, isDay } from '../../../base/text/days.ts';
import { joinFirst, pluralize } from '../../../base/text/words.ts';
import { lockBrands, type Brand } from '../brands.ts';
import { settleUnderLock } from '../groups/facts.ts';
import { groupRefusals, listRefusals } from '../groups/refusal-words.ts';
import { validateZips } from '../validate-zips.ts';

export const GRANTS = ['exclusive', 'protected', 'non_exclusive'] as const;
/**
 * `exclusive`: nobody else serves it; `protected`: the organization grants it to nobody else; `non_exclusive`: others may
 * have it, too, also if the rule of a group blocks overlaps
 */
export type Grant = (typeof GRANTS)[number];

export const AT_END = ['told', 'ends'] as const;
/** Whether people are only told of the end, or the brand then loses the ZIP code, too */
export type AtEnd = (typeof AT_END)[number];

export interface Terms {
  /** Null: not stated */
  granted: Grant | null;
  /** The last day, `2027-03-31`; null for no end */
  endsOn: string | null;
  atEnd: AtEnd;
  /** Such as the number of the agreement */
  note: string | null;
}

export interface ZipTerms extends Terms {
  zip: string;
}

export const NO_TERMS: Terms = { granted: null, endsOn: null, atEnd: 'told', note: null };

const GRANT_WORDS: Readonly<Record<Grant, string>> = {
  exclusive: 'Exclusive',
  protected: 'Protected',
  non_exclusive: 'Non-exclusive',
};

/** For people */
export const grantWord = (granted: Grant | null): string | null => granted && GRANT_WORDS[granted];

const TERMS = `t.zip, t.granted, to_char(t.ends_on, 'YYYY-MM-DD') as "endsOn", t.at_end as "atEnd", t.note`;

/** Returns the terms of the ZIP codes that a brand holds live, in order. Those without terms are missing. */
export const termsOf = (tenant: Tenant, { id }: Pick<Brand, 'id'>): Promise<ZipTerms[]> =>
  tenant.query<ZipTerms & Record<string, unknown>>(
    `select ${TERMS}
     from holding_terms t join brand_zips bz on bz.brand_id = t.brand_id and bz.zip = t.zip
     where t.organization_id = $1 and bz.organization_id = $1 and t.brand_id = $2 and t.replaced_at is null
       and bz.state = 'live'
     order by t.zip`,
    [id],
  );

const MAX_NOTE = 200;

/** When people got the notices about the end of terms: the one 90 days before, and the one at the end */
interface Told {
  toldAt: Date | null;
  endedAt: Date | null;
}

/**
 * Sets terms of live ZIP codes of a brand. Fields that are left out stay as they are, and null clears one.
 * @throws ServiceError 400 for malformed ZIP codes, for a day that isn't one or has passed, and without any field; 409 for
 *   ZIP codes that aren't live, or that other brands have got because the grant was non-exclusive
 */
export async function setTerms(
  tx: TenantTransaction,
  actor: Actor,
  brand: Brand,
  { zips: given, ...change }: Partial<Terms> & { zips: readonly string[] },
): Promise<ZipTerms[]> {
  const fields = Object.entries(change).filter(([, value]) => value !== undefined);
  if (fields.length === 0) {
    throw badRequest('Give at least one of granted, endsOn, atEnd, and note.');
  }
  const zips = validateZips(given);
  const note = change.note?.trim();
  if (note !== undefined && note.length > MAX_NOTE) {
    throw badRequest(`note: at most ${MAX_NOTE} characters fit. Shorten it.`);
  }
  await checkEnd(tx, change.endsOn);
  lockBrands(tx, [brand.id]);
  const found = await tx.query<ZipTerms & Told & Record<string, unknown>>(
    `select bz.zip, t.granted, to_char(t.ends_on, 'YYYY-MM-DD') as "endsOn", coalesce(t.at_end, 'told') as "atEnd", t.note,
       t.told_at as "toldAt", t.ended_at as "endedAt"
     from brand_zips bz
     left join holding_terms t on t.brand_id = bz.brand_id and t.zip = bz.zip and t.replaced_at is null
     where bz.organization_id = $1 and bz.brand_id = $2 and bz.zip = any($3) and bz.state = 'live'
     order by bz.zip`,
    [brand.id, zips],
  );
  const rows = found.map(({ toldAt: _, endedAt: __, ...row }): ZipTerms => row);
  const live = new Set(rows.map(({ zip }) => zip));
  const others = zips.filter((zip) => !live.has(zip));
  if (others.length > 0) {
    throw conflict(
      `${brand.name} doesn’t hold ${joinFirst(others)} live, so there are no terms to set. Leave ${others.length === 1 ? 'it' : 'them'} out.`,
    );
  }
  const changed = Object.fromEntries(fields) as Partial<Terms>;
  const after = rows.map((row): ZipTerms => ({
    ...row,
    ...changed,
    ...(note !== undefined && { note: note === '' ? null : note }),
  }));
  await requireToCome(tx, rows, after);
  await requireAlone(tx, brand, rows, after);
  // Changes of other fields don't send the notices of the same end again, and don't end the holding again.
  const told = found.map(({ endsOn, toldAt, endedAt }, i): Told =>
    endsOn === after[i]!.endsOn ? { toldAt, endedAt } : { toldAt: null, endedAt: null },
  );
  replaceTerms(tx, actor, brand, after, told);
  recordActivity(tx, {
    actor,
    action: 'terms_set',
    brandId: brand.id,
    summary: `Set terms of ${pluralize(zips.length, 'ZIP code')} of ${brand.name}: ${joinFirst(zips)}. ${describeTerms(after[0]!)}`,
    zips,
    before: {},
    after: { ...changed },
  });
  return after;
}

/**
 * A grant stays non-exclusive while a rule would refuse the overlap otherwise.
 * @throws ServiceError 409 if another brand of a group that blocks overlaps holds a ZIP code, too, or will
 */
async function requireAlone(
  tx: TenantTransaction,
  brand: Brand,
  before: readonly ZipTerms[],
  after: readonly ZipTerms[],
): Promise<void> {
  const claims = after
    .filter(
      ({ granted }, i) => before[i]!.granted === 'non_exclusive' && granted !== before[i]!.granted,
    )
    .map(({ zip }) => ({ brand, zip }));
  if (claims.length === 0) return;
  const { refused } = await settleUnderLock(tx, claims);
  const overlaps = refused.filter(({ refusal }) => refusal.kind === 'overlap');
  if (overlaps.length === 0) return;
  throw conflict(
    `These ZIP codes stay non-exclusive: ${listRefusals(groupRefusals(overlaps))}. Remove them from the other brand first.`,
  );
}

/** @throws ServiceError 400 if terms whose last day has passed are to end the holdings: nothing ends them any more */
async function requireToCome(
  tenant: Tenant,
  before: readonly ZipTerms[],
  after: readonly ZipTerms[],
): Promise<void> {
  const { today } = await recordedDays(tenant);
  const over = after.filter(
    ({ endsOn, atEnd }, i) =>
      atEnd === 'ends' && before[i]!.atEnd !== 'ends' && endsOn !== null && endsOn < today,
  );
  if (over.length === 0) return;
  throw badRequest(
    `atEnd: the last day of ${joinFirst(over.map(({ zip }) => zip))} has passed. Give a later endsOn, too, or remove the ZIP codes.`,
  );
}

/** @throws ServiceError 400 for a day that isn't one, or that has passed */
async function checkEnd(tenant: Tenant, day: string | null | undefined): Promise<void> {
  if (day === undefined || day === null) return;
  if (!isDay(day)) {
    throw badRequest(`endsOn: "${day}" is not a day. Use one such as 2027-03-31.`);
  }
  const { today } = await recordedDays(tenant);
  if (day >= today) return;
  throw badRequest(
    `endsOn: ${formatDay(day)} has passed. Choose a later day, or remove the ZIP codes.`,
  );
}

function replaceTerms(
  tx: TenantTransaction,
  actor: Actor,
  { id }: Brand,
  terms: readonly ZipTerms[],
  told: readonly Told[],
): void {
  const zips = terms.map(({ zip }) => zip);
  // Terms that were in force for no time aren't kept.
  tx.defer(
    `delete from holding_terms where organization_id = $1 and brand_id = $2 and zip = any($3)
       and replaced_at is null and set_at >= territory_moment()`,
    [id, zips],
  );
  tx.defer(
    `update holding_terms set replaced_at = territory_moment()
     where organization_id = $1 and brand_id = $2 and zip = any($3) and replaced_at is null`,
    [id, zips],
  );
  tx.defer(
    `insert into holding_terms (organization_id, brand_id, zip, set_at, granted, ends_on, at_end, note, set_by, told_at, ended_at)
     select $1, $2, zip, territory_moment(), granted, ends_on, at_end, note, $8, told_at, ended_at
     from unnest($3::text[], $4::text[], $5::date[], $6::text[], $7::text[], $9::timestamptz[], $10::timestamptz[])
       as set (zip, granted, ends_on, at_end, note, told_at, ended_at)
     where granted is not null or ends_on is not null or note is not null`,
    [
      id,
      zips,
      terms.map(({ granted }) => granted),
      terms.map(({ endsOn }) => endsOn),
      terms.map(({ atEnd }) => atEnd),
      terms.map(({ note }) => note),
      actor,
      told.map(({ toldAt }) => toldAt),
      told.map(({ endedAt }) => endedAt),
    ],
  );
}

/** `Exclusive, through March 31, 2027, then it ends. Agreement 12.` */
export function describeTerms({ granted, endsOn, atEnd, note }: Terms): string {
  const until =
    endsOn === null
      ? []
      : [`through ${formatDay(endsOn)}`, ...(atEnd === 'ends' ? ['then it ends'] : [])];
  const parts = [...(granted ? [GRANT_WORDS[granted].toLowerCase()] : []), ...until].join(', ');
  const sentence =
    parts === '' ? 'No kind of grant and no end' : parts[0]!.toUpperCase() + parts.slice(1);
  return `${sentence}.${note === null ? '' : ` ${note}`}`;
}
