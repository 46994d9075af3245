/** The pages before and after the provider's. */
import type { Company } from '../../../../people/account/company-sign-in/attempts.ts';
import {
  companySignInPath,
  START_FIELDS,
  switchPath,
} from '../../../../people/account/company-sign-in/addresses.ts';
import { entrancePage } from '../../entrance/frame.ts';
import { nextField } from '../../entrance/next.ts';
import type { FormState } from '../../form-state.ts';
import { wholeProblem } from '../../forms.ts';
import { html } from '../../html.ts';
import type { Links } from '../../links.ts';

interface StartContent {
  company: Company;
  query: URLSearchParams;
  form: FormState;
}

export function startPage({ company, query, form }: StartContent, links: Links): string {
  const { organizationId, name, issuer } = company;
  const { host } = new URL(issuer);
  const kept = START_FIELDS.map((field) => {
    const value = form.value(field, query.get(field) ?? '');
    return value !== '' && html`<input type="hidden" name="${field}" value="${value}" />`;
  });
  const main = html`<p>
      You continue at <strong>${host}</strong>, where people of ${name} have their company account.
    </p>
    ${wholeProblem(form)}
    <form method="post" action="${links.page(companySignInPath(organizationId))}">
      ${kept}
      <button class="button wide-button">Continue to ${host}</button>
    </form>
    <p class="actions">
      <a href="${links.page('/login')}">Sign in in another way</a>
    </p>`;
  return entrancePage({ title: `Sign in to ${name}`, main }, links);
}

interface Named {
  name: string;
  email: string;
}

interface SwitchContent {
  company: Company;
  /** The person who is signed in in this browser */
  current: Named;
  /** The person of the company account */
  other: Named;
  /** The page to open as the other person */
  next: string;
}

export function switchPage({ company, current, other, next }: SwitchContent, links: Links): string {
  const main = html`<p>
      You are signed in as <strong>${current.name}</strong> (${current.email}). The company account
      that just signed in to ${company.name} belongs to <strong>${other.name}</strong>
      (${other.email}).
    </p>
    <p>
      If you switch, ${current.name} is signed out in this browser, and all that you do and upload
      here goes to ${company.name}. If you didn’t expect this question, don’t switch.
    </p>
    <form method="post" action="${links.page(switchPath(company.organizationId))}">
      ${nextField(next)}
      <button class="button wide-button" name="decision" value="stay">
        Stay signed in as ${current.name}
      </button>
      <button class="quiet-button wide-button" name="decision" value="switch">
        Switch to ${other.name}
      </button>
    </form>`;
  return entrancePage({ title: 'Switch to another person?', main }, links);
}
