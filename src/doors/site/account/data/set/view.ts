/** A data set: what it contains, where it counts, and its uploads. */
import type {
  DataSet,
  FullDataSet,
  Upload,
} from '../../../../../territories/own-data/data-sets.ts';
import { formatAmount } from '../../../../../territories/own-data/amount-text.ts';
import { OUTCOMES } from '../../../../../territories/own-data/import/types.ts';
import { OUTCOME_WORDS } from '../../../../../territories/own-data/outcome-words.ts';
import { formatCount, pluralize } from '../../../../../base/text/words.ts';
import type { Brand } from '../../../../../territories/brands/brands.ts';
import { brandsOrAll, formOf } from '../../../framework/fields.ts';
import type { FormState } from '../../../form-state.ts';
import { wholeProblem } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { dayTag, definition } from '../../../parts.ts';
import { records } from '../../../records.ts';
import type { AccountContent } from '../../frame.ts';
import { brandNames } from '../../labels.ts';
import { DATA_PATH, DATA_SET_PATH, dataSetAddress, totalText } from '../view.ts';

export const RESTORE_PATH = `${DATA_SET_PATH}/restore`;
export const DATA_BRANDS_PATH = `${DATA_SET_PATH}/brands`;
export const DELETE_PATH = `${DATA_SET_PATH}/delete`;

interface DataSetContent {
  form: FormState;
  set: FullDataSet;
  /** Newest first */
  uploads: readonly (Upload & { zipCount: number })[];
  mayChange: boolean;
  /** Brands that the viewer sees */
  brands: readonly Brand[];
  /** Whether the viewer may decide which brands it belongs to */
  mayGive: boolean;
}

export const DATA_BRANDS = formOf({
  brands: brandsOrAll({
    hint: 'People with some brands see it within their ZIP codes only.',
    legend: 'Brands that it belongs to',
  }),
});

/** ZIP codes with the largest amounts */
const SHOWN_ZIPS = 10;

export function dataSetPage(content: DataSetContent, links: Links): AccountContent {
  const { form, set } = content;
  const { slug, name } = set;
  const on = (query: string) => `${links.page('/account/map')}?${query}`;
  const main = html`<p><a href="${links.page(DATA_PATH)}">All data sets</a></p>
    ${wholeProblem(form)} ${facts(content)}
    <p class="actions">
      ${
        set.addsUp === 'sum' &&
        html`<a class="button" href="${on(`view=white-space&data=${encodeURIComponent(slug)}`)}"
          >See white space</a
        >`
      }
      <a href="${on(`color=${encodeURIComponent(`data:${slug}`)}`)}">On the map</a>
      <a href="${links.api(`/agent/data-sets/${encodeURIComponent(slug)}/zips.csv`)}" download
        >Download as CSV</a
      >
    </p>
    ${largest(set)} ${uploadsSection(content, links)} ${brandsSection(content, links)}
    ${deletion(content, links)}`;
  return { path: DATA_PATH, title: name, assets: ['account/data/style.css'], main };
}

const ADDS_UP: Readonly<Record<DataSet['addsUp'], string>> = {
  sum: 'Amounts add up',
  mean: 'Means, weighted by rows',
};

const facts = ({ set, brands }: DataSetContent) =>
  html`<dl class="facts">
    ${definition('Total', totalText(set))} ${definition('ZIP codes', formatCount(set.zipCount))}
    ${set.period !== null && definition('Period', set.period)}
    ${definition('In a territory', ADDS_UP[set.addsUp])}
    ${set.brandIds !== null && definition('Belongs to', brandNames(set.brandIds, brands))}
    ${definition('Short name', html`<code>${set.slug}</code>`)}
  </dl>`;

function largest({ amounts, rows, unit }: FullDataSet): Html | null {
  const best = [...amounts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  if (best.length === 0) return null;
  return html`<section class="largest" aria-labelledby="largest">
    <h2 id="largest">Largest amounts</h2>
    ${records(
      'ZIP codes with the largest amounts',
      [
        { heading: 'ZIP code', cell: ([zip]) => zip },
        { heading: 'Amount', number: true, cell: ([, amount]) => formatAmount({ unit }, amount) },
        { heading: 'Rows', number: true, cell: ([zip]) => formatCount(rows.get(zip)!) },
      ],
      best.slice(0, SHOWN_ZIPS),
    )}
  </section>`;
}

function uploadsSection({ set, uploads, mayChange }: DataSetContent, links: Links): Html {
  const action = links.page(dataSetAddress(set, RESTORE_PATH));
  const restore = ({ number }: DataSetContent['uploads'][number]) => {
    if (number === set.upload.number) return html`<span class="tag">Counts now</span>`;
    if (!mayChange) return '';
    return html`<form method="post" action="${action}" class="inline">
      <input type="hidden" name="upload" value="${number}" />
      <button class="quiet-button" aria-label="Restore upload ${number}">Restore</button>
    </form>`;
  };
  return html`<section aria-labelledby="uploads">
    <h2 id="uploads">Uploads</h2>
    <p class="quiet">
      A new upload with the name “${set.name}” replaces the amounts. The last five can be restored.
    </p>
    ${records(
      'Uploads',
      [
        { heading: 'Upload', cell: ({ number }) => number },
        {
          heading: 'On',
          cell: ({ uploadedAt, uploadedBy }) => html`${dayTag(uploadedAt)} by ${uploadedBy.name}`,
        },
        { heading: 'Rows', cell: ({ report }) => rowsText(report) },
        { heading: 'ZIP codes', number: true, cell: ({ zipCount }) => formatCount(zipCount) },
        { heading: 'How it was read', cell: ({ report }) => report.summary },
        { heading: 'Restore', hidden: true, cell: restore },
      ],
      uploads,
    )}
  </section>`;
}

/** `1,240: 3 placed with a guess, 1 not understood; 12 ZIP codes with fewer than 5 rows left out` */
function rowsText({ rows, counts, suppressedZips, suppressedBelow }: Upload['report']): string {
  const attention = OUTCOMES.filter((outcome) => outcome !== 'placed' && counts[outcome]).map(
    (outcome) => `${formatCount(counts[outcome]!)} ${OUTCOME_WORDS[outcome]}`,
  );
  return [
    formatCount(rows) + (attention.length > 0 ? `: ${attention.join(', ')}` : ''),
    ...(suppressedZips > 0
      ? [
          `${pluralize(suppressedZips, 'ZIP code')} with fewer than ${suppressedBelow} rows left out`,
        ]
      : []),
  ].join('; ');
}

function brandsSection(content: DataSetContent, links: Links): Html | null {
  const { form, set, brands, mayGive } = content;
  if (!mayGive || brands.length < 2) return null;
  return html`<section aria-labelledby="belongs">
    <h2 id="belongs">Who sees it</h2>
    <form method="post" action="${links.page(dataSetAddress(set, DATA_BRANDS_PATH))}">
      ${DATA_BRANDS.html(form.of(DATA_BRANDS_PATH), { brands }, { brands: set.brandIds })}
      <button class="button">Save</button>
    </form>
  </section>`;
}

function deletion({ set, mayChange }: DataSetContent, links: Links): Html | null {
  if (!mayChange) return null;
  return html`<details class="ending">
    <summary>Delete this data set…</summary>
    <form method="post" action="${links.page(dataSetAddress(set, DELETE_PATH))}">
      <p>
        It disappears from maps, plans, and exports for everyone, with all of its uploads. This
        can’t be undone.
      </p>
      <button class="button grave">Delete data set</button>
    </form>
  </details>`;
}
