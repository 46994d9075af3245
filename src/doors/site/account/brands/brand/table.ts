/** The brand's ZIP codes as a filtered and sorted table with everything that the map shows, for keyboard users too. */
import { VERTICALS } from '../../../../../data/scoring/verticals.ts';
import {
  FLAGS,
  REVIEW_STATUSES,
  ZIP_STATUSES,
} from '../../../../../territories/brands/brand-zips.ts';
import type { BrandZipFilter } from '../../../../../territories/brands/brand-zips.ts';
import type { ScoredZip, ZipOrder } from '../../../../../territories/brands/scored-zips.ts';
import {
  formatCount,
  placeName,
  pluralize,
  ZIP_STATUS_LABELS,
} from '../../../../../base/text/words.ts';
import { formatDay } from '../../../../../territories/brands/groups/refusal-words.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import type { BrandContent } from './content.ts';
import { dayField } from '../../over-time/day-form.ts';
import { brandPath } from './frame.ts';
import { isFiltered, PAGE_SIZE } from './zip-filter.ts';
import { filterForm, filterSelect, pager } from '../../filters.ts';
import { REVIEW_LABELS, reviewText } from '../../labels.ts';
import { dayTag, scoreChip } from '../../../parts.ts';
import { records, type Column } from '../../../records.ts';
import { statusTag } from '../../map/view.ts';
import { withheldNotice } from '../../withheld-notice.ts';

export function tableSection(content: BrandContent, links: Links): Html {
  const { brand, zips, filter, offset } = content;
  const none = isFiltered(filter)
    ? 'No ZIP code matches the filters.'
    : 'No ZIP codes yet. Add some on the map or as a list.';
  const end = offset + zips.rows.length;
  const next = end < zips.total ? String(offset / PAGE_SIZE + 2) : null;
  const query = queryOf(content);
  if (offset > 0) query.set('cursor', String(offset / PAGE_SIZE + 1));
  return html`<section id="zips" aria-labelledby="zips-title">
    <h2 id="zips-title">ZIP codes</h2>
    ${filters(content, links)}
    ${zips.withheld && withheldNotice('Scores and households', zips.withheld, links)}
    ${
      zips.rows.length > 0
        ? html`<div>
              <div class="zip-table">${zipTable(content, links)}</div>
              ${removeForm(content, links)}
            </div>
            <p class="quiet">
              ${formatCount(offset + 1)} to ${formatCount(end)} of
              ${pluralize(zips.total, 'ZIP code')}
            </p>`
        : html`<p class="quiet">${none}</p>`
    }
    ${pager(brandPath(brand), query, next, links, '#zips')}
  </section>`;
}

/** Opens the preview of a removal. It stays in view while one selects. */
function removeForm(content: BrandContent, links: Links): Html | false {
  const { brand, filter, refusal } = content;
  if (refusal !== undefined) return false;
  const at = links.page(brandPath(brand, '/remove'));
  const all = `${at}?${filterQuery(filter)}`;
  return html`<form id="remove-selected" class="inline on-selected" method="post" action="${at}">
    <button class="quiet-button">Remove selected…</button>
    ${
      isFiltered(filter) &&
      filter.status !== 'removed' &&
      html`<a href="${all}">Remove all matching ZIP codes, on all pages…</a>`
    }
  </form>`;
}

const FLAG_LABELS = { shared: 'Shared', isolated: 'Isolated', no_boundary: 'No boundary' } as const;

const ORDER_LABELS: Readonly<Record<ZipOrder, string>> = {
  zip: 'ZIP code',
  score: 'Score, highest first',
  '-score': 'Score, lowest first',
  households: 'Households, most first',
  '-households': 'Households, fewest first',
};

function filters(content: BrandContent, links: Links): Html {
  const { brand, states, order, vertical, shownDay } = content;
  const query = queryOf(content);
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
    filterSelect(
      { name: 'vertical', label: 'Scores for' },
      VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
      new URLSearchParams({ vertical }),
    ),
    filterSelect(
      { name: 'sort', label: 'Sort by' },
      Object.entries(ORDER_LABELS).map(([value, label]) => ({ value, label })),
      new URLSearchParams({ sort: order }),
    ),
  ];
  const day = dayField(shownDay);
  return filterForm(`${brandPath(brand)}#zips`, query, day ? [...fields, day] : fields, links);
}

