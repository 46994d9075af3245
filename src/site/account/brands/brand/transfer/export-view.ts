/** Links and forms that download a brand's territory. */
import { STYLE_NAMES } from '../../../../../basemap/styles.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import {
  EXPORT_DETAILS,
  DEFAULT_EXPORT_DETAIL,
  type DetailName,
} from '../../../../../territory/export/detail.ts';
import { menuOptions } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { formatCount } from '../../../../../words.ts';

/** @param held number of ZIP codes that the brand holds */
export function exportsSection(brand: Brand, held: number, links: Links): Html {
  if (held === 0) {
    return html`<section aria-labelledby="export">
      <h2 id="export">Export</h2>
      <p class="quiet">${brand.name} holds no ZIP codes yet. Add some to export them.</p>
    </section>`;
  }
  const address = (ending: string) =>
    links.page(`/account/brands/${encodeURIComponent(brand.slug)}/export.${ending}`);
  return html`<section aria-labelledby="export">
    <h2 id="export">Export</h2>
    <p>
      ${brand.name} holds ${formatCount(held)} ZIP codes, live or pending. CSV, GeoJSON, and KML
      include each ZIP code’s place, status, flags, census figures, and public demand scores, with
      their vintages.
    </p>
    <ul class="files">
      <li>
        <h3>Table</h3>
        <p>One row per ZIP code, for spreadsheets.</p>
        <a class="button" href="${address('csv')}" download>CSV</a>
      </li>
      <li>
        <h3>Boundaries for GIS</h3>
        <p>One feature per ZIP code (RFC 7946).</p>
        <form action="${address('geojson')}">
          ${detailField('geojson')} <button class="button">GeoJSON</button>
        </form>
      </li>
      <li>
        <h3>Google Earth</h3>
        <p>Folders by status, in the colors of the maps.</p>
        <form action="${address('kml')}">
          ${detailField('kml')} <button class="button">KML</button>
        </form>
      </li>
      <li>
        <h3>Picture</h3>
        <p>The map with its legend.</p>
        <form action="${address('png')}">
          ${choice('export-size', 'size', 'Size', SIZES)}
          ${choice('export-style', 'style', 'Style', STYLES)}
          ${choice('export-ratio', 'ratio', 'Resolution', RATIOS)}
          <button class="button">PNG</button>
        </form>
      </li>
    </ul>
  </section>`;
}

type Choices = readonly (readonly [value: string, label: string])[];

/** Some of the sizes that the API offers */
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
  ['2', 'Double, for print'],
  ['1', 'Standard'],
];

const DETAIL_LABELS: Readonly<Record<DetailName, string>> = {
  street: 'Streets',
  metro: 'Metro',
  state: 'State',
  country: 'Country',
};

const DETAILS: Choices = EXPORT_DETAILS.map(({ name, toleranceM }) => [
  name,
  `${DETAIL_LABELS[name]} (${formatCount(toleranceM)} m)`,
]);

const detailField = (format: string) =>
  choice(`export-${format}-detail`, 'detail', 'Detail', DETAILS, DEFAULT_EXPORT_DETAIL);

function choice(id: string, name: string, label: string, of: Choices, usual?: string): Html {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <select id="${id}" name="${name}">
      ${menuOptions(
        of.map(([value, text]) => ({ value, label: text })),
        usual,
      )}
    </select>
  </div>`;
}
