/** The map of a ZIP code and its surroundings. */
import type { ZipDetails } from '../../market/public/zip-details.ts';
import { verticalBySlug } from '../../scoring/verticals.ts';
import type { Bbox } from '../../spatial/bbox.ts';
import { formatView } from '../explore/browser/view-address.ts';
import { html, type Html } from '../html.ts';
import { explorePath, type Links } from '../links.ts';
import { pictureFigure, type PictureSize } from '../map-figure.ts';
import { liveMap } from '../score-map-frame.ts';

/** The map of a ZIP code without a score is colored by this vertical. */
export const FIRST_VERTICAL = verticalBySlug('roofing');

/** Surroundings that the map shows, as a part of the ZIP code's extent */
const MARGIN = 0.6;

export function mapOf({ profile, bbox, center, verticals }: ZipDetails, links: Links): Html {
  const { zipCode, metroSlug } = profile;
  if (!bbox || !center) {
    return html`<p class="quiet">
      ${zipCode} has figures but no imported boundary, so maps can’t show it.
    </p>`;
  }
  const { slug: verticalSlug, label: verticalLabel } = verticals[0] ?? FIRST_VERTICAL;
  const around = widen(bbox);
  const view = around.map((degrees) => degrees.toFixed(4));
  const query = new URLSearchParams({
    title: '',
    markers: `${center.lng.toFixed(5)},${center.lat.toFixed(5)}`,
  });
  const address = ({ size, style = 'light', ratio = 1 }: PictureSize) =>
    links.api(
      `/static/${style}/metro:${metroSlug}:${verticalSlug}/${view.join()}/` +
        `${size}${ratio === 1 ? '' : `@${ratio}x`}.png?${query}`,
    );
  const alt = `Map of ${zipCode} and the ZIP codes around it, colored by their ${verticalLabel} score in five classes.`;
  const camera = { zoom: zoomTo(around), ...center };
  return liveMap(
    {
      ...{ verticalSlug, verticalLabel, zip: zipCode, bbox: around },
      picture: pictureFigure({ alt, first: true }, address),
      caption: html`${zipCode} and its surroundings by their ${verticalLabel} score.
        <a href="${links.page(explorePath(verticalSlug))}${formatView({ camera, zip: zipCode })}"
          >Explore the map</a
        >.`,
    },
    links,
  );
}

/** Width of a tile, and about the shorter side of the map at `/explore` on a laptop */
const [TILE_PX, MAP_PX] = [512, 640];
/** Largest zoom. Closer, the map would hide the surroundings of a small ZIP code. */
const MAX_ZOOM = 13;

/** The zoom at which the map at `/explore` shows an extent */
function zoomTo([west, south, east, north]: Bbox): number {
  const height = (north - south) / Math.cos(((north + south) * Math.PI) / 360);
  const tiles = MAP_PX / TILE_PX;
  return Math.min(MAX_ZOOM, Math.log2((360 * tiles) / Math.max(east - west, height)));
}

function widen([west, south, east, north]: Bbox): Bbox {
  const [x, y] = [MARGIN * (east - west), MARGIN * (north - south)];
  return [west - x, south - y, east + x, north + y];
}
