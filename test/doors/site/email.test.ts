/** What people see and receive if the service sends email. */
import { describe, expect, it } from 'vitest';
import { accountWriters } from '../../../src/people/account/letters/compose.ts';
import { MAX_PER_HOUR } from '../../../src/people/mail/outbox.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { serveMailing } from '../../support/mailing-app.ts';
import type { ReceivedMail } from '../../support/servers/smtp.ts';
import { PASSWORD, Visitor, type Shown } from '../../support/visitor.ts';

const { db } = await testDatabase('empty');
const { site, smtp, mailTo, allSent } = await serveMailing(db);
const silent = await serveKeyed(db);

const visitor = () => new Visitor(site);

const signUpFields = ({ email }: Visitor) => ({
  organization: 'Best Roofs',
  name: 'Pat',
  email,
  password: PASSWORD,
});

const pathOf = ({ links }: ReceivedMail) => links[0]!.slice(site.length);

/** A person with a confirmed account and an organization. */
async function newResident(): Promise<Visitor> {
  const pat = visitor();
  await pat.post('/signup', signUpFields(pat));
  const mail = await mailTo(pat);
  await pat.post(pathOf(mail), { password: PASSWORD });
  return pat;
}

/** A page without the values that a person entered. */
const withoutEmail = ({ status, html, cookie, to }: Shown, { email }: Visitor) => ({
  status,
  cookie,
  to,
  html: html.replaceAll(email, 'EMAIL'),
});

