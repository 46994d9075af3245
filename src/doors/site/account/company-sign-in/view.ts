/** Sets up company sign-in, tests it, and decides who must use it. */
import type {
  ConnectionTest,
  TestStep,
} from '../../../../people/account/company-sign-in/connection-test.ts';
import type { CompanyDomain } from '../../../../people/account/company-sign-in/domains.ts';
import { formatGrants } from '../../../../people/account/company-sign-in/claim-grants.ts';
import type { CompanySignIn } from '../../../../people/account/company-sign-in/settings.ts';
import type { Brand } from '../../../../territories/brands/brands.ts';
import { brandsOrAll } from '../../framework/fields.ts';
import { ROLES, type Member } from '../../../../people/account/members.ts';
import { pluralize } from '../../../../base/text/words.ts';
import { FormState } from '../../form-state.ts';
import {
  buttonForm,
  choices,
  copyable,
  selectField,
  textArea,
  textField,
  wholeProblem,
} from '../../forms.ts';
import { html, type Html } from '../../html.ts';
import type { Links } from '../../links.ts';
import { dayTag, minuteTag } from '../../parts.ts';
import { companySignInPath } from '../../../../people/account/company-sign-in/addresses.ts';
import type { AccountContent } from '../frame.ts';
import { ROLE_LABELS } from '../labels.ts';

export const COMPANY_PATH = '/account/company-sign-in';

export const COMPANY_FORMS = {
  test: '/account/company-sign-in/test',
  claims: '/account/company-sign-in/claims',
  domain: '/account/company-sign-in/domain',
  required: '/account/company-sign-in/required',
  remove: '/account/company-sign-in/remove',
} as const;

/** A test that was just made. `isSaved`: of new settings, and whether they were saved */
export type Tested = ConnectionTest & { isSaved?: boolean };

interface CompanyContent {
  form: FormState;
  organization: { id: string; name: string };
  /** Null if it isn't set up */
  settings: CompanySignIn | null;
  tested: Tested | undefined;
  /** What a pasted token gives, as a sentence */
  outcome: string | undefined;
  brands: readonly Brand[];
  isOwner: boolean;
  viewer: { email: string };
  owners: readonly Member[];
  /** Members whose addresses are at none of the domains */
  outside: readonly Member[];
  redirectUri: string;
  logoutUri: string;
}

export function companySignInPage(content: CompanyContent, links: Links): AccountContent {
  const { form, settings, isOwner, organization } = content;
  const main = html`<p>
      People sign in with their company account at your OpenID Connect provider, such as Entra ID,
      Google Workspace, or Okta. Their access ends with that account.
      <a href="${links.page('/docs/company-sign-in')}">How to set it up</a>
    </p>
    ${wholeProblem(form)}
    ${
      isOwner
        ? ownerSections(content, links)
        : html`<p>
            ${
              settings
                ? html`${organization.name} uses company sign-in for addresses at
                  ${settings.domains.map(({ domain }) => domain).join(', ')}.`
                : html`${organization.name} doesn’t use company sign-in.`
            }
            Only owners can change this.
          </p>`
    }`;
  return { path: COMPANY_PATH, main };
}

function ownerSections(content: CompanyContent, links: Links): Html {
  const { settings, tested } = content;
  return html`${tested && testResult(tested)} ${settings && state(content, settings, links)}
  ${settings && domainsSection(settings, links)} ${addresses(content)}
  ${settingsForm(content, links)} ${settings?.claim != null && claimsTest(content, links)}
  ${settings && html`${requiredForm(content, settings, links)} ${removeForm(content, links)}`}`;
}

const OUTCOMES: Record<TestStep['outcome'], string> = {
  works: 'Works',
  warning: 'Note',
  fails: 'Fails',
};

function testResult({ steps, works, isSaved }: Tested): Html {
  const result = works
    ? `The connection works.${isSaved ? ' Saved.' : ''}`
    : `The connection doesn’t work.${isSaved === undefined ? '' : ' Nothing was saved.'}`;
  return html`<section
    class="notice ${!works && 'bad'}"
    role="${works ? 'status' : 'alert'}"
    aria-label="Connection test"
  >
    <p><strong>${result}</strong></p>
    <ul>
      ${steps.map(({ outcome, text }) => html`<li>${OUTCOMES[outcome]}: ${text}</li>`)}
    </ul>
  </section>`;
}

