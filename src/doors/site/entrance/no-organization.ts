import type { RequiringCompany } from '../../../people/account/only-by-company.ts';
import { html } from '../html.ts';
import type { Links } from '../links.ts';
import { companySignInPath } from '../../../people/account/company-sign-in/addresses.ts';
import { entrancePage } from './frame.ts';

/**
 * The page for a signed-in person whose session opens no organization.
 * @param companies organizations of the person that require company sign-in
 */
export function noOrganizationPage(companies: readonly RequiringCompany[], links: Links): string {
  const signOut = html`<form method="post" action="${links.page('/logout')}">
    <button class="${companies.length > 0 ? 'quiet-button' : 'button'}">Sign out</button>
  </form>`;
  if (companies.length > 0) {
    const main = html`${companies.map(
      ({ organizationId, name }) =>
        html`<p>${name} requires that you sign in with your company account.</p>
          <p class="actions">
            <a class="button" href="${links.page(companySignInPath(organizationId))}"
              >Sign in to ${name}</a
            >
          </p>`,
    )}
    ${signOut}`;
    return entrancePage({ title: 'Company sign-in', main }, links);
  }
  const main = html`<p>
      Your account doesn’t belong to an organization. Ask for an invitation, or start a trial with
      another email address.
    </p>
    ${signOut}`;
  return entrancePage({ title: 'No organization', main }, links);
}
