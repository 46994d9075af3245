/** Signing in at a company's provider, and what a wrong answer of it does. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  appSecretBox,
  confirmApp,
  setUpApp,
} from '../../../../src/people/account/authenticator-app.ts';
import { addMember, listMembers, removeMember } from '../../../../src/people/account/members.ts';
import { findCompanySignIn } from '../../../../src/people/account/company-sign-in/settings.ts';
import { invite } from '../../../../src/people/account/invitations.ts';
import { companySignInPath } from '../../../../src/people/account/company-sign-in/addresses.ts';
import {
  makePasswordLink,
  passwordLinkPath,
} from '../../../../src/people/account/password-links.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';
import { PASSWORD, Visitor } from '../../../support/visitor.ts';
import { Employee, localCompanies, newCompany } from '../../../support/company.ts';
import { testDatabase } from '../../../support/database.ts';
import { serveKeyed } from '../../../support/keyed-app.ts';
import { startCompanyProvider } from '../../../support/servers/company-provider.ts';
import { issuerFetch } from '../../../../src/base/outside/issuer-fetch.ts';
import { networkList } from '../../../../src/base/text/networks.ts';

const { db } = await testDatabase('empty');
const parts = localCompanies(db);
const app = await serveKeyed(db, { company: parts });
const SITE = `http://127.0.0.1:${app.port}`;
const provider = await startCompanyProvider();

let people = 0;
/** An organization with company sign-in, and an account at the provider */
async function newEmployee(options: Parameters<typeof newCompany>[3] = {}) {
  const company = await newCompany(parts, SITE, provider, options);
  const email = `alex${people++}@${company.domain}`;
  const account = await provider.employ({ email });
  return { ...company, email, account, browser: new Employee(SITE) };
}

const problemOf = async ({ tenant }: Awaited<ReturnType<typeof newEmployee>>) =>
  (await findCompanySignIn(tenant))!.problem?.text;

afterEach(async () => {
  await provider.forge({});
  await provider.useUnknownKey(false);
  await provider.skew(0);
  await provider.away(false);
});

