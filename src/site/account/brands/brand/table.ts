/** The brand's ZIP codes as a filtered table with everything that the map shows, for keyboard users too. */
import { FLAGS, REVIEW_STATUSES, ZIP_STATUSES } from '../../../../territory/brand-zips.ts';
import type { BrandZip, BrandZipFilter } from '../../../../territory/brand-zips.ts';
import { formatPlace, ZIP_STATUS_LABELS } from '../../../../text/words.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import type { BrandContent } from './content.ts';
import { brandPath } from './frame.ts';
import { isFiltered } from './zip-filter.ts';
import { filterForm, filterSelect, pager } from '../../filters.ts';
import { REVIEW_LABELS, reviewText } from '../../labels.ts';
import { dayTag } from '../../../parts.ts';
import { records, type Column } from '../../../records.ts';
import { statusTag } from '../../map/view.ts';

export function tableSection(content: BrandContent, links: Links): Html {
  const { brand, page, filter, cursor } = content;
  const none = isFiltered(filter)
    ? 'No ZIP code matches the filters.'
    : 'No ZIP codes yet. Add some on the map or as a list.';
  return html`<section id="zips" aria-labelledby="zips-title">
    <h2 id="zips-title">ZIP codes</h2>
    ${filters(content, links)}
    ${page.rows.length > 0 ? html`<div class="zip-table">${zipTable(content)}</div>` : html`<p class="quiet">${none}</p>`}
    ${page.rows.length > 0 && removeForm(content, links)}
    ${pager(brandPath(brand), queryOf(filter, cursor), page.nextCursor, links, '#zips')}
  </section>`;
}

/** Opens the preview of a removal. */
function removeForm({ brand, filter, refusal }: BrandContent, links: Links): Html | false {
  if (refusal !== undefined) return false;
  const at = links.page(brandPath(brand, '/remove'));
  const all = `${at}?${queryOf(filter)}`;
  return html`<form id="remove-selected" class="inline" method="post" action="${at}">
    <button class="quiet-button">Remove selected…</button>
    ${
      isFiltered(filter) &&
      filter.status !== 'removed' &&
      html`<a href="${all}">Remove all matching ZIP codes, on all pages…</a>`
    }
  </form>`;
}

const FLAG_LABELS = {
  shared: 'Shared',
  isolated: 'Isolated',
  no_boundary: 'No boundary',
} as const;

function filters({ brand, filter, states }: BrandContent, links: Links): Html {
  const query = queryOf(filter);
  const select = <Key extends string>(
    [name, label, any]: [name: string, label: string, any: string],
    keys: readonly Key[],
    labelOf: (key: Key) => string,
  ) =>
    filterSelect(
      { name, label, any },
      keys.map((value) => ({ value, label: labelOf(value) })),
      query,
    );
  const fields = [
    select(['status', 'Status', 'Held'], ZIP_STATUSES, (status) => ZIP_STATUS_LABELS[status]),
    select(['flag', 'Flag', 'Any'], FLAGS, (flag) => FLAG_LABELS[flag]),
    select(['state', 'State', 'All'], states, (usps) => usps),
    select(['review', 'Latest review', 'Any'], REVIEW_STATUSES, (status) => REVIEW_LABELS[status]),
  ];
  return filterForm(`${brandPath(brand)}#zips`, query, fields, links);
}

/** The checkboxes belong to the form below the table. */
function zipTable({ page, refusal }: BrandContent): Html {
  const select = ({ zip, status }: BrandZip) =>
    status !== 'removed' &&
    html`<label class="select"
      ><input type="checkbox" name="zips" value="${zip}" form="remove-selected" /><span
        class="visually-hidden"
        >Select ${zip}</span
      ></label
    >`;
  const columns: Column<BrandZip>[] = [
    { heading: 'ZIP code', cell: ({ zip }) => zip },
    { heading: 'Place', cell: ({ city, state }) => formatPlace(city, state) },
    { heading: 'Status', cell: ({ status }) => statusTag(status) },
    { heading: 'Flags', cell: flags },
    { heading: 'Latest review', cell: review },
    { heading: 'Since', cell: ({ changedAt }) => dayTag(changedAt) },
    ...(refusal === undefined ? [{ heading: 'Select', cell: select }] : []),
  ];
  return records('Table of ZIP codes', columns, page.rows);
}

const flags = ({ sharedWith, isolated, hasBoundary }: BrandZip): Html =>
  html`${sharedWith.length > 0 && html`<span>Shared with ${sharedWith.map(({ name }) => name).join(', ')}</span>`}
  ${isolated && html`<span>Isolated</span>`} ${!hasBoundary && html`<span>No boundary</span>`}`;

const review = ({ review: latest }: BrandZip) => latest && reviewText(latest);

/** The query that the filter form sends, without empty fields. */
function queryOf({ status, flag, state, reviewStatus }: BrandZipFilter, cursor?: string) {
  const fields = { status, flag, state, review: reviewStatus, cursor };
  const filled = Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1]);
  return new URLSearchParams(filled);
}
