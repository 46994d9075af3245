/** The page shown for an error. */
import { VERTICALS } from '../../scoring/verticals.ts';
import { html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';

const TITLES: Readonly<Record<number, string>> = {
  402: 'Beyond your plan',
  404: 'Page not found',
  405: 'Method not allowed',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** @param reason a sentence that may be shown to anyone */
export function failedPage(status: number, reason: string, links: Links): string {
  const title = TITLES[status] ?? 'Something went wrong';
  const main = html`
    <div class="hero">
      <h1>${title}</h1>
      <p class="lead">${reason}</p>
      <p class="actions"><a class="button" href="${links.page('/')}">Go to the home page</a></p>
    </div>
    <section>
      <h2>Demand by vertical</h2>
      <ul class="tiles">
        ${VERTICALS.map(
          ({ slug, label }) => html`<li><a href="${links.vertical(slug)}">${label}</a></li>`,
        )}
      </ul>
    </section>
  `;
  return renderPage({ title, description: reason, path: null, main }, links);
}