describe('a company sign-in', () => {
  it('starts with the email address, creates the person, and returns to the page that asked', async () => {
    const { browser, email, tenant } = await newEmployee();
    const page = '/account/activity?brand=north';
    const { status, to } = await browser.signInAtCompany(email, page);
    expect({ status, to }).toEqual({ status: 303, to: page });
    const members = await listMembers(tenant);
    expect(members).toMatchObject([{ email, name: 'Alex Doe', role: 'member' }]);
    expect((await browser.get('/account')).status).toBe(200);
  });

  it('finds the same person again by the provider’s id, whatever the email address is now', async () => {
    const { browser, email, account, tenant, domain } = await newEmployee();
    await browser.signInAtCompany(email);
    const renamed = `married${email}`;
    await provider.employ({ id: account, email: renamed });
    const { to } = await new Employee(SITE).signInAtCompany(renamed);
    expect(to).toBe('/account');
    expect(renamed.endsWith(domain)).toBe(true);
    expect(await listMembers(tenant)).toMatchObject([{ email }]);
  });

  it('refuses new people if the owner lets only members in', async () => {
    const { browser, email, tenant } = await newEmployee({ defaultRole: null });
    const refused = await browser.signInAtCompany(email);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('isn’t a member of this organization yet');
    await addMember(tenant, { email, name: 'Alex', role: 'reviewer' });
    expect((await browser.signInAtCompany(email)).to).toBe('/account');
  });

  it('accepts an invitation after the sign-in', async () => {
    const { browser, email, tenant, organization } = await newEmployee({ defaultRole: null });
    const owner = await addMember(tenant, { email: `o${email}`, name: 'Olive', role: 'owner' });
    const invitation = await invite(tenant, { name: 'Alex', role: 'admin', createdBy: owner.id });
    const page = await browser.get(`/invite/${invitation}`);
    expect(page.html).toContain('Join with your company account');
    const path = companySignInPath(organization.id, { invitation });
    const left = await browser.leaveFrom(path);
    const joined = await browser.get(await browser.answerOf(left.href, email));
    expect(joined.to).toBe('/account?done=joined');
    expect(await listMembers(tenant)).toMatchObject([{}, { email, role: 'admin' }]);
  });

  it('doesn’t bring back a member whom an owner removed', async () => {
    const { browser, email, tenant } = await newEmployee();
    await addMember(tenant, { email: `o${email}`, name: 'Olive', role: 'owner' });
    await browser.signInAtCompany(email);
    await removeMember(tenant, email);
    expect((await browser.get('/account')).status).toBe(303);
    const refused = await browser.signInAtCompany(email);
    expect(refused.html).toContain('You were removed from this organization');
  });

  it('refuses a new account with the address of a member who has another one', async () => {
    const { browser, email, account } = await newEmployee();
    await browser.signInAtCompany(email);
    await provider.remove(account);
    await provider.employ({ email, name: 'Another Alex' });
    const refused = await new Employee(SITE).signInAtCompany(email);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('Another account of the provider already signs in');
  });

  it('refuses to join the account of someone who registered the address without proving it', async () => {
    const { browser, email, tenant } = await newEmployee();
    const stranger = new Visitor(SITE);
    const fields = { organization: 'Trap', name: 'Alex', email, password: PASSWORD };
    expect((await stranger.post('/signup', fields)).status).toBe(303);
    const refused = await browser.signInAtCompany(email);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('someone else may know its password');
    expect(await listMembers(tenant)).toEqual([]);
    await choosePassword(email);
    expect((await stranger.get('/account')).status).toBe(303);
    expect((await new Employee(SITE).signInAtCompany(email)).to).toBe('/account?done=joined');
  });

  it('refuses to join the account of a former member, who had the address before', async () => {
    const { browser, email, account, tenant } = await newEmployee();
    await addMember(tenant, { email: `o${email}`, name: 'Olive', role: 'owner' });
    await choosePassword((await addMember(tenant, { email, name: 'Alex', role: 'member' })).email);
    await browser.signInAtCompany(email);
    await removeMember(tenant, email);
    await provider.remove(account);
    await provider.employ({ email, name: 'Another Alex' });
    const refused = await new Employee(SITE).signInAtCompany(email);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('someone else may know its password');
    await choosePassword(email);
    expect((await new Employee(SITE).signInAtCompany(email)).status).toBe(303);
  });

  /** Chooses a password with a link, which proves that the address belongs to the person. */
  async function choosePassword(email: string) {
    const { token } = await makePasswordLink(db, email);
    await new Visitor(SITE).post(passwordLinkPath(token), { password: `another ${PASSWORD}` });
  }

  it('opens only its organization, without passwords, second factors, or other sessions', async () => {
    const { browser, email, organization } = await newEmployee();
    const other = await newCompany(parts, SITE, provider);
    await addMember(other.tenant, { email, name: 'Alex', role: 'owner' });
    const { organization: own, ...employee } = await newEmployee();
    await addMember(other.tenant, { email: employee.email, name: 'Alex', role: 'owner' });
    await employee.browser.signInAtCompany(employee.email);
    const home = await employee.browser.get('/account');
    expect(home.html).toContain(own.name);
    expect(home.html).not.toContain(other.organization.name);
    const switched = await employee.browser.post('/account/organization', {
      organization: other.organization.id,
    });
    expect(switched.status).toBe(404);
    for (const path of [
      'password',
      'second-factor',
      'second-factor/app',
      'second-factor/passkey',
    ]) {
      const { status, html } = await employee.browser.get(`/account/${path}`);
      expect(status).toBe(403);
      expect(html).toContain('You signed in with your company account');
    }
    expect(browser.cookie).toBeUndefined();
    expect(organization.id).not.toBe(own.id);
  });

  it('doesn’t replace the person’s own second factor when a password is entered next', async () => {
    const { browser, email } = await newEmployee();
    await browser.signInAtCompany(email);
    await choosePassword(email);
    const [person] = await db.query<{ id: string; email: string }>(
      'select id, email from people where email = $1',
      [email],
    );
    const { secret } = await setUpApp(db, appSecretBox([]), person!);
    await confirmApp(db, appSecretBox([]), person!.id, oneTimeCode(secret));
    await browser.signInAtCompany(email);
    const { to } = await browser.signIn(email, `another ${PASSWORD}`);
    expect(to).toBe('/login/second-factor');
  });

  it('needs no second factor of this service, even if the organization requires one', async () => {
    const { browser, email, tenant } = await newEmployee();
    await tenant.query('update organizations set requires_second_factor = true where id = $1');
    await browser.signInAtCompany(email);
    expect((await browser.get('/account')).status).toBe(200);
  });

  it('says what an owner’s change of access needs once ten minutes have passed', async () => {
    const { browser, email, organization } = await newEmployee();
    await addMember((await newCompany(parts, SITE, provider)).tenant, {
      email: `x${email}`,
      name: 'X',
      role: 'owner',
    });
    await browser.signInAtCompany(email);
    await db.query(`update sessions set confirmed_at = '-infinity'`);
    await db.query(`update memberships set role = 'owner' where organization_id = $1`, [
      organization.id,
    ]);
    const asked = await browser.post('/account/keys', { name: 'k', access: 'read', scope: 'all' });
    expect(asked.status).toBe(403);
    expect(asked.html).toContain('Sign in with your company account');
    expect(asked.html).toContain(`next=${encodeURIComponent('/account/keys')}`);
  });

  it('names the person only to the provider of the organization for which the person acts', async () => {
    const { browser, email, organization } = await newEmployee();
    const other = await newCompany(parts, SITE, provider);
    await browser.signInAtCompany(email);
    const hintAt = async ({ id }: { id: string }) =>
      (await browser.leaveFrom(companySignInPath(id))).searchParams.get('login_hint');
    expect(await hintAt(organization)).toBe(email);
    expect(await hintAt(other.organization)).toBeNull();
  });

  it('doesn’t count as a confirmation if the person was still signed in at the provider', async () => {
    const { browser, email, organization } = await newEmployee({ defaultRole: 'owner' });
    const addKey = async () =>
      (await browser.post('/account/keys', { name: 'k', access: 'read', scope: 'all' })).status;
    await provider.forge({ auth_time: Math.floor(Date.now() / 1000) - 900 });
    await browser.signInAtCompany(email);
    expect(await addKey()).toBe(403);
    await provider.forge({});
    const left = await browser.leaveFrom(companySignInPath(organization.id, { again: '1' }));
    expect(left.searchParams.get('prompt')).toBe('login');
    await browser.get(await browser.answerOf(left.href, email));
    expect(await addKey()).toBe(200);
  });
});

