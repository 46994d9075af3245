/** A share link, and how it reads. */
import { z } from 'zod';

export const ShareLink = z.object({
  code: z.string(),
  kind: z.string(),
  status: z.string(),
  brand: z.string(),
  title: z.string().nullable(),
  expiresAt: z.string(),
  shareUrl: z.string(),
  mapImageUrl: z.string(),
});

/** `lone-star-roofing: brand “Where we roof”, active until 2026-12-21` */
export function shareText({ brand, kind, title, status, expiresAt }: z.output<typeof ShareLink>) {
  const titled = title === null ? '' : ` “${title}”`;
  const until = status === 'active' ? ` until ${expiresAt.slice(0, 10)}` : '';
  return `${brand}: ${kind}${titled}, ${status}${until}`;
}
