import { describe, expect, it } from 'vitest';
import { listKeys, mintKey } from '../../../src/people/account/keys.ts';
import { addMember, listMembers } from '../../../src/people/account/members.ts';
import { makePasswordLink, passwordLinkPath } from '../../../src/people/account/password-links.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { POLICIES } from '../../../src/base/contract/limits.ts';
import { newClient } from '../../support/clients.ts';
import { bearer, serveKeyed } from '../../support/keyed-app.ts';
import { testDatabase } from '../../support/database.ts';
import { oneTimeCode } from '../../support/one-time-code.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';

const { db } = await testDatabase('empty');
const app = await serveKeyed(db);
const SITE = `http://127.0.0.1:${app.port}`;
const visitor = () => new Visitor(SITE);
const newResident = () => visitor().signUp();

async function membershipOf({ email }: Visitor) {
  const [row] = await db.query<{ id: string; personId: string }>(
    `select organization_id as id, person_id as "personId" from memberships
     join people on people.id = person_id where lower(email) = lower($1)`,
    [email],
  );
  return { tenant: tenantOf(db, row!.id), organizationId: row!.id, personId: row!.personId };
}

/** Sets up an authenticator app. */
async function withApp(pat: Visitor) {
  const { html } = await pat.get('/account/second-factor/app');
  const secret = /id="app-secret"[^>]*value="([A-Z2-7]+)"/.exec(html)![1]!;
  const shown = await pat.post('/account/second-factor/app', { code: oneTimeCode(secret) });
  const codes = shown.html.match(/\b([0-9a-z]{4}-){3}[0-9a-z]{4}\b/g)!;
  return { secret, codes: [...new Set(codes)], shown };
}

/** Ends the time in which the person isn't asked for the password again. */
const expireConfirmation = (pat: Visitor) =>
  db.query(
    `update sessions set confirmed_at = now() - interval '11 minutes'
     where person_id = (select id from people where email = $1)`,
    [pat.email],
  );