describe('signing up', () => {
  it('creates the account only after the link in the email was opened, and the password entered', async () => {
    const pat = visitor();
    const asked = await pat.post('/signup', { ...signUpFields(pat), next: '/account/keys' });
    expect(asked).toMatchObject({ status: 200, cookie: null });
    expect(asked.html).toContain(`We sent an email to <strong>${pat.email}</strong>`);
    expect(await pat.signIn()).toMatchObject({ status: 400, cookie: null });
    expect(await db.query('select from people where email = $1', [pat.email])).toEqual([]);

    const mail = await mailTo(pat);
    expect(mail.headers.subject).toBe('Confirm your email address');
    const path = pathOf(mail);
    expect(mail.html).toContain(`href="${site}${path}"`);
    // A program that checks links in emails opens them, too.
    const page = (await visitor().get(path)).html.replaceAll(/\s+/g, ' ');
    expect(page).toContain(`signed up with ${pat.email} for <strong>Best Roofs</strong>`);
    const wrong = await pat.post(path, { password: 'a stranger’s password' });
    expect(wrong).toMatchObject({ status: 400, cookie: null });
    expect(wrong.html).toContain('not the password that you chose');
    const confirmed = await pat.post(path, { password: PASSWORD });
    expect(confirmed).toMatchObject({ status: 303, to: '/account/keys' });
    expect((await pat.get('/account')).status).toBe(200);
    expect(await visitor().get(path)).toMatchObject({ status: 404 });
    expect(await visitor().signIn(pat.email)).toMatchObject({ status: 303 });
  });

  it('answers the same for a known address, whose owner gets another email', async () => {
    const pat = await newResident();
    const [stranger, newcomer] = [visitor(), visitor()];
    const known = await stranger.post('/signup', {
      ...signUpFields(stranger),
      email: pat.email.toUpperCase(),
    });
    const unknown = await newcomer.post('/signup', signUpFields(newcomer));
    expect(withoutEmail(known, { email: pat.email.toUpperCase() } as Visitor)).toEqual(
      withoutEmail(unknown, newcomer),
    );
    const mail = await mailTo(pat);
    expect(mail.headers.subject).toBe('You already have an account');
    expect(mail.text).not.toContain('svc_');
    expect(mail.links).toContain(`${site}/password/forgot`);
    expect((await mailTo(newcomer)).headers.subject).toBe('Confirm your email address');
  });

  it('does the same work for a known and an unknown address', async () => {
    const pat = await newResident();
    await allSent();
    const rows = () =>
      db.query(
        `select (select count(*) from outbox) as mails, (select count(*) from sign_ups) as "signUps",
           (select count(*) from people) as people`,
      );
    const added = async (email: string) => {
      const [before] = (await rows()) as [Record<string, number>];
      await visitor().post('/signup', { ...signUpFields(pat), email });
      const [after] = (await rows()) as [Record<string, number>];
      return Object.entries(after).map(([name, count]) => [name, count - before[name]!]);
    };
    const known = await added(pat.email);
    expect(known).toEqual([
      ['mails', 1],
      ['signUps', 1],
      ['people', 0],
    ]);
    expect(await added(visitor().email)).toEqual(known);
  });

  it('isn’t taken over by a stranger who signed up with the address first', async () => {
    const [pat, stranger] = [visitor(), visitor()];
    const theirs = { ...signUpFields(pat), password: 'the stranger’s words' };
    await stranger.post('/signup', theirs);
    const first = await mailTo(pat);
    await pat.post('/signup', signUpFields(pat));
    const second = await mailTo(pat);
    expect(await pat.post(pathOf(first), { password: PASSWORD })).toMatchObject({ status: 400 });
    expect(await pat.post(pathOf(second), { password: PASSWORD })).toMatchObject({ status: 303 });
    // The first link and the stranger's password are of no use any more.
    const late = await stranger.post(pathOf(first), { password: theirs.password });
    expect(late).toMatchObject({ status: 409, cookie: null });
  });

  it('stores neither a link nor a password in the outbox', async () => {
    const pat = visitor();
    const fields = signUpFields(pat);
    await pat.post('/signup', fields);
    await pat.post('/password/forgot', { email: pat.email });
    const path = pathOf(await mailTo(pat));
    const stored = JSON.stringify(
      await db.query('select outbox::text as mail, sign_ups::text as kept from outbox, sign_ups'),
    );
    expect(stored).toContain(pat.email);
    expect(stored).not.toContain('svc_');
    expect(stored).not.toContain(path.split('_').at(-1));
    expect(stored).not.toContain(fields.password);
  });

  it('works once if the link is used twice at once', async () => {
    const pat = visitor();
    await pat.post('/signup', signUpFields(pat));
    const path = pathOf(await mailTo(pat));
    const uses = await Promise.all(
      [pat, visitor()].map((who) => who.post(path, { password: PASSWORD })),
    );
    expect(uses.map(({ status }) => status).toSorted()).toEqual([303, 404]);
  });

  it('shows problems of the form without sending anything', async () => {
    const pat = visitor();
    const slip = await pat.post('/signup', { ...signUpFields(pat), password: 'short' });
    expect(slip).toMatchObject({ status: 400 });
    expect(slip.html).toContain('A password needs');
    expect(await db.query('select from outbox where recipient = $1', [pat.email])).toEqual([]);
  });

  it('sends one address a few emails an hour, and answers the same after that', async () => {
    const pat = visitor();
    const answers: unknown[] = [];
    for (let i = 0; i < MAX_PER_HOUR + 2; i++) {
      answers.push(withoutEmail(await visitor().post('/signup', signUpFields(pat)), pat));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await allSent();
    expect(smtp.received.filter(({ to }) => to === pat.email)).toHaveLength(MAX_PER_HOUR);
  });
});

describe('a forgotten password', () => {
  it('is replaced with a link that works once, and ends all sessions', async () => {
    const pat = await newResident();
    const login = await visitor().get('/login?with=password');
    expect(login.html).toContain('href="/password/forgot"');
    expect(login.html).not.toContain('Ask the operator');
    const elsewhere = visitor();
    expect((await elsewhere.get('/password/forgot')).status).toBe(200);
    const asked = await elsewhere.post('/password/forgot', {
      email: ` ${pat.email.toUpperCase()} `,
    });
    expect(asked).toMatchObject({ status: 200, cookie: null });

    const mail = await mailTo(pat);
    expect(mail.headers.subject).toBe('Choose a new password');
    const path = pathOf(mail);
    expect(path).toMatch(/^\/password\/svc_password_[0-9A-Za-z]{40}$/);
    const fresh = 'quite another passphrase';
    expect((await elsewhere.post(path, { password: fresh })).status).toBe(303);
    expect((await pat.get('/account')).status).toBe(303);
    expect(await visitor().get(path)).toMatchObject({ status: 404 });
    expect(await visitor().signIn(pat.email)).toMatchObject({ status: 400 });
    expect(await visitor().signIn(pat.email, fresh)).toMatchObject({ status: 303 });
    expect((await mailTo(pat)).headers.subject).toBe('Your password was changed');
  });

  it('answers the same for known and unknown addresses; unknown ones get no email', async () => {
    const [pat, unknown] = [await newResident(), visitor()];
    const ask = async ({ email }: Visitor) =>
      withoutEmail(await visitor().post('/password/forgot', { email }), { email } as Visitor);
    expect(await ask(unknown)).toEqual(await ask(pat));
    await mailTo(pat);
    await allSent();
    expect(smtp.received.filter(({ to }) => to === unknown.email)).toEqual([]);
  });

  it('has a link that expires', async () => {
    const pat = await newResident();
    await visitor().post('/password/forgot', { email: pat.email });
    const path = pathOf(await mailTo(pat));
    const [link] = await db.query<{ hours: number }>(
      `select extract(epoch from expires_at - now()) / 3600 as hours from password_links
       join people on people.id = person_id where email = $1`,
      [pat.email],
    );
    expect(link!.hours).toBeGreaterThan(0.9);
    expect(link!.hours).toBeLessThanOrEqual(1);
    await db.query('update password_links set expires_at = now()');
    const late = await visitor().get(path);
    expect(late).toMatchObject({ status: 404 });
    expect(late.html).toContain('The sign-in page says how to get a new one');
  });

  it('needs an email address', async () => {
    const slip = await visitor().post('/password/forgot', { email: 'pat' });
    expect(slip).toMatchObject({ status: 400 });
    expect(slip.html).toContain('is not an email address');
  });
});

describe('an invitation', () => {
  const invite = (owner: Visitor, email: string) =>
    owner.post('/account/members', { name: 'Bob', role: 'reviewer', email });

  it('is sent by email and also shown, and either link works, once', async () => {
    const [owner, bob] = [await newResident(), visitor()];
    const shown = await invite(owner, bob.email);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain(`We’re sending it to ${bob.email}`);
    const [, link] = /value="(http[^"]+\/invite\/svc_invite_\w+)"/.exec(shown.html)!;
    const mail = await mailTo(bob);
    expect(mail.headers.subject).toBe('Join Best Roofs');
    expect(mail.text.replaceAll('\n', ' ')).toContain('Pat invited you to join Best Roofs');
    const path = pathOf(mail);
    expect(path).not.toBe(new URL(link!).pathname);
    const page = await bob.get(path);
    expect(page.html).toContain(`value="${bob.email}"`);
    expect((await visitor().get(new URL(link!).pathname)).html).not.toContain(bob.email);
    // The link was sent to this address, so it needs no other confirmation.
    const joined = await bob.post(path, { name: 'Bob', email: bob.email, password: PASSWORD });
    expect(joined).toMatchObject({ status: 303, to: '/account?done=joined' });
    for (const used of [path, new URL(link!).pathname]) {
      expect(await visitor().get(used)).toMatchObject({ status: 404 });
    }
  });

  it('that was passed on needs a confirmed address, and answers the same for a known one', async () => {
    const [owner, known] = [await newResident(), await newResident()];
    const { html } = await owner.post('/account/members', { name: 'Bob', role: 'member' });
    expect(html).toContain('Send this link now.');
    const path = new URL(/value="(http[^"]+\/invite\/svc_invite_\w+)"/.exec(html)![1]!).pathname;
    const join = (email: string) =>
      visitor().post(path, { name: 'Bob', email, password: PASSWORD });
    const bob = visitor();
    const answer = await join(bob.email);
    expect(answer).toMatchObject({ status: 200, cookie: null });
    expect(withoutEmail(await join(known.email), known)).toEqual(withoutEmail(answer, bob));
    expect((await mailTo(known)).headers.subject).toBe('You already have an account');
    const confirm = pathOf(await mailTo(bob));
    const joined = await bob.post(confirm, { password: PASSWORD });
    expect(joined).toMatchObject({ status: 303, to: '/account?done=joined' });
    expect((await bob.get('/account/members')).html).toContain(owner.email);
  });

  it('that was revoked isn’t sent any more', async () => {
    const [owner, bob] = [await newResident(), visitor()];
    await invite(owner, bob.email);
    const [data] = await db.query<Record<string, unknown>>(
      `update invitations set revoked_at = now() where email = $1
       returning id, organization_id as "organizationId"`,
      [bob.email],
    );
    const writers = accountWriters(db, (path) => site + path);
    expect(await writers.invitation!(bob.email, data!)).toBeNull();
  });

  it('shows a wrong address at its field', async () => {
    const slip = await invite(await newResident(), 'bob');
    expect(slip).toMatchObject({ status: 400 });
    expect(slip.html).toContain('is not an email address');
  });

  it('can be sent to fifty addresses a day', async () => {
    const owner = await newResident();
    await db.query(
      `insert into invitations
         (organization_id, secret_hash, role, name, email, created_by, expires_at)
       select m.organization_id, sha256(i::text::bytea), 'member', 'B', 'b@example.com', p.id, now()
       from people p join memberships m on m.person_id = p.id, generate_series(1, 50) i
       where p.email = $1`,
      [owner.email],
    );
    const refused = await invite(owner, visitor().email);
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.html).toContain('sent 50 invitations by email within a day');
    expect((await invite(owner, '')).status).toBe(200);
  });
});

