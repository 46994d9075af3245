import { describe, expect, it } from 'vitest';
import { listKeys } from '../../../src/people/account/keys.ts';
import { addMember, listMembers } from '../../../src/people/account/members.ts';
import { makePasswordLink, passwordLinkPath } from '../../../src/people/account/password-links.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { POLICIES } from '../../../src/base/contract/limits.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newOrganization } from '../../people/account/organizations.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, serveKeyed } from '../../support/keyed-app.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('empty');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;

const visitor = () => new Visitor(SITE);
const newResident = () => visitor().signUp();

async function tenantOfVisitor({ email }: Visitor) {
  const [row] = await db.query<{ id: string; personId: string }>(
    `select organization_id as id, person_id as "personId" from memberships
     join people on people.id = person_id where email = $1`,
    [email],
  );
  return { tenant: tenantOf(db, row!.id), personId: row!.personId };
}

const MEMBER_PAGES = [
  '/account',
  '/account/reviews',
  '/account/reviews/decided',
  '/account/reviews/confirm',
  '/account/activity',
  '/account/brands',
  '/account/keys',
  '/account/members',
  '/account/sessions',
  '/account/password',
];

describe('pages for one person', () => {
  it.each(['/login', '/signup', ...MEMBER_PAGES])(
    '%s is not cached, indexed, or readable by other origins',
    async (path) => {
      const { status, headers, html } = await (await newResident()).get(path);
      expect(status).toBe(200);
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Robots-Tag')).toBe('noindex');
      expect(headers.get('Content-Type')).toBe('text/html; charset=utf-8');
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
      expect(headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
      expect(html).toContain('<meta name="robots" content="noindex" />');
    },
  );

  it.each(MEMBER_PAGES)('%s sends signed-out visitors to sign in, and back', async (path) => {
    const guest = await visitor().get(path);
    expect(guest).toMatchObject({ status: 303, to: `/login?next=${encodeURIComponent(path)}` });
    const forged = visitor();
    forged.cookie = `session=${'A'.repeat(43)}`;
    expect((await forged.get(path)).status).toBe(303);
    const pat = await newResident();
    await pat.post('/logout');
    expect(await pat.signIn(undefined, undefined, { next: path })).toMatchObject({ to: path });
  });

  it('keep what an address asks for through sign-in', async () => {
    const path = '/account/map?brand=north&filter=score+%3E%3D+80';
    const { to } = await visitor().get(path);
    expect(new URLSearchParams(to!.split('?')[1]).get('next')).toBe(path);
    const pat = await newResident();
    expect(await pat.signIn(undefined, undefined, { next: path })).toMatchObject({ to: path });
  });

  it.each(['//evil.example', 'https://evil.example/', '/\\evil.example', '/\t/evil.example', 'x'])(
    'never redirect to another site: %s',
    async (next) => {
      const pat = await newResident();
      expect(await pat.signIn(undefined, undefined, { next })).toMatchObject({ to: '/account' });
    },
  );
});

describe('a form', () => {
  it('changes nothing if its page was made for another organization', async () => {
    const pat = await newResident();
    const page = (await pat.get('/account/keys')).html;
    const [, organization] = /name="for-organization" value="([^"]+)"/.exec(page)!;
    const key = { name: 'k', access: 'read', scope: 'all' };
    const stale = { ...key, 'for-organization': '00000000-0000-0000-0000-000000000000' };
    const refused = await pat.post('/account/keys', stale);
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.html).toContain('Nothing was changed');
    expect(await listKeys((await tenantOfVisitor(pat)).tenant)).toEqual([]);
    const made = await pat.post('/account/keys', { ...key, 'for-organization': organization! });
    expect(made.status).toBe(200);
  });

  it('refuses too many fields before parsing them', async () => {
    const many = new URLSearchParams('a=&'.repeat(2_500));
    expect(await (await newResident()).post('/account/keys', many)).toMatchObject({ status: 400 });
  });

  it('refuses other sites and signed-out visitors before reading a file', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${SITE}/account/brands/none/transfer/check`, {
        method: 'POST',
        // Once the body is read, this media type is refused with 415.
        body: 'x',
        headers: { ...newClient(), 'Content-Type': 'text/plain', ...headers },
      });
    const { cookie } = await newResident();
    const own = { 'Sec-Fetch-Site': 'same-origin' };
    expect((await send({ Cookie: cookie!, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await send(own)).status).toBe(401);
    expect((await send({ Cookie: cookie!, ...own })).status).toBe(415);
  });
});

describe('a password link', () => {
  it('lets a person whom an operator added choose a password', async () => {
    const { tenant } = await newOrganization(db);
    const added = visitor();
    await addMember(tenant, { email: added.email, name: 'Sam', role: 'reviewer' });
    const { token } = await makePasswordLink(db, added.email);
    const path = passwordLinkPath(token);
    expect((await added.get(path)).html).toContain(`For the account of Sam (${added.email}).`);
    const slip = await added.post(path, { password: 'short' });
    expect(slip).toMatchObject({ status: 400 });
    expect(slip.html).toMatch(/A password needs 12 to 200 characters/);
    const chosen = await added.post(path, { password: PASSWORD });
    expect(chosen).toMatchObject({ status: 303, to: '/account?done=password-chosen' });
    expect((await added.get('/account')).status).toBe(200);
    expect(await visitor().get(path)).toMatchObject({ status: 404 });
    expect(await visitor().signIn(added.email)).toMatchObject({ to: '/account' });
  });
});

describe('signing in', () => {
  it('gives the same response for an unknown address and a wrong password', async () => {
    const { email } = await newResident();
    const answers = [];
    for (const tried of [email, 'nobody@example.com']) {
      const { status, html } = await visitor().signIn(tried, 'not the password');
      answers.push({ status, html: html.replaceAll(tried, 'EMAIL') });
    }
    expect(answers[0]).toMatchObject({ status: 400 });
    expect(answers[0]!.html).toContain('The email address or password is wrong');
    expect(answers[0]!.html).toContain('value="EMAIL"');
    expect(answers[0]!.html).not.toContain('not the password');
    expect(answers[1]).toEqual(answers[0]);
  });

  it('ignores the case of the email address', async () => {
    const { email } = await newResident();
    expect(await visitor().signIn(` ${email.toUpperCase()} `)).toMatchObject({ to: '/account' });
  });

  it('sets a 30-day cookie that scripts can’t read', async () => {
    const { email } = await newResident();
    const { cookie } = await visitor().signIn(email);
    expect(cookie).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it.each([
    ['https://territory.example/api', /^__Host-session=[\w-]{43}; .*Path=\/; .*; Secure$/],
    ['https://example.com/territory/api', /^session=[\w-]{43}; .*Path=\/territory; .*; Secure$/],
  ])('sets a cookie for HTTPS only if the service is at %s', async (apiRoot, pattern) => {
    const { email } = await newResident();
    const secure = await serveKeyed(db, { apiRoot: () => apiRoot });
    const pat = new Visitor(`http://127.0.0.1:${secure.port}`);
    expect((await pat.signIn(email)).cookie).toMatch(pattern);
    expect((await pat.get('/account')).status).toBe(200);
  });

  it('starts a new session and ends the previous one', async () => {
    const [attacker, victim] = [await newResident(), await newResident()];
    const planted = attacker.cookie!;
    const browser = visitor();
    browser.cookie = planted;
    await browser.signIn(victim.email);
    expect(browser.cookie).not.toBe(planted);
    expect((await browser.get('/account')).status).toBe(200);
    expect((await attacker.get('/account')).status).toBe(303);
    const before = victim.cookie;
    await victim.signIn();
    expect(victim.cookie).not.toBe(before);
    victim.cookie = before;
    expect((await victim.get('/account')).status).toBe(303);
  });

  it('ignores a session id that the browser invented', async () => {
    const { email } = await newResident();
    const browser = visitor();
    browser.cookie = `session=${'B'.repeat(43)}`;
    await browser.signIn(email);
    expect(browser.cookie).not.toContain('BBB');
  });

  it('limits attempts by client address', async () => {
    const browser = visitor();
    const { quota } = POLICIES['sign-in'];
    for (let n = 0; n < quota; n++) {
      expect((await browser.post('/login', { email: `${n}`, password: 'x' })).status).toBe(400);
    }
    const { status, headers, html } = await browser.get('/login');
    expect(status).toBe(200);
    expect(html).toContain('Sign in');
    expect(headers.get('RateLimit')).toMatch(/^"site"/);
    const refused = await browser.post(
      '/login',
      { email: 'pat@example.com', password: 'x' },
      { 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' },
    );
    expect(refused.status).toBe(429);
    expect(refused.html).toContain('Too many requests');
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(500);
    expect((await browser.post('/signup')).status).toBe(429);
  });

  it('limits attempts by account, existing or not', async () => {
    const { email } = await newResident();
    for (const tried of [email, 'nobody-at-all@example.com']) {
      for (let n = 0; n < POLICIES['sign-in'].quota; n++) {
        expect((await visitor().signIn(tried, 'wrong')).status).toBe(400);
      }
      const refused = await visitor().signIn(tried.toUpperCase());
      expect(refused.status).toBe(429);
      expect(refused.html).toMatch(
        /Too many attempts were made\. Try again in [1-9]\d* minutes?\./,
      );
    }
  });
});