describe('an authenticator app', () => {
  it('is set up with a QR code, and shows recovery codes once', async () => {
    const pat = await newResident();
    expect((await pat.get('/account/second-factor')).html).toContain('Yours is off');
    const page = await pat.get('/account/second-factor/app');
    expect(page.html).toMatch(/<svg[^>]*class="qr-code"[^>]*role="img"/);
    expect(page.html).not.toMatch(/style="/);
    const slip = await pat.post('/account/second-factor/app', { code: '000000' });
    expect(slip.status).toBe(400);
    expect(slip.html).toContain('id="code-problem"');
    const { codes, shown } = await withApp(pat);
    expect(shown.status).toBe(200);
    expect(codes).toHaveLength(10);
    const after = await pat.get('/account/second-factor');
    expect(after.html).toContain('Yours is on');
    expect(after.html).toContain('10 recovery codes');
    expect(after.html).not.toContain(codes[0]);
  });

  it('is asked for after the password, and opens nothing before', async () => {
    const pat = await newResident();
    const { secret } = await withApp(pat);
    const browser = visitor();
    const next = '/account/keys';
    const first = await browser.signIn(pat.email, PASSWORD, { next });
    expect(first.to).toBe(`/login/second-factor?next=${encodeURIComponent(next)}`);
    expect((await browser.get('/account')).status).toBe(303);
    expect((await browser.get('/api/agent/capabilities')).status).toBe(401);
    const page = await browser.get(first.to!);
    expect(page.html).toContain('Six digits from your authenticator app');
    const wrong = await browser.post('/login/second-factor', { code: '000000', next });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('This code is wrong');
    const half = browser.cookie;
    const right = { code: oneTimeCode(secret, 1), next };
    expect((await browser.post('/login/second-factor', right)).to).toBe(next);
    expect((await browser.get('/account')).status).toBe(200);
    expect(browser.cookie).not.toBe(half);
    // Neither the code nor the first step works again.
    browser.cookie = half;
    expect((await browser.post('/login/second-factor', right)).status).toBe(400);
    expect((await browser.get('/login/second-factor')).html).toContain('no longer valid');
  });

  it('can be replaced by a recovery code, once', async () => {
    const pat = await newResident();
    const { codes } = await withApp(pat);
    const enter = async () => {
      const browser = visitor();
      await browser.signIn(pat.email);
      return (await browser.post('/login/second-factor', { code: codes[3]! })).status;
    };
    expect(await enter()).toBe(303);
    expect(await enter()).toBe(400);
  });

  it('is asked for after a password link too', async () => {
    const pat = await newResident();
    await withApp(pat);
    const { token } = await makePasswordLink(db, pat.email);
    const browser = visitor();
    const password = 'another four words';
    const { to } = await browser.post(passwordLinkPath(token), { password });
    expect(to).toBe('/login/second-factor');
    expect((await browser.get('/account')).status).toBe(303);
  });

  it('is limited in attempts, without locking a browser that the person has used', async () => {
    const pat = await newResident();
    const { secret } = await withApp(pat);
    for (let n = 0; n < POLICIES['sign-in'].quota; n++) {
      const stranger = visitor();
      await stranger.signIn(pat.email);
      await stranger.post('/login/second-factor', { code: '000000' });
    }
    expect((await visitor().signIn(pat.email)).status).toBe(429);
    await pat.post('/logout');
    expect((await pat.signIn()).to).toBe('/login/second-factor');
    const code = oneTimeCode(secret, 1);
    expect((await pat.post('/login/second-factor', { code })).to).toBe('/account');
  });

  it('can be removed with the password', async () => {
    const pat = await newResident();
    await withApp(pat);
    await expireConfirmation(pat);
    const asked = await pat.post('/account/second-factor/app/remove');
    expect(asked.status).toBe(403);
    expect(asked.html).toContain('Confirm that it’s you');
    const confirmed = { 'confirm-password': PASSWORD };
    const { to } = await pat.post('/account/second-factor/app/remove', confirmed);
    expect(to).toBe('/account/second-factor?done=factor-removed');
    expect(await visitor().signIn(pat.email)).toMatchObject({ to: '/account' });
  });
});

describe('strangers who try passwords', () => {
  it('don’t lock the person out of a browser they have used before', async () => {
    const pat = await newResident();
    const { quota } = POLICIES['sign-in'];
    for (let n = 0; n < quota; n++) await visitor().signIn(pat.email, 'not the password');
    expect((await visitor().signIn(pat.email)).status).toBe(429);
    await pat.post('/logout');
    expect(await pat.signIn(undefined, 'a slip of the pen')).toMatchObject({ status: 400 });
    expect(await pat.signIn()).toMatchObject({ to: '/account' });
  });

  it('don’t lock the person out even from the same network address', async () => {
    const pat = await newResident();
    const shared = newClient();
    const from = (who: Visitor, email: string, password: string) =>
      who.post('/login', { email, password }, { 'Sec-Fetch-Site': 'same-origin', ...shared });
    for (let n = 0; n <= POLICIES['sign-in'].quota; n++) {
      await from(visitor(), `guess${n}@example.com`, 'x');
    }
    expect((await from(visitor(), pat.email, PASSWORD)).status).toBe(429);
    expect((await from(pat, pat.email, PASSWORD)).to).toBe('/account');
    const fields = { current: PASSWORD, next: 'another four words' };
    const changed = await pat.post('/account/password', fields, {
      'Sec-Fetch-Site': 'same-origin',
      ...shared,
    });
    expect(changed).toMatchObject({ status: 303 });
  });

  it('are limited even in a browser where they have signed in to their own account', async () => {
    const [eve, pat] = [await newResident(), await newResident()];
    // Signing up was one attempt.
    for (let n = 1; n < POLICIES['sign-in'].quota; n++) {
      expect((await eve.signIn(pat.email, 'guess')).status).toBe(400);
    }
    expect((await eve.signIn(pat.email, 'guess')).status).toBe(429);
  });
});

describe('the password', () => {
  const key = { name: 'CRM', access: 'write', scope: 'all' };

  it('is asked for again before a key is created, and completes the form', async () => {
    const pat = await newResident();
    const { tenant } = await membershipOf(pat);
    await expireConfirmation(pat);
    const asked = await pat.post('/account/keys', key);
    expect(asked.status).toBe(403);
    expect(asked.html).toContain('name="access" value="write"');
    expect(await listKeys(tenant)).toEqual([]);
    const wrong = await pat.post('/account/keys', { ...key, 'confirm-password': 'not mine' });
    expect(wrong.status).toBe(403);
    expect(wrong.html).toContain('id="confirm-password-problem"');
    expect(wrong.html).not.toContain('not mine');
    expect(await listKeys(tenant)).toEqual([]);
    const made = await pat.post('/account/keys', { ...key, 'confirm-password': PASSWORD });
    expect(made.status).toBe(200);
    expect(made.html).toContain('svc_live_');
    expect((await pat.post('/account/keys', key)).status).toBe(200);
    expect(await listKeys(tenant)).toHaveLength(2);
  });

  it.each([
    ['/account/members/role', { email: 'x@example.com', role: 'admin' }],
    ['/account/members/remove', { email: 'x@example.com' }],
    ['/account/members', { name: 'X', role: 'admin' }],
    ['/account/members/second-factor', { 'second-factor': 'required' }],
    ['/account/second-factor/app', { code: '123456' }],
    ['/account/second-factor/passkey', { name: 'x', passkey: '{}' }],
    ['/account/second-factor/recovery-codes', {}],
  ])('is asked for at %s', async (path, fields) => {
    const pat = await newResident();
    await expireConfirmation(pat);
    const { status, html } = await pat.post(path, fields);
    expect(status).toBe(403);
    expect(html).toContain('Confirm that it’s you');
  });

  it('isn’t asked for before changes that give no access, and each session confirms its own', async () => {
    const pat = await newResident();
    const elsewhere = visitor();
    await expireConfirmation(pat);
    await elsewhere.signIn(pat.email);
    expect((await pat.post('/account/members', { name: 'X', role: 'member' })).status).toBe(200);
    expect((await pat.post('/account/keys', key)).status).toBe(403);
    expect((await elsewhere.post('/account/keys', key)).status).toBe(200);
  });

  it('can’t be guessed there without limit', async () => {
    const pat = await newResident();
    await expireConfirmation(pat);
    const guess = () => pat.post('/account/keys', { ...key, 'confirm-password': 'a guess' });
    for (let n = 0; n < POLICIES['sign-in'].quota; n++) expect((await guess()).status).toBe(403);
    const { status, headers } = await guess();
    expect(status).toBe(429);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(500);
    // Nor on the page that changes it, from any network.
    const next = 'another four words';
    const changed = await pat.post('/account/password', { current: PASSWORD, next });
    expect(changed.status).toBe(429);
  });
});

describe('an organization that requires a second factor', () => {
  it('sends members without one to its setup before any other page', async () => {
    const owner = await newResident();
    const { tenant } = await membershipOf(owner);
    const early = await owner.post('/account/members/second-factor', {
      'second-factor': 'required',
    });
    expect(early.status).toBe(409);
    expect(early.html).toContain('Set up your own second factor');
    await withApp(owner);
    const set = await owner.post('/account/members/second-factor', { 'second-factor': 'required' });
    expect(set.to).toBe('/account/members?done=second-factor-required');
    const bob = visitor();
    await addMember(tenant, { email: bob.email, name: 'Bob', role: 'admin' });
    const { token } = await makePasswordLink(db, bob.email);
    await bob.post(passwordLinkPath(token), { password: PASSWORD });
    for (const path of ['/account', '/account/keys', '/account/brands']) {
      expect(await bob.get(path)).toMatchObject({ status: 303, to: '/account/second-factor' });
    }
    const key = { name: 'K', access: 'read', scope: 'all' };
    expect((await bob.post('/account/keys', key)).to).toBe('/account/second-factor');
    expect((await bob.get('/account/activity.csv')).status).toBe(401);
    expect((await bob.get('/api/agent/capabilities')).status).toBe(401);
    expect((await bob.get('/account/second-factor')).html).toContain('Set one up to continue');
    await withApp(bob);
    expect((await bob.get('/account')).status).toBe(200);
    expect((await owner.get('/account/members')).html).toContain('Every member needs');
    const member = visitor();
    await addMember(tenant, { email: member.email, name: 'Mo', role: 'member' });
    const link = await makePasswordLink(db, member.email);
    await member.post(passwordLinkPath(link.token), { password: PASSWORD });
    await withApp(member);
    const refused = await member.post('/account/members/second-factor', {
      'second-factor': 'optional',
    });
    expect(refused.status).toBe(403);
  });
});

describe('removing a member who created keys', () => {
  async function adminWithKey() {
    const owner = await newResident();
    const { tenant } = await membershipOf(owner);
    const email = `admin-${owner.email}`;
    const admin = await addMember(tenant, { email, name: 'Ada', role: 'admin' });
    const { key } = await mintKey(tenant, {
      name: 'CRM import',
      brands: 'all',
      mayWrite: true,
      createdBy: admin.id,
    });
    const works = async () =>
      (
        await fetch(`${app.api}/agent/capabilities`, {
          headers: { ...bearer(key), ...newClient() },
        })
      ).status === 200;
    return { owner, tenant, email, key, works };
  }

  it('lists the keys and asks what to do with them', async () => {
    const { owner, tenant, email, key, works } = await adminWithKey();
    const asked = await owner.post('/account/members/remove', { email });
    expect(asked.status).toBe(200);
    expect(asked.html).toContain('CRM import');
    expect(asked.html).toContain(`…${key.slice(-4)}`);
    expect(await listMembers(tenant)).toHaveLength(2);
    expect(await works()).toBe(true);
  });

  it('can revoke them', async () => {
    const { owner, tenant, email, works } = await adminWithKey();
    const { to } = await owner.post('/account/members/remove', { email, keys: 'revoke' });
    expect(to).toBe('/account/members?done=member-removed');
    expect(await listMembers(tenant)).toHaveLength(1);
    expect(await works()).toBe(false);
  });

  it('can keep them under the name of another member', async () => {
    const { owner, tenant, email, works } = await adminWithKey();
    const keep = { email, keys: 'keep' };
    for (const keeper of ['', email, 'stranger@example.com']) {
      const refused = await owner.post('/account/members/remove', { ...keep, keeper });
      expect([400, 404]).toContain(refused.status);
    }
    expect(await listMembers(tenant)).toHaveLength(2);
    await owner.post('/account/members/remove', { ...keep, keeper: owner.email });
    expect(await works()).toBe(true);
    expect(await listKeys(tenant)).toMatchObject([{ createdBy: 'Pat', revokedAt: null }]);
  });
});

describe('a weak password', () => {
  it.each(['123456789012', 'password1234'])('such as %s is refused at its field', async (weak) => {
    const pat = visitor();
    const fields = { organization: 'Best Roofs', name: 'Pat', email: pat.email, password: weak };
    const { status, html } = await pat.post('/signup', fields);
    expect(status).toBe(400);
    expect(html).toMatch(/id="password-problem">\s*This password is easy to guess\./);
    expect(html).not.toContain(`value="${weak}"`);
    await pat.signUp();
    const change = await pat.post('/account/password', { current: PASSWORD, next: weak });
    expect(change.status).toBe(400);
    expect(change.html).toContain('id="next-problem"');
  });
});
