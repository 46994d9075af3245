/** The ZIP codes of a shared map in one state, for maps whose main page lists only the states. */
import { sharePagePath } from '../../../territories/share/token.ts';
import { htmlDocument } from '../document.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { placesOf } from './zip-list.ts';
import { fullTitle, legend, NOT_FOUND_BY_SEARCH, type SharedMap } from './view.ts';
import { formatCount } from '../../../base/text/words.ts';

/** @param map a map whose listing contains only this state */
export function sharedPartPage(
  map: Omit<SharedMap, 'embedded' | 'styleVersion' | 'mark'>,
  links: Links,
): string {
  const { token, listing } = map;
  const [state] = listing.states;
  const title = fullTitle(map);
  const where = state?.name ?? 'No ZIP codes';
  const head = html`<title>${where} · ${title}</title> ${NOT_FOUND_BY_SEARCH}`;
  const body = html`<main class="part">
    <p><a href="${links.page(sharePagePath(token))}">${title}</a></p>
    <h1>${where} ${state && html`<span class="quiet">${formatCount(listing.zips)}</span>`}</h1>
    ${
      state
        ? html`${legend(listing)}
            <div class="zips">${placesOf(state, listing.positions)}</div>`
        : html`<p>The territory holds no ZIP codes in this state.</p>`
    }
  </main>`;
  return htmlDocument({ head, body, kind: 'shared', assets: ['shared-map/style.css'] }, links);
}
