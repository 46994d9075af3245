/** Links to the workspace, from pages and from addresses of former pages. */
import { ADD_FROM, KEEP_FROM } from '../../../territories/brands/compare.ts';
import type { Brand } from '../../../territories/brands/brands.ts';
import type { Links } from '../links.ts';
import { queryOfLink, type WorkspaceLink } from './browser/asked.ts';

export const WORKSPACE_PATH = '/account/map';

/** Maximum that keeps addresses short enough for browsers and proxies. */
export const MAX_ZIPS_IN_LINK = 300;

export const workspaceLink = (link: WorkspaceLink, links: Links): string =>
  `${links.page(WORKSPACE_PATH)}?${queryOfLink(link)}`;

/** The filter of adjacent ZIP codes with high scores, which a brand might add */
export const additionsFilter = (brand: Brand, score = ADD_FROM) =>
  `borders = ${quote(brand)} and score >= ${score}`;

/** The filter of ZIP codes with high scores further out, which a brand might add */
export const furtherFilter = (brand: Brand, miles: number) =>
  `miles from ${quote(brand)} <= ${miles} and score >= ${ADD_FROM} and not borders = ${quote(brand)} and not brand = ${quote(brand)}`;

/** The filter of held ZIP codes with low scores, which a brand might remove */
export const cutsFilter = (brand: Brand) => `brand = ${quote(brand)} and score < ${KEEP_FROM}`;

/** Filters can't contain a quotation mark inside a text. */
const quote = ({ name, slug }: Brand) => `"${name.includes('"') ? slug : name}"`;
