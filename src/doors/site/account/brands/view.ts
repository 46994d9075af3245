/** The organization's brands, each with a picture of its territory and its counts. */
import { parseSlug } from '../../../../base/text/slug.ts';
import type { Page } from '../../../../base/contract/paging.ts';
import type { BrandCounts } from '../../../../territories/brands/brands.ts';
import type { HeldCounts } from '../../../../territories/brands/health.ts';
import type { FormState } from '../../form-state.ts';
import { checkedName } from '../../../../people/account/names.ts';
import { wholeProblem } from '../../forms.ts';
import { formOf, text } from '../../framework/fields.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { brandPath, BRANDS_PATH } from './brand/frame.ts';
import { pictureUnder, thumbnail } from '../map/status-picture.ts';
import { pager } from '../filters.ts';
import type { AccountContent } from '../frame.ts';
import { formatCount } from '../../../../base/text/words.ts';

interface BrandsContent {
  form: FormState;
  page: Page<BrandCounts>;
  query: URLSearchParams;
  /** By brand id */
  counts: ReadonlyMap<string, HeldCounts>;
  /** Reason why the viewer can't create a brand; undefined if they can */
  refusal: string | undefined;
}

export function brandsPage(content: BrandsContent, links: Links): AccountContent {
  const { form, page, query, counts, refusal } = content;
  const main = html`${wholeProblem(form)}
    ${
      page.rows.length > 0
        ? html`<ul class="cards brands">
            ${page.rows.map((brand) => card(brand, counts.get(brand.id)!, links))}
          </ul>`
        : html`<p>
            A brand holds the ZIP codes of a territory, such as the service area of a company, a
            franchise, or a line of business.
          </p>`
    }
    ${pager(BRANDS_PATH, query, page.nextCursor, links)}
    <section aria-labelledby="create-title">
      <h2 id="create-title">
        ${page.rows.length > 0 ? 'Create another brand' : 'Create your first brand'}
      </h2>
      ${refusal === undefined ? createForm(form, links) : html`<p class="quiet">${refusal}</p>`}
    </section>`;
  return { path: BRANDS_PATH, assets: ['account/brands/style.css'], main };
}

function card(brand: BrandCounts, counts: HeldCounts, links: Links): Html {
  const { live, pending, shared, isolated } = counts;
  const parts = [
    `${formatCount(live)} live`,
    `${formatCount(pending)} pending review`,
    ...(shared > 0 ? [`${formatCount(shared)} shared`] : []),
    ...(isolated > 0 ? [`${formatCount(isolated)} isolated`] : []),
  ];
  return html`<li>
    ${live + pending > 0 ? thumbnail((name, style) => links.page(brandPath(brand, pictureUnder(name, style)))) : html`<div class="no-picture"></div>`}
    <h3><a href="${links.page(brandPath(brand))}">${brand.name}</a></h3>
    <p>${parts.join(' · ')}</p>
  </li>`;
}

const createForm = (form: FormState, links: Links): Html =>
  html`<form method="post" action="${links.page(BRANDS_PATH)}">
    ${BRAND.html(form.of(BRANDS_PATH), null)}
    <button class="button">Create brand</button>
  </form>`;

export const BRAND = formOf({
  name: text({ name: 'name', label: 'Name', maxlength: 120 }, (name) =>
    checkedName('A brand', name),
  ),
  slug: text(
    {
      name: 'slug',
      label: 'Short name (optional)',
      hint: 'Used in addresses and commands. Default: derived from the name.',
      maxlength: 60,
      optional: true,
    },
    (slug) => (slug.trim() === '' ? undefined : parseSlug(slug.trim())),
  ),
});
