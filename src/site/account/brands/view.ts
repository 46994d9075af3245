/** The organization's brands, each with a picture of its territory and its counts. */
import type { Page } from '../../../contract/paging.ts';
import type { BrandCounts } from '../../../territory/brands.ts';
import type { HeldCounts } from '../../../territory/health.ts';
import type { FormState } from '../../form-state.ts';
import { textField, wholeProblem } from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { brandPath, BRANDS_PATH } from './brand/frame.ts';
import { pictureUnder, PICTURES } from './brand/pictures.ts';
import { pager } from '../filters.ts';
import type { AccountContent } from '../frame.ts';
import { formatCount } from '../../../text/words.ts';

export interface BrandsContent {
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
    ${live + pending > 0 ? picture(brand, links) : html`<div class="no-picture"></div>`}
    <h3><a href="${links.page(brandPath(brand))}">${brand.name}</a></h3>
    <p>${parts.join(' · ')}</p>
  </li>`;
}

function picture(brand: BrandCounts, links: Links): Html {
  const at = (style: 'light' | 'dark') =>
    links.page(brandPath(brand, pictureUnder('thumbnail', style)));
  const { width, height } = PICTURES.thumbnail;
  return html`<picture>
    <source media="(prefers-color-scheme: dark)" srcset="${at('dark')}" />
    <img src="${at('light')}" width="${width}" height="${height}" alt="" loading="lazy" />
  </picture>`;
}

function createForm(form: FormState, links: Links): Html {
  const state = form.of(BRANDS_PATH);
  return html`<form method="post" action="${links.page(BRANDS_PATH)}">
    ${textField({ name: 'name', label: 'Name', maxlength: 120, autocomplete: 'off' }, state)}
    ${textField(
      {
        name: 'slug',
        label: 'Short name (optional)',
        hint: 'Used in addresses and commands. Default: derived from the name.',
        maxlength: 60,
        autocomplete: 'off',
        optional: true,
      },
      state,
    )}
    <button class="button">Create brand</button>
  </form>`;
}
