/**
 * Filters and pages of long lists. Both are stored in the address, so that it can be bookmarked and shared.
 */
import { menuOptions, type MenuChoice } from '../forms.ts';
import { html, type Html } from '../html.ts';
import type { Links } from '../links.ts';

/** @param path may end with the anchor of the list, such as `#zips` */
export function filterForm(
  path: string,
  query: URLSearchParams,
  fields: readonly Html[],
  links: Links,
): Html {
  const isFiltered = [...query.keys()].some((name) => name !== 'cursor');
  return html`<form method="get" action="${links.page(path)}" class="filters" role="search">
    ${fields}
    <div class="filters-do">
      <button class="quiet-button">Show</button>
      ${isFiltered && html`<a href="${links.page(path)}">Show all</a>`}
    </div>
  </form>`;
}

/** @param any label of the empty choice. Default: no empty choice */
export const filterSelect = (
  { name, label, any }: { name: string; label: string; any?: string },
  choices: readonly MenuChoice[],
  query: URLSearchParams,
): Html =>
  html`<div>
    <label for="filter-${name}">${label}</label>
    <select id="filter-${name}" name="${name}">
      ${any !== undefined && html`<option value="">${any}</option>`}
      ${menuOptions(choices, query.get(name) ?? '')}
    </select>
  </div>`;

/** @param limits the attributes of a number */
export function filterInput(
  { name, label, type, ...limits }: FilterInput,
  query: URLSearchParams,
): Html {
  const value = query.get(name);
  return html`<div>
    <label for="filter-${name}">${label}</label>
    <input
      id="filter-${name}"
      name="${name}"
      type="${type}"
      ${Object.entries(limits).map(([key, limit]) => html`${key}="${limit}" `)}
      ${type === 'number' && html`inputmode="numeric"`}
      ${value && html`value="${value}"`}
    />
  </div>`;
}

interface FilterInput {
  name: string;
  label: string;
  type: 'date' | 'number';
  min?: number;
  max?: number;
}

/** Links to the first and next page of a long list. @param hash anchor of the list */
export function pager(
  path: string,
  query: URLSearchParams,
  nextCursor: string | null,
  links: Links,
  hash = '',
): Html | false {
  const at = (cursor: string | null) => {
    const page = new URLSearchParams(query);
    for (const name of ['cursor', 'done']) page.delete(name);
    if (cursor !== null) page.set('cursor', cursor);
    return links.page(page.size > 0 ? `${path}?${page}` : path) + hash;
  };
  const isLaterPage = query.has('cursor');
  return (
    (isLaterPage || nextCursor !== null) &&
    html`<nav class="pager" aria-label="Pages">
      ${isLaterPage && html`<a href="${at(null)}">First page</a>`}
      ${nextCursor !== null && html`<a href="${at(nextCursor)}" rel="next">Next page</a>`}
    </nav>`
  );
}