function state({ organization }: CompanyContent, settings: CompanySignIn, links: Links): Html {
  const { lastSignIn, problem, hasOwnerSignedIn } = settings;
  const again = links.page(companySignInPath(organization.id, { next: COMPANY_PATH }));
  return html`<section aria-labelledby="state">
    <h2 id="state">State</h2>
    <p>
      ${
        lastSignIn
          ? html`Last sign-in: ${lastSignIn.name}, ${dayTag(lastSignIn.at)}.`
          : 'Nobody has signed in yet.'
      }
      ${
        !hasOwnerSignedIn &&
        'Sign in once yourself to see that it works. Only then can it be required for all.'
      }
    </p>
    ${
      problem &&
      html`<p class="notice bad">Last problem, ${dayTag(problem.at)}: ${problem.text}</p>`
    }
    <div class="actions">
      <a class="${hasOwnerSignedIn ? 'quiet-button' : 'button'}" href="${again}"
        >Sign in with your company account</a
      >
      ${buttonForm(links.page(COMPANY_FORMS.test), {}, { label: 'Test the connection' })}
    </div>
  </section>`;
}

function domainsSection({ domains }: CompanySignIn, links: Links): Html {
  return html`<section aria-labelledby="domains">
    <h2 id="domains">Email domains</h2>
    <p>
      A domain leads people to your provider once its DNS has your record. Whoever manages the
      domain adds it, and it can stay or be deleted afterwards.
    </p>
    <ul class="domains">
      ${domains.map((one, i) => domainItem(one, i, links))}
    </ul>
  </section>`;
}

function domainItem(one: CompanyDomain, index: number, links: Links): Html {
  const { domain, ownership, since, record, lastCheck } = one;
  if (ownership === 'proved') {
    return html`<li>
      <h3>${domain}</h3>
      <p><span class="health working">Proved</span> ${dayTag(since!)}</p>
    </li>`;
  }
  const what =
    ownership === 'vouched'
      ? html`<p><span class="health working">Works</span></p>
          <p>The operator of this service vouches for it, so it needs no record.</p>`
      : html`<p><span class="health">Not proved yet</span></p>
          <p>It isn’t used for sign-in yet. Add this ${record.type} record to its DNS:</p>`;
  const proof = html`${
    lastCheck?.problem &&
    html`<p class="notice bad">Checked ${minuteTag(lastCheck.at)}: ${lastCheck.problem}</p>`
  }
  ${copyable(`record-name-${index}`, `Name of the ${record.type} record`, record.name, 'more')}
  ${copyable(`record-value-${index}`, 'Value', record.value, 'more')}
  ${buttonForm(links.page(COMPANY_FORMS.domain), { domain }, { label: 'Check the record', about: `of ${domain}` })}`;
  return html`<li>
    <h3>${domain}</h3>
    ${what}
    ${
      ownership === 'vouched'
        ? html`<details>
            <summary>Prove it with a DNS record instead</summary>
            ${proof}
          </details>`
        : proof
    }
  </li>`;
}

function addresses({ redirectUri, logoutUri, settings }: CompanyContent): Html {
  return html`<section aria-labelledby="addresses">
    <h2 id="addresses">For your provider</h2>
    <p>
      ${settings ? 'Your provider needs these addresses.' : 'Register a web application at your provider with these addresses.'}
    </p>
    ${copyable('redirect', 'Redirect address', redirectUri, 'more')}
    ${copyable('logout', 'Back-channel logout address', logoutUri, 'more')}
  </section>`;
}

/** The brands of people who sign in for the first time */
export const NEW_PEOPLE_BRANDS = brandsOrAll({
  hint: 'Also future ones. Owners always have all.',
  legend: 'Brands of new people',
});

/** Shows what people with a token would get, without signing in. */
function claimsTest({ form, outcome }: CompanyContent, links: Links): Html {
  return html`<section aria-labelledby="claims">
    <h2 id="claims">Try a token</h2>
    <p>Shows the role and the brands that a person would get, by the saved settings.</p>
    ${outcome !== undefined && html`<p class="notice" role="status">${outcome}</p>`}
    <form method="post" action="${links.page(COMPANY_FORMS.claims)}#claims">
      ${textArea(
        {
          name: 'token',
          label: 'ID token, or its payload',
          rows: 5,
          hint: 'Such as {"email": "ana@acme.com", "groups": ["north"]}. It isn’t stored.',
        },
        form.of(COMPANY_FORMS.claims),
      )}
      <button class="button">Try</button>
    </form>
  </section>`;
}

