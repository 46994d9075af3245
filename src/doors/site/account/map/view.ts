/**
 * The frame and legend of a territory's map, and the marks that both use. The script
 * `browser/territory-map.ts` draws the map. Without it, the page's tables show the same data.
 */
import type { Bbox } from '../../../../base/spatial/bbox.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { maplibrePath } from '../../maplibre.ts';
import { notDrawn, ZIP_STATUS_LABELS } from '../../../../base/text/words.ts';
import { ZIP_TILES_PATH } from './tiles.ts';

/** How the script marks ZIP codes */
type Shown = 'live' | 'pending' | 'shared' | 'isolated' | 'selected';

const LABELS: Readonly<Record<Shown, string>> = {
  live: ZIP_STATUS_LABELS.live,
  pending: ZIP_STATUS_LABELS.pending,
  shared: 'Shared with another brand',
  isolated: 'Isolated: not adjacent to another ZIP code of the brand',
  selected: 'Selected',
};

/** Lines in an 18-unit square that distinguish marks without color */
const MARKS = {
  shared: 'M4.5 9a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M7.5 9a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  isolated: 'M4.5 9a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0M8.5 9a.5 .5 0 1 0 1 0a.5 .5 0 1 0 -1 0',
} as const;

export interface MapBase {
  /** Extent of everything shown */
  bbox: Bbox;
  /** Number of ZIP codes on the map that have no boundary */
  withoutBoundary: number;
  /** Vintage of the boundaries */
  vintage: string;
  /** Zoom levels of the tiles of all ZIP codes */
  zooms: { minZoom: number; maxZoom: number };
  /** Versions of these tiles and of the basemap's style */
  versions: { tiles: string; style: string };
}

export interface TerritoryFrame extends MapBase {
  /** Initial extent. Default: `bbox` */
  start?: Bbox;
  /** Entries of the legend */
  shown: readonly Shown[];
  /** Their words, where the usual ones don't fit */
  labels?: Partial<Record<Shown, string>>;
  /** Address of the map's data */
  data: string;
}

export function territoryFrame(frame: TerritoryFrame, links: Links): Html {
  const {
    bbox,
    start = bbox,
    withoutBoundary,
    vintage,
    zooms,
    versions,
    shown,
    labels,
    data,
  } = frame;
  return html`<div
      class="map-frame territory-map"
      role="group"
      aria-label="Map"
      data-maplibre="${links.page(maplibrePath('maplibre-gl.mjs'))}"
      data-api="${links.api('')}"
      data-style-version="${versions.style}"
      data-tiles="${links.page(ZIP_TILES_PATH)}?v=${versions.tiles}"
      data-tile-zooms="${zooms.minZoom} ${zooms.maxZoom}"
      data-bbox="${bbox.join(' ')}"
      data-start="${start.join(' ')}"
      data-vintage="${vintage}"
      data-territory="${data}"
    >
      ${markSymbols()}
      <noscript>
        <p class="failure">
          The interactive map needs JavaScript. The rest of the page works without it.
        </p>
      </noscript>
      <div class="map"></div>
      <p class="failure" role="status"></p>
    </div>
    ${territoryLegend(shown, labels)}
    ${withoutBoundary > 0 && html`<p class="quiet">${notDrawn(withoutBoundary)}</p>`}`;
}

const markSymbols = (): Html =>
  html`<svg width="0" height="0" aria-hidden="true">
    ${Object.entries(MARKS).map(
      ([name, lines]) =>
        html`<symbol id="mark-${name}" viewBox="0 0 18 18"><path d="${lines}" /></symbol>`,
    )}
  </svg>`;

const territoryLegend = (shown: readonly Shown[], labels: TerritoryFrame['labels'] = {}): Html =>
  html`<ul class="territory-legend" aria-label="Legend">
    ${shown.map((one) => html`<li>${swatch(one)}${labels[one] ?? LABELS[one]}</li>`)}
  </ul>`;

const swatch = (shown: Shown): Html =>
  html`<svg class="swatch ${shown}" width="26" height="20" viewBox="0 0 26 20" aria-hidden="true">
    <rect x="1.5" y="1.5" width="23" height="17" rx="3" />
    ${shown === 'pending' && html`<path class="hatch" d="M3 18L19 2M10 18L25 3M1.5 12L12 1.5" />`}
    ${
      shown in MARKS &&
      html`<circle cx="13" cy="10" r="7" /><use
          href="#mark-${shown}"
          x="5"
          y="2"
          width="16"
          height="16"
        />`
    }
  </svg>`;

/** The status of a ZIP code in a table, worded as in the legend. */
export const statusTag = (
  status: 'live' | 'pending' | 'removed',
  label: string = ZIP_STATUS_LABELS[status],
): Html => html`<span class="status ${status}">${label}</span>`;
