/** The page of all results. It also serves browsers without JavaScript. */
import { pluralize } from '../../../base/text/words.ts';
import type { FoundPlace } from '../browser/found-place.ts';
import { html, type Html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { METROS_PATH, type Links } from '../links.ts';

export function searchPage(
  query: string,
  { places, problem }: { places: readonly FoundPlace[]; problem: string | null },
  links: Links,
): string {
  const hasOthers = places.some(({ url }) => url === null);
  const main = html`<h1>Search</h1>
    <p class="lead">${summaryOf(query, places.length)}</p>
    ${problem !== null && html`<p>${problem}</p>`}
    <ul class="found-places">
      ${places.map(
        ({ label, detail, url }) =>
          html`<li>
            ${url === null ? html`<strong>${label}</strong>` : html`<a href="${url}">${label}</a>`}
            <span class="quiet">${detail}</span>
          </li>`,
      )}
    </ul>
    ${hasOthers && outsideNote(links)}`;
  return renderPage(
    { title: 'Search', description: 'Places in the data.', path: null, query, main },
    links,
  );
}

function summaryOf(query: string, count: number): string {
  if (query.trim() === '')
    return 'Enter a ZIP code, or the name of a city, county, metro, or state.';
  if (count === 0) return `No places for “${query}”. Check the spelling, or add the state.`;
  return `${pluralize(count, 'place')} for “${query}”`;
}

const outsideNote = (links: Links): Html =>
  html`<p class="quiet">
    Places without a link are outside the <a href="${links.page(METROS_PATH)}">launched metros</a>.
    With an <a href="${links.page('/account')}">account</a>, you work with every ZIP code of the
    country.
  </p>`;
