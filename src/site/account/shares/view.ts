/** Share links: those that there are, and the way to a new one. */
import { VERTICALS } from '../../../scoring/verticals.ts';
import {
  SHARE_DAYS,
  SHARE_STATUSES,
  type ShareLink,
  type ShareStatus,
} from '../../../share/links.ts';
import type { BrandCounts } from '../../../territory/brands.ts';
import { day } from '../../format.ts';
import type { FormState } from '../../form-state.ts';
import { choices, selectField, textField, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { accountPage, type Resident } from '../frame.ts';
import { records } from '../records.ts';
import { shareAddress, shareTitle, stateOfShare, verticalLabel } from './share/view.ts';

export const SHARES_PATH = '/account/shares';

export interface SharesContent {
  resident: Resident;
  done: string | null;
  form: FormState;
  status: ShareStatus | 'all';
  /** The latest first */
  shares: readonly ShareLink[];
  /** Null at the end */
  nextCursor: string | null;
  /** Whether it is the first page of them */
  isFirst: boolean;
  brands: readonly BrandCounts[];
  /** Slug of the one that is to be shared; null: the first that holds ZIPs */
  chosenBrand: string | null;
  /** Why this person may not mint one; undefined: may */
  hindrance: string | undefined;
}

export function sharesPage(content: SharesContent, links: Links): string {
  const { resident, done, form, shares, brands, hindrance } = content;
  const mayMint = hindrance === undefined && brands.length > 0;
  const main = html`<p>
      Share links are public: whoever has one sees the map of a brand’s ZIP codes without signing
      in, until it expires or is revoked. Demand scores are never on it.
    </p>
    ${wholeProblem(form)}
    ${mayMint && html`<p class="actions"><a class="button" href="#mint">Share a map</a></p>`}
    ${filters(content, links)}
    ${shares.length > 0 ? shareTable(shares, links) : html`<p class="quiet">${noneOf(content)}</p>`}
    ${paging(content, links)}
    ${mayMint ? mintForm(content, links) : html`<p class="quiet">${whyNot(content)}</p>`}`;
  return accountPage(
    { path: SHARES_PATH, done, resident, assets: ['account/shares.css'], main },
    links,
  );
}

const FILTER_LABELS: Readonly<Record<ShareStatus | 'all', string>> = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
  all: 'All',
};

function filters({ status }: SharesContent, links: Links): Html {
  return html`<nav aria-label="Which links" class="choosing">
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

function noneOf({ status, isFirst }: SharesContent): string {
  if (!isFirst) return 'There are no more.';
  if (status === 'all') return 'Nothing was shared yet.';
  return `There are no ${FILTER_LABELS[status].toLowerCase()} links.`;
}

const whyNot = ({ hindrance }: SharesContent) =>
  hindrance ?? 'There is no brand yet whose map could be shared.';

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
      { heading: 'For', cell: ({ vertical }) => verticalLabel(vertical) ?? '–' },
      { heading: 'Shows', cell: ({ kind }) => (kind === 'brand' ? 'Live' : 'Frozen') },
      {
        heading: 'Made',
        cell: ({ createdAt, createdBy }) =>
          html`<span
            >${day(createdAt.toISOString())} <span class="quiet">by ${createdBy.name}</span></span
          >`,
      },
      { heading: 'State', cell: stateOfShare },
    ],
    shares,
  );
}

function paging({ status, nextCursor, isFirst }: SharesContent, links: Links): Html | false {
  if (isFirst && nextCursor === null) return false;
  const at = (more: Record<string, string>) =>
    `${links.page(SHARES_PATH)}?${new URLSearchParams({ status, ...more })}`;
  return html`<nav aria-label="Pages" class="actions">
    ${!isFirst && html`<a href="${at({})}">The latest</a>`}
    ${nextCursor !== null && html`<a href="${at({ cursor: nextCursor })}" rel="next">Earlier ones</a>`}
  </nav>`;
}

function mintForm({ form, brands, chosenBrand }: SharesContent, links: Links): Html {
  const state = form.of(SHARES_PATH);
  const { min, max, default: defaultDays } = SHARE_DAYS;
  const holding = brands.find(({ live, pending }) => live + pending > 0);
  const value = chosenBrand ?? holding?.slug ?? '';
  return html`<section id="mint">
    <h2>Share a map</h2>
    <form method="post" action="${links.page(SHARES_PATH)}">
      ${selectField(
        { name: 'brand', label: 'Brand', value },
        brands.map(({ slug, name }) => ({ value: slug, label: name })),
        state,
      )}
      ${choices(
        { type: 'radio', name: 'kind', legend: 'It shows', value: 'brand' },
        [
          {
            value: 'brand',
            label: 'The territory as it is',
            hint: 'Whenever somebody looks: it changes as the brand does.',
          },
          {
            value: 'zip_snapshot',
            label: 'The territory as of today',
            hint: 'Frozen: it stays as it is now, also when the brand changes.',
          },
        ],
        state,
      )}
      ${textField(
        {
          name: 'title',
          label: 'Title',
          hint: 'Left empty, the brand’s name stands above the map.',
          maxlength: 80,
          autocomplete: 'off',
          optional: true,
        },
        state,
      )}
      ${selectField(
        { name: 'vertical', label: 'For', hint: 'Told beside the title.' },
        [
          { value: '', label: 'Not told' },
          ...VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
        ],
        state,
      )}
      ${textField(
        {
          name: 'days',
          label: 'Open for, in days',
          hint: `Then it closes by itself; ${max} at most.`,
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
            label: 'Name neither the brand nor me',
            hint: 'A title of your own is shown nevertheless.',
          },
        ],
        state,
      )}
      <button class="button">Share the map</button>
      <p class="hint">Here this costs no units; they are for calls of tools and of the API.</p>
    </form>
  </section>`;
}