describe('the sign-in page', () => {
  it('shows the same second step for known and unknown addresses', async () => {
    const known = await new Employee(SITE).signUp();
    const ask = async (email: string) => {
      const { status, html, to } = await new Employee(SITE).post('/login', { email });
      return { status, to, html: html.replaceAll(email, '') };
    };
    expect(await ask(known.email)).toEqual(await ask('nobody@example.com'));
    const { email, domain } = await newEmployee();
    const places = await Promise.all(
      [email, `nobody@${domain}`].map(async (one) => new URL((await ask(one)).to!)),
    );
    expect(places.map(({ pathname }) => pathname)).toEqual(['/auth', '/auth']);
  });

  it('offers a password at once to those who ask for it', async () => {
    const { html } = await new Employee(SITE).get('/login?with=password&next=%2Faccount%2Fkeys');
    expect(html).toContain('type="password"');
    expect(html).toContain('value="/account/keys"');
    expect((await new Employee(SITE).get('/login')).html).not.toContain('type="password"');
  });

  it('names a problem with the address at its field', async () => {
    const { status, html } = await new Employee(SITE).post('/login', { email: 'pat' });
    expect(status).toBe(400);
    expect(html).toContain('is not an email address');
  });
});

describe('an answer of the provider', () => {
  it('is accepted after its keys have changed', async () => {
    const { browser, email } = await newEmployee();
    await browser.signInAtCompany(email);
    await provider.rotateKeys();
    expect((await new Employee(SITE).signInAtCompany(email)).to).toBe('/account');
  });

  it('is refused if an unknown key signed it', async () => {
    const employee = await newEmployee();
    await provider.useUnknownKey(true);
    const refused = await employee.browser.signInAtCompany(employee.email);
    expect(refused.status).toBe(400);
    expect(await problemOf(employee)).toContain('signed with a key that it doesn’t publish');
  });

  it('is refused for another audience', async () => {
    const employee = await newEmployee();
    await provider.forge({ aud: 'someone-else' });
    const refused = await employee.browser.signInAtCompany(employee.email);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('for another service, another provider, or another sign-in');
    expect(employee.browser.cookie).toBeUndefined();
  });

  it('is refused from another issuer', async () => {
    const { browser, email } = await newEmployee();
    await provider.forge({ iss: 'https://evil.example' });
    expect((await browser.signInAtCompany(email)).status).toBe(400);
  });

  it('is refused with the nonce of another sign-in', async () => {
    const { browser, email } = await newEmployee();
    const first = await browser.post('/login', { email });
    const nonce = new URL(first.to!).searchParams.get('nonce')!;
    await browser.get(await browser.answerOf(first.to!, email));
    await provider.forge({ nonce });
    const replayed = await new Employee(SITE).signInAtCompany(email);
    expect(replayed.status).toBe(400);
    expect(replayed.html).toContain('another sign-in');
  });

  it('works once', async () => {
    const { browser, email } = await newEmployee();
    const left = await browser.post('/login', { email });
    const answer = await browser.answerOf(left.to!, email);
    expect((await browser.get(answer)).to).toBe('/account?done=joined');
    const again = await browser.get(answer);
    expect(again.status).toBe(400);
    expect(again.html).toContain('Sign in again');
  });

  it('is refused in another browser, which doesn’t know the code’s verifier either', async () => {
    const { browser, email } = await newEmployee();
    const left = await browser.post('/login', { email });
    const stolen = await browser.answerOf(left.to!, email);
    const thief = new Employee(SITE);
    expect((await thief.get(stolen)).status).toBe(400);
    // The thief starts a sign-in, and exchanges the code in the own answer for the stolen one.
    const own = new URL((await thief.post('/login', { email })).to!);
    const answer = new URL(SITE + stolen);
    answer.searchParams.set('state', own.searchParams.get('state')!);
    const refused = await thief.get(answer.pathname + answer.search);
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('no longer accepts this sign-in');
    expect(thief.cookie).toBeUndefined();
  });

  it('is refused for another organization with the same provider', async () => {
    const { browser, email, organization } = await newEmployee();
    const other = await newCompany(parts, SITE, provider);
    await provider.register({
      redirectUri: `${SITE}/login/company/${organization.id}/callback`,
      logoutUri: `${SITE}/login/company/${organization.id}/logout`,
    });
    const left = await browser.post('/login', { email });
    const answer = await browser.answerOf(left.to!, email);
    const moved = answer.replace(organization.id, other.organization.id);
    expect((await browser.get(moved)).status).toBe(400);
  });

  it.each([
    [90, 303, false],
    [-90, 303, false],
    [900, 400, true],
    [-9000, 400, true],
  ])('with a clock that differs by %i seconds gets %i', async (seconds, status, isNamed) => {
    const employee = await newEmployee();
    await provider.skew(seconds);
    const answer = await employee.browser.signInAtCompany(employee.email);
    expect(answer.status).toBe(status);
    expect((await problemOf(employee))?.includes('clock') ?? false).toBe(isNamed);
  });

  it('is refused without a verified address, or with one at another domain', async () => {
    const { browser, email, account } = await newEmployee();
    await provider.employ({ id: account, email, verified: false });
    const unverified = await browser.signInAtCompany(email);
    expect(unverified.status).toBe(403);
    expect(unverified.html).toContain('hasn’t verified the address');
    await provider.employ({ id: account, email: 'alex@elsewhere.example' });
    const left = await browser.post('/login', { email });
    const foreign = await browser.get(await browser.answerOf(left.to!, 'alex@elsewhere.example'));
    expect(foreign.status).toBe(403);
    expect(foreign.html).toContain('isn’t an account of this company');
  });

  it('says that the person canceled', async () => {
    const { browser, email } = await newEmployee();
    const left = await browser.post('/login', { email });
    const canceled = await browser.get(await browser.answerOf(left.to!, 'unknown@example.com'));
    expect(canceled.status).toBe(400);
    expect(canceled.html).toContain('The provider denied access.');
    // Browsers apply form-action to redirects, and the form on this page leads to the provider again.
    expect(canceled.html).toContain('action="/login"');
    expect(canceled.headers.get('Content-Security-Policy')).not.toContain('form-action');
  });
});

