/** A brand's territory in files: out, and in. */
import type { Brand } from '../../../../../territory/brands.ts';
import type { ImportReport } from '../../../../../territory/import/import.ts';
import type { FormState } from '../../../../form-state.ts';
import { wholeProblem } from '../../../../forms.ts';
import { html, type Html } from '../../../../html.ts';
import type { Links } from '../../../../links.ts';
import { exportsSection } from './export-view.ts';
import { brandPageOf } from '../frame.ts';
import type { Resident } from '../../../frame.ts';
import { importReport } from './report-view.ts';

export const TRANSFER_PATH = '/account/brands/{brand}/transfer';
export const CHECK_PATH = `${TRANSFER_PATH}/check`;
export const IMPORT_PATH = `${TRANSFER_PATH}/import`;
export const REPORT_PATH = `${TRANSFER_PATH}/report.csv`;

export const transferAddress = ({ slug }: Brand, path: string = TRANSFER_PATH) =>
  path.replace('{brand}', encodeURIComponent(slug));

export interface TransferContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  brand: Brand;
  /** ZIPs of the brand, live and pending */
  held: number;
  /** Why this person may not bring any in; undefined: may */
  hindrance: string | undefined;
  /** What was found in a file just now */
  checked?: ImportReport;
}

export function transferPage(content: TransferContent, links: Links): string {
  const { resident, done, form, brand, held, checked } = content;
  const main = html`${wholeProblem(form)}
  ${
    checked
      ? importReport(brand, checked, {
          send: links.page(transferAddress(brand, IMPORT_PATH)),
          report: links.page(transferAddress(brand, REPORT_PATH)),
          again: links.page(transferAddress(brand)),
        })
      : html`${exportsSection(brand, held, links)} ${importForm(content, links)}`
  }`;
  return brandPageOf(
    {
      resident,
      done,
      brand,
      under: '/transfer',
      ...(checked && { title: 'What was found' }),
      assets: ['account/brands/transfer.css', 'account/brands/transfer/script.ts'],
      main,
    },
    links,
  );
}

/**
 * A country's ZIPs with some columns, or a region's outlines. For the file's field; the server's
 * limit is of the whole form.
 */
export const LARGEST_FILE_MB = 10;

/** Lists and files are checked first; nothing is sent to review before somebody has seen the report. */
function importForm(
  { brand, form, hindrance }: Pick<TransferContent, 'brand' | 'form' | 'hindrance'>,
  links: Links,
): Html {
  const state = form.of(CHECK_PATH);
  return html`<section aria-labelledby="import">
    <h2 id="import">Import</h2>
    <p>
      A list of ZIP codes, a table with a column of them, or GeoJSON: areas mean the ZIP codes of
      which more than half lies inside. You see what was understood before anything is sent to
      review.
    </p>
    ${
      hindrance === undefined
        ? html`<form
            method="post"
            enctype="multipart/form-data"
            action="${links.page(transferAddress(brand, CHECK_PATH))}"
          >
            <div class="field">
              <label for="import-file">A file</label>
              <p class="hint" id="import-file-hint">
                CSV, text or GeoJSON, of up to ${LARGEST_FILE_MB} MB.
              </p>
              <input
                id="import-file"
                type="file"
                name="file"
                accept=".csv,.tsv,.txt,.json,.geojson,text/*,application/json,application/geo+json"
                aria-describedby="import-file-hint import-file-problem"
                data-most-mb="${LARGEST_FILE_MB}"
              />
              <p class="problem" id="import-file-problem" role="alert"></p>
            </div>
            <div class="field">
              <label for="import-list">Or pasted</label>
              <p class="hint" id="import-list-hint">
                One to a line, or as they stand in a spreadsheet.
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
            <button class="button">Check it</button>
          </form>`
        : html`<p class="quiet">${hindrance}</p>`
    }
  </section>`;
}

/** As it was pasted: pages lose the white space that begins a line. */
const multiline = (text: string) =>
  text.split(/\r?\n/).map((line, i) => html`${i > 0 && html`&#10;`}${line}`);
