/**
 * Opens share links for the public. Unknown, malformed, revoked, and expired links take the same query and
 * return the same error, so the response doesn’t reveal which links exist.
 */
import { tenantOf } from '../../people/account/tenant.ts';
import type { Database } from '../../base/db/database.ts';
import { notFound } from '../../errors.ts';
import type { SharedZip } from './shared-zip.ts';
import { heldZipStatuses } from '../brands/brand-zips.ts';
import type { Branding } from '../brands/branding.ts';
import type { ShareKind } from './links.ts';
import { publicPlacesOf, type PublicPlace } from '../places/pins.ts';
import { parseToken } from './token.ts';

export interface OpenShare {
  /** The brand that holds the ZIP codes; never public */
  readonly owner: { organizationId: string; brandId: string };
  meta: ShareMeta;
  /** The look of its pictures and its page; null values if branding is hidden */
  brand: Branding;
  /** Places on the map; empty unless the link shows them */
  places: readonly PublicPlace[];
}

/** Public facts about a share link. */
interface ShareMeta {
  token: string;
  kind: ShareKind;
  /** Null if branding is hidden */
  brandName: string | null;
  /** The person who minted it; null if branding is hidden or a key or operator minted it */
  createdByName: string | null;
  hideBranding: boolean;
  expiresAt: Date;
  createdAt: Date;
  title: string | null;
  /** Slug */
  vertical: string | null;
  /** When a snapshot was taken; null for a live map */
  frozenAt: Date | null;
}

/** @param token token or short code. @throws ServiceError 404, the same for every cause */
export async function openShare(db: Database, token: string): Promise<OpenShare> {
  const { id, code } = parseToken(token);
  // Searches all organizations: the token is the credential. Both columns are unique and indexed.
  const [row] = await db.query<ShareMeta & OpenShare['owner'] & Look & { showsPlaces: boolean }>(
    `select s.organization_id as "organizationId", s.shows_places as "showsPlaces", s.brand_id as "brandId",
       s.id as token, s.kind, s.title, s.vertical, s.hide_branding as "hideBranding",
       s.created_at as "createdAt", s.expires_at as "expiresAt", s.frozen_at as "frozenAt",
       case when not s.hide_branding then b.name end as "brandName",
       case when not s.hide_branding and s.created_by ->> 'kind' = 'person'
         then s.created_by ->> 'name' end as "createdByName",
       l.title as "lookTitle", l.subtitle as "lookSubtitle", l.accent, l.logo
     from share_links s join brands b on b.id = s.brand_id
     left join brand_looks l on l.brand_id = s.brand_id and not s.hide_branding
     where (s.id = $1 or s.code = $2) and s.revoked_at is null and s.expires_at > now()`,
    [id, code],
  );
  if (!row) throw notFound(NO_SUCH_SHARE);
  const { organizationId, brandId, lookTitle, lookSubtitle, accent, logo, showsPlaces, ...meta } =
    row;
  const brand = { title: lookTitle, subtitle: lookSubtitle, accent, logo };
  const places = showsPlaces ? await publicPlacesOf(tenantOf(db, organizationId), brandId) : [];
  return { owner: { organizationId, brandId }, meta, brand, places };
}

type Look = Pick<Branding, 'accent' | 'logo'> & {
  lookTitle: string | null;
  lookSubtitle: string | null;
};

export const NO_SUCH_SHARE =
  'There is no shared map at this link: it is unknown, expired, or revoked. Ask the sender for a new link.';

/** Returns the ZIP codes that a shared map currently shows, in order. */
export async function zipsOfShare(
  db: Database,
  { owner: { organizationId, brandId }, meta: { token, kind } }: OpenShare,
): Promise<SharedZip[]> {
  const tenant = tenantOf(db, organizationId);
  if (kind === 'brand') {
    const held = await heldZipStatuses(tenant, { id: brandId });
    return Array.from(held, ([zip, status]) => ({ zip, status }));
  }
  return tenant.query<SharedZip>(
    `select zip, state as status from share_link_zips
     where organization_id = $1 and share_id = $2 order by zip`,
    [token],
  );
}
