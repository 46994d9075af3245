/** Exports of a brand's territory, the import form, and the report of an import. */
import type { Brand } from '../../../../../../territories/brands/brands.ts';
import { ACCEPTED_FILES, IMPORT_FILE_MB } from '../../../../../../base/contract/bounds.ts';
import type { ImportSummary } from '../../../../../../territories/brands/import/report.ts';
import type { AssetName } from '../../../../assets.ts';
import type { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { html, preformatted, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import type { ExportOffer } from './export-offer.ts';
import { exportsSection } from './export-view.ts';
import { dayForm, pastNotice, type ShownDay } from '../../../over-time/day-form.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf } from '../frame.ts';
import { importReport } from './report-view.ts';

export const TRANSFER_PATH = '/account/brands/{brand}/transfer';
export const CHECK_PATH = `${TRANSFER_PATH}/check`;
export const REPORT_PATH = `${TRANSFER_PATH}/reports/{report}`;
export const REPORT_CHOICE_PATH = `${REPORT_PATH}/choice`;
export const REPORT_CSV_PATH = `${REPORT_PATH}/report.csv`;

export const transferAddress = ({ slug }: Brand, path: string = TRANSFER_PATH) =>
  path.replace('{brand}', encodeURIComponent(slug));

/** @param id of the report */
export const reportAddress = (brand: Brand, id: string, path: string = REPORT_PATH) =>
  transferAddress(brand, path).replace('{report}', encodeURIComponent(id));

interface TransferContent {
  brand: Brand;
  form: FormState;
  exported: ExportOffer;
  /** The format that the address asks for */
  format: string | null;
  /** Reason why the viewer can't import; undefined if they can */
  refusal: string | undefined;
  /** The day of the territory to export */
  shown: ShownDay;
}

export function transferPage(content: TransferContent, links: Links): AccountContent {
  const { form, brand, exported, format, shown } = content;
  const main = html`${wholeProblem(form)} ${pastNotice(transferAddress(brand), shown, links)}
  ${exportsSection(brand, exported, { format, shown }, links)}
  ${dayForm(transferAddress(brand), shown, links)} ${importForm(content, links)}`;
  return brandPageOf({ brand, under: '/transfer', assets: ASSETS, main }, links);
}

interface ReportContent {
  brand: Brand;
  form: FormState;
  id: string;
  summary: ImportSummary;
  /** Whether the ZIP codes need no review, because the viewer is an owner */
  goesLive: boolean;
}

export function reportPage(content: ReportContent, links: Links): AccountContent {
  const { brand, form, id, summary, goesLive } = content;
  const main = html`${wholeProblem(form)}
  ${importReport(
    brand,
    form.of(REPORT_PATH),
    { ...summary, goesLive },
    {
      send: links.page(reportAddress(brand, id)),
      choice: links.page(reportAddress(brand, id, REPORT_CHOICE_PATH)),
      csv: links.page(reportAddress(brand, id, REPORT_CSV_PATH)),
      again: links.page(transferAddress(brand)),
    },
  )}`;
  const title = 'Import report';
  return brandPageOf({ brand, under: '/transfer', title, assets: ASSETS, main }, links);
}

const ASSETS: readonly AssetName[] = [
  'account/brands/brand/transfer/style.css',
  'account/brands/brand/transfer/script.ts',
];

/** No ZIP codes are sent to review until the person confirms the report. */
function importForm(
  { brand, form, refusal }: Pick<TransferContent, 'brand' | 'form' | 'refusal'>,
  links: Links,
): Html {
  const state = form.of(CHECK_PATH);
  return html`<section aria-labelledby="import">
    <h2 id="import">Import</h2>
    <p>
      Import a list of ZIP codes, a table with a column of them, such as an exported workbook, or
      areas as GeoJSON, KML, or a shapefile. An area includes the ZIP codes that lie more than half
      inside it. You see a report before anything is sent to review.
    </p>
    ${
      refusal === undefined
        ? html`<form
            method="post"
            enctype="multipart/form-data"
            action="${links.page(transferAddress(brand, CHECK_PATH))}"
          >
            <div class="field">
              <label for="import-file">File</label>
              <p class="hint" id="import-file-hint">
                Excel (.xlsx), CSV, text, GeoJSON, KML, KMZ, or a zipped shapefile, up to
                ${IMPORT_FILE_MB} MB.
              </p>
              <input
                id="import-file"
                type="file"
                name="file"
                accept="${ACCEPTED_FILES}"
                aria-describedby="import-file-hint import-file-problem"
                data-most-mb="${IMPORT_FILE_MB}"
              />
              <p class="problem" id="import-file-problem" role="alert"></p>
            </div>
            <div class="field">
              <label for="import-list">Or paste a list</label>
              <p class="hint" id="import-list-hint">
                ZIP codes, ranges such as 75201-75205, prefixes such as 752*, or rows copied from a
                spreadsheet.
              </p>
              <textarea
                id="import-list"
                name="list"
                rows="8"
                spellcheck="false"
                aria-describedby="import-list-hint"
              >
${multiline(state.value('list'))}</textarea>
            </div>
            <button class="button">Check</button>
          </form>`
        : html`<p class="quiet">${refusal}</p>`
    }
  </section>`;
}

/** Keeps line breaks, which pages otherwise drop along with the indentation of templates. */
const multiline = (text: string) => preformatted(text.replaceAll(/\r\n?/g, '\n'));
