/** The page shown for an error. */
import { VERTICALS } from '../../../data/scoring/verticals.ts';
import type { AccountContent } from '../account/frame.ts';
import { entryOf } from '../account/navigation.ts';
import { entrancePage } from '../entrance/frame.ts';
import { html } from '../html.ts';
import { renderPage } from '../layout.ts';
import type { Links } from '../links.ts';

const TITLES: Readonly<Record<number, string>> = {
  402: 'Beyond your subscription',
  404: 'Page not found',
  405: 'Method not allowed',
  429: 'Too many requests',
  503: 'Temporarily unavailable',
};

/** Links in emails: to confirm a sign-up, set a password, or join an organization */
const EMAILED = /^\/(signup|password|invite)\/[^/]+$/;

export interface Failure {
  status: number;
  /** Message that may be shown to anyone */
  reason: string;
  /** Path of the request */
  path: string;
}

export function failedPage({ status, reason, path }: Failure, links: Links): string {
  if (status === 404 && EMAILED.test(path)) return invalidLinkPage(reason, links);
  const title = titleOf(status);
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

const titleOf = (status: number) => TITLES[status] ?? 'Something went wrong';

/** A failure in the frame of the account area */
export const accountFailure = ({ status, reason, path }: Failure): AccountContent => ({
  path: entryOf(path),
  title: titleOf(status),
  main: html`<p class="lead">${reason}</p>`,
});

function invalidLinkPage(reason: string, links: Links): string {
  const main = html`<p>${reason}</p>
    <p class="actions">
      <a class="button" href="${links.page('/login')}">Sign in</a>
      <a href="${links.page('/signup')}">Sign up</a>
    </p>`;
  return entrancePage({ title: 'Link not valid', main }, links);
}
