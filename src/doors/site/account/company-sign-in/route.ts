import {
  testConnection,
  type ConnectionTest,
} from '../../../../people/account/company-sign-in/connection-test.ts';
import {
  checkedClaim,
  grantOf,
  parseClaims,
  parseGrants,
  valuesOf,
} from '../../../../people/account/company-sign-in/claim-grants.ts';
import type { AccountClaims } from '../../../../people/account/company-sign-in/provider.ts';
import { requireBrands, scopeText } from '../../../../people/account/brand-scopes.ts';
import { checkDomain } from '../../../../people/account/company-sign-in/domain-ownership.ts';
import {
  domainOf,
  heldDomains,
  parseDomains,
} from '../../../../people/account/company-sign-in/domains.ts';
import {
  checkedClientText,
  checkedIssuer,
  companySignIn,
  findCompanySignIn,
  providerClientOf,
  removeCompanySignIn,
  requireCompanySignIn,
  REQUIREMENTS,
  saveCompanySignIn,
  type Editor,
} from '../../../../people/account/company-sign-in/settings.ts';
import { brandsInScope } from '../../../../territories/brands/brands.ts';
import { withArticle } from '../../../../base/text/words.ts';
import { listMembers, ROLES } from '../../../../people/account/members.ts';
import { badRequest } from '../../../../errors.ts';
import { callbackPath, logoutPath } from '../../../../people/account/company-sign-in/addresses.ts';
import { FormState } from '../../form-state.ts';
import { checkedFields, oneOf } from '../../framework/form-problems.ts';
import type { FormOutcome, Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { AccountContent } from '../frame.ts';
import {
  COMPANY_FORMS,
  COMPANY_PATH,
  companySignInPage,
  NEW_PEOPLE_BRANDS,
  type Tested,
} from './view.ts';

async function show(
  { caller, links, session }: MemberVisit,
  form: FormState,
  { tested, outcome }: { tested?: Tested; outcome?: string } = {},
): Promise<AccountContent> {
  const { tenant, organization, role } = caller;
  const [settings, members, brands] = await Promise.all([
    findCompanySignIn(tenant),
    listMembers(tenant),
    brandsInScope(tenant, caller.brandScope),
  ]);
  const held = heldDomains(settings?.domains ?? []);
  const isInside = ({ email }: { email: string }) => held.includes(domainOf(email));
  const content = {
    form,
    settings,
    tested,
    outcome,
    brands,
    organization,
    isOwner: role === 'owner',
    viewer: session.person,
    owners: members.filter((member) => member.role === 'owner'),
    outside: settings ? members.filter((member) => !isInside(member)) : [],
    redirectUri: links.absolute(callbackPath(organization.id)),
    logoutUri: links.absolute(logoutPath(organization.id)),
  };
  return companySignInPage(content, links);
}

const editorOf = ({ caller, sendsMail }: MemberVisit): Editor => ({
  organization: caller.organization,
  personId: caller.actor.id,
  name: caller.actor.name,
  sendsMail,
});

const redirectUriOf = ({ caller, links }: MemberVisit) =>
  links.absolute(callbackPath(caller.organization.id));

/** Tests the settings in the form, and saves them if they work. */
async function save(visit: MemberVisit, fields: URLSearchParams): Promise<FormOutcome<'account'>> {
  const { caller, db, company } = visit;
  const text = (name: string) => fields.get(name) ?? '';
  const brands = await brandsInScope(caller.tenant, caller.brandScope);
  const fieldsOf = checkedFields({
    issuer: () => checkedIssuer(text('issuer')),
    clientId: () => checkedClientText('client ID', text('clientId')),
    clientSecret: () =>
      text('clientSecret') === ''
        ? undefined
        : checkedClientText('client secret', text('clientSecret')),
    domains: () => parseDomains(text('domains')),
    people: () => oneOf(['invited', ...ROLES] as const, fields.get('people')),
    brand: () => NEW_PEOPLE_BRANDS.read(fields),
    claim: () => checkedClaim(text('claim')),
    grants: () => parseGrants(text('grants'), brands),
  });
  const { issuer, clientId, clientSecret, domains, people, brand, claim, grants } = fieldsOf;
  await requireBrands(caller.tenant, brand);
  const stored = await providerClientOf(caller.tenant, company.secrets);
  const secret = clientSecret ?? stored?.clientSecret;
  if (secret === undefined) {
    checkedFields({ clientSecret: () => checkedClientText('client secret', '') });
  }
  const client = { issuer, clientId, clientSecret: secret! };
  const test = await testConnection(company, client, redirectUriOf(visit));
  if (test.works) {
    const defaultRole = people === 'invited' ? null : people;
    const rules = { defaultRole, defaultBrandIds: brand && [...brand], claim, claimGrants: grants };
    const settings = { issuer: test.issuer, clientId, clientSecret, domains, ...rules };
    await saveCompanySignIn(db, caller.tenant, company.secrets, settings, editorOf(visit));
  }
  const form = test.works ? FormState.EMPTY : new FormState(COMPANY_PATH, fields, { fields: {} });
  return { page: await show(visit, form, { tested: { ...test, isSaved: test.works } }) };
}

/** Says what a person with these claims would get. */
async function outcomeOf({ caller }: MemberVisit, claims: AccountClaims): Promise<string> {
  const settings = await companySignIn(caller.tenant);
  const claim = settings.claim ?? '';
  const values = valuesOf(claims, claim);
  const grant = grantOf(settings, claims);
  const known = settings.claimGrants.find(({ value }) => values.includes(value));
  const why = known
    ? `“${known.value}” in “${claim}”`
    : values.length > 0
      ? `no line has ${values.map((value) => `“${value}”`).join(', ')}, so the default`
      : `the token has no “${claim}”, so the default`;
  if (grant === null) return `By ${why}: only people with an invitation can sign in.`;
  const scope = scopeText(await requireBrands(caller.tenant, grant.brandIds).catch(() => []));
  return `By ${why}: this person becomes ${withArticle(grant.role)} with ${scope}.`;
}

/** Tests the saved settings. */
async function testSaved(visit: MemberVisit): Promise<ConnectionTest> {
  const { caller, company } = visit;
  await companySignIn(caller.tenant);
  const client = await providerClientOf(caller.tenant, company.secrets);
  return testConnection(company, client!, redirectUriOf(visit));
}

export const companySignInRoute: Page<'account'> = {
  audience: 'account',
  path: COMPANY_PATH,
  show,
  forms: [
    {
      // It asks the issuer, as the authorization of a connector asks the connector's site.
      limit: 'authorize',
      asksPassword: true,
      roles: ['owner'],
      submit(visit, fields) {
        return save(visit, fields);
      },
    },
    {
      path: COMPANY_FORMS.test,
      limit: 'authorize',
      roles: ['owner'],
      async submit(visit) {
        return { page: await show(visit, FormState.EMPTY, { tested: await testSaved(visit) }) };
      },
    },
    {
      path: COMPANY_FORMS.claims,
      roles: ['owner'],
      async submit(visit, fields) {
        const claims = checkedFields({ token: () => parseClaims(fields.get('token') ?? '') }).token;
        const outcome = await outcomeOf(visit, claims as AccountClaims);
        const form = new FormState(COMPANY_FORMS.claims, fields, { fields: {} });
        return { page: await show(visit, form, { outcome }) };
      },
    },
    {
      path: COMPANY_FORMS.domain,
      // It asks the DNS.
      limit: 'authorize',
      roles: ['owner'],
      async submit(visit, fields) {
        const { caller, company, sendsMail } = visit;
        const domain = fields.get('domain') ?? '';
        const problem = await checkDomain(company, caller.organization.id, domain, {
          sendsMail,
          by: caller.actor,
        });
        return { to: COMPANY_PATH, notice: problem === null ? 'domain-proved' : 'domain-checked' };
      },
    },
    {
      path: COMPANY_FORMS.required,
      asksPassword: true,
      roles: ['owner'],
      async submit(visit, fields) {
        const { caller, db } = visit;
        const required = oneOf(REQUIREMENTS, fields.get('required'));
        const rule = { required, passwordOwner: fields.get('passwordOwner') ?? undefined };
        await requireCompanySignIn(db, caller.tenant, rule, editorOf(visit));
        const notice = required === 'off' ? 'company-optional' : 'company-required';
        return { to: COMPANY_PATH, notice };
      },
    },
    {
      path: COMPANY_FORMS.remove,
      asksPassword: true,
      roles: ['owner'],
      async submit(visit, fields) {
        checkedFields({
          confirm: () => {
            if (fields.get('confirm') === 'remove') return;
            throw badRequest('Nothing was removed. Check the box to confirm.');
          },
        });
        await removeCompanySignIn(visit.caller.tenant, editorOf(visit));
        const { session } = visit;
        // The owner's own session may have ended with it.
        return session.company
          ? { to: '/login', notice: 'company-removed' }
          : { to: COMPANY_PATH, notice: 'company-removed' };
      },
    },
  ],
};
