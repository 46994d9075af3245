/** A brand's territory as files to take away. */
import { STYLE_NAMES } from '../../../../../basemap/styles.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import {
  EXPORT_DETAILS,
  DEFAULT_EXPORT_DETAIL,
  type DetailName,
} from '../../../../../territory/export/detail.ts';
import { count } from '../../../../format.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';

/** @param held how many ZIPs the brand holds */
export function exportsSection(brand: Brand, held: number, links: Links): Html {
  if (held === 0) {
    return html`<section aria-labelledby="export">
      <h2 id="export">Export</h2>
      <p class="quiet">${brand.name} holds no ZIP codes yet: there is nothing to export.</p>
    </section>`;
  }
  const address = (ending: string) =>
    links.page(`/account/brands/${encodeURIComponent(brand.slug)}/export.${ending}`);
  return html`<section aria-labelledby="export">
    <h2 id="export">Export</h2>
    <p>
      ${brand.name} holds ${count(held)} ZIP codes, live or pending. CSV, GeoJSON and KML tell of
      each its place, status, flags, census figures and public demand scores, and the vintage of all
      of them.
    </p>
    <ul class="files">
      <li>
        <h3>Table</h3>
        <p>A line for each ZIP code, for spreadsheets.</p>
        <a class="button" href="${address('csv')}" download>CSV</a>
      </li>
      <li>
        <h3>Outlines for GIS</h3>
        <p>A feature for each ZIP code (RFC 7946).</p>
        <form action="${address('geojson')}">
          ${detailField('geojson')} <button class="button">GeoJSON</button>
        </form>
      </li>
      <li>
        <h3>For Google Earth</h3>
        <p>Folders by status, in the colours of the maps.</p>
        <form action="${address('kml')}">
          ${detailField('kml')} <button class="button">KML</button>
        </form>
      </li>
      <li>
        <h3>Picture</h3>
        <p>The map with its legend.</p>
        <form action="${address('png')}">
          ${choice('export-size', 'size', 'Size', SIZES)}
          ${choice('export-style', 'style', 'Look', STYLES)}
          ${choice('export-ratio', 'ratio', 'Sharpness', RATIOS)}
          <button class="button">PNG</button>
        </form>
      </li>
    </ul>
  </section>`;
}

type Choices = readonly (readonly [value: string, label: string])[];

/** Of those that the interface draws */
const SIZES: Choices = [
  ['1200x800', '1200 × 800'],
  ['1200x630', '1200 × 630'],
  ['800x800', '800 × 800'],
];

const STYLES: Choices = STYLE_NAMES.map((name) => [
  name,
  name.charAt(0).toUpperCase() + name.slice(1),
]);

const RATIOS: Choices = [
  ['2', 'Doubled, for print'],
  ['1', 'As on a screen'],
];

const DETAIL_LABELS: Readonly<Record<DetailName, string>> = {
  street: 'Streets',
  metro: 'A metro',
  state: 'A state',
  country: 'The country',
};

const DETAILS: Choices = EXPORT_DETAILS.map(({ name, toleranceM }) => [
  name,
  `${DETAIL_LABELS[name]}: to ${count(toleranceM)} m`,
]);

const detailField = (format: string) =>
  choice(`export-${format}-detail`, 'detail', 'Fine enough for', DETAILS, DEFAULT_EXPORT_DETAIL);

function choice(id: string, name: string, label: string, of: Choices, usual?: string): Html {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}">
      ${of.map(
        ([value, text]) =>
          html`<option value="${value}" ${value === usual && html`selected`}>${text}</option>`,
      )}
    </select>
  </div>`;
}
