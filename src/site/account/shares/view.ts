/** The list of share links, and the form that creates one. */
import { VERTICALS } from '../../../scoring/verticals.ts';
import type { Page } from '../../../contract/paging.ts';
import {
  SHARE_DAYS,
  SHARE_STATUSES,
  type ShareLink,
  type ShareStatus,
} from '../../../share/links.ts';
import type { BrandCounts } from '../../../territory/brands.ts';
import type { FormState } from '../../form-state.ts';
import { choices, selectField, textField, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { pager } from '../filters.ts';
import type { AccountContent } from '../frame.ts';
import { dayTag } from '../../parts.ts';
import { records } from '../../records.ts';
import {
  shareAddress,
  shareStatus,
  shareTitle,
  shownTerritory,
  verticalLabel,
} from './share/view.ts';

export const SHARES_PATH = '/account/shares';

export interface SharesContent {
  form: FormState;
  status: ShareStatus | 'all';
  /** Newest first */
  page: Page<ShareLink>;
  query: URLSearchParams;
  brands: readonly BrandCounts[];
  /** Reason why the viewer can't create a link; undefined if they can */
  refusal: string | undefined;
}

export function sharesPage(content: SharesContent, links: Links): AccountContent {
  const { form, page, query, brands, refusal } = content;
  const mayCreate = refusal === undefined && brands.length > 0;
  const main = html`<p>
      Share links are public: anyone who has one can see the map of a brand’s ZIP codes without
      signing in, until the link expires or is revoked. The map never shows demand scores.
    </p>
    ${wholeProblem(form)}
    ${mayCreate && html`<p class="actions"><a class="button" href="#mint">Share a map</a></p>`}
    ${filters(content, links)}
    ${page.rows.length > 0 ? shareTable(page.rows, links) : html`<p class="quiet">${emptyText(content)}</p>`}
    ${pager(SHARES_PATH, query, page.nextCursor, links)}
    ${mayCreate ? createForm(content, links) : html`<p class="quiet">${refusalText(content)}</p>`}`;
  return { path: SHARES_PATH, assets: ['account/shares/style.css'], main };
}

const FILTER_LABELS: Readonly<Record<ShareStatus | 'all', string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  all: 'All',
};

function filters({ status }: SharesContent, links: Links): Html {
  return html`<nav aria-label="Status" class="choosing">
    <ul>
      ${[...SHARE_STATUSES, 'all' as const].map(
        (one) =>
          html`<li>
            <a
              href="${links.page(SHARES_PATH)}?status=${one}"
              ${one === status && html`aria-current="page"`}
              >${FILTER_LABELS[one]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`;
}

function emptyText({ status, query }: SharesContent): string {
  if (query.has('cursor')) return 'No more links.';
  if (status === 'all') return 'No share links yet.';
  return `No ${FILTER_LABELS[status].toLowerCase()} links.`;
}

const refusalText = ({ refusal }: SharesContent) =>
  refusal ?? 'Create a brand first to share its map.';

function shareTable(shares: readonly ShareLink[], links: Links): Html {
  return records(
    'Share links',
    [
      {
        heading: 'Map',
        cell: (share) =>
          html`<a href="${links.page(shareAddress(share.code))}">${shareTitle(share)}</a>`,
      },
      { heading: 'Brand', cell: ({ brand }) => brand.name },
      { heading: 'Vertical', cell: ({ vertical }) => verticalLabel(vertical) ?? '–' },
      { heading: 'Shows', cell: shownTerritory },
      {
        heading: 'Created',
        cell: ({ createdAt, createdBy }) =>
          html`<span>${dayTag(createdAt)} <span class="quiet">by ${createdBy.name}</span></span>`,
      },
      { heading: 'Status', cell: shareStatus },
    ],
    shares,
  );
}

function createForm({ form, brands, query }: SharesContent, links: Links): Html {
  const state = form.of(SHARES_PATH);
  const { min, max, default: defaultDays } = SHARE_DAYS;
  const holding = brands.find(({ live, pending }) => live + pending > 0);
  const value = query.get('brand') ?? holding?.slug ?? '';
  return html`<section id="mint">
    <h2>Share a map</h2>
    <form method="post" action="${links.page(SHARES_PATH)}">
      ${selectField(
        { name: 'brand', label: 'Brand', value },
        brands.map(({ slug, name }) => ({ value: slug, label: name })),
        state,
      )}
      ${choices(
        { type: 'radio', name: 'kind', legend: 'Shows', value: 'brand' },
        [
          {
            value: 'brand',
            label: 'The current territory',
            hint: 'The map changes when the territory does.',
          },
          {
            value: 'zip_snapshot',
            label: 'The territory as of today',
            hint: 'The map stays as it is, even when the territory changes.',
          },
        ],
        state,
      )}
      ${textField(
        {
          name: 'title',
          label: 'Title',
          hint: 'Optional. Default: the brand’s name.',
          maxlength: 80,
          autocomplete: 'off',
          optional: true,
        },
        state,
      )}
      ${selectField(
        { name: 'vertical', label: 'Vertical', hint: 'Shown next to the title.' },
        [
          { value: '', label: 'Hidden' },
          ...VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
        ],
        state,
      )}
      ${textField(
        {
          name: 'days',
          label: 'Expires after, in days',
          hint: `At most ${max} days.`,
          type: 'number',
          min,
          max,
          value: String(defaultDays),
        },
        state,
      )}
      ${choices(
        { type: 'checkbox', name: 'hide', legend: 'Branding' },
        [
          {
            value: 'yes',
            label: 'Hide the brand’s name and mine',
            hint: 'A title that you enter is still shown.',
          },
        ],
        state,
      )}
      <button class="button">Create link</button>
      <p class="hint">Sharing a map here costs no units. Only API and tool calls do.</p>
    </form>
  </section>`;
}
