/** The share links of an organization: mint, list, find, and revoke. */
import { z } from 'zod';
import type { Actor, BrandScope } from '../../people/account/caller.ts';
import type { Tenant, TenantTransaction } from '../../people/account/tenant.ts';
import { notFound, ServiceError } from '../../errors.ts';
import { eventBrand } from '../../people/events/catalog.ts';
import { recordEvent } from '../../people/events/events.ts';
import {
  readablePageOf,
  rowsToRead,
  startAfter,
  type Page,
  type PageRequest,
} from '../../base/contract/paging.ts';
import { recordActivity } from '../../people/account/activity.ts';
import { brandIdsInScope, isInScope, type Brand } from '../brands/brands.ts';
import { heldZipStatuses } from '../brands/brand-zips.ts';
import { BRAND_JSON } from '../brands/named-brands.ts';
import { parseToken, randomCode } from './token.ts';

/**
 * `brand` shows the current territory; `zip_snapshot` shows the territory at the time when the link was
 * created.
 */
export const SHARE_KINDS = ['brand', 'zip_snapshot'] as const;
export type ShareKind = (typeof SHARE_KINDS)[number];

export const SHARE_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ShareStatus = (typeof SHARE_STATUSES)[number];

/** Days until a link expires */
export const SHARE_DAYS = { min: 1, max: 365, default: 30 } as const;

export interface ShareLink {
  /** The token, a UUID */
  id: string;
  /** Short code, accepted instead of the token */
  code: string;
  kind: ShareKind;
  status: ShareStatus;
  brand: Brand;
  title: string | null;
  /** Slug, shown as the purpose of the territory */
  vertical: string | null;
  hideBranding: boolean;
  /** Whether it shows the places of the brand */
  showsPlaces: boolean;
  createdBy: Actor;
  createdAt: Date;
  expiresAt: Date;
  /** When a snapshot was taken; null for a live map */
  frozenAt: Date | null;
  revokedAt: Date | null;
}

/**
 * Columns of a `ShareLink`, from `share_links` s and `brands` b. A revoked link stays "revoked" after it
 * expires.
 */
const COLUMNS = `s.id, s.code, s.kind, s.title, s.vertical, s.hide_branding as "hideBranding",
  s.shows_places as "showsPlaces",
  s.created_by as "createdBy", s.created_at as "createdAt", s.expires_at as "expiresAt",
  s.frozen_at as "frozenAt", s.revoked_at as "revokedAt",
  ${BRAND_JSON} as brand,
  case when s.revoked_at is not null then 'revoked'
       when s.expires_at <= now() then 'expired' else 'active' end as status`;

export interface NewShare {
  kind: ShareKind;
  /** Default: the brand's name */
  title?: string | undefined;
  /** Slug, shown as the purpose of the territory; a shared map never shows scores */
  vertical?: string | undefined;
  /** Days until the link expires: see `SHARE_DAYS` */
  days: number;
  hideBranding: boolean;
  /** Whether to show the places of the brand, never those of competitors. Default: false */
  showsPlaces?: boolean | undefined;
  /** Default: a new UUID. Only the documentation's example sets it. */
  id?: string | undefined;
}

/** Two codes collide once in 10^15 attempts. Ten collisions in a row have another cause. */
const CODE_TRIES = 10;

/**
 * Creates a share link, stores the ZIP codes of a snapshot, and records the activity.
 * @param tx must be in a transaction
 * @returns the link and the number of ZIP codes that the brand holds
 * @throws ServiceError 409 for a snapshot of a brand that holds no ZIP codes
 */
export async function mintShare(
  tx: TenantTransaction,
  actor: Actor,
  brand: Brand,
  share: NewShare,
  newCode: () => string = randomCode,
): Promise<{ link: ShareLink; zips: number }> {
  const held = await heldZipStatuses(tx, brand);
  if (share.kind === 'zip_snapshot' && held.size === 0) throw emptySnapshot(brand);
  const link = await insertLink(tx, actor, brand, share, newCode);
  if (share.kind === 'zip_snapshot') storeSnapshot(tx, link.id, held);
  recordActivity(tx, {
    actor,
    action: 'share_minted',
    brandId: brand.id,
    summary: `Shared a ${KIND_NAMES[share.kind]} of ${brand.name} until ${dayOf(link.expiresAt)} as ${link.code}.`,
    zips: share.kind === 'zip_snapshot' ? [...held.keys()] : [],
    before: {},
    after: activityFields(link),
  });
  recordShareEvent(tx, 'share.created', actor, link);
  return { link, zips: held.size };
}

const KIND_NAMES: Record<ShareKind, string> = { brand: 'live map', zip_snapshot: 'snapshot' };

export const emptySnapshot = ({ name }: Brand) =>
  new ServiceError(
    409,
    'conflict',
    `${name} holds no ZIP codes to take a snapshot of. Use the kind "brand" for a link that shows ZIP codes as they are added.`,
  );

