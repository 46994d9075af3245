/** The form that downloads a brand's territory: one choice of format, and one of content. */
import { STYLE_NAMES } from '../../../../../../data/basemap/styles.ts';
import { EXHIBIT_UNITS } from '../../../../../tools/support/territory-exhibit.ts';
import { EXPORT_PRICE_TEXT } from '../../../../../../people/metering/exports.ts';
import { VERTICALS } from '../../../../../../data/scoring/verticals.ts';
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import {
  EXPORT_DETAILS,
  DEFAULT_EXPORT_DETAIL,
  type DetailName,
} from '../../../../../../territories/brands/export/detail.ts';
import type { ExportFormat } from '../../../../../../base/contract/export-formats.ts';
import { day } from '../../../../format.ts';
import { FormState } from '../../../../form-state.ts';
import { choices, selectField, type MenuChoice } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { formatCount, pluralize } from '../../../../../../base/text/words.ts';
import { addDays } from '../../../../../../base/text/days.ts';
import { dayField, type ShownDay } from '../../../over-time/day-form.ts';
import type { ExportOffer } from './export-offer.ts';

export const EXPORT_PATH = '/account/brands/{brand}/export';

/** With the exhibit and the picture */
export type DownloadFormat = ExportFormat | 'pdf' | 'png';

const FORMATS: Readonly<Record<DownloadFormat, [label: string, hint: string]>> = {
  xlsx: ['Excel', 'One row per ZIP code, and a sheet with the sources'],
  csv: ['CSV', 'One row per ZIP code'],
  pdf: ['Exhibit for agreements (PDF)', 'Totals, maps at 300 dpi, and all ZIP codes with figures'],
  png: ['Picture (PNG)', 'The map with its legend'],
  geojson: ['GeoJSON', 'One boundary per ZIP code, for GIS'],
  shp: ['Shapefile', 'The same, in a ZIP archive'],
  kml: ['Google Earth (KML)', 'Folders by status, in the colors of the maps'],
};

/** @param asked the format and the day that a link asks for */
export function exportsSection(
  brand: Brand,
  offer: ExportOffer,
  { format: chosen, shown }: { format: string | null; shown: ShownDay },
  links: Links,
): Html {
  const { live, pending } = offer;
  if (live + pending === 0) {
    return html`<section aria-labelledby="export">
      <h2 id="export">Export</h2>
      <p class="quiet">
        ${
          shown.words === null
            ? html`${brand.name} holds no ZIP codes yet. Add some to export them.`
            : html`${brand.name} held no ZIP codes then. Choose another day.`
        }
      </p>
    </section>`;
  }
  const obstacle = obstacleOf(offer);
  const formats = offeredFormats(offer, obstacle);
  const initial = formats.find(({ value }) => value === chosen) ?? formats[0]!;
  return html`<section aria-labelledby="export">
    <h2 id="export">Export</h2>
    <p>
      ${brand.name} holds ${formatCount(live)} live and ${formatCount(pending)} pending ZIP codes.
      Live ZIP codes have census figures and public demand scores, with their vintages.
    </p>
    ${obstacle === undefined ? html`<p>${priceText(offer)}</p>` : html`<p class="notice">${obstacle} <a href="${links.page('/account/subscription')}">See your subscription</a></p>`}
    <form
      method="post"
      action="${links.page(EXPORT_PATH.replace('{brand}', encodeURIComponent(brand.slug)))}"
    >
      <input type="hidden" name="units" value="${offer.units}" />
      ${dayField(shown)}
      <input type="hidden" name="exhibit-units" value="${exhibitUnits(offer)}" />
      <div class="formats">
        ${choices(
          { type: 'radio', name: 'format', legend: 'Format', value: initial.value },
          formats,
          FormState.EMPTY,
        )}
      </div>
      ${contentField(offer)}
      <details>
        <summary>More options</summary>
        ${OPTIONS.map(({ choices: of, ...field }) => selectField(field, of, FormState.EMPTY))}
        <div class="field">
          <label for="changes-since">Changes since (exhibit)</label>
          <p class="hint" id="changes-since-hint">
            Adds a page with what the brand took and gave up after this day.
          </p>
          <input
            id="changes-since"
            type="date"
            name="changesSince"
            min="${shown.first}"
            max="${addDays(shown.day, -1)}"
            aria-describedby="changes-since-hint"
          />
        </div>
      </details>
      <button class="button">Download</button>
    </form>
  </section>`;
}

/** An exhibit costs as much as a picture and an export. */
const exhibitUnits = ({ units }: ExportOffer) => EXHIBIT_UNITS + units;

const fitsExhibit = (offer: ExportOffer) => {
  const { meter, unseen, figures } = offer;
  return (
    exhibitUnits(offer) <= meter.unitsRemaining &&
    (figures.zipsRemaining === null || unseen <= figures.zipsRemaining)
  );
};

