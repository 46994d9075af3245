/**
 * Locators: pages and forms on an organization's websites that tell customers who serves them. A locator is public and
 * part of a website, so it doesn't expire until it's revoked.
 */
import { recordChange } from '../../people/account/activity.ts';
import type { Actor } from '../../people/account/caller.ts';
import { checkedEmail, checkedName } from '../../people/account/names.ts';
import { tenantOf, type Tenant, type TenantTransaction } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { verticalBySlug, type VerticalSlug } from '../../data/scoring/verticals.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import type { Brand } from '../brands/brands.ts';
import { checkedAccent } from '../brands/branding.ts';
import { findBrands, findGroup } from '../brands/groups/groups.ts';
import { BRAND_JSON } from '../brands/named-brands.ts';
import { parseToken, randomCode } from '../share/token.ts';
import {
  checkedWords,
  LANGUAGES,
  type Language,
  type OwnWords,
  type Word,
} from './locator-words.ts';

export const LOCATOR_STATUSES = ['active', 'revoked'] as const;

export interface Locator {
  /** The token, a UUID */
  id: string;
  /** Short code, accepted instead of the token */
  code: string;
  title: string;
  status: (typeof LOCATOR_STATUSES)[number];
  /** Whether it answers for all brands, with those that are added later */
  allBrands: boolean;
  group: { id: string; name: string } | null;
  /** The brands that it answers for now, by slug */
  brands: Brand[];
  words: OwnWords;
  /** `#rrggbb` */
  accent: string | null;
  /** Gets the forms of people who want to buy a franchise; null: they can't ask */
  candidateEmail: string | null;
  /** Slug of the vertical whose demand they learn as a class */
  vertical: VerticalSlug | null;
  createdBy: Actor;
  createdAt: Date;
  changedBy: Actor;
  changedAt: Date;
  revokedAt: Date | null;
}

const BRANDS = `cross join lateral (
  select coalesce(jsonb_agg(${BRAND_JSON} order by b.slug collate "C"), '[]') as list
  from brands b
  where b.organization_id = l.organization_id and case
    when l.group_id is not null then b.id in (select m.brand_id from brand_group_brands m
      where m.organization_id = l.organization_id and m.group_id = l.group_id)
    when l.brand_ids is not null then b.id = any(l.brand_ids)
    else true end) brands`;

const COLUMNS = `l.id, l.code, l.title, l.group_id is null and l.brand_ids is null as "allBrands",
  case when g.id is not null then jsonb_build_object('id', g.id, 'name', g.name) end as "group",
  brands.list as brands, l.words, l.accent, l.candidate_email as "candidateEmail", l.vertical,
  l.created_by as "createdBy", l.created_at as "createdAt",
  l.changed_by as "changedBy", l.changed_at as "changedAt", l.revoked_at as "revokedAt",
  case when l.revoked_at is null then 'active' else 'revoked' end as status`;

const LOCATORS = `select ${COLUMNS} from locators l
  left join brand_groups g on g.organization_id = l.organization_id and g.id = l.group_id ${BRANDS}`;

/** Largest number of active locators of an organization. It stops programs that create them and never revoke them. */
export const MAX_LOCATORS = 100;

/** Returns the locators: active ones first, the newest first. */
export const listLocators = (tenant: Tenant): Promise<Locator[]> =>
  tenant.query<Locator & Record<string, unknown>>(
    `${LOCATORS} where l.organization_id = $1
     order by l.revoked_at is not null, l.created_at desc, l.id limit ${5 * MAX_LOCATORS}`,
  );

/**
 * @param ref token, short code, or address
 * @throws ServiceError 404 if the organization has no such locator
 */
export async function findLocator(tenant: Tenant, ref: string): Promise<Locator> {
  const { id, code } = parseToken(ref);
  const [locator] = await tenant.query<Locator & Record<string, unknown>>(
    `${LOCATORS} where l.organization_id = $1 and (l.id = $2 or l.code = $3)`,
    [id, code],
  );
  if (locator) return locator;
  throw notFound(
    `The organization has no locator "${ref}". Use the address, token, or short code of one in the list of locators.`,
  );
}

/** What people set. Missing fields stay as they are; null removes a value. */
export interface LocatorFields {
  title?: string | undefined;
  /** Id or name */
  group?: string | null | undefined;
  /** Ids, slugs, or names. Without a group and brands, a locator answers for all brands. */
  brands?: readonly string[] | null | undefined;
  words?: { [L in Language]?: { [W in Word]?: string | null | undefined } } | undefined;
  accent?: string | null | undefined;
  candidateEmail?: string | null | undefined;
  vertical?: string | null | undefined;
}

/**
 * Creates a locator.
 * @throws ServiceError 400 for invalid fields, 404 for an unknown brand or group, 409 if there are too many locators
 */
export async function createLocator(
  tx: TenantTransaction,
  actor: Actor,
  fields: LocatorFields & {
    title: string;
    /** Only the documentation's example sets it */ id?: string;
  },
): Promise<Locator> {
  const set = await checkedFields(tx, fields);
  const [row] = await tx.query<{ id: string }>(
    `insert into locators (organization_id, code, title, group_id, brand_ids, words, accent, candidate_email, vertical,
       created_by, changed_by, id)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10, coalesce($11::uuid, gen_random_uuid())
     where (select count(*) from locators where organization_id = $1 and revoked_at is null) < ${MAX_LOCATORS}
     returning id`,
    [randomCode(), ...valuesOf(set), actor, fields.id],
  );
  if (!row) {
    throw conflict(`An organization can have ${MAX_LOCATORS} locators. Revoke one first.`);
  }
  const locator = await findLocator(tx, row.id);
  recordChange(tx, actor, 'locator_created', `Created the locator ${locator.title}.`, {
    after: factsOf(locator),
  });
  return locator;
}