describe('a new API key', () => {
  it('is announced to the owners and its creator, without the key', async () => {
    const owner = await newResident();
    await owner.post('/account/keys', { name: 'CRM', access: 'read', scope: 'all' });
    const mail = await mailTo(owner);
    expect(mail.headers.subject).toBe('New API key for Best Roofs');
    expect(mail.text.replaceAll('\n', ' ')).toContain('Pat created the API key “CRM”');
    expect(mail.text).not.toContain('svc_live_');
    expect(mail.links).toEqual([`${site}/account/keys`]);
  });
});

describe('without email', () => {
  const url = `http://127.0.0.1:${silent.port}`;

  it('pages offer nothing that can’t work', async () => {
    const pat = await new Visitor(url).signUp();
    const login = await new Visitor(url).get('/login?with=password');
    expect(login.html).toContain('Ask the operator of this service for a link');
    expect(login.html).not.toContain('/password/forgot');
    expect((await pat.get('/account/members')).html).not.toContain('name="email" type="email"');
    const forgot = await pat.get('/password/forgot');
    expect(forgot).toMatchObject({ status: 404 });
    expect(forgot.html).toContain('This service sends no email');
    expect(await pat.post('/password/forgot', { email: pat.email })).toMatchObject({ status: 404 });
  });

  it('nothing is queued', async () => {
    await allSent();
    await db.query('delete from outbox');
    const pat = await new Visitor(url).signUp();
    await pat.post('/account/members', { name: 'Bob', role: 'member', email: 'bob@example.com' });
    await pat.post('/account/keys', { name: 'CRM', access: 'read', scope: 'all' });
    expect(await db.query('select from outbox')).toEqual([]);
  });
});
