/** The page of owners for company sign-in, and what requiring it does. */
import { afterEach, describe, expect, it } from 'vitest';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import {
  addMember,
  memberByEmail,
  removeMember,
  setRole,
} from '../../../src/people/account/members.ts';
import { makePasswordLink, passwordLinkPath } from '../../../src/people/account/password-links.ts';
import {
  findCompanySignIn,
  requireCompanySignIn,
  saveCompanySignIn,
} from '../../../src/people/account/company-sign-in/settings.ts';
import { withdrawDomains } from '../../../src/people/account/company-sign-in/domain-ownership.ts';
import {
  callbackPath,
  companySignInPath,
  logoutPath,
} from '../../../src/people/account/company-sign-in/addresses.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { txtLookup } from '../../../src/base/outside/txt-records.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { addPasskey, requestOptions } from '../../../src/people/account/passkeys.ts';
import { PASSKEY_FIELD } from '../../../src/doors/site/passkey-button.ts';
import { softwarePasskey } from '../../support/software-passkey.ts';
import { Connector, type Tokens } from '../../support/connector.ts';
import { newClient } from '../../support/clients.ts';
import { Employee, localCompanies, newCompany, operatorOf } from '../../support/company.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { startDns } from '../../support/servers/dns.ts';
import { startCompanyProvider } from '../../support/servers/company-provider.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('empty');
const parts = localCompanies(db);
const dns = await startDns();
const app = await serveKeyed(db, { company: { ...parts, lookUpTxt: txtLookup([dns.address]) } });
const SITE = `http://127.0.0.1:${app.port}`;
const PAGE = '/account/company-sign-in';
const provider = await startCompanyProvider();

afterEach(async () => {
  dns.fail(null);
  await provider.away(false);
});

let companies = 0;

/** An owner with a password, whose address is at a domain of its own */
class Owner extends Employee {
  readonly domain = `owned${companies++}.example`;
  override readonly email = `olive@${this.domain}`;

  async start(): Promise<this> {
    await this.signUp(`Owned ${this.domain}`);
    await db.query('update people set email_confirmed_at = now() where email = $1', [this.email]);
    const { redirectUri, logoutUri } = await this.addresses();
    await provider.register({ redirectUri, logoutUri });
    return this;
  }

  async addresses() {
    const { id } = await this.organization();
    return { redirectUri: SITE + callbackPath(id), logoutUri: SITE + logoutPath(id) };
  }

  async organization(): Promise<{ id: string; name: string }> {
    const [row] = await db.query<{ id: string; name: string }>(
      `select o.id, o.name from organizations o join memberships m on m.organization_id = o.id
         join people p on p.id = m.person_id where p.email = $1 order by m.created_at limit 1`,
      [this.email],
    );
    return row!;
  }

  async tenant() {
    return tenantOf(db, (await this.organization()).id);
  }

  fields(more: Record<string, string> = {}): Record<string, string> {
    const { issuer, clientId, clientSecret } = provider;
    return { issuer, clientId, clientSecret, domains: this.domain, people: 'member', ...more };
  }

  async settings() {
    return findCompanySignIn(await this.tenant());
  }

  async record(domain = this.domain) {
    return (await this.settings())!.domains.find((one) => one.domain === domain)!.record;
  }

  check(domain = this.domain) {
    return this.post(`${PAGE}/domain`, { domain });
  }

  /** Adds the record to the DNS, and has the service check it. */
  async prove() {
    const { name, value } = await this.record();
    dns.set(name, value);
    const { to } = await this.check();
    if (to !== `${PAGE}?done=domain-proved`) throw new Error(`${name} was not accepted: ${to}`);
  }
}

const newOwner = () => new Owner(SITE).start();

/** An owner whose organization has company sign-in */
async function newSetUp() {
  const owner = await newOwner();
  const saved = await owner.post(PAGE, owner.fields());
  expect(saved.html).toContain('The connection works. Saved.');
  await owner.prove();
  return owner;
}