/**
 * Changes the given fields of an active locator.
 * @throws ServiceError as `createLocator`; 404 for an unknown locator; 409 for a revoked one
 */
export async function changeLocator(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
  fields: LocatorFields,
): Promise<Locator> {
  const before = await findLocator(tx, ref);
  if (before.status === 'revoked')
    throw conflict('A revoked locator can’t be changed. Create another one.');
  const { title, words, accent, candidateEmail, vertical, group, brands, allBrands } = before;
  const kept: LocatorFields = {
    accent,
    candidateEmail,
    vertical,
    ...(fields.group === undefined &&
      fields.brands === undefined && {
        group: group?.id,
        brands: group || allBrands ? null : brands.map(({ id }) => id),
      }),
  };
  const set = await checkedFields(tx, {
    ...kept,
    ...given(fields),
    title: fields.title ?? title,
    words: mergedWords(words, fields.words),
  });
  tx.defer(
    `update locators set title = $3, group_id = $4, brand_ids = $5, words = $6, accent = $7, candidate_email = $8,
       vertical = $9, changed_by = $10, changed_at = statement_timestamp()
     where organization_id = $1 and id = $2`,
    [before.id, ...valuesOf(set), actor],
  );
  const locator = await findLocator(tx, before.id);
  recordChange(tx, actor, 'locator_changed', `Changed the locator ${locator.title}.`, {
    before: factsOf(before),
    after: factsOf(locator),
  });
  return locator;
}

/** Words that aren't given stay; empty ones become ours. */
const mergedWords = (
  before: OwnWords,
  given: LocatorFields['words'] = {},
): LocatorFields['words'] =>
  Object.fromEntries(
    LANGUAGES.map((language) => [language, { ...before[language], ...given[language] }]),
  );

const given = (fields: LocatorFields): LocatorFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Closes a locator for everyone, permanently. A revoked one stays as it is. @throws ServiceError 404 */
export async function revokeLocator(
  tx: TenantTransaction,
  actor: Actor,
  ref: string,
): Promise<Locator> {
  const before = await findLocator(tx, ref);
  if (before.status === 'revoked') return before;
  tx.defer('update locators set revoked_at = now() where organization_id = $1 and id = $2', [
    before.id,
  ]);
  recordChange(tx, actor, 'locator_revoked', `Revoked the locator ${before.title}.`, {
    before: factsOf(before),
  });
  return findLocator(tx, before.id);
}

interface CheckedLocator {
  title: string;
  groupId: string | null;
  brandIds: string[] | null;
  words: OwnWords;
  accent: string | null;
  candidateEmail: string | null;
  vertical: string | null;
}

/** @throws ServiceError 400, 404 */
async function checkedFields(
  tenant: Tenant,
  fields: LocatorFields & { title: string },
): Promise<CheckedLocator> {
  const { title, group, brands, words, accent, candidateEmail, vertical } = fields;
  if (group && brands) throw badRequest('Choose either a group or brands, not both.');
  return {
    title: checkedName('A locator', title),
    words: checkedWords(words ?? {}),
    accent: checkedAccent(accent ?? null),
    candidateEmail: candidateEmail?.trim() ? checkedEmail(candidateEmail) : null,
    vertical: vertical ? verticalBySlug(vertical).slug : null,
    groupId: group ? (await findGroup(tenant, 'all', group)).id : null,
    brandIds: brands ? (await findBrands(tenant, brands)).map(({ id }) => id) : null,
  };
}

const valuesOf = ({
  title,
  groupId,
  brandIds,
  words,
  accent,
  candidateEmail,
  vertical,
}: CheckedLocator) => [title, groupId, brandIds, words, accent, candidateEmail, vertical];

const factsOf = ({
  code,
  title,
  group,
  allBrands,
  brands,
  words,
  accent,
  candidateEmail,
  vertical,
}: Locator) => ({
  code,
  title,
  brands: allBrands ? 'all' : (group?.name ?? brands.map(({ name }) => name)),
  words,
  accent,
  candidateEmail,
  vertical,
});

export const NO_SUCH_LOCATOR =
  'There is no locator at this address: it is unknown or revoked. Use the address of another one, or contact the company.';

export interface OpenLocator {
  /** The organization; never public */
  organizationId: string;
  /** Its name, for people who ask about a franchise */
  organization: string;
  locator: Pick<
    Locator,
    'id' | 'code' | 'title' | 'words' | 'accent' | 'candidateEmail' | 'vertical' | 'brands'
  >;
}

/**
 * Opens a locator for the public. Unknown, malformed, and revoked ones take the same query and give the same error.
 * @param token token or short code
 * @throws ServiceError 404, the same for every cause
 */
export async function openLocator(db: Database, token: string): Promise<OpenLocator> {
  const { id, code } = parseToken(token);
  // Searches all organizations: the token is the credential. Both columns are unique and indexed.
  const [row] = await db.query<{ organizationId: string; organization: string; id: string }>(
    `select l.organization_id as "organizationId", o.name as organization, l.id
     from locators l join organizations o on o.id = l.organization_id
     where (l.id = $1 or l.code = $2) and l.revoked_at is null`,
    [id, code],
  );
  if (!row) throw notFound(NO_SUCH_LOCATOR);
  const { organizationId, organization } = row;
  const locator = await findLocator(tenantOf(db, organizationId), row.id);
  return { organizationId, organization, locator };
}