async function insertLink(
  tx: Tenant,
  actor: Actor,
  brand: Brand,
  { kind, title, vertical, days, hideBranding, showsPlaces = false, id }: NewShare,
  newCode: () => string,
): Promise<ShareLink> {
  for (let attempt = 0; attempt < CODE_TRIES; attempt++) {
    const [link] = await tx.query<ShareLink>(
      `with s as (
         insert into share_links (organization_id, brand_id, code, kind, title, vertical,
           hide_branding, created_by, expires_at, frozen_at, id, shows_places)
         values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(hours => 24 * $9::int),
           case when $4 = 'zip_snapshot' then now() end, coalesce($10::uuid, gen_random_uuid()), $11)
         on conflict (code) do nothing returning *
       )
       select ${COLUMNS} from s join brands b on b.id = s.brand_id`,
      [brand.id, newCode(), kind, title, vertical, hideBranding, actor, days, id, showsPlaces],
    );
    if (link) return link;
  }
  throw new Error(`${CODE_TRIES} random short codes in a row are taken`);
}

function storeSnapshot(tx: TenantTransaction, id: string, held: ReadonlyMap<string, string>): void {
  tx.defer(
    `insert into share_link_zips (organization_id, share_id, zip, state)
     select $1, $2, zip, state from unnest($3::text[], $4::text[]) held (zip, state)`,
    [id, [...held.keys()], [...held.values()]],
  );
}

/**
 * Says what links cost, on the page of links and where plans are shared.
 * @param units price of a link to a plan, and of any link through the API and tools
 */
export const linkCosts = (units: number): string =>
  `A link to a brand’s map costs nothing here, and a link to a plan ${units} units. Through the API and tools, each link costs ${units} units.`;

/** Lists the links of the brands in scope, newest first. */
export async function listShares(
  tenant: Tenant,
  scope: BrandScope,
  filter: { brandId?: string | undefined; status?: ShareStatus | undefined } = {},
  page: PageRequest = {},
): Promise<Page<ShareLink>> {
  const before = startAfter(page, z.tuple([z.uuid()]));
  const rows = await tenant.query<ShareLink>(
    `select * from (
       select ${COLUMNS}
       from share_links s join brands b on b.id = s.brand_id
       where s.organization_id = $1
         and ($2::uuid[] is null or s.brand_id = any($2))
         and ($3::uuid is null or s.brand_id = $3)
         and ($4::uuid is null or (s.created_at, s.id) <
           (select created_at, id from share_links where organization_id = $1 and id = $4))
     ) links
     where $5::text is null or status = $5
     order by "createdAt" desc, id desc limit $6`,
    [brandIdsInScope(scope), filter.brandId, before?.[0], filter.status, rowsToRead(page)],
  );
  return readablePageOf(rows, page, ({ id }) => [id]);
}

/**
 * Revokes a link permanently and records the activity. Doesn't change a link that is expired or already
 * revoked.
 * @param tx must be in a transaction
 * @param ref token or short code
 * @throws ServiceError 404 if the organization has no such link, 403 brand_out_of_scope
 */
export async function revokeShare(
  tx: TenantTransaction,
  scope: BrandScope,
  actor: Actor,
  ref: string,
): Promise<{ link: ShareLink; changed: boolean }> {
  const before = await findShare(tx, scope, ref, 'for update of s');
  if (before.status !== 'active') return { link: before, changed: false };
  tx.defer(`update share_links set revoked_at = now() where organization_id = $1 and id = $2`, [
    before.id,
  ]);
  const link = (await selectLink(tx, before.id))!;
  recordActivity(tx, {
    actor,
    action: 'share_revoked',
    brandId: link.brand.id,
    summary: `Revoked the share link ${link.code} of ${link.brand.name}.`,
    zips: [],
    before: activityFields(before),
    after: activityFields(link),
  });
  recordShareEvent(tx, 'share.revoked', actor, link);
  return { link, changed: true };
}

function recordShareEvent(
  tx: TenantTransaction,
  type: 'share.created' | 'share.revoked',
  actor: Actor,
  { code, kind, brand, title, expiresAt }: ShareLink,
): void {
  recordEvent(tx, {
    type,
    actor,
    brandId: brand.id,
    data: {
      code,
      kind,
      brand: eventBrand(brand),
      plan: null,
      title,
      expiresAt: expiresAt.toISOString(),
    },
  });
}

/**
 * @param ref token or short code
 * @throws ServiceError 404 if the organization has no such link, 403 brand_out_of_scope
 */
export async function findShare(
  tenant: Tenant,
  scope: BrandScope,
  ref: string,
  lock: 'for update of s' | '' = '',
): Promise<ShareLink> {
  // A link of another brand is refused by name of the reason, as the contract says, and not read further.
  const link = await selectLink(tenant.acrossBrands, ref, lock);
  if (!link) {
    throw notFound(
      `The organization has no share link "${ref}". Use the address, token, or short code of one in the list of share links.`,
    );
  }
  if (isInScope(scope, link.brand.id)) return link;
  throw new ServiceError(
    403,
    'brand_out_of_scope',
    `The share link "${ref}" belongs to a brand outside the brand scope of this key or person. Use a key with a wider scope.`,
  );
}

async function selectLink(tenant: Tenant, ref: string, lock = ''): Promise<ShareLink | undefined> {
  const { id, code } = parseToken(ref);
  const [link] = await tenant.query<ShareLink>(
    `select ${COLUMNS} from share_links s join brands b on b.id = s.brand_id
     where s.organization_id = $1 and (s.id = $2 or s.code = $3) ${lock}`,
    [id, code],
  );
  return link;
}

const activityFields = ({ id, code, kind, status, expiresAt, title, hideBranding }: ShareLink) => ({
  token: id,
  code,
  kind,
  status,
  expiresAt,
  title,
  hideBranding,
});

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
