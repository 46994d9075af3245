/** The maps of an exhibit, at 300 dpi. */
import type { Queryable } from '../../../base/db/database.ts';
import type { ZipMap } from '../../../maps/cartography/zip-map.ts';
import type { MapRenderer } from '../../../maps/cartography/map-renderer.ts';
import type { Pin } from '../../../maps/cartography/place-pins.ts';
import { COUNTRY, type Bbox } from '../../../base/spatial/bbox.ts';
import { fitBbox, type Camera } from '../../../base/spatial/camera.ts';
import { mercatorX, mercatorY } from '../../../base/spatial/mercator.ts';
import { joinFirst, pluralize } from '../../../base/text/words.ts';
import type { ExhibitMap } from './content.ts';
import { AREA_TITLE, FRONT, LANDSCAPE_FROM, mapSize, type PageSize } from './pages.ts';

/** CSS pixels per inch. Three pixels for each make 300 dpi. */
const CSS_DPI = 100;
const PIXEL_RATIO = 3;
const PADDING_PX = 24;

interface MapSubject {
  brand: string;
  /** Live and pending ZIP codes, in order */
  statuses: ReadonlyMap<string, 'live' | 'pending'>;
  page: PageSize;
  pins: readonly Pin[];
}

export interface ExhibitMaps {
  maps: ExhibitMap[];
  /** ZIP codes without a boundary */
  missing: string[];
  /** Number of ZIP codes on the first map without a label or a number */
  unlabeled: number;
}

/** Draws the whole territory. If that takes several panels, also draws each area on its own page. */
export async function drawExhibitMaps(
  db: Queryable,
  renderer: Pick<MapRenderer, 'drawMap'>,
  subject: MapSubject,
): Promise<ExhibitMaps> {
  const { brand, statuses, page, pins } = subject;
  const draw = (above: number, options: { camera?: Camera } = {}) =>
    renderer.drawMap(db, {
      ...pixels(mapSize(page, above)),
      pixelRatio: PIXEL_RATIO,
      style: 'light',
      title: '',
      heading: { title: brand, subtitle: null },
      zips: [...statuses.keys()],
      coloring: { by: 'status', statuses },
      pins,
      // The exhibit lists the ZIP codes even if none has a boundary.
      fallbackBbox: COUNTRY,
      ...options,
    });
  const whole = await draw(FRONT);
  const maps: ExhibitMap[] = [
    { title: null, alt: altText(subject, whole), picture: whole.picture },
  ];
  if (whole.panels.length > 1) {
    const { width, height } = pixels(mapSize(page, AREA_TITLE));
    const areas = whole.panels.map(async ({ caption, bbox, zips }): Promise<ExhibitMap> => {
      const camera = fitBbox(bbox, width, height, PADDING_PX);
      const { picture } = await draw(AREA_TITLE, { camera });
      const title = `${caption}: ${pluralize(zips, 'ZIP code')}`;
      return { title, alt: `Map of ${title}`, picture };
    });
    maps.push(...(await Promise.all(areas)));
  }
  return { maps, missing: whole.missing, unlabeled: whole.unlabeled.length };
}

const pixels = ({ width, height }: PageSize) => ({
  width: Math.round((width / 72) * CSS_DPI),
  height: Math.round((height / 72) * CSS_DPI),
});

function altText({ brand, statuses }: MapSubject, { panels, zips }: ZipMap): string {
  const areas = panels.flatMap(({ caption }) => caption ?? []);
  const where = areas.length > 0 ? ` in ${areas.length} areas: ${areas.join('; ')}` : '';
  return `Map of the territory of ${brand}: ${pluralize(zips, 'ZIP code')}${where}. ${joinFirst([...statuses.keys()])}.`;
}

/** Returns whether a map of the extent needs a wide page. */
export function isWide([west, south, east, north]: Bbox): boolean {
  const width = mercatorX(east) - mercatorX(west);
  const height = mercatorY(south) - mercatorY(north);
  return width > LANDSCAPE_FROM * height;
}
