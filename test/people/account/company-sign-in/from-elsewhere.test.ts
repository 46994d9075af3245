/** Links and answers of other sites, which must neither start a sign-in nor replace the person who is signed in. */
import { describe, expect, it } from 'vitest';
import {
  companySignInPath,
  switchPath,
} from '../../../../src/people/account/company-sign-in/addresses.ts';
import {
  makePasswordLink,
  passwordLinkPath,
} from '../../../../src/people/account/password-links.ts';
import { Employee, localCompanies, newCompany } from '../../../support/company.ts';
import { testDatabase } from '../../../support/database.ts';
import { serveKeyed } from '../../../support/keyed-app.ts';
import { startCompanyProvider } from '../../../support/servers/company-provider.ts';
import { hiddenValue } from '../../../support/visitor.ts';

const { db } = await testDatabase('empty');
const parts = localCompanies(db);
const app = await serveKeyed(db, { company: parts });
const SITE = `http://127.0.0.1:${app.port}`;
const provider = await startCompanyProvider();

let people = 0;
async function newAccount() {
  const company = await newCompany(parts, SITE, provider);
  const email = `mallory${people++}@${company.domain}`;
  await provider.employ({ email, name: 'Mallory' });
  return { ...company, email };
}

/** A person who is signed in, and whose browser comes back from a provider with somebody else's account */
async function newVictim() {
  const victim = await new Employee(SITE).signUp('Best Roofs');
  const account = await newAccount();
  const left = await victim.leaveFrom(
    companySignInPath(account.organization.id, { next: '/account/data' }),
  );
  const before = victim.cookie;
  const asked = await victim.get(await victim.answerOf(left.href, account.email));
  return { victim, account, asked, before };
}

const overviewOf = async (browser: Employee) => (await browser.get('/account')).html;
const attempts = async () => (await db.query('select from company_attempts')).length;

describe('a link to a company sign-in', () => {
  it('opens a page that asks, and starts nothing', async () => {
    const { organization } = await newAccount();
    const before = await attempts();
    const page = await new Employee(SITE).get(companySignInPath(organization.id));
    expect(page.status).toBe(200);
    expect(page.html).toContain(`Sign in to ${organization.name}`);
    expect(page.html).toContain(`Continue to ${new URL(provider.issuer).host}`);
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(await attempts()).toBe(before);
  });

  it('keeps the page and the invitation that it names', async () => {
    const { organization } = await newAccount();
    const page = await new Employee(SITE).get(
      companySignInPath(organization.id, { next: '/account/keys', again: '1', invitation: 'abc' }),
    );
    expect(hiddenValue(page, 'next')).toBe('/account/keys');
    expect(hiddenValue(page, 'again')).toBe('1');
    expect(hiddenValue(page, 'invitation')).toBe('abc');
  });

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another subdomain', { 'Sec-Fetch-Site': 'same-site' }],
    ['a program', {}],
  ])('can’t be replaced by a form of %s', async (_who, headers) => {
    const { organization } = await newAccount();
    const before = await attempts();
    const sent = await new Employee(SITE).post(companySignInPath(organization.id), {}, headers);
    expect(sent.status).toBe(403);
    expect(await attempts()).toBe(before);
  });

  it('to an unknown organization, or one without a provider, is not found', async () => {
    const { tenant, organization } = await newAccount();
    await tenant.query('delete from company_sign_ins where organization_id = $1');
    for (const id of ['acme', crypto.randomUUID(), organization.id]) {
      expect((await new Employee(SITE).get(companySignInPath(id))).status).toBe(404);
      expect((await new Employee(SITE).post(companySignInPath(id))).status).toBe(404);
    }
  });
});

describe('a provider’s answer about another person than the one who is signed in', () => {
  it('asks first, and keeps the session until the answer', async () => {
    const { victim, account, asked, before } = await newVictim();
    expect(asked.status).toBe(200);
    expect(asked.html).toContain(`You are signed in as <strong>Pat</strong> (${victim.email})`);
    expect(asked.html).toMatch(new RegExp(`<strong>Mallory</strong>\\s+\\(${account.email}\\)`));
    expect(victim.cookie).toBe(before);
    expect(await overviewOf(victim)).toContain('Best Roofs');
  });

  it('changes nothing for those who stay', async () => {
    const { victim, account } = await newVictim();
    const path = switchPath(account.organization.id);
    const stayed = await victim.post(path, { decision: 'stay', next: '/account/data' });
    expect(stayed.to).toBe('/account?done=still-signed-in');
    expect(await overviewOf(victim)).toContain('Best Roofs');
    // The decision is final.
    const late = await victim.post(path, { decision: 'switch' });
    expect(late.status).toBe(400);
    expect(late.html).toContain('This sign-in is no longer valid');
    expect(await overviewOf(victim)).toContain('Best Roofs');
  });

  it('replaces the session for those who switch, and opens the page that they asked for', async () => {
    const { victim, account, asked, before } = await newVictim();
    const fields = { decision: 'switch', next: hiddenValue(asked, 'next') };
    const path = switchPath(account.organization.id);
    const switched = await victim.post(path, fields);
    expect(switched.to).toBe('/account/data');
    expect(await overviewOf(victim)).toContain(account.organization.name);
    const [left] = await db.query<{ count: number }>(
      'select count(*)::int as count from sessions join people on people.id = person_id where email = $1',
      [victim.email],
    );
    expect(left!.count).toBe(0);
    expect(victim.cookie).not.toBe(before);
    expect((await victim.post(path, fields)).status).toBe(400);
  });

  it('can’t be answered by another site', async () => {
    const { victim, account } = await newVictim();
    const path = switchPath(account.organization.id);
    const headers = { 'Sec-Fetch-Site': 'cross-site' };
    expect((await victim.post(path, { decision: 'switch' }, headers)).status).toBe(403);
    expect(await overviewOf(victim)).toContain('Best Roofs');
  });

  it('gives no access before the answer, not even as the session or the second step', async () => {
    const { victim } = await newVictim();
    const secret = victim.valueOf('company')!;
    const thief = new Employee(SITE);
    thief.cookie = `session=${secret}`;
    expect((await thief.get('/account')).status).toBe(303);
    expect((await thief.get('/login/second-factor')).html).toContain('no longer valid');
  });

  it('ends unanswered after ten minutes', async () => {
    const { victim, account } = await newVictim();
    await db.query(`update sessions set expires_at = now() where awaits_factor`);
    const path = switchPath(account.organization.id);
    expect((await victim.post(path, { decision: 'switch' })).status).toBe(400);
    expect(await overviewOf(victim)).toContain('Best Roofs');
  });

  it('isn’t asked about for the same person, or without a session', async () => {
    const { email, organization } = await newAccount();
    const browser = new Employee(SITE);
    expect((await browser.signInAtCompany(email)).status).toBe(303);
    const left = await browser.leaveFrom(companySignInPath(organization.id));
    expect((await browser.get(await browser.answerOf(left.href, email))).status).toBe(303);
  });
});

describe('a link that signs in somebody else', () => {
  it('names the person whom its form signs out', async () => {
    const victim = await new Employee(SITE).signUp();
    const other = await new Employee(SITE).signUp();
    const { token } = await makePasswordLink(db, other.email);
    const page = await victim.get(passwordLinkPath(token));
    expect(page.html).toContain(`You are signed in as Pat (${victim.email}). This form signs you`);
    expect((await other.get(passwordLinkPath(token))).html).not.toContain('signs you out');
    expect((await new Employee(SITE).get(passwordLinkPath(token))).html).not.toContain(
      'signs you out',
    );
  });
});
