/** The list of share links, and the form that creates one. */
import { VERTICALS } from '../../../../data/scoring/verticals.ts';
import type { Page } from '../../../../base/contract/paging.ts';
import {
  SHARE_DAYS,
  SHARE_STATUSES,
  linkCosts,
  type ShareLink,
  type ShareStatus,
} from '../../../../territories/share/links.ts';
import { MAX_LISTED, planPagePath, type SharedPlan } from '../../../../territories/plans/shares.ts';
import { actorName } from '../../../../people/account/caller.ts';
import { PLAN_SHARE_UNITS } from '../../../http/plans/share-schema.ts';
import { WORKSPACE_PATH } from '../../workspace/link.ts';
import type { BrandCounts } from '../../../../territories/brands/brands.ts';
import type { FormState } from '../../form-state.ts';
import { badRequest } from '../../../../errors.ts';
import { readWholeNumber } from '../../../../base/text/whole-number.ts';
import { wholeProblem } from '../../forms.ts';
import { box, formOf, menu, menuOf, oneChoice, text } from '../../framework/fields.ts';
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

const MAX_TITLE_LENGTH = 80;

/** @returns undefined for an empty title. The map then shows the brand's name */
function readTitle(value: string): string | undefined {
  const title = value.trim();
  if (title.length > MAX_TITLE_LENGTH || /[\p{Cc}\p{Cs}]/u.test(title)) {
    throw badRequest(`Enter a title of at most ${MAX_TITLE_LENGTH} characters on one line.`);
  }
  return title === '' ? undefined : title;
}

function readDays(value: string): number {
  const { min, max } = SHARE_DAYS;
  const days = readWholeNumber(value.trim(), min, max);
  if (days !== undefined) return days;
  throw badRequest(`Enter a whole number of days, from ${min} to ${max}.`);
}

export const SHARES_PATH = '/account/shares';
export const REVOKE_PLAN_LINK_PATH = '/account/shares/revoke-plan-link';

interface SharesContent {
  form: FormState;
  status: ShareStatus | 'all';
  /** Newest first */
  page: Page<ShareLink>;
  query: URLSearchParams;
  brands: readonly BrandCounts[];
  /** Links to plans, newest first; null for a viewer who can't see plans */
  plans: readonly SharedPlan[] | null;
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
    ${pager(SHARES_PATH, query, page.nextCursor, links)} ${planLinks(content, links)}
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
      { heading: 'Status', cell: (share) => shareStatus(share) },
    ],
    shares,
  );
}

/** Links to plans are created on the map, where the plan is. */
function planLinks({ plans, query, refusal }: SharesContent, links: Links): Html | null {
  if (plans === null || plans.length === 0 || query.has('cursor')) return null;
  const revoke = (share: SharedPlan) =>
    html`<form class="inline" method="post" action="${links.page(REVOKE_PLAN_LINK_PATH)}">
      <input type="hidden" name="plan" value="${share.plan.id}" />
      <input type="hidden" name="link" value="${share.code}" />
      <button class="quiet-button" aria-label="Revoke link ${share.code}">Revoke</button>
    </form>`;
  return html`<section aria-labelledby="plans-title">
    <h2 id="plans-title">Links to plans</h2>
    <p>
      They show a plan’s current state: its map and territories, without figures and brands. Share
      one from its menu on the <a href="${links.page(WORKSPACE_PATH)}">map</a>.
    </p>
    ${records(
      'Links to plans',
      [
        {
          heading: 'Plan',
          cell: ({ plan }) =>
            html`<a href="${links.page(WORKSPACE_PATH)}?plan=${plan.id}">${plan.name}</a>`,
        },
        {
          heading: 'Link',
          cell: ({ code, status }) =>
            status === 'active'
              ? html`<a href="${links.page(planPagePath(code))}">${code}</a>`
              : code,
        },
        {
          heading: 'Created',
          cell: ({ createdAt, createdBy }) =>
            html`<span
              >${dayTag(createdAt)} <span class="quiet">by ${actorName(createdBy)}</span></span
            >`,
        },
        { heading: 'Status', cell: (share) => shareStatus(share) },
        {
          heading: 'Action',
          hidden: true,
          cell: (share) =>
            share.status === 'active' && refusal === undefined ? revoke(share) : '',
        },
      ],
      plans,
    )}
    ${
      plans.length === MAX_LISTED &&
      html`<p class="quiet">The newest ${MAX_LISTED} are listed. The others are in their plans.</p>`
    }
  </section>`;
}

const createForm = ({ form, brands, query }: SharesContent, links: Links): Html =>
  html`<section id="mint">
    <h2>Share a map</h2>
    <form method="post" action="${links.page(SHARES_PATH)}">
      ${SHARE.html(form.of(SHARES_PATH), { brands, query })}
      <button class="button">Create link</button>
      <p class="hint">${linkCosts(PLAN_SHARE_UNITS)}</p>
    </form>
  </section>`;

type SharedBrands = Pick<SharesContent, 'brands' | 'query'>;

/** The brand of the query, or the first that holds ZIP codes */
const firstBrand = ({ brands, query }: SharedBrands) =>
  query.get('brand') ?? brands.find(({ live, pending }) => live + pending > 0)?.slug ?? '';

export const SHARE = formOf({
  brand: menuOf({ name: 'brand', label: 'Brand', value: firstBrand }, ({ brands }: SharedBrands) =>
    brands.map(({ slug, name }) => ({ value: slug, label: name })),
  ),
  kind: oneChoice({ name: 'kind', legend: 'Shows', value: 'brand' }, [
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
  ]),
  title: text(
    {
      name: 'title',
      label: 'Title',
      hint: 'Optional. Default: the brand’s name.',
      maxlength: MAX_TITLE_LENGTH,
      optional: true,
    },
    readTitle,
  ),
  vertical: menu({ name: 'vertical', label: 'Vertical', hint: 'Shown next to the title.' }, [
    { value: '' as const, label: 'Hidden' },
    ...VERTICALS.map(({ slug, label }) => ({ value: slug, label })),
  ]),
  days: text(
    {
      name: 'days',
      label: 'Expires after, in days',
      hint: `At most ${SHARE_DAYS.max} days.`,
      type: 'number',
      min: SHARE_DAYS.min,
      max: SHARE_DAYS.max,
      value: String(SHARE_DAYS.default),
    },
    readDays,
  ),
  showsPlaces: box(
    { name: 'places', legend: 'Places' },
    {
      label: 'Show the places of the brand',
      hint: 'With address and phone, as they are now. Competitors are never shown.',
    },
  ),
  hideBranding: box(
    { name: 'hide', legend: 'Branding' },
    { label: 'Hide the brand’s name and mine', hint: 'A title that you enter is still shown.' },
  ),
});