describe('the page', () => {
  it('shows the addresses that the provider needs before anything is set up', async () => {
    const owner = await newOwner();
    const { html } = await owner.get(PAGE);
    const { redirectUri, logoutUri } = await owner.addresses();
    expect(html).toContain(redirectUri);
    expect(html).toContain(logoutUri);
    expect(html).not.toContain('Require it');
  });

  it('saves settings that work, with the secret encrypted, and never shows it', async () => {
    const owner = await newSetUp();
    expect(await owner.settings()).toMatchObject({
      issuer: provider.issuer,
      domains: [{ domain: owner.domain, ownership: 'proved' }],
      defaultRole: 'member',
      required: 'off',
    });
    const [{ secret } = { secret: '' }] = await (
      await owner.tenant()
    ).query<{ secret: string }>(
      'select client_secret as secret from company_sign_ins where organization_id = $1',
    );
    expect(secret).toMatch(/^v1\./);
    expect((await owner.get(PAGE)).html).not.toContain(provider.clientSecret);
  });

  it('keeps the secret if the field is empty', async () => {
    const owner = await newSetUp();
    const again = await owner.post(PAGE, owner.fields({ clientSecret: '', people: 'invited' }));
    expect(again.html).toContain('The connection works. Saved.');
    expect(await owner.settings()).toMatchObject({ defaultRole: null });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a wrong secret',
      { clientSecret: 'wrong' },
      'doesn’t accept the client ID or the client secret',
    ],
    [
      'an unknown client',
      { clientId: 'nobody' },
      'doesn’t accept the client ID or the client secret',
    ],
    [
      'another path',
      { issuer: `${provider.issuer}/nowhere` },
      'doesn’t describe an OpenID provider',
    ],
    ['a closed port', { issuer: 'http://127.0.0.1:9' }, 'can’t be reached'],
    ['a private network', { issuer: 'https://10.0.0.1' }, 'can’t be reached'],
  ])('says what fails and saves nothing: %s', async (_what, more, message) => {
    const owner = await newOwner();
    const { status, html } = await owner.post(PAGE, owner.fields(more));
    expect(status).toBe(200);
    expect(html).toContain('The connection doesn’t work. Nothing was saved.');
    expect(html).toContain(message);
    expect(html).toContain(`value="${owner.domain}"`);
    expect(await owner.settings()).toBeNull();
  });

  it.each<[string, Record<string, string>, string]>([
    ['an issuer without TLS', { issuer: 'http://login.example' }, 'https address'],
    ['an issuer with a query', { issuer: 'https://login.example?a=1' }, 'https address'],
    ['no issuer', { issuer: '' }, 'https address'],
    ['no secret', { clientSecret: '' }, 'Enter the client secret'],
    ['no domain', { domains: ' ' }, 'Enter at least one domain'],
    ['an address for a domain', { domains: 'pat@acme.com' }, 'is not a domain'],
  ])('names the field with a problem: %s', async (_what, more, message) => {
    const owner = await newOwner();
    const { status, html } = await owner.post(PAGE, owner.fields(more));
    expect(status).toBe(400);
    expect(html).toContain(message);
    expect(html).toContain('aria-invalid="true"');
  });

  it('tests the saved settings again', async () => {
    const owner = await newSetUp();
    expect((await owner.post(`${PAGE}/test`)).html).toContain('The connection works.');
    await provider.away(true);
    const { html } = await owner.post(`${PAGE}/test`);
    expect(html).toContain('The connection doesn’t work.');
    expect(html).toContain('can’t be reached');
  });

  it('is only for owners', async () => {
    const owner = await newSetUp();
    const tenant = await owner.tenant();
    const second = `second@${owner.domain}`;
    await addMember(tenant, { email: second, name: 'Sam', role: 'owner' });
    await setRole(tenant, owner.email, 'admin');
    expect((await owner.get(PAGE)).html).toContain('Only owners can change this.');
    for (const path of [PAGE, `${PAGE}/test`, `${PAGE}/required`, `${PAGE}/remove`]) {
      expect((await owner.post(path, owner.fields())).status).toBe(403);
    }
  });

  it('removes company sign-in only if that is confirmed', async () => {
    const owner = await newSetUp();
    expect((await owner.post(`${PAGE}/remove`)).html).toContain('Check the box to confirm');
    const removed = await owner.post(`${PAGE}/remove`, { confirm: 'remove' });
    expect(removed.to).toBe(`${PAGE}?done=company-removed`);
    expect(await owner.settings()).toBeNull();
  });

  it('shows on the members page who has a company account', async () => {
    const owner = await newSetUp();
    await provider.employ({ email: `new@${owner.domain}` });
    await new Employee(SITE).signInAtCompany(`new@${owner.domain}`);
    expect((await owner.get('/account/members')).html).toContain('Company account');
  });
});

