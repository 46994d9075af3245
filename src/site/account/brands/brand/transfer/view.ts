/** Exports of a brand's territory, the import form, and the import report. */
import type { Brand } from '../../../../../territory/brands.ts';
import type { ImportReport } from '../../../../../territory/import/import.ts';
import type { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import type { ExportOffer } from './export-offer.ts';
import { exportsSection } from './export-view.ts';
import type { AccountContent } from '../../../frame.ts';
import { brandPageOf } from '../frame.ts';
import { importReport } from './report-view.ts';

export const TRANSFER_PATH = '/account/brands/{brand}/transfer';
export const CHECK_PATH = `${TRANSFER_PATH}/check`;
export const IMPORT_PATH = `${TRANSFER_PATH}/import`;
export const REPORT_PATH = `${TRANSFER_PATH}/report.csv`;

export const transferAddress = ({ slug }: Brand, path: string = TRANSFER_PATH) =>
  path.replace('{brand}', encodeURIComponent(slug));

export interface TransferContent {
  brand: Brand;
  form: FormState;
  exported: ExportOffer;
  /** Why the viewer can't import; undefined if they can */
  refusal: string | undefined;
  /** The report on a file that was just checked */
  checked: ImportReport | undefined;
}

export function transferPage(content: TransferContent, links: Links): AccountContent {
  const { form, brand, exported, checked } = content;
  const main = html`${wholeProblem(form)}
  ${
    checked
      ? importReport(brand, checked, {
          send: links.page(transferAddress(brand, IMPORT_PATH)),
          report: links.page(transferAddress(brand, REPORT_PATH)),
          again: links.page(transferAddress(brand)),
        })
      : html`${exportsSection(brand, exported, links)} ${importForm(content, links)}`
  }`;
  return brandPageOf(
    {
      brand,
      under: '/transfer',
      ...(checked && { title: 'Import report' }),
      assets: [
        'account/brands/brand/transfer/style.css',
        'account/brands/brand/transfer/script.ts',
      ],
      main,
    },
    links,
  );
}

/** Enough for a table of all US ZIP codes, or for the boundaries of a region. */
export const MAX_FILE_MB = 10;

/** Nothing is sent to review until the person confirms the report. */
function importForm(
  { brand, form, refusal }: Pick<TransferContent, 'brand' | 'form' | 'refusal'>,
  links: Links,
): Html {
  const state = form.of(CHECK_PATH);
  return html`<section aria-labelledby="import">
    <h2 id="import">Import</h2>
    <p>
      Import a list of ZIP codes, a table with a column of ZIP codes, or GeoJSON areas. An area
      includes the ZIP codes that lie more than half inside it. You see a report before anything is
      sent to review.
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
                CSV, text, or GeoJSON, up to ${MAX_FILE_MB} MB.
              </p>
              <input
                id="import-file"
                type="file"
                name="file"
                accept=".csv,.tsv,.txt,.json,.geojson,text/*,application/json,application/geo+json"
                aria-describedby="import-file-hint import-file-problem"
                data-most-mb="${MAX_FILE_MB}"
              />
              <p class="problem" id="import-file-problem" role="alert"></p>
            </div>
            <div class="field">
              <label for="import-list">Or paste a list</label>
              <p class="hint" id="import-list-hint">
                One ZIP code per line, or rows copied from a spreadsheet.
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

/** Keeps line breaks, which pages otherwise drop with the templates' indentation. */
const multiline = (text: string) =>
  text.split(/\r?\n/).map((line, i) => html`${i > 0 && html`&#10;`}${line}`);
