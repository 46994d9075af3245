/** Share links in the answers of tools. */
import { z } from 'zod';
import {
  dayOf,
  SHARE_KINDS,
  SHARE_STATUSES,
  type ShareLink,
} from '../../../territories/share/links.ts';
import { sharePagePath, shareCheckPath } from '../../../territories/share/token.ts';
import type { ToolContext } from '../tool.ts';
import { escapeHtml } from '../../../base/text/escape-html.ts';

const moment = z.string();

export const ShareRecord = z.object({
  token: z.string(),
  code: z.string().meta({ description: 'Short form of the token' }),
  kind: z.enum(SHARE_KINDS),
  status: z.enum(SHARE_STATUSES),
  brand: z.string(),
  brandName: z.string(),
  title: z.string().nullable(),
  vertical: z.string().nullable(),
  hideBranding: z.boolean(),
  createdBy: z.string(),
  createdAt: moment,
  expiresAt: moment,
  revokedAt: moment.nullable(),
  shareUrl: z.string().meta({ description: 'Page to send to people' }),
  mapImageUrl: z.string().meta({ description: 'PNG; works while active' }),
});

export type ShareRecord = z.output<typeof ShareRecord>;

type Roots = Pick<ToolContext, 'apiRoot' | 'siteRoot'>;

export function recordOf(link: ShareLink, { apiRoot, siteRoot }: Roots): ShareRecord {
  return {
    token: link.id,
    code: link.code,
    kind: link.kind,
    status: link.status,
    brand: link.brand.slug,
    brandName: link.brand.name,
    title: link.title,
    vertical: link.vertical,
    hideBranding: link.hideBranding,
    createdBy: link.createdBy.name,
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    revokedAt: link.revokedAt?.toISOString() ?? null,
    shareUrl: siteRoot + sharePagePath(link.code),
    mapImageUrl: `${partsUrl(link, apiRoot)}/map.png`,
  };
}

/** Returns the base URL of the map, boundaries, and tiles of a share link. */
export const partsUrl = ({ code }: Pick<ShareLink, 'code'>, apiRoot: string) =>
  `${apiRoot}/shared/${code}`;

/** Returns HTML that embeds the map in a page. The frame has a title for screen readers. */
export function embedCode({ shareUrl, title }: ShareRecord): string {
  const label = escapeHtml(title ?? 'Territory by ZIP code');
  return (
    `<iframe src="${shareUrl}?embed=1" title="${label}" width="100%" height="480" ` +
    'style="border:0" loading="lazy"></iframe>'
  );
}

/** Returns HTML for the brand's own page that asks customers for their ZIP code. */
export function checkCode({ code, shareUrl, hideBranding, brandName }: ShareRecord): string {
  const address = shareUrl.replace(sharePagePath(code), shareCheckPath(code));
  const label = escapeHtml(checkQuestion(hideBranding ? null : brandName));
  return (
    `<iframe src="${address}" title="${label}" width="100%" height="640" ` +
    'style="border:0;max-width:42rem" loading="lazy"></iframe>'
  );
}

/** @param brandName null if branding is hidden */
export const checkQuestion = (brandName: string | null) =>
  brandName === null
    ? 'Is your ZIP code in our service area?'
    : `Does ${brandName} serve your ZIP code?`;

/** Example: `4f7k2m9x0q of Lone Star Roofing, live map "Where we roof", until 2026-12-21` */
export function describeShare({ code, brand, kind, title, ...share }: ShareLink): string {
  const what = kind === 'brand' ? 'live map' : `snapshot of ${dayOf(share.frozenAt!)}`;
  const ends = {
    active: `until ${dayOf(share.expiresAt)}`,
    expired: `expired on ${dayOf(share.expiresAt)}`,
    revoked: `revoked on ${dayOf(share.revokedAt ?? share.expiresAt)}`,
  };
  const named = title === null ? '' : ` "${title}"`;
  return `${code} of ${brand.name}, ${what}${named}, ${ends[share.status]}`;
}
