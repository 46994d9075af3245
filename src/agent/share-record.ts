/** A share link as tools tell of it. */
import { z } from 'zod';
import { dayOf, SHARE_KINDS, SHARE_STATUSES, type ShareLink } from '../share/links.ts';

const moment = z.string();

export const ShareRecord = z.object({
  token: z.string(),
  code: z.string().meta({ description: 'Short form of the token' }),
  kind: z.enum(SHARE_KINDS),
  status: z.enum(SHARE_STATUSES),
  brand: z.string(),
  title: z.string().nullable(),
  vertical: z.string().nullable(),
  hideBranding: z.boolean(),
  createdBy: z.string(),
  createdAt: moment,
  expiresAt: moment,
  revokedAt: moment.nullable(),
  mapImageUrl: z.string().meta({ description: 'PNG; works while active' }),
});

export type ShareRecord = z.output<typeof ShareRecord>;

export function recordOf(link: ShareLink, apiRoot: string): ShareRecord {
  return {
    token: link.id,
    code: link.code,
    kind: link.kind,
    status: link.status,
    brand: link.brand.slug,
    title: link.title,
    vertical: link.vertical,
    hideBranding: link.hideBranding,
    createdBy: link.createdBy.name,
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    revokedAt: link.revokedAt?.toISOString() ?? null,
    mapImageUrl: `${shareUrl(link, apiRoot)}/map.png`,
  };
}

export const shareUrl = ({ code }: Pick<ShareLink, 'code'>, apiRoot: string) =>
  `${apiRoot}/shared/${code}`;

/** `4f7k2m9x0q of lone-star-roofing, live map "Where we roof", until 2026-12-21` */
export function describeShare({ code, brand, kind, title, ...share }: ShareLink): string {
  const what = kind === 'brand' ? 'live map' : `snapshot of ${dayOf(share.frozenAt!)}`;
  const ends = {
    active: `until ${dayOf(share.expiresAt)}`,
    expired: `expired on ${dayOf(share.expiresAt)}`,
    revoked: `revoked on ${dayOf(share.revokedAt ?? share.expiresAt)}`,
  };
  const named = title === null ? '' : ` "${title}"`;
  return `${code} of ${brand.slug}, ${what}${named}, ${ends[share.status]}`;
}