describe('a claim of the provider', () => {
  const grants = 'north-team, reviewer, north\nheadquarters, admin';

  /** An owner whose provider decides by its groups */
  async function newClaims() {
    const owner = await newSetUp();
    const north = await createBrand(await owner.tenant(), { name: 'North' });
    await createBrand(await owner.tenant(), { name: 'South' });
    const fields = owner.fields({ claim: 'groups', grants, scope: 'some', brand: north.id });
    const saved = await owner.post(PAGE, fields);
    expect(saved.html).toContain('The connection works. Saved.');
    return { owner, north };
  }

  it('is saved with its values, and a pasted token shows what a person would get', async () => {
    const { owner } = await newClaims();
    expect((await owner.get(PAGE)).html).toContain('headquarters, admin, all');
    const tried = async (token: string) => (await owner.post(`${PAGE}/claims`, { token })).html;
    expect(await tried('{"groups": ["x", "north-team"]}')).toContain(
      'By “north-team” in “groups”: this person becomes a reviewer with the brand North.',
    );
    expect(await tried('{"groups": "headquarters"}')).toContain(
      'becomes an admin with all brands.',
    );
    expect(await tried('{"groups": ["x"]}')).toContain(
      'By no line has “x”, so the default: this person becomes a member with the brand North.',
    );
    expect(await tried('not a token')).toContain('Paste an ID token');
  });

  it('is refused with the line that can’t be read, and nothing is saved', async () => {
    const { owner } = await newClaims();
    const fields = owner.fields({ claim: 'groups', grants: 'east, member, east' });
    expect((await owner.post(PAGE, fields)).html).toContain('Line 1: There is no brand “east”.');
    expect((await owner.settings())!.claimGrants).toHaveLength(2);
  });

  it('decides at each sign-in on the role and the brands', async () => {
    const { owner, north } = await newClaims();
    const email = `kim@${owner.domain}`;
    await provider.employ({ email, name: 'Kim' });
    const signIn = async (groups: string[]) => {
      await provider.forge({ groups });
      await new Employee(SITE).signInAtCompany(email);
      await provider.forge({});
      return memberByEmail(await owner.tenant(), email);
    };
    expect(await signIn(['north-team'])).toMatchObject({ role: 'reviewer', brandIds: [north.id] });
    expect(await signIn(['headquarters'])).toMatchObject({ role: 'admin', brandIds: null });
    expect(await signIn(['unknown'])).toMatchObject({ role: 'member', brandIds: [north.id] });
  });
});