function settingsForm({ form, settings, brands }: CompanyContent, links: Links): Html {
  const state = form.of(COMPANY_PATH);
  const roles = ROLES.map((role) => ({
    value: role,
    label: `Become ${ROLE_LABELS[role].toLowerCase()}s`,
  }));
  return html`<section aria-labelledby="settings">
    <h2 id="settings">Settings</h2>
    <form method="post" action="${links.page(COMPANY_PATH)}">
      ${textField(
        {
          name: 'issuer',
          label: 'Issuer',
          autocomplete: 'off',
          maxlength: 2e3,
          hint: 'The provider’s address, such as https://acme.okta.com',
          value: settings?.issuer ?? '',
        },
        state,
      )}
      ${textField(
        {
          name: 'clientId',
          label: 'Client ID',
          autocomplete: 'off',
          maxlength: 2e3,
          value: settings?.clientId ?? '',
        },
        state,
      )}
      ${textField(
        {
          name: 'clientSecret',
          label: 'Client secret',
          type: 'password',
          maxlength: 2e3,
          autocomplete: 'off',
          ...(settings && { optional: true, hint: 'Leave it empty to keep the current one.' }),
        },
        state,
      )}
      ${textField(
        {
          name: 'domains',
          label: 'Email domains',
          autocomplete: 'off',
          hint: 'Such as acme.com, acme.co.uk. People with these addresses are led to your provider, once you have proved that the domains are yours.',
          value: settings?.domains.map(({ domain }) => domain).join(', ') ?? '',
        },
        state,
      )}
      ${selectField(
        {
          name: 'people',
          label: 'New people',
          value: settings?.defaultRole ?? 'invited',
          hint: 'Those who sign in for the first time. Each takes a seat.',
        },
        [{ value: 'invited', label: 'Need an invitation' }, ...roles.toReversed()],
        state,
      )}
      ${NEW_PEOPLE_BRANDS.html(
        state.isUnsent
          ? FormState.unsent(NEW_PEOPLE_BRANDS.entries(settings?.defaultBrandIds ?? null))
          : state,
        { brands },
      )}
      ${textField(
        {
          name: 'claim',
          label: 'Claim with roles and brands',
          optional: true,
          autocomplete: 'off',
          maxlength: 100,
          hint: 'Such as “groups”. With it, your provider decides at each sign-in on the role and the brands of everyone but owners.',
          value: settings?.claim ?? '',
        },
        state,
      )}
      ${textArea(
        {
          name: 'grants',
          label: 'Values of the claim',
          optional: true,
          rows: 5,
          hint: 'One line each, such as “north-team, member, north-roofing”: the value, the role, and the short names of brands, or “all”. The first line whose value a person has counts. People without any get what new people get.',
          value: formatGrants(settings?.claimGrants ?? [], brands),
        },
        state,
      )}
      <button class="button">Test and save</button>
    </form>
  </section>`;
}

function requiredForm(
  { form, owners, outside, viewer }: CompanyContent,
  { required, passwordOwner, hasOwnerSignedIn }: CompanySignIn,
  links: Links,
): Html {
  const state = form.of(COMPANY_FORMS.required);
  return html`<section aria-labelledby="required">
    <h2 id="required">Require it</h2>
    <p>
      People who must use company sign-in can’t use a password or a passkey for this organization
      anymore, and their other sessions and connected apps stop working for it at once. API keys
      keep working.
    </p>
    ${
      outside.length > 0 &&
      html`<p>
        ${pluralize(outside.length, 'member')} with another address would be locked out:
        ${outside.map(({ name, email }) => `${name} (${email})`).join(', ')}.
      </p>`
    }
    <form method="post" action="${links.page(COMPANY_FORMS.required)}">
      ${choices(
        {
          type: 'radio',
          name: 'required',
          legend: 'Company sign-in is required for',
          value: required,
        },
        [
          { value: 'off', label: 'Nobody. People choose how they sign in' },
          {
            value: 'all-but-one',
            label: 'All but one owner, who keeps a password',
            hint: 'For times when your provider doesn’t work.',
          },
          {
            value: 'all',
            label: 'All',
            ...(!hasOwnerSignedIn && {
              hint: 'An owner must sign in with a company account first.',
            }),
          },
        ],
        state,
      )}
      ${selectField(
        {
          name: 'passwordOwner',
          label: 'Owner who keeps a password',
          value: passwordOwner?.email ?? viewer.email,
        },
        owners.map(({ name, email }) => ({ value: email, label: `${name} (${email})` })),
        state,
      )}
      <button class="button">Save</button>
    </form>
  </section>`;
}

function removeForm({ form }: CompanyContent, links: Links): Html {
  return html`<section aria-labelledby="remove">
    <h2 id="remove">Remove company sign-in</h2>
    <p>
      Sessions and connected apps that came from it end. Members stay. Those without a password
      choose one with “Forgot your password?”, or with a link from the operator of this service.
    </p>
    <form method="post" action="${links.page(COMPANY_FORMS.remove)}" data-once>
      ${choices(
        { type: 'checkbox', name: 'confirm', legend: 'Confirmation' },
        [{ value: 'remove', label: 'Remove company sign-in for all members' }],
        form.of(COMPANY_FORMS.remove),
      )}
      <button class="quiet-button">Remove company sign-in</button>
    </form>
  </section>`;
}
