/** The frame of a map of places. The script fills it. */
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { maplibrePath } from '../../maplibre.ts';
import { placesRoute } from '../../workspace/data/places.ts';

/** The contiguous states, for an organization without places */
const COUNTRY = '-125 24.5 -66.5 49.5';

/** What the map shows of the organization's places, or one of them */
export interface PlacesShown {
  kind?: string | null;
  /** Id */
  brand?: string | null;
  at?: { lng: number; lat: number };
}

/** @param sets whether a click sets the coordinates of the page's form */
export const placesMap = ({ kind, brand, at }: PlacesShown, sets: boolean, links: Links): Html =>
  html`<div
    class="map-frame places-map"
    role="group"
    aria-label="Map of the places"
    data-maplibre="${links.page(maplibrePath('maplibre-gl.mjs'))}"
    data-api="${links.api('')}"
    data-bbox="${COUNTRY}"
    data-places="${links.page(placesRoute.path)}"
    ${kind && html`data-kind="${kind}"`}
    ${brand && html`data-brand="${brand}"`}
    ${at && html`data-at="${at.lng} ${at.lat}"`}
    ${sets && html`data-sets="yes"`}
  >
    <noscript><p class="failure">The map needs JavaScript. The page works without it.</p></noscript>
    <div class="map"></div>
    <p class="failure" role="status"></p>
  </div>`;