describe('a domain', () => {
  /** An owner who has set up company sign-in, but not yet proved the domain */
  async function newClaim(domain?: string) {
    const owner = await newOwner();
    await owner.post(PAGE, owner.fields(domain === undefined ? {} : { domains: domain }));
    return owner;
  }

  const ownershipOf = async (owner: Owner, domain = owner.domain) =>
    (await owner.settings())!.domains.find((one) => one.domain === domain)!.ownership;

  const isLed = async (email: string) =>
    (await new Employee(SITE).post('/login', { email })).status === 303;

  it('isn’t used for sign-in before it is proved', async () => {
    const owner = await newClaim();
    const { html } = await owner.get(PAGE);
    const { name, value } = await owner.record();
    expect(name).toBe(`_territory-sign-in.${owner.domain}`);
    expect(html).toContain('Not proved yet');
    for (const text of [name, value]) expect(html).toContain(`value="${text}"`);
    expect(await isLed(owner.email)).toBe(false);
    await provider.employ({ email: owner.email });
    const browser = new Employee(SITE);
    const { id } = await owner.organization();
    const left = await browser.leaveFrom(companySignInPath(id));
    const refused = await browser.get(await browser.answerOf(left.href, owner.email));
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('None of the organization’s email domains is proved yet');
    const rule = { required: 'all-but-one', passwordOwner: owner.email };
    const locked = await owner.post(`${PAGE}/required`, rule);
    expect(locked.status).toBe(409);
    expect(locked.html).toContain('so all sign-ins would fail');
  });

  it('is proved by its record, whatever else is at the name', async () => {
    const owner = await newClaim();
    const { name, value } = await owner.record();
    dns.set(name, 'v=spf1 -all', `"${value}"`, 'x'.repeat(600));
    expect((await owner.check()).to).toBe(`${PAGE}?done=domain-proved`);
    expect(await ownershipOf(owner)).toBe('proved');
    expect((await owner.get('/account/activity')).html).toContain(
      `Proved the domain ${owner.domain}`,
    );
    expect(await isLed(owner.email)).toBe(true);
    // A record that is deleted afterwards ends nothing.
    dns.set(name);
    expect((await owner.check()).to).toBe(`${PAGE}?done=domain-checked`);
    expect(await isLed(owner.email)).toBe(true);
  });

  it.each<[string, (name: string) => void, string]>([
    ['there is no record', () => {}, 'There is no TXT record at _territory-sign-in.'],
    [
      'there is another record',
      (name) => dns.set(name, 'territory-sign-in=0000'),
      'is another one: “territory-sign-in=0000”',
    ],
    ['the DNS refuses to answer', () => dns.fail('refuses'), 'can’t be reached'],
    ['the DNS is silent', () => dns.fail('is silent'), 'didn’t answer in time'],
  ])('shows that %s', async (_what, arrange, message) => {
    const owner = await newClaim();
    arrange((await owner.record()).name);
    expect((await owner.check()).to).toBe(`${PAGE}?done=domain-checked`);
    const { html } = await owner.get(PAGE);
    expect(html).toContain(message);
    expect(html).toContain('Checked <time');
    expect(await ownershipOf(owner)).toBeNull();
  });

  it('can be claimed by several organizations, and is that of the one that proves it', async () => {
    const squatter = await newClaim('bigcorp.example');
    const owner = await newClaim('bigcorp.example');
    const { name, value } = await owner.record('bigcorp.example');
    dns.set(name, value);
    expect((await squatter.check('bigcorp.example')).to).toContain('domain-checked');
    expect((await owner.check('bigcorp.example')).to).toContain('domain-proved');
    expect(await ownershipOf(squatter, 'bigcorp.example')).toBeNull();
    const left = await new Employee(SITE).post('/login', { email: 'pat@bigcorp.example' });
    expect(new URL(left.to!).searchParams.get('redirect_uri')).toBe(
      (await owner.addresses()).redirectUri,
    );
  });

  it('moves to the organization whose record is there, once the former record is gone', async () => {
    const former = await newSetUp();
    const owner = await newClaim(former.domain);
    const [was, is] = [await former.record(), await owner.record(former.domain)];
    dns.set(was.name, was.value, is.value);
    await owner.check(former.domain);
    expect((await owner.get(PAGE)).html).toContain('its record is still at');
    expect(await ownershipOf(former)).toBe('proved');
    dns.set(was.name, is.value);
    expect((await owner.check(former.domain)).to).toContain('domain-proved');
    expect(await ownershipOf(former)).toBeNull();
    expect((await former.get(PAGE)).html).toContain('Another organization has proved it since');
    const lost = `Ended company sign-in for ${former.domain}`;
    const { html } = await former.get('/account/activity');
    expect(html).toContain(lost);
    // Organizations don't see each other's names and people.
    expect(html).not.toContain(owner.domain);
    const { rows } = await listActivity(await former.tenant(), 'all');
    expect(rows[0]).toMatchObject({ actor: { name: 'The service' } });
    const { rows: own } = await listActivity(await owner.tenant(), 'all');
    expect(own[0]!.summary).toContain(`Proved the domain ${former.domain}`);
    expect(own.map(({ summary }) => summary).join()).not.toContain(lost);
  });

  it('for which an operator vouches needs no record, and isn’t taken by one', async () => {
    const other = await newCompany(parts, SITE, provider);
    expect(await isLed(`pat@${other.domain}`)).toBe(true);
    const owner = await newClaim(other.domain);
    const { name, value } = await owner.record(other.domain);
    dns.set(name, value);
    await owner.check(other.domain);
    expect((await owner.get(PAGE)).html).toContain('Ask the operator to move it');
    expect(await ownershipOf(owner, other.domain)).toBeNull();
    await withdrawDomains(db, other.organization.id, [other.domain]);
    expect(await isLed(`pat@${other.domain}`)).toBe(false);
    expect((await owner.check(other.domain)).to).toContain('domain-proved');
  });

  it('of another organization can’t be vouched for', async () => {
    const owner = await newSetUp();
    const taking = newCompany(parts, SITE, provider, { domains: [owner.domain] });
    await expect(taking).rejects.toThrow(`Owned ${owner.domain} has the domain ${owner.domain}`);
  });

  it('is proved once if two organizations prove it at the same moment', async () => {
    const [one, other] = [await newClaim('race.example'), await newClaim('race.example')];
    const [a, b] = [await one.record('race.example'), await other.record('race.example')];
    dns.set(a.name, a.value, b.value);
    const results = await Promise.all([one.check('race.example'), other.check('race.example')]);
    expect(results.map(({ status }) => status)).toEqual([303, 303]);
    const held = [await ownershipOf(one, 'race.example'), await ownershipOf(other, 'race.example')];
    expect(held.filter((ownership) => ownership === 'proved')).toHaveLength(1);
  });

  it('is only checked for owners of an organization that claims it', async () => {
    const owner = await newClaim();
    const before = dns.asked.length;
    const unknown = await owner.check('elsewhere.example');
    expect(unknown.status).toBe(404);
    await db.query(`update memberships set role = 'admin' where organization_id = $1`, [
      (await owner.organization()).id,
    ]);
    expect((await owner.check()).status).toBe(403);
    expect(dns.asked.length).toBe(before);
  });
});