/** The formats that the subscription includes now, each with its price */
function offeredFormats(offer: ExportOffer, obstacle: string | undefined) {
  const offered = (Object.keys(FORMATS) as DownloadFormat[]).filter((format) => {
    if (format === 'png') return true;
    return format === 'pdf' ? fitsExhibit(offer) : obstacle === undefined;
  });
  return offered.map((value) => {
    const [label, hint] = FORMATS[value];
    const units = value === 'png' ? 0 : value === 'pdf' ? exhibitUnits(offer) : offer.units;
    return { value, label, hint: `${hint}. ${units === 0 ? 'Free' : pluralize(units, 'unit')}` };
  });
}

/** The choice of all data sets */
export const ALL_DATA = 'all';

function contentField({ dataSets }: ExportOffer): Html | false {
  if (dataSets.length === 0) return false;
  return selectField(
    { name: 'data', label: 'Content', hint: 'A picture shows only the territory.' },
    [
      { value: '', label: 'ZIP codes, census figures, and scores' },
      ...(dataSets.length > 1 ? [{ value: ALL_DATA, label: 'The same, and all your data' }] : []),
      ...dataSets.map(({ id, name }) => ({ value: id, label: `The same, and ${name}` })),
    ],
    FormState.EMPTY,
  );
}

function priceText({ live, newRows, units, meter }: ExportOffer): Html {
  if (live === 0) return html`It is free: no ZIP code is live yet, so the files have no figures.`;
  if (units === 0) return html`It is free: these ZIP codes were exported earlier this month.`;
  const which = newRows < live ? `, for ${formatCount(newRows)} not yet exported this month` : '';
  return html`Price: <strong>${pluralize(units, 'unit')}</strong>${which}.
    ${formatCount(meter.unitsRemaining)} are left until ${day(meter.resetsAt)}. An export costs
    ${EXPORT_PRICE_TEXT}. Exporting the same ZIP codes again this month is free, in every format. An
    exhibit costs ${pluralize(EXHIBIT_UNITS, 'unit')} more.`;
}

/** Explains why files with figures can't be exported now; undefined if they can. */
function obstacleOf({ units, meter, unseen, figures }: ExportOffer): string | undefined {
  const { zipsIncluded, zipsRemaining } = figures;
  if (zipsRemaining !== null && unseen > zipsRemaining) {
    return (
      `The files would have the figures of ${pluralize(unseen, 'new ZIP code')}. Your subscription includes ` +
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

const DETAIL_LABELS: Readonly<Record<DetailName, string>> = {
  street: 'Streets',
  metro: 'Metro',
  state: 'State',
  country: 'Country',
};

/** Options that most people leave as they are. Each says for which formats it counts. */
const OPTIONS: readonly {
  name: string;
  label: string;
  value?: string;
  choices: readonly MenuChoice[];
}[] = [
  {
    name: 'detail',
    label: 'Detail of boundaries (GeoJSON, shapefile, KML)',
    value: DEFAULT_EXPORT_DETAIL,
    choices: EXPORT_DETAILS.map(({ name, toleranceM }) => ({
      value: name,
      label: `${DETAIL_LABELS[name]} (${formatCount(toleranceM)} m)`,
    })),
  },
  {
    name: 'vertical',
    label: 'Scores (exhibit)',
    choices: [
      { value: '', label: 'None' },
      ...VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
    ],
  },
  {
    name: 'places',
    label: 'Places (exhibit, picture)',
    choices: [
      { value: '', label: 'None' },
      { value: 'own', label: 'Yours, never those of competitors' },
    ],
  },
  {
    name: 'paper',
    label: 'Paper (exhibit)',
    choices: [
      { value: 'letter', label: 'US Letter' },
      { value: 'a4', label: 'A4' },
    ],
  },
  {
    name: 'fixedBoundaries',
    label: 'If boundaries of ZIP codes change (exhibit)',
    choices: [
      { value: '', label: 'The territory follows its ZIP codes' },
      { value: 'true', label: 'Its area stays that of the boundaries of the day' },
    ],
  },
  {
    name: 'size',
    label: 'Size (picture)',
    choices: ['1200x800', '1200x630', '800x800'].map((size) => ({
      value: size,
      label: size.replace('x', ' × '),
    })),
  },
  {
    name: 'style',
    label: 'Style (picture)',
    choices: STYLE_NAMES.map((name) => ({
      value: name,
      label: name.charAt(0).toUpperCase() + name.slice(1),
    })),
  },
  {
    name: 'ratio',
    label: 'Resolution (picture)',
    choices: [
      { value: '2', label: 'Double, for print' },
      { value: '1', label: 'Standard' },
    ],
  },
];