describe('a submitted form', () => {
  const foreign: [string, Record<string, string>][] = [
    ['another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }],
    ['another subdomain', { 'Sec-Fetch-Site': 'same-site', Origin: SITE }],
    ['a link', { 'Sec-Fetch-Site': 'none' }],
    ['an older browser at another site', { Origin: 'https://evil.example' }],
    ['a page without an origin', { Origin: 'null' }],
    ['another port', { Origin: 'http://127.0.0.1:1' }],
    ['a client that sends no origin', {}],
  ];

  it.each(foreign)('is refused from %s and changes nothing', async (_sender, headers) => {
    const pat = await newResident();
    const { cookie } = pat;
    const fields = {
      email: pat.email,
      password: PASSWORD,
      name: 'x',
      access: 'read',
      scope: 'all',
    };
    for (const path of [
      '/login',
      '/signup',
      '/logout',
      '/account/keys',
      '/account/keys/revoke',
      '/account/members',
      '/account/members/remove',
      '/account/sessions/end-others',
      '/account/password',
      '/account/organization',
      '/invite/svc_invite_x',
    ]) {
      const { status, cookie: set } = await pat.post(path, fields, headers);
      expect([path, status, set]).toEqual([path, 403, null]);
    }
    expect(pat.cookie).toBe(cookie);
    expect((await pat.get('/account')).status).toBe(200);
    expect(await listKeys((await tenantOfVisitor(pat)).tenant)).toEqual([]);
  });

  it.each([
    ['Origin', SITE],
    ['Sec-Fetch-Site', 'same-origin'],
  ])('is accepted from pages of this site, by %s', async (name, value) => {
    const pat = await newResident();
    expect(await pat.post('/logout', {}, { [name]: value })).toMatchObject({
      status: 303,
      to: '/login?done=signed-out',
    });
  });

  it('can’t be sent by a link', async () => {
    const pat = await newResident();
    expect((await pat.get('/logout')).status).toBe(405);
    expect((await pat.get('/account/keys/revoke')).status).toBe(405);
  });

  it('refuses other media types and long bodies', async () => {
    const send = (body: string, type: string) =>
      fetch(`${SITE}/login`, {
        method: 'POST',
        body,
        headers: { ...newClient(), 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' },
      });
    const form = 'application/x-www-form-urlencoded';
    expect((await send('{}', 'application/json')).status).toBe(415);
    expect((await send(`a=${'x'.repeat(2 ** 20)}`, form)).status).toBe(413);
    expect((await send('a=1&'.repeat(3000), form)).status).toBe(400);
    expect((await send('email=%00', form)).status).toBe(400);
    expect((await send('', form)).status).toBe(400);
  });

  it('shows the entered values again, each problem at its field', async () => {
    const { status, html } = await visitor().post('/signup', {
      organization: '  ',
      name: '<b>Pat</b>',
      email: 'pat',
      password: 'short',
    });
    expect(status).toBe(400);
    expect(html).toContain('value="&lt;b&gt;Pat&lt;/b&gt;"');
    expect(html).toContain('value="pat"');
    expect(html).not.toContain('value="short"');
    for (const field of ['organization', 'email', 'password']) {
      expect(html).toContain(`id="${field}-problem"`);
    }
    expect(html).not.toContain('id="name-problem"');
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(3);
    const valid = await visitor().post('/signup', { organization: 'Best Roofs', name: 'Pat' });
    // Browsers focus the first field with autofocus.
    expect(valid.html.match(/<input[^>]*autofocus/)![0]).toContain('name="email"');
  });

  it('shows at the email field that the address already has an account', async () => {
    const { email } = await newResident();
    const { status, html } = await visitor().post('/signup', {
      organization: 'Mine',
      name: 'Eve',
      email,
      password: PASSWORD,
    });
    expect(status).toBe(409);
    expect(html).toContain('This email address already has an account');
  });
});

describe('sessions', () => {
  it('are listed and can be ended from another session', async () => {
    const here = await newResident();
    const there = visitor();
    await there.signIn(here.email);
    const { html } = await here.get('/account/sessions');
    expect(html).toContain('This browser');
    const [id, ...others] = [...html.matchAll(/name="session" value="([^"]+)"/g)].map(
      ([, x]) => x!,
    );
    expect(others).toEqual([]);
    const stranger = await newResident();
    expect((await stranger.post('/account/sessions', { session: id! })).status).toBe(404);
    const { to } = await here.post('/account/sessions', { session: id! });
    expect((await here.get(to!)).html).toContain('Session ended.');
    expect((await there.get('/account')).status).toBe(303);
  });

  it('end when the password changes, except for a new one in this browser', async () => {
    const here = await newResident();
    const there = visitor();
    await there.signIn(here.email);
    const before = here.cookie;
    const wrong = await here.post('/account/password', {
      current: 'x',
      next: 'another four words',
    });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('id="current-problem"');
    const changed = await here.post('/account/password', {
      current: PASSWORD,
      next: 'another four words',
    });
    expect((await here.get(changed.to!)).html).toContain('Password changed.');
    expect(here.cookie).not.toBe(before);
    expect((await there.get('/account')).status).toBe(303);
    expect((await visitor().signIn(here.email)).status).toBe(400);
  });

  it('end when signing out, even for a kept cookie', async () => {
    const pat = await newResident();
    const kept = pat.cookie;
    const { to } = await pat.post('/logout');
    expect(pat.cookie).toBeUndefined();
    expect((await pat.get(to!)).html).toContain('You are signed out.');
    pat.cookie = kept;
    expect((await pat.get('/account')).status).toBe(303);
  });

  it('remember the organization that the person acts for', async () => {
    const pat = await visitor().signUp('First Roofs');
    const other = await newOrganization(db);
    await addMember(other.tenant, { email: pat.email, name: 'Pat', role: 'reviewer' });
    expect((await pat.get('/account')).html).toContain('<option value="');
    const { status, to } = await pat.post('/account/organization', {
      organization: other.organization.id,
    });
    expect([status, to]).toEqual([303, '/account']);
    const capabilities = await pat.get('/api/agent/capabilities');
    expect(JSON.parse(capabilities.html).organization.slug).toBe(other.organization.slug);
    const foreign = await newOrganization(db);
    expect(
      (await pat.post('/account/organization', { organization: foreign.organization.id })).status,
    ).toBe(404);
  });

  it('show a person without an organization how to get one, and let them sign out', async () => {
    const pat = await newResident();
    const { tenant, personId } = await tenantOfVisitor(pat);
    await tenant.query('delete from memberships where organization_id = $1 and person_id = $2', [
      personId,
    ]);
    const { status, html } = await pat.get('/account');
    expect(status).toBe(403);
    expect(html).toContain('belong to an organization');
    expect((await pat.get('/api/agent/capabilities')).status).toBe(401);
    expect((await pat.post('/logout')).status).toBe(303);
  });
});

describe('a session at /agent/*', () => {
  const PLAN = '/api/agent/territory-plan';
  const JSON_BODY = { 'Content-Type': 'application/json' };

  it('has the person’s permissions, limited by account and client address', async () => {
    const pat = await newResident();
    const { status, html, headers } = await pat.get('/api/agent/capabilities');
    expect(status).toBe(200);
    expect(JSON.parse(html)).toMatchObject({ mayWrite: true, brandScope: { all: true } });
    expect(headers.get('RateLimit-Policy')).toBe('"agent";q=30;w=60');
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  it('isn’t accepted from another site', async () => {
    const pat = await newResident();
    const post = (headers: Record<string, string>) =>
      fetch(SITE + PLAN, {
        method: 'POST',
        body: '{}',
        headers: { ...newClient(), ...JSON_BODY, Cookie: pat.cookie!, ...headers },
      }).then(({ status }) => status);
    expect(await post({ 'Sec-Fetch-Site': 'cross-site' })).toBe(401);
    expect(await post({ Origin: 'https://evil.example' })).toBe(401);
    expect(await post({})).toBe(401);
    // Accepted, then refused for the body.
    expect(await post({ 'Sec-Fetch-Site': 'same-origin' })).toBe(400);
    expect(await post({ Origin: SITE })).toBe(400);
  });

  it('isn’t accepted at /mcp or with an invalid key', async () => {
    const pat = await newResident();
    const mcp = await fetch(`${app.api}/mcp`, {
      method: 'POST',
      body: '{}',
      headers: { ...newClient(), ...JSON_BODY, Cookie: pat.cookie!, Origin: SITE },
    });
    expect(mcp.status).toBe(401);
    const both = await pat.get('/api/agent/capabilities', bearer(`svc_live_${'a'.repeat(40)}`));
    expect(both.status).toBe(401);
  });
});

describe('keys', () => {
  const minted = (html: string) => /value="(svc_live_\w+)"/.exec(html)?.[1];

  it('are created, shown once, and revoked', async () => {
    const pat = await newResident();
    const fields = { name: 'CRM', access: 'read', scope: 'all' };
    const { status, html } = await pat.post('/account/keys', fields);
    expect(status).toBe(200);
    const key = minted(html)!;
    const call = () =>
      fetch(`${app.api}/agent/capabilities`, { headers: { ...bearer(key), ...newClient() } });
    expect(await (await call()).json()).toMatchObject({ mayWrite: false });
    const list = await pat.get('/account/keys');
    expect(list.html).not.toContain(key);
    expect(list.html).toContain(`…${key.slice(-4)}`);
    const id = /name="key" value="([^"]+)"/.exec(list.html)![1]!;
    const { to } = await pat.post('/account/keys/revoke', { key: id });
    expect((await pat.get(to!)).html).toContain('API key revoked.');
    expect((await call()).status).toBe(401);
    expect(app.log()).not.toContain(key);
  });

  it('can be limited to brands', async () => {
    const pat = await newResident();
    const { tenant } = await tenantOfVisitor(pat);
    const north = await createBrand(tenant, { name: 'North' });
    await createBrand(tenant, { name: 'South' });
    const none = await pat.post('/account/keys', { name: 'N', access: 'write', scope: 'some' });
    expect(none.status).toBe(400);
    expect(none.html).toContain('Choose at least one brand');
    expect(none.html).toMatch(/value="write"\s+checked/);
    const fields = { name: 'N', access: 'write', scope: 'some', brand: north.id };
    expect((await pat.post('/account/keys', fields)).status).toBe(200);
    expect(await listKeys(tenant)).toMatchObject([{ brands: ['north'], mayWrite: true }]);
    expect((await pat.get('/account/keys')).html).toMatch(/data-label="Brands"\s*>\s*North\s*</);
    const foreign = await newOrganization(db);
    const theirs = await createBrand(foreign.tenant, { name: 'Theirs' });
    const stolen = await pat.post('/account/keys', { ...fields, brand: theirs.id });
    expect(stolen.status).toBe(404);
    expect(await listKeys(tenant)).toHaveLength(1);
  });
});

describe('members', () => {
  /** A link made by an owner, as a path */
  async function invited(owner: Visitor, role = 'member'): Promise<string> {
    const { html } = await owner.post('/account/members', { name: 'Bob', role });
    const link = /value="(http[^"]+\/invite\/svc_invite_\w+)"/.exec(html)![1]!;
    return new URL(link).pathname;
  }
  const newcomer = (who: Visitor) => ({ name: 'Bob', email: who.email, password: PASSWORD });

  it('join once by a link, with its role', async () => {
    const owner = await newResident();
    const path = await invited(owner, 'reviewer');
    const bob = visitor();
    const page = await bob.get(path);
    expect(page.html).toContain('invited you to join <strong>Best Roofs</strong> as a reviewer');
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    const { to } = await bob.post(path, newcomer(bob));
    expect((await bob.get(to!)).html).toContain('You joined the organization.');
    expect((await visitor().get(path)).status).toBe(404);
    expect((await visitor().post(path, newcomer(visitor()))).status).toBe(404);
    expect(app.log()).not.toContain(path.split('_').at(-1));
  });

  it('join with an existing account when signed in', async () => {
    const [owner, bob] = [await newResident(), await newResident()];
    const path = await invited(owner);
    expect((await bob.get(path)).html).toContain(`You are signed in as Pat (${bob.email})`);
    expect((await bob.post(path)).status).toBe(303);
    const { tenant } = await tenantOfVisitor(owner);
    expect(await listMembers(tenant)).toMatchObject([{}, { email: bob.email, role: 'member' }]);
    // Bob now acts for that organization.
    const members = await bob.get('/account/members');
    expect(members.html).toContain(owner.email);
  });

  it('race for the last seat: one gets it, and the others keep their links', async () => {
    const owner = await newResident();
    const { tenant } = await tenantOfVisitor(owner);
    await changeSubscription(tenant, { seats: 2 });
    const paths = [await invited(owner), await invited(owner), await invited(owner)];
    const racers = paths.map(() => visitor());
    const answers = await Promise.all(
      racers.map((racer, i) => racer.post(paths[i]!, newcomer(racer))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 402, 402]);
    const lost = answers.findIndex(({ status }) => status === 402);
    expect(answers[lost]!.html).toContain('All 2 seats of the organization are taken');
    expect((await owner.post('/account/members', { name: 'X', role: 'member' })).status).toBe(402);
    await changeSubscription(tenant, { seats: 3 });
    expect((await racers[lost]!.post(paths[lost]!, newcomer(racers[lost]!))).status).toBe(303);
  });

  it('are managed by owners and admins, owners only by owners', async () => {
    const owner = await newResident();
    const { tenant } = await tenantOfVisitor(owner);
    const join = async (role: string) => {
      const who = visitor();
      await who.post(await invited(owner, role), newcomer(who));
      return who;
    };
    const [admin, member] = [await join('admin'), await join('member')];
    const roles = async () =>
      Object.fromEntries((await listMembers(tenant)).map(({ email, role }) => [email, role]));
    const before = await roles();
    const refused: [Visitor, string, Record<string, string>][] = [
      [member, '/account/members', { name: 'X', role: 'member' }],
      [member, '/account/members/role', { email: member.email, role: 'owner' }],
      [member, '/account/members/remove', { email: admin.email }],
      [member, '/account/keys', { name: 'K', access: 'write', scope: 'all' }],
      [admin, '/account/members', { name: 'X', role: 'owner' }],
      [admin, '/account/members/role', { email: admin.email, role: 'owner' }],
      [admin, '/account/members/role', { email: owner.email, role: 'member' }],
      [admin, '/account/members/remove', { email: owner.email }],
      [member, '/account/members/access', { email: member.email, access: 'read' }],
      [admin, '/account/members/access', { email: owner.email, access: 'read' }],
      [admin, '/account/members/access', { email: member.email, access: 'all' }],
    ];
    for (const [who, path, fields] of refused) {
      expect([400, 403]).toContain((await who.post(path, fields)).status);
    }
    expect(await roles()).toEqual(before);
    expect((await member.get('/account/members')).html).not.toContain('Remove');
    const last = await owner.post('/account/members/remove', { email: owner.email });
    expect(last.status).toBe(409);
    expect(last.html).toContain('is the last owner');
    const access = { email: member.email, access: 'read' };
    expect((await admin.post('/account/members/access', access)).to).toContain('access-changed');
    const capabilities = await member.get('/api/agent/capabilities');
    expect(JSON.parse(capabilities.html)).toMatchObject({ mayWrite: false });
    expect((await member.get('/account/members')).html).toContain('Read only');
    await admin.post('/account/members/role', { email: member.email, role: 'reviewer' });
    await admin.post('/account/members/remove', { email: member.email });
    expect(Object.keys(await roles())).toEqual([owner.email, admin.email]);
    expect((await member.get('/account')).status).toBe(403);
  });
});