describe('a provider’s description of itself', () => {
  it.each([
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'data:text/html,x'],
    ['authorization_endpoint', '/authorize'],
    ['token_endpoint', 'file:///etc/passwd'],
    ['jwks_uri', ''],
    ['userinfo_endpoint', 7],
  ])('is refused if its %s is %j, and the reason shown to owners', async (name, address) => {
    const employee = await newEmployee();
    const fetch: typeof parts.fetch = async (url, init) => {
      const answer = await parts.fetch(url, init);
      if (!url.endsWith('/.well-known/openid-configuration')) return answer;
      return Response.json({ ...((await answer.json()) as object), [name]: address });
    };
    const odd = await serveKeyed(db, { company: { ...parts, fetch } });
    const visitor = new Employee(`http://127.0.0.1:${odd.port}`);
    const { status, html } = await visitor.post('/login', { email: employee.email });
    expect(status).toBe(400);
    expect(html).toContain(`${name}. An owner of the organization must change`);
    expect(await problemOf(employee)).toContain(name);
  });
});

describe('an unreachable provider', () => {
  it('is named on a page that says when to try again, and to owners', async () => {
    const employee = await newEmployee();
    await provider.away(true);
    const { status, html } = await employee.browser.post('/login', { email: employee.email });
    expect(status).toBe(503);
    expect(JSON.parse(html).error).toContain('can’t be reached');
    expect(await problemOf(employee)).toContain('can’t be reached');
    await provider.away(false);
    expect((await employee.browser.signInAtCompany(employee.email)).status).toBe(303);
    expect(await problemOf(employee)).toBeUndefined();
  });

  it('is never asked at a private address that the operator doesn’t allow', async () => {
    const strict = await serveKeyed(db, {
      company: { ...parts, fetch: issuerFetch(networkList([])) },
    });
    const { email } = await newEmployee();
    const { status } = await new Employee(`http://127.0.0.1:${strict.port}`).post('/login', {
      email,
    });
    expect(status).toBe(503);
  });
});
