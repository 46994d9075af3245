/** The brand's ZIP codes as a filtered table: everything on the map, usable with a keyboard. */
import { FLAGS, REVIEW_STATUSES, ZIP_STATUSES } from '../../../../territory/brand-zips.ts';
import type { BrandZip, BrandZipFilter } from '../../../../territory/brand-zips.ts';
import { formatPlace } from '../../../../words.ts';
import { day } from '../../../format.ts';
import { FormState } from '../../../form-state.ts';
import { selectField } from '../../../forms.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import type { BrandContent } from './content.ts';
import { brandPath } from './frame.ts';
import { records, type Column } from '../../records.ts';
import { STATUS_LABELS, statusTag } from '../../map/view.ts';

export function tableSection(content: BrandContent, links: Links): Html {
  const { page, filter } = content;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const none = isFiltered
    ? 'No ZIP code matches the filters.'
    : 'No ZIP codes yet. Add some on the map or as a list.';
  return html`<section id="zips" aria-labelledby="zips-title">
    <h2 id="zips-title">ZIP codes</h2>
    ${filterForm(content, links)}
    ${page.rows.length > 0 ? html`<div class="zip-table">${zipTable(content)}</div>` : html`<p class="quiet">${none}</p>`}
    ${page.rows.length > 0 && removeForm(content, isFiltered, links)} ${pages(content, links)}
  </section>`;
}

/** Leads to the preview of a removal. */
function removeForm(content: BrandContent, isFiltered: boolean, links: Links): Html | false {
  const { brand, filter, refusal } = content;
  if (refusal !== undefined) return false;
  const at = links.page(brandPath(brand, '/remove'));
  const all = `${at}?${queryOf(filter)}`;
  return html`<form id="remove-selected" class="inline" method="post" action="${at}">
    <button class="quiet-button">Remove selected…</button>
    ${
      isFiltered &&
      filter.status !== 'removed' &&
      html`<a href="${all}">Remove all matching ZIP codes, on all pages…</a>`
    }
  </form>`;
}

const FLAG_LABELS = { shared: 'Shared', isolated: 'Isolated' } as const;
const REVIEW_LABELS = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
} as const;

function filterForm({ brand, filter, states }: BrandContent, links: Links): Html {
  const choice = (
    name: string,
    label: string,
    any: string,
    choices: readonly { value: string; label: string }[],
    chosen: string | undefined,
  ) =>
    selectField(
      { name, label, value: chosen ?? '' },
      [{ value: '', label: any }, ...choices],
      FormState.EMPTY,
    );
  const labelled = <Key extends string>(keys: readonly Key[], labels: Record<Key, string>) =>
    keys.map((value) => ({ value, label: labels[value] }));
  return html`<form class="zip-filters" method="get" action="${links.page(brandPath(brand))}#zips">
    ${choice('status', 'Status', 'Held', labelled(ZIP_STATUSES, STATUS_LABELS), filter.status)}
    ${choice('flag', 'Flag', 'Any', labelled(FLAGS, FLAG_LABELS), filter.flag)}
    ${choice(
      'state',
      'State',
      'All',
      states.map((usps) => ({ value: usps, label: usps })),
      filter.state,
    )}
    ${choice('review', 'Latest review', 'Any', labelled(REVIEW_STATUSES, REVIEW_LABELS), filter.reviewStatus)}
    <button class="button">Show</button>
  </form>`;
}

/** The checkboxes belong to the form below. With scripts, the map shows the selection. */
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
    { heading: 'Since', cell: ({ changedAt }) => day(changedAt.toISOString()) },
    ...(refusal === undefined ? [{ heading: 'Select', cell: select }] : []),
  ];
  return records('Table of ZIP codes', columns, page.rows);
}

const flags = ({ sharedWith, isolated }: BrandZip): Html =>
  html`${sharedWith.length > 0 && html`<span>Shared with ${sharedWith.map(({ name }) => name).join(', ')}</span>`}
  ${isolated && html`<span>Isolated</span>`}`;

const review = ({ review: latest }: BrandZip) => latest && reviewText(latest);

/** `Rejected: too far from our crews` */
export const reviewText = ({ status, reason }: NonNullable<BrandZip['review']>): string =>
  reason === null ? REVIEW_LABELS[status] : `${REVIEW_LABELS[status]}: ${reason}`;

function pages({ brand, page, filter, cursor }: BrandContent, links: Links): Html | null {
  if (page.nextCursor === null && cursor === undefined) return null;
  const at = (given: string | null) => {
    const query = queryOf(filter, given);
    return `${links.page(brandPath(brand))}${query && `?${query}`}#zips`;
  };
  return html`<p class="actions">
    ${cursor !== undefined && html`<a href="${at(null)}">First page</a>`}
    ${page.nextCursor !== null && html`<a href="${at(page.nextCursor)}" rel="next">Next page</a>`}
  </p>`;
}

/** The query that the filter form sends, without empty fields. */
function queryOf({ status, flag, state, reviewStatus }: BrandZipFilter, cursor?: string | null) {
  const fields = { status, flag, state, review: reviewStatus, cursor };
  const given = Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1]);
  return new URLSearchParams(given).toString();
}
