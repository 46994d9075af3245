import type { ShareRecord } from '../../agent/share-record.ts';

/** Example: `Lone Star Roofing: brand “Where we roof”, active until 2026-12-21` */
export function formatShareLink({
  brandName,
  kind,
  title,
  status,
  expiresAt,
}: ShareRecord): string {
  const titled = title === null ? '' : ` “${title}”`;
  const until = status === 'active' ? ` until ${expiresAt.slice(0, 10)}` : '';
  return `${brandName}: ${kind}${titled}, ${status}${until}`;
}
