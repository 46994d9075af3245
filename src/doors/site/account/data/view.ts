/** The organization's data sets, and the form that uploads a file. */
import type { DataSet } from '../../../../territories/own-data/data-sets.ts';
import { formatAmount } from '../../../../territories/own-data/amount-text.ts';
import type { DataLimits } from '../../../../territories/own-data/limits.ts';
import { formatCount, pluralize } from '../../../../base/text/words.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { dayTag } from '../../parts.ts';
import { records } from '../../records.ts';
import type { AccountContent } from '../frame.ts';

export const DATA_PATH = '/account/data';
export const DATA_SET_PATH = '/account/data/{dataSet}';

export const dataSetAddress = ({ slug }: Pick<DataSet, 'slug'>, path: string = DATA_SET_PATH) =>
  path.replace('{dataSet}', encodeURIComponent(slug));

/** What the script of the form needs */
interface UploadSettings {
  maxBytes: number;
  /** Whether the service finds addresses */
  geocodes: boolean;
  organization: string;
}

interface DataContent {
  sets: readonly DataSet[];
  limits: DataLimits;
  /** Rows uploaded this month */
  rowsUsed: number;
  /** Reason why the viewer can't upload; undefined if they can */
  refusal: string | undefined;
  upload: UploadSettings;
}

export function dataPage(content: DataContent, links: Links): AccountContent {
  const { sets, refusal } = content;
  const main = html`<p>
      See your customers, jobs, or revenue next to demand: on the map, in rankings, and in plans.
      Only sums by ZIP code are stored, never rows, names, or addresses.
      <a href="${links.page('/docs/own-data')}">Your own data</a>
    </p>
    ${
      sets.length > 0
        ? html`${setTable(sets, links)} ${usage(content)}`
        : html`<p class="quiet">
            No data yet. Start with a list of jobs or customers as it comes from your CRM.
          </p>`
    }
    ${refusal === undefined ? uploadSection(content, links) : html`<p class="quiet">${refusal}</p>`}`;
  return { path: DATA_PATH, assets: ['account/data/style.css', 'account/data/script.tsx'], main };
}

export const totalText = ({ total, unit, addsUp }: DataSet) =>
  `${formatAmount({ unit }, total)}${addsUp === 'mean' ? ' on average' : ''}`;

function setTable(sets: readonly DataSet[], links: Links): Html {
  return records(
    'Data sets',
    [
      {
        heading: 'Data set',
        cell: (set) => html`<a href="${links.page(dataSetAddress(set))}">${set.name}</a>`,
      },
      { heading: 'Period', cell: ({ period }) => period ?? '–' },
      { heading: 'ZIP codes', number: true, cell: ({ zipCount }) => formatCount(zipCount) },
      { heading: 'Total', number: true, cell: totalText },
      {
        heading: 'Uploaded',
        cell: ({ upload }) => html`${dayTag(upload.uploadedAt)} by ${upload.uploadedBy.name}`,
      },
      {
        heading: 'Map',
        hidden: true,
        cell: ({ slug, name, addsUp }) =>
          addsUp === 'sum' &&
          html`<a
            href="${links.page('/account/map')}?view=white-space&amp;data=${slug}"
            aria-label="White space of ${name}"
            >White space</a
          >`,
      },
    ],
    sets,
  );
}

const usage = ({ sets, limits, rowsUsed }: DataContent) =>
  html`<p class="quiet small">
    ${formatCount(sets.length)} of ${pluralize(limits.dataSets, 'data set')};
    ${formatCount(rowsUsed)} of ${pluralize(limits.monthlyRows, 'row')} this month
  </p>`;

/** The script renders the form, because it reads the file before the person decides on its columns. */
function uploadSection({ upload }: DataContent, links: Links): Html {
  const settings = { ...upload, path: links.api('/agent/data-sets'), done: links.page(DATA_PATH) };
  return html`<section aria-labelledby="upload">
    <h2 id="upload">Upload a file</h2>
    <div id="uploader" data-settings="${JSON.stringify(settings)}">
      <noscript><p class="quiet">To upload a file here, turn on JavaScript.</p></noscript>
    </div>
  </section>`;
}
