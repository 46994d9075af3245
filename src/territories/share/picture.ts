/**
 * The picture of a shared map. It colors ZIP codes by status, never by score. Scores outside launched
 * metros aren't public, neither as numbers nor as colors.
 */
import type { Queryable } from '../../base/db/database.ts';
import type { PictureOptions } from '../../maps/cartography/picture-options.ts';
import type { Pin } from '../../maps/cartography/place-pins.ts';
import type { MapRenderer } from '../../maps/cartography/map-renderer.ts';
import type { ZipMap } from '../../maps/cartography/zip-map.ts';
import { VERTICALS } from '../../data/scoring/verticals.ts';
import { COUNTRY } from '../../base/spatial/bbox.ts';
import type { SharedZip } from './shared-zip.ts';
import type { OpenShare } from './open-share.ts';

/** Draws a picture in the format of the look. Default: PNG */
export async function drawShare(
  db: Queryable,
  renderer: MapRenderer,
  share: Pick<OpenShare, 'meta' | 'brand' | 'places'>,
  zips: readonly SharedZip[],
  look: PictureOptions,
): Promise<ZipMap> {
  const statuses = new Map(zips.map(({ zip, status }) => [zip, status]));
  return renderer.drawMap(db, {
    pins: pinsOfPlaces(share.places),
    ...look,
    zips: [...statuses.keys()],
    coloring: { by: 'status', statuses },
    heading: shareHeading(share),
    brand: share.brand,
    fallbackBbox: COUNTRY,
  });
}

/** Drawing threads need no more. */
const pinsOfPlaces = (places: readonly Pin[]): Pin[] =>
  places.map(({ kind, name, lngLat }) => ({ kind, name, lngLat }));

interface ShareHeading {
  title: string;
  /** Null for the number of ZIP codes and their states */
  subtitle: string | null;
}

/**
 * Returns the title of a shared map. The subtitle consists of the brand's own title or name, the vertical,
 * and the date of a snapshot.
 */
export function shareHeading({ meta, brand }: Pick<OpenShare, 'meta' | 'brand'>): ShareHeading {
  const { brandName, vertical, frozenAt } = meta;
  const title = meta.title ?? brand.title ?? brandName ?? 'Territory by ZIP code';
  const details = [
    brand.subtitle ?? (brandName === title ? null : brandName),
    VERTICALS.find(({ slug }) => slug === vertical)?.label ?? null,
    frozenAt && `as of ${DAY.format(frozenAt)}`,
  ].filter((part) => part !== null);
  return { title, subtitle: details.join(' · ') || null };
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });
