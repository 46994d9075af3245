/** The frame of a brand's pages. */
import type { Brand } from '../../../../../territories/brands/brands.ts';
import type { AssetName } from '../../../assets.ts';
import { html, type Html } from '../../../html.ts';
import type { Links } from '../../../links.ts';
import { breadcrumbs } from '../../../parts.ts';
import type { AccountContent } from '../../frame.ts';

export const BRANDS_PATH = '/account/brands';

/** @param under path of a page below the brand's, such as `/history` */
export const brandPath = ({ slug }: Pick<Brand, 'slug'>, under = '') =>
  `${BRANDS_PATH}/${slug}${under}`;

interface BrandPageContent {
  brand: Brand;
  /** Path below the brand's; empty for the main page */
  under: '' | '/analysis' | '/history' | '/terms' | '/remove' | '/transfer' | '/contact' | '/look';
  /** Only for a page without a tab */
  title?: string;
  assets?: readonly AssetName[];
  main: Html;
}

const TABS = [
  ['', 'Territory'],
  ['/analysis', 'Analysis'],
  ['/history', 'Removals'],
  ['/terms', 'Terms'],
  ['/transfer', 'Export and import'],
  ['/contact', 'Contact and places'],
  ['/look', 'Look'],
] as const;

export function brandPageOf(content: BrandPageContent, links: Links): AccountContent {
  const { brand, under, title, assets = [], main } = content;
  const tab = ([path, label]: (typeof TABS)[number]) =>
    html`<li>
      <a
        href="${links.page(brandPath(brand, path))}"
        ${path === under && html`aria-current="${title === undefined ? 'page' : 'true'}"`}
        >${label}</a
      >
    </li>`;
  const tabs = html`<nav class="tabs" aria-label="${brand.name}">
    <ul>
      ${TABS.map(tab)}
    </ul>
  </nav>`;
  return {
    path: BRANDS_PATH,
    title: brand.name,
    assets: ['account/brands/style.css', ...assets],
    aboveTitle: breadcrumbs([[BRANDS_PATH, 'Brands']], brand.name, links),
    belowTitle: tabs,
    main: html`${title !== undefined && html`<h2 class="page-title">${title}</h2>`} ${main}`,
  };
}
