/** An organization with company sign-in, and people who use it in a browser without scripts. */
import { randomBytes } from 'node:crypto';
import { startCompanyChecker } from '../../src/people/account/company-sign-in/checker.ts';
import {
  companySecretBox,
  type CompanyParts,
} from '../../src/people/account/company-sign-in/parts.ts';
import {
  saveCompanySignIn,
  type Editor,
} from '../../src/people/account/company-sign-in/settings.ts';
import type { Role } from '../../src/people/account/caller.ts';
import type { Database } from '../../src/base/db/database.ts';
import { issuerFetch } from '../../src/base/outside/issuer-fetch.ts';
import { txtLookup } from '../../src/base/outside/txt-records.ts';
import { callbackPath, logoutPath } from '../../src/people/account/company-sign-in/addresses.ts';
import { networkList } from '../../src/base/text/networks.ts';
import { newOrganization } from '../people/account/organizations.ts';
import { testLog } from './log.ts';
import type { CompanyProvider } from './servers/company-provider.ts';
import { Visitor, type Shown } from './visitor.ts';

/** Company sign-in that may ask providers on this machine */
export const localCompanies = (db: Database): CompanyParts => ({
  db,
  fetch: issuerFetch(networkList(['127.0.0.1'])),
  secrets: companySecretBox([randomBytes(32)]),
  log: testLog(),
  lookUpTxt: txtLookup(),
});

/** An operator, who changes the settings without emails */
export const operatorOf = (organization: { id: string; name: string }): Editor => ({
  organization,
  personId: null,
  name: 'An operator',
  sendsMail: false,
});

export type Company = Awaited<ReturnType<typeof newCompany>>;

/** Creates an organization whose people sign in at the provider, with a domain of its own. */
export async function newCompany(
  parts: CompanyParts,
  site: string,
  provider: CompanyProvider,
  { defaultRole = 'member' as Role | null, domains = undefined as string[] | undefined } = {},
) {
  const { organization, tenant } = await newOrganization(parts.db);
  const { issuer, clientId, clientSecret } = provider;
  const domain = `${organization.slug}.example`;
  const vouched = domains ?? [domain];
  const settings = { issuer, clientId, clientSecret, domains: vouched, vouched, defaultRole };
  await saveCompanySignIn(parts.db, tenant, parts.secrets, settings, operatorOf(organization));
  await provider.register({
    redirectUri: site + callbackPath(organization.id),
    logoutUri: site + logoutPath(organization.id),
  });
  return { organization, tenant, domain, settings };
}

/** Runs all checks that are due. */
export async function runChecks(parts: CompanyParts): Promise<void> {
  const checker = startCompanyChecker(parts, 10);
  const isDue = () => parts.db.query('select from company_grants where check_at <= now()');
  for (let i = 0; i < 500 && (await isDue()).length > 0; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await checker.close();
}

/** A browser without scripts at a site and at its provider */
export class Employee extends Visitor {
  readonly #provider = new Map<string, string>();

  /** Sends the email address, and lets the provider sign the person in. @returns the last answer of the site */
  async signInAtCompany(email: string, next = ''): Promise<Shown> {
    const asked = await this.post('/login', { email, ...(next !== '' && { next }) });
    if (asked.status !== 303) return asked;
    return this.get(await this.answerOf(asked.to!, email));
  }

  /** Opens the page that leads to the provider, and presses its button. @returns the provider's address */
  async leaveFrom(path: string): Promise<URL> {
    const page = await this.get(path);
    const fields = [...page.html.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name, value]): [string, string] => [name!, value!],
    );
    const left = await this.post(path.split('?')[0]!, new URLSearchParams(fields));
    if (left.status !== 303) throw new Error(`${left.status} ${left.html}`);
    return new URL(left.to!);
  }

  /** Signs in at the provider. @returns the path to which it sends the browser back */
  async answerOf(url: string, email: string): Promise<string> {
    for (let at = url, sent = false, i = 0; i < 10; i++) {
      if (at.startsWith(this.site)) return at.slice(this.site.length);
      const isForm: boolean = new URL(at).pathname.startsWith('/interaction/') && sent === false;
      const answer = await this.#ask(at, isForm ? { email, do: 'sign-in' } : undefined);
      sent = isForm;
      const to = answer.headers.get('Location');
      if (to === null) throw new Error(`${at}: ${answer.status} ${await answer.text()}`);
      at = new URL(to, at).href;
    }
    throw new Error('the provider redirects without end');
  }

  async #ask(url: string, fields?: Record<string, string>): Promise<Response> {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { Cookie: [...this.#provider].map((pair) => pair.join('=')).join('; ') },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]!.split(/=(.*)/s);
      if (value === '') this.#provider.delete(name);
      else this.#provider.set(name, value);
    }
    return answer;
  }
}
