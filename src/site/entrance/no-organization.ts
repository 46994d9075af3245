import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { entrancePage } from './frame.ts';

/** The page for a signed-in person who no longer belongs to any organization. */
export function noOrganizationPage(links: Links): string {
  const main = html`<p>
      Your account doesn’t belong to an organization. Ask for an invitation, or start a trial with
      another email address.
    </p>
    <form method="post" action="${links.page('/logout')}">
      <button class="button">Sign out</button>
    </form>`;
  return entrancePage({ title: 'No organization', main }, links);
}
