/**
 * The frame of a territory's map, its legend, and the marks that both draw. territory-map.js makes
 * the map of it; where that cannot be, the frame says so, and the table has all that the map has.
 */
import type { Bbox } from '../../../spatial/bbox.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { maplibrePath } from '../../maplibre.ts';

/** What ZIPs are shown as: the vocabulary of territory-map.js. */
export type Shown = 'live' | 'pending' | 'shared' | 'isolated' | 'added' | 'removed' | 'selected';

const LABELS: Readonly<Record<Shown, string>> = {
  live: 'Live',
  pending: 'Pending review',
  shared: 'Shared with another brand',
  isolated: 'Isolated: borders no other ZIP of the brand',
  added: 'Would be added',
  removed: 'Would be removed',
  selected: 'Selected',
};

/** Lines in a square of 18: what tells states apart where colours do not. */
const MARKS = {
  shared: 'M4.5 9a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M7.5 9a3 3 0 1 0 6 0a3 3 0 1 0 -6 0',
  isolated: 'M4.5 9a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0M8.5 9a.5 .5 0 1 0 1 0a.5 .5 0 1 0 -1 0',
  added: 'M9 4.5V13.5M4.5 9H13.5',
  removed: 'M4.5 9H13.5',
} as const;

export interface MapGround {
  /** Around all that is to be seen */
  bbox: Bbox;
  /** Of the boundaries */
  vintage: string;
  /** Of the tiles of all ZIPs */
  zooms: { minZoom: number; maxZoom: number };
}

export interface TerritoryFrame extends MapGround {
  /** What is in sight first; left out: all */
  start?: Bbox;
  /** What may be on it */
  shown: readonly Shown[];
  /** Where the script asks what each ZIP is; left out: the page tells it otherwise */
  data?: string;
  /** Of a picture of it, for who has no scripts; left out: there is none */
  picture?: string;
  /** Of a change that is previewed */
  added?: readonly string[];
  removed?: readonly string[];
}

export function territoryFrame(frame: TerritoryFrame, links: Links): Html {
  const { bbox, start = bbox, vintage, zooms, shown, data, picture, added, removed } = frame;
  return html`<div
      class="map-frame territory-map"
      role="group"
      aria-label="Map"
      data-maplibre="${links.page(maplibrePath('maplibre-gl.mjs'))}"
      data-api="${links.api('')}"
      data-tiles="${links.page('/account/zips')}"
      data-tile-zooms="${zooms.minZoom} ${zooms.maxZoom}"
      data-bbox="${bbox.join(' ')}"
      data-start="${start.join(' ')}"
      data-vintage="${vintage}"
      ${data !== undefined && html`data-territory="${data}"`}
      ${added && html`data-added="${added.join(' ')}"`}
      ${removed && html`data-removed="${removed.join(' ')}"`}
    >
      ${markSymbols()}
      <noscript>
        ${picture !== undefined && html`<img src="${picture}" alt="Picture of the territory" />`}
        <p class="failure">A map that moves needs scripts. The page works without it.</p>
      </noscript>
      <div class="map"></div>
      <div class="zip-details" hidden>
        <div></div>
        <button type="button">
          <span aria-hidden="true">✕</span><span class="visually-hidden">Close</span>
        </button>
      </div>
      <p class="failure" role="status"></p>
    </div>
    ${territoryLegend(shown)}`;
}

const markSymbols = (): Html =>
  html`<svg width="0" height="0" aria-hidden="true">
    ${Object.entries(MARKS).map(
      ([name, lines]) =>
        html`<symbol id="mark-${name}" viewBox="0 0 18 18"><path d="${lines}" /></symbol>`,
    )}
  </svg>`;

const territoryLegend = (shown: readonly Shown[]): Html =>
  html`<ul class="territory-legend" aria-label="Legend">
    ${shown.map((one) => html`<li>${swatch(one)}${LABELS[one]}</li>`)}
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

/** The state of a ZIP in a row of a table, in the words of the legend. */
export const statusTag = (status: 'live' | 'pending' | 'removed'): Html =>
  html`<span class="status ${status}">${STATUS_LABELS[status]}</span>`;

export const STATUS_LABELS = {
  live: 'Live',
  pending: 'Pending review',
  removed: 'Removed',
} as const;
