/**
 * The picture of a share, to be embedded in pages. Its ZIPs are coloured by status alone: scores of
 * ZIPs outside the launched metros are no public data, neither as numbers nor as colours.
 */
import type { Database } from '../db/database.ts';
import { drawZipMap, type PictureOptions } from '../cartography/zip-map.ts';
import type { Renderer } from '../render/renderer.ts';
import { VERTICALS } from '../scoring/verticals.ts';
import { COUNTRY } from '../spatial/bbox.ts';
import type { SharedZip } from '../spatial/shared-zip.ts';
import type { ShareMeta } from './open-share.ts';

export type ShareLook = Pick<PictureOptions, 'style' | 'width' | 'height' | 'pixelRatio'>;

/** @returns PNG */
export async function drawShare(
  db: Database,
  renderer: Pick<Renderer, 'render'>,
  heading: ShareHeading,
  zips: readonly SharedZip[],
  look: ShareLook,
): Promise<Uint8Array> {
  const statuses = new Map(zips.map(({ zip, status }) => [zip, status]));
  const { picture } = await drawZipMap(db, renderer, {
    ...look,
    zips: [...statuses.keys()],
    coloring: { by: 'status', statuses },
    heading,
    otherwise: COUNTRY,
  });
  return picture;
}

export interface ShareHeading {
  title: string;
  /** Null: how many ZIPs there are, and where */
  subtitle: string | null;
}

/** What a picture says of its share. */
export function headingOf({ title, brandName, vertical, frozenAt }: ShareMeta): ShareHeading {
  const told = [
    title === null ? null : brandName,
    VERTICALS.find(({ slug }) => slug === vertical)?.label ?? null,
    frozenAt && `as of ${DAY.format(frozenAt)}`,
  ].filter((part) => part !== null);
  return {
    title: title ?? brandName ?? 'Territory by ZIP code',
    subtitle: told.join(' · ') || null,
  };
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