/** The checkboxes belong to the form below the table. */
function zipTable(content: BrandContent, links: Links): Html {
  const { zips, refusal } = content;
  const select = ({ zip, status }: ScoredZip) =>
    status !== 'removed' &&
    html`<label class="select"
      ><input type="checkbox" name="zips" value="${zip}" form="remove-selected" /><span
        class="visually-hidden"
        >Select ${zip}</span
      ></label
    >`;
  const sort = (by: ZipOrder) => sortOf(by, content, links);
  const columns: Column<ScoredZip>[] = [
    { heading: 'ZIP code', sort: sort('zip'), cell: ({ zip }) => zip },
    ...(refusal === undefined ? [{ heading: 'Select', cell: select }] : []),
    { heading: 'Place', cell: ({ city, state }) => placeName(city, state) },
    {
      heading: 'Score',
      number: true,
      sort: sort('score'),
      cell: ({ score }) => (score === null ? '–' : scoreChip(score)),
    },
    {
      heading: 'Households',
      number: true,
      sort: sort('households'),
      cell: ({ households }) => formatCount(households),
    },
    {
      heading: 'Status',
      cell: ({ status, planned }) =>
        html`${statusTag(status, isPlanned(status, planned) ? 'Planned' : undefined)}
        ${plannedText(planned, links)}`,
    },
    { heading: 'Flags', cell: flags },
    { heading: 'Latest review', cell: review },
    { heading: 'Since', cell: ({ changedAt }) => dayTag(changedAt) },
  ];
  return records('Table of ZIP codes', columns, zips.rows);
}

/** Whether it is approved, and only its day is to come */
const isPlanned = (status: ScoredZip['status'], planned: ScoredZip['planned']): boolean =>
  status === 'pending' && planned?.part === 'added' && planned.isApproved;

/** What a change plans for a ZIP code, with its day */
const plannedText = (planned: ScoredZip['planned'], links: Links): Html | false =>
  planned !== null &&
  html`<a class="quiet" href="${links.page(`/account/reviews/changes/${planned.changeId}`)}"
    >${planned.part === 'added' ? 'from' : 'until'}
    ${planned.on === null ? 'the approval of a change' : formatDay(planned.on)}</a
  >`;

/** A second click on a figure's heading shows the smallest first. */
function sortOf(by: ZipOrder, content: BrandContent, links: Links): Column<ScoredZip>['sort'] {
  const { brand, order } = content;
  const isCurrent = order.replace('-', '') === by;
  const query = queryOf(content);
  query.set('sort', isCurrent && order === by && by !== 'zip' ? `-${by}` : by);
  const isAscending = by === 'zip' || order.startsWith('-');
  return {
    to: `${links.page(brandPath(brand))}?${query}#zips`,
    order: isCurrent ? (isAscending ? 'ascending' : 'descending') : undefined,
  };
}

const flags = ({ sharedWith, isolated, hasBoundary }: ScoredZip): Html =>
  html`${sharedWith.length > 0 && html`<span>Shared with ${sharedWith.map(({ name }) => name).join(', ')}</span>`}
  ${isolated && html`<span>Isolated</span>`} ${!hasBoundary && html`<span>No boundary</span>`}`;

const review = ({ review: latest }: ScoredZip) => latest && reviewText(latest);

/** The query that the filter form sends, without empty fields and initial values. */
function queryOf({ filter, order, asked }: BrandContent): URLSearchParams {
  const query = filterQuery(filter);
  for (const [name, value] of Object.entries(asked)) if (value) query.set(name, value);
  if (order !== 'zip') query.set('sort', order);
  return query;
}

function filterQuery({ status, flag, state, reviewStatus }: BrandZipFilter): URLSearchParams {
  const fields = { status, flag, state, review: reviewStatus };
  const filled = Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1]);
  return new URLSearchParams(filled);
}
