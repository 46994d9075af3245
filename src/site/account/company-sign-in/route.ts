import { requireRole } from '../../../account/access.ts';
import {
  testConnection,
  type ConnectionTest,
} from '../../../account/company-sign-in/connection-test.ts';
import { domainOf, parseDomains } from '../../../account/company-sign-in/domains.ts';
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
} from '../../../account/company-sign-in/settings.ts';
import type { Caller } from '../../../account/caller.ts';
import { listMembers, ROLES } from '../../../account/members.ts';
import { badRequest } from '../../../errors.ts';
import { callbackPath, logoutPath } from '../../../account/company-sign-in/addresses.ts';
import { FormState } from '../../form-state.ts';
import { checkedFields, oneOf } from '../../framework/form-problems.ts';
import type { Outcome, Page } from '../../framework/page.ts';
import type { MemberVisit } from '../../framework/visit.ts';
import type { AccountContent } from '../frame.ts';
import { COMPANY_FORMS, COMPANY_PATH, companySignInPage, type Tested } from './view.ts';

async function show(
  { caller, links, session }: MemberVisit,
  form: FormState,
  tested?: Tested,
): Promise<AccountContent> {
  const { tenant, organization, role } = caller;
  const [settings, members] = await Promise.all([findCompanySignIn(tenant), listMembers(tenant)]);
  const isInside = ({ email }: { email: string }) => settings?.domains.includes(domainOf(email));
  const content = {
    ...{ form, settings, tested, organization },
    isOwner: role === 'owner',
    viewer: session.person,
    owners: members.filter((member) => member.role === 'owner'),
    outside: settings ? members.filter((member) => !isInside(member)) : [],
    redirectUri: links.absolute(callbackPath(organization.id)),
    logoutUri: links.absolute(logoutPath(organization.id)),
  };
  return companySignInPage(content, links);
}

const requireOwner = (caller: Caller) => requireRole(caller, ['owner'], 'Changing company sign-in');

const editorOf = ({ caller, sendsMail }: MemberVisit): Editor => ({
  organization: caller.organization,
  personId: caller.actor.id,
  name: caller.actor.name,
  sendsMail,
});

const redirectUriOf = ({ caller, links }: MemberVisit) =>
  links.absolute(callbackPath(caller.organization.id));

/** Tests the settings in the form, and saves them if they work. */
async function save(visit: MemberVisit, fields: URLSearchParams): Promise<Outcome<'account'>> {
  const { caller, db, company } = visit;
  const text = (name: string) => fields.get(name) ?? '';
  const { issuer, clientId, clientSecret, domains, people } = checkedFields({
    issuer: () => checkedIssuer(text('issuer')),
    clientId: () => checkedClientText('client ID', text('clientId')),
    clientSecret: () =>
      text('clientSecret') === ''
        ? undefined
        : checkedClientText('client secret', text('clientSecret')),
    domains: () => parseDomains(text('domains')),
    people: () => oneOf(['invited', ...ROLES] as const, fields.get('people')),
  });
  const stored = await providerClientOf(caller.tenant, company.secrets);
  const secret = clientSecret ?? stored?.clientSecret;
  if (secret === undefined) {
    checkedFields({ clientSecret: () => checkedClientText('client secret', '') });
  }
  const client = { issuer, clientId, clientSecret: secret! };
  const test = await testConnection(company, client, redirectUriOf(visit));
  if (test.works) {
    const defaultRole = people === 'invited' ? null : people;
    const settings = { issuer: test.issuer, clientId, clientSecret, domains, defaultRole };
    await saveCompanySignIn(db, caller.tenant, company.secrets, settings, editorOf(visit));
  }
  const form = test.works ? FormState.EMPTY : new FormState(COMPANY_PATH, fields, { fields: {} });
  return { page: await show(visit, form, { ...test, isSaved: test.works }) };
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
      submit(visit, fields) {
        requireOwner(visit.caller);
        return save(visit, fields);
      },
    },
    {
      path: COMPANY_FORMS.test,
      limit: 'authorize',
      async submit(visit) {
        requireOwner(visit.caller);
        return { page: await show(visit, FormState.EMPTY, await testSaved(visit)) };
      },
    },
    {
      path: COMPANY_FORMS.required,
      asksPassword: true,
      async submit(visit, fields) {
        const { caller, db } = visit;
        requireOwner(caller);
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
      async submit(visit, fields) {
        requireOwner(visit.caller);
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
