/**
 * The picture of a shared map. It colors ZIP codes by status, never by score: scores outside launched
 * metros aren't public, neither as numbers nor as colors.
 */
import type { Queryable } from '../db/database.ts';
import { drawZipMap, type PictureOptions } from '../cartography/zip-map.ts';
import type { Renderer } from '../render/renderer.ts';
import { VERTICALS } from '../scoring/verticals.ts';
import { COUNTRY } from '../spatial/bbox.ts';
import type { SharedZip } from '../spatial/shared-zip.ts';
import type { OpenShare, ShareMeta } from './open-share.ts';

/** Returns a picture in the format of the look. Default: PNG */
export async function drawShare(
  db: Queryable,
  renderer: Pick<Renderer, 'render'>,
  { meta, brand }: Pick<OpenShare, 'meta' | 'brand'>,
  zips: readonly SharedZip[],
  look: PictureOptions,
): Promise<Uint8Array> {
  const statuses = new Map(zips.map(({ zip, status }) => [zip, status]));
  const { picture } = await drawZipMap(db, renderer, {
    ...look,
    zips: [...statuses.keys()],
    coloring: { by: 'status', statuses },
    heading: shareHeading(meta),
    brand,
    fallbackBbox: COUNTRY,
  });
  return picture;
}

export interface ShareHeading {
  title: string;
  /** Null: the number of ZIP codes and their states */
  subtitle: string | null;
}

/** Returns the title and, as the subtitle, the brand, the vertical, and a snapshot's date. */
export function shareHeading({ title, brandName, vertical, frozenAt }: ShareMeta): ShareHeading {
  const details = [
    title === null ? null : brandName,
    VERTICALS.find(({ slug }) => slug === vertical)?.label ?? null,
    frozenAt && `as of ${DAY.format(frozenAt)}`,
  ].filter((part) => part !== null);
  return {
    title: title ?? brandName ?? 'Territory by ZIP code',
    subtitle: details.join(' · ') || null,
  };
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
