/** Forms that download a brand's territory. */
import { STYLE_NAMES } from '../../../../../basemap/styles.ts';
import { EXHIBIT_UNITS } from '../../../../../agent/territory-exhibit.ts';
import { EXPORT_PRICE_TEXT } from '../../../../../metering/exports.ts';
import { VERTICALS } from '../../../../../scoring/verticals.ts';
import type { Brand } from '../../../../../territory/brands.ts';
import {
  EXPORT_DETAILS,
  DEFAULT_EXPORT_DETAIL,
  type DetailName,
} from '../../../../../territory/export/detail.ts';
import { day } from '../../../../format.ts';
import { menuOptions } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { formatCount, pluralize } from '../../../../../text/words.ts';
import type { ExportOffer } from './export-offer.ts';

type Choices = readonly (readonly [value: string, label: string])[];

export function exportsSection(brand: Brand, offer: ExportOffer, links: Links): Html {
  const { live, pending } = offer;
  if (live + pending === 0) {
    return html`<section aria-labelledby="export">
      <h2 id="export">Export</h2>
      <p class="quiet">${brand.name} holds no ZIP codes yet. Add some to export them.</p>
    </section>`;
  }
  const address = (ending: string) =>
    links.page(`/account/brands/${encodeURIComponent(brand.slug)}/export.${ending}`);
  const obstacle = obstacleOf(offer);
  return html`<section aria-labelledby="export">
    <h2 id="export">Export</h2>
    <p>
      ${brand.name} holds ${formatCount(live)} live and ${formatCount(pending)} pending ZIP codes.
      The table and GIS files include each ZIP code’s place, status, and flags. Live ZIP codes also
      have census figures and public demand scores, with their vintages.
    </p>
    ${obstacle === undefined ? html`<p>${priceText(offer)}</p>` : html`<p class="notice">${obstacle} <a href="${links.page('/account/plan')}">See your plan</a></p>`}
    <ul class="files">
      ${obstacle === undefined && figuresFiles(offer, address)}
      ${exhibitFile(offer, address('pdf'))}
      <li>
        <h3>Picture</h3>
        <p>The map with its legend. Free.</p>
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

/** A separate form, because its price includes that of a picture. */
function exhibitFile(
  { units: ofRows, meter, unseen, figures: { zipsRemaining }, dataSets }: ExportOffer,
  address: string,
): Html {
  const units = EXHIBIT_UNITS + ofRows;
  const isOffered =
    units <= meter.unitsRemaining && (zipsRemaining === null || unseen <= zipsRemaining);
  const price = pluralize(units, 'unit');
  return html`<li id="exhibit">
    <h3>Exhibit for agreements</h3>
    <p>
      Totals, maps at 300 dpi, and all ZIP codes with figures, as PDF.
      ${ofRows > 0 && `Costs ${pluralize(EXHIBIT_UNITS, 'unit')} more than an export. Exporting the same ZIP codes is then free.`}
    </p>
    ${
      isOffered
        ? html`<form method="post" action="${address}">
            <input type="hidden" name="units" value="${units}" />
            ${choice('export-vertical', 'vertical', 'Scores', [['', 'None'], ...VERTICAL_CHOICES])}
            ${dataField('pdf', dataSets)} ${choice('export-paper', 'paper', 'Paper', PAPER_CHOICES)}
            <button class="button">PDF <span class="price">${price}</span></button>
          </form>`
        : html`<p class="quiet">
            It costs ${price} (${EXHIBIT_UNITS} and the price of an export) and the figures of all
            live ZIP codes, which is more than your plan has left this month.
          </p>`
    }
  </li>`;
}

const PAPER_CHOICES: Choices = [
  ['letter', 'US Letter'],
  ['a4', 'A4'],
];

const VERTICAL_CHOICES: Choices = VERTICALS.map(({ slug, label }) => [slug, label]);

/** The forms send the price that they show, so a higher price is never charged. */
function figuresFiles({ units, dataSets }: ExportOffer, address: (ending: string) => string): Html {
  const price = units > 0 && html`<span class="price">${pluralize(units, 'unit')}</span>`;
  const form = (ending: string, label: string, fields?: Html) =>
    html`<form method="post" action="${address(ending)}">
      <input type="hidden" name="units" value="${units}" />
      ${fields} ${dataField(ending, dataSets, true)}
      <button class="button">${label} ${price}</button>
    </form>`;
  return html`<li>
      <h3>Table</h3>
      <p>One row per ZIP code. The Excel workbook also has a sheet with the sources.</p>
      ${form('xlsx', 'Excel')} ${form('csv', 'CSV')}
    </li>
    <li>
      <h3>Boundaries for GIS</h3>
      <p>One feature per ZIP code. The shapefile is in a ZIP archive.</p>
      ${form('geojson', 'GeoJSON', detailField('geojson'))}
      ${form('shp', 'Shapefile', detailField('shp'))}
    </li>
    <li>
      <h3>Google Earth</h3>
      <p>Folders by status, in the colors of the maps.</p>
      ${form('kml', 'KML', detailField('kml'))}
    </li>`;
}

function priceText({ live, newRows, units, meter }: ExportOffer): Html {
  if (live === 0) return html`It is free: no ZIP code is live yet, so the files have no figures.`;
  if (units === 0) return html`It is free: these ZIP codes were exported earlier this month.`;
  const which = newRows < live ? `, for ${formatCount(newRows)} not yet exported this month` : '';
  return html`Price: <strong>${pluralize(units, 'unit')}</strong>${which}.
    ${formatCount(meter.unitsRemaining)} are left until ${day(meter.resetsAt)}. An export costs
    ${EXPORT_PRICE_TEXT}. Exporting the same ZIP codes again this month is free, in every format.`;
}

/** Explains why files with figures can't be exported now; undefined if they can. */
function obstacleOf({ units, meter, unseen, figures }: ExportOffer): string | undefined {
  const { zipsIncluded, zipsRemaining } = figures;
  if (zipsRemaining !== null && unseen > zipsRemaining) {
    return (
      `The files would have the figures of ${pluralize(unseen, 'new ZIP code')}. Your plan includes ` +
      `${formatCount(zipsIncluded)} a month, and ${formatCount(zipsRemaining)} are left until ` +
      `${day(figures.resetsAt)}.`
    );
  }
  if (units <= meter.unitsRemaining) return undefined;
  return (
    `The files cost ${pluralize(units, 'unit')}, but ${formatCount(meter.unitsRemaining)} are left until ` +
    `${day(meter.resetsAt)}. An export costs ${EXPORT_PRICE_TEXT}.`
  );
}

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

/** The choice of all data sets */
export const ALL_DATA = 'all';

function dataField(format: string, sets: ExportOffer['dataSets'], offersAll = false): Html | null {
  if (sets.length === 0) return null;
  return choice(`export-${format}-data`, 'data', 'Your data', [
    ['', 'None'],
    ...(offersAll && sets.length > 1 ? [[ALL_DATA, 'All data sets'] as const] : []),
    ...sets.map(({ id, name }) => [id, name] as const),
  ]);
}

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