describe('requiring company sign-in', () => {
  it('of all needs an owner who has signed in with it', async () => {
    const owner = await newSetUp();
    const early = await owner.post(`${PAGE}/required`, { required: 'all' });
    expect(early.status).toBe(409);
    expect(early.html).toContain('No owner has signed in with the company’s account yet');
    await provider.employ({ email: owner.email });
    await new Employee(SITE).signInAtCompany(owner.email);
    const done = await owner.post(`${PAGE}/required`, { required: 'all' });
    expect(done.to).toBe(`${PAGE}?done=company-required`);
    // The owner's own session came from the password.
    const closed = await owner.get('/account');
    expect(closed.status).toBe(403);
    expect(closed.html).toContain('requires that you sign in with your company account');
  });

  it('but one owner keeps that owner’s password, and closes those of others', async () => {
    const owner = await newSetUp();
    const tenant = await owner.tenant();
    const other = new Visitor(SITE);
    await addMember(tenant, { email: other.email, name: 'Sam', role: 'owner' });
    const { token } = await makePasswordLink(db, other.email);
    await other.post(passwordLinkPath(token), { password: PASSWORD });
    expect((await other.get('/account')).status).toBe(200);
    const rule = { required: 'all-but-one', passwordOwner: owner.email };
    expect((await owner.post(`${PAGE}/required`, rule)).status).toBe(303);
    expect((await owner.get('/account')).status).toBe(200);
    expect((await owner.signIn()).to).toBe('/account');
    expect((await other.get('/account')).status).toBe(403);
    // A former owner would keep nothing.
    await tenant.query(
      `update memberships set role = 'admin' where organization_id = $1 and role = 'owner'`,
    );
    expect((await owner.get('/account')).status).toBe(403);
  });

  it('refuses to keep the password of someone who has none, or isn’t an owner', async () => {
    const owner = await newSetUp();
    const tenant = await owner.tenant();
    await addMember(tenant, { email: `b@${owner.domain}`, name: 'Bo', role: 'owner' });
    await addMember(tenant, { email: `c@${owner.domain}`, name: 'Cy', role: 'member' });
    const ask = (passwordOwner: string) =>
      owner.post(`${PAGE}/required`, { required: 'all-but-one', passwordOwner });
    expect((await ask(`b@${owner.domain}`)).html).toContain('Bo has no password');
    expect((await ask(`c@${owner.domain}`)).html).toContain('Cy is not an owner');
  });

  it('but one owner keeps that owner', async () => {
    const owner = await newSetUp();
    const tenant = await owner.tenant();
    await addMember(tenant, { email: `x${owner.email}`, name: 'Xenia', role: 'owner' });
    const rule = { required: 'all-but-one', passwordOwner: owner.email };
    await owner.post(`${PAGE}/required`, rule);
    const words = 'keeps a password while company sign-in is required';
    await expect(setRole(tenant, owner.email, 'admin')).rejects.toThrow(words);
    await expect(removeMember(tenant, owner.email)).rejects.toThrow(words);
    await owner.post(`${PAGE}/required`, { required: 'off' });
    await removeMember(tenant, owner.email);
  });

  it('keeps the issuer until it is optional again', async () => {
    const owner = await newSetUp();
    const rule = { required: 'all-but-one', passwordOwner: owner.email };
    await owner.post(`${PAGE}/required`, rule);
    const stuck = await owner.post(PAGE, owner.fields({ clientId: 'nobody' }));
    expect(stuck.html).toContain('doesn’t work');
    await (
      await owner.tenant()
    ).query(`update company_sign_ins set client_id = 'before' where organization_id = $1`);
    const changed = await owner.post(PAGE, owner.fields());
    expect(changed.status).toBe(409);
    expect(changed.html).toContain('Make it optional before you change');
  });

  it('keeps the domains, which its people need to get in', async () => {
    const owner = await newSetUp();
    const { id } = await owner.organization();
    await db.query(
      'insert into company_domains (domain, organization_id, vouched_at) values ($1, $2, now())',
      [`also.${owner.domain}`, id],
    );
    const rule = { required: 'all-but-one', passwordOwner: owner.email };
    await owner.post(`${PAGE}/required`, rule);
    const fewer = await owner.post(PAGE, owner.fields());
    expect(fewer.status).toBe(409);
    expect(fewer.html).toContain('or remove a domain');
    expect((await owner.settings())!.domains).toHaveLength(2);
  });

  it('of all is refused once the issuer has changed, even at the same moment', async () => {
    const owner = await newSetUp();
    const tenant = await owner.tenant();
    const organization = await owner.organization();
    const [row] = await db.query<{ id: string }>('select id from people where email = $1', [
      owner.email,
    ]);
    await tenant.query(
      `insert into company_identities (organization_id, issuer, subject, person_id)
       values ($1, $2, 'olive', $3)`,
      [provider.issuer, row!.id],
    );
    const { clientSecret, issuer } = provider;
    const settings = { issuer, clientId: 'other', clientSecret, domains: [owner.domain] };
    const editor = operatorOf(organization);
    const results = await Promise.allSettled([
      saveCompanySignIn(db, tenant, parts.secrets, { ...settings, defaultRole: null }, editor),
      requireCompanySignIn(db, tenant, { required: 'all' }, editor),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  /** A member with a password, in an organization that then requires company sign-in of all but its owner */
  async function newClosed() {
    const owner = await newSetUp();
    const tenant = await owner.tenant();
    const member = new Visitor(SITE);
    await addMember(tenant, { email: member.email, name: 'Max', role: 'member' });
    const { token } = await makePasswordLink(db, member.email);
    await member.post(passwordLinkPath(token), { password: PASSWORD });
    const close = async () =>
      requireCompanySignIn(
        db,
        tenant,
        { required: 'all-but-one', passwordOwner: owner.email },
        operatorOf(await owner.organization()),
      );
    return { owner, tenant, member, close };
  }

  it('answers the right password as a wrong one, and as one of an unknown address', async () => {
    const { member, close } = await newClosed();
    await close();
    const ask = async (email: string, password: string) => {
      const { status, html, cookie } = await new Visitor(SITE).signIn(email, password);
      return { status, cookie, html: html.replaceAll(email, '') };
    };
    const right = await ask(member.email, PASSWORD);
    expect(right.status).toBe(400);
    expect(right.cookie).toBeNull();
    expect(right).toEqual(await ask(member.email, 'wrong password'));
    expect(right).toEqual(await ask('unknown@example.com', 'wrong password'));
  });

  it('answers a passkey as an unknown one', async () => {
    const { member, close } = await newClosed();
    const [known, unknown] = [softwarePasskey(), softwarePasskey()];
    const [person] = await db.query<{ id: string }>('select id from people where email = $1', [
      member.email,
    ]);
    await addPasskey(db, person!.id, known.stored);
    const ask = async ({ answer }: typeof known) => {
      const { challenge } = await requestOptions(db, SITE, null);
      const fields = { [PASSKEY_FIELD]: answer(SITE, challenge) };
      const { status, to, html, cookie } = await new Visitor(SITE).post('/login/passkey', fields);
      return { status, to, cookie, problem: /role="alert">([^<]+)/.exec(html)?.[1] };
    };
    expect(await ask(known)).toMatchObject({ status: 303, to: '/account' });
    await close();
    const refused = await ask(known);
    expect(refused).toMatchObject({ status: 400, cookie: null });
    expect(refused).toEqual(await ask(unknown));
  });

  it('closes links for choosing a password, and makes no more', async () => {
    const { member, close } = await newClosed();
    const { token } = await makePasswordLink(db, member.email);
    await close();
    expect((await new Visitor(SITE).get(passwordLinkPath(token))).status).toBe(404);
    const chosen = await new Visitor(SITE).post(passwordLinkPath(token), { password: PASSWORD });
    expect(chosen.status).toBe(404);
    await expect(makePasswordLink(db, member.email)).rejects.toThrow(
      'signs in with a company account',
    );
  });

  it('stops apps that were connected with a password', async () => {
    const { member, close } = await newClosed();
    const connector = new Connector(SITE, app.api);
    await connector.register();
    const answer = await connector.authorize(member);
    const tokens = await connector.redeem(answer.searchParams.get('code')!);
    const { access_token: token } = (await tokens.json()) as Tokens;
    const call = async () => {
      const headers = { ...newClient(), Authorization: `Bearer ${token}` };
      return (await fetch(`${app.api}/agent/capabilities`, { headers })).status;
    };
    expect(await call()).toBe(200);
    await close();
    expect(await call()).toBe(401);
  });

  it('leaves the other organizations of a person open to the password', async () => {
    const { member, close, owner } = await newClosed();
    const other = await newCompany(parts, SITE, provider);
    await addMember(other.tenant, { email: member.email, name: 'Max', role: 'member' });
    await close();
    expect((await member.signIn()).to).toBe('/account');
    const { html } = await member.get('/account');
    expect(html).toContain(other.organization.name);
    const { id, name } = await owner.organization();
    expect(html).not.toContain(name);
    expect((await member.post('/account/organization', { organization: id })).status).toBe(404);
  });
});
