import { scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashOfPassword, isPassword } from '../../../src/people/account/passwords.ts';
import { PASSWORD_COST } from '../../../src/people/account/password-cost.ts';
import {
  chooseOrganization,
  endSession,
  listSessions,
  sessionOf,
  startSession,
  unfinishedSignIn,
} from '../../../src/people/account/sessions.ts';
import { isKnownBrowser, rememberBrowser } from '../../../src/people/account/known-browsers.ts';
import {
  changePassword,
  confirmByPassword,
  personByPassword,
} from '../../../src/people/account/sign-in.ts';
import { signUp } from '../../../src/people/account/sign-up.ts';
import { callerOfPerson } from '../../../src/people/account/callers.ts';
import { addMember, removeMember } from '../../../src/people/account/members.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization } from './organizations.ts';

const { db } = await testDatabase('empty');

const PASSWORD = 'four words make one';
const PLACE = { userAgent: 'A browser', client: '198.51.100.7' };

let people = 0;
const newcomer = (more: object = {}) => ({
  organization: 'Best Roofs',
  name: 'Pat',
  email: `pat${people++}@example.com`,
  password: PASSWORD,
  ...more,
});

async function signInNewcomer() {
  const given = newcomer();
  const { personId, organization } = await signUp(db, given);
  const secret = await startSession(db, personId, PLACE);
  return { ...given, personId, organization, secret, session: (await sessionOf(db, secret))! };
}

describe('passwords', () => {
  it('match regardless of how accents are composed', async () => {
    const hash = await hashOfPassword('caf\u00e9 au lait, dit-il');
    expect(await isPassword('cafe\u0301 au lait, dit-il', hash)).toBe(true);
  });

  it('never match an account without a hash', async () => {
    expect(await isPassword('', null)).toBe(false);
    expect(await isPassword(PASSWORD, null)).toBe(false);
  });

  it('are rehashed at the current cost on the next sign-in', async () => {
    const { email, personId } = await signInNewcomer();
    const salt = Buffer.alloc(16, 7);
    const hash = scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 });
    const old = `$scrypt$ln=10,r=8,p=1$${salt.toString('base64url')}$${hash.toString('base64url')}`;
    await db.query('update people set password_hash = $2 where id = $1', [personId, old]);
    const stored = async () =>
      (await db.query('select password_hash as hash from people where id = $1', [personId]))[0];
    expect(await personByPassword(db, email, 'wrong wrong wrong')).toBeNull();
    expect(await stored()).toEqual({ hash: old });
    expect(await personByPassword(db, email, PASSWORD)).toBe(personId);
    expect(await stored()).toEqual({ hash: expect.stringContaining(`$ln=${PASSWORD_COST.ln},`) });
    expect(await personByPassword(db, email, PASSWORD)).toBe(personId);
  });

  it('are hashed in turns, and refused with 503 when too many wait', async () => {
    const crowd = await Promise.allSettled(
      Array.from({ length: 40 }, () => isPassword(PASSWORD, null)),
    );
    const refused = crowd.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ status: 503 });
  });

  it.each(['', 'short', 'elevenchars', 'x'.repeat(201), 'abababababab', 'PAT@example.com '])(
    'cannot be "%s"',
    async (password) => {
      await expect(
        signUp(db, newcomer({ email: 'pat@example.com', password })),
      ).rejects.toMatchObject({ status: 400 });
    },
  );
});

describe('signUp', () => {
  it('starts a trial with the person as owner', async () => {
    const { personId, organization, session } = await signInNewcomer();
    expect(session).toMatchObject({ organizationId: organization.id, person: { name: 'Pat' } });
    expect(await callerOfPerson(db, organization.id, personId)).toMatchObject({
      role: 'owner',
      subscription: { status: 'trial', writeEntitlement: true },
    });
  });

  it('gives organizations of the same name unique slugs', async () => {
    const slugs = [];
    for (const organization of ['Same Name', 'Same name', '屋根', '屋根']) {
      slugs.push((await signUp(db, newcomer({ organization }))).organization.slug);
    }
    expect(slugs[0]).toBe('same-name');
    expect(slugs[1]).toMatch(/^same-name-[0-9a-f]{6}$/);
    expect(slugs[2]).toMatch(/^organization-[0-9a-f]{6}$/);
    expect(new Set(slugs).size).toBe(4);
  });

  it('refuses an email address with an account, ignoring case, and creates nothing', async () => {
    const { email } = await signInNewcomer();
    const again = newcomer({ email: email.toUpperCase(), organization: 'Left Behind' });
    await expect(signUp(db, again)).rejects.toMatchObject({ status: 409 });
    expect(await db.query(`select from organizations where name = 'Left Behind'`)).toEqual([]);
  });

  it('refuses the email address of an account without a password', async () => {
    const { tenant } = await newOrganization(db);
    const email = 'made-by-operator@example.com';
    await addMember(tenant, { email, name: 'Eve', role: 'owner' });
    await expect(signUp(db, newcomer({ email }))).rejects.toMatchObject({ status: 409 });
    expect(await personByPassword(db, email, PASSWORD)).toBeNull();
  });

  it('creates one account from two concurrent requests', async () => {
    const given = newcomer();
    const both = await Promise.allSettled([signUp(db, given), signUp(db, given)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('sessions', () => {
  it('are stored only as hashes', async () => {
    const { secret } = await signInNewcomer();
    const kept = JSON.stringify(await db.query('select sessions::text as row from sessions'));
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it.each(['', 'x', 'A'.repeat(43), `${'A'.repeat(42)}'`])(
    'are not found by the malformed or unknown secret "%s"',
    async (secret) => {
      expect(await sessionOf(db, secret)).toBeNull();
    },
  );

  it.each([
    ['expire after a week without use', `last_seen_at = now() - interval '7 days 1 minute'`, true],
    ['last for almost a week', `last_seen_at = now() - interval '6 days 23 hours'`, false],
    ['expire after 30 days', `expires_at = now() - interval '1 second'`, true],
  ])('%s', async (_behavior, change, isExpired) => {
    const { secret, personId, session } = await signInNewcomer();
    await db.query(`update sessions set ${change} where id = $1`, [session.id]);
    expect((await sessionOf(db, secret)) === null).toBe(isExpired);
    expect(await listSessions(db, personId)).toHaveLength(isExpired ? 0 : 1);
  });

  it('are extended by use', async () => {
    const { secret, session } = await signInNewcomer();
    const idle = `update sessions set last_seen_at = now() - interval '6 days' where id = $1`;
    await db.query(idle, [session.id]);
    await sessionOf(db, secret);
    const lastSeen = async () =>
      (
        await db.query(
          'select now() - last_seen_at < $2::interval as now from sessions where id = $1',
          [session.id, '1 minute'],
        )
      )[0];
    await expect.poll(lastSeen).toEqual({ now: true });
  });

  it('open nothing and are not listed while the second factor is missing', async () => {
    const { personId } = await signInNewcomer();
    const secret = await startSession(db, personId, PLACE, { isUnfinished: true });
    expect(await sessionOf(db, secret)).toBeNull();
    expect(await listSessions(db, personId)).toHaveLength(1);
    expect(await unfinishedSignIn(db, secret)).toMatchObject({ person: { id: personId } });
    await db.query(`update sessions set expires_at = now() where awaits_factor`);
    expect(await unfinishedSignIn(db, secret)).toBeNull();
  });

  it('count as confirmed for ten minutes after the password', async () => {
    const { personId, secret, session } = await signInNewcomer();
    expect(session.isConfirmed).toBe(true);
    const unconfirmed = await startSession(db, personId, PLACE, { isConfirmed: false });
    expect(await sessionOf(db, unconfirmed)).toMatchObject({ isConfirmed: false });
    const age = `update sessions set confirmed_at = now() - interval '10 minutes' where id = $1`;
    await db.query(age, [session.id]);
    expect(await sessionOf(db, secret)).toMatchObject({ isConfirmed: false });
    expect(await confirmByPassword(db, session, 'not my password')).toBe(false);
    expect(await sessionOf(db, secret)).toMatchObject({ isConfirmed: false });
    expect(await confirmByPassword(db, session, PASSWORD)).toBe(true);
    expect(await sessionOf(db, secret)).toMatchObject({ isConfirmed: true });
  });

  it('can be ended only by their owner', async () => {
    const [one, other] = [await signInNewcomer(), await signInNewcomer()];
    await expect(endSession(db, other.personId, one.session.id)).rejects.toMatchObject({
      status: 404,
    });
    expect(await sessionOf(db, one.secret)).not.toBeNull();
    await endSession(db, one.personId, one.session.id);
    expect(await sessionOf(db, one.secret)).toBeNull();
    await expect(endSession(db, one.personId, 'no id')).rejects.toMatchObject({ status: 404 });
  });

  it('keep the chosen organization while the person is a member of it', async () => {
    const { secret, session, email, organization } = await signInNewcomer();
    const other = await newOrganization(db);
    const foreign = await newOrganization(db);
    await addMember(other.tenant, { email, name: 'Pat', role: 'member' });
    const chosen = async () => (await sessionOf(db, secret))!.organizationId;
    expect(await chosen()).toBe(organization.id);
    await chooseOrganization(db, session, other.organization.id);
    expect(await chosen()).toBe(other.organization.id);
    await expect(chooseOrganization(db, session, foreign.organization.id)).rejects.toMatchObject({
      status: 404,
    });
    await addMember(other.tenant, { email: 'o@example.com', name: 'O', role: 'owner' });
    await removeMember(other.tenant, email);
    expect(await chosen()).toBe(organization.id);
  });

  it('have no organization if the person is in none', async () => {
    const { secret, email, organization } = await signInNewcomer();
    const tenant = tenantOf(db, organization.id);
    await addMember(tenant, { email: 'heir@example.com', name: 'Heir', role: 'owner' });
    await removeMember(tenant, email);
    expect(await sessionOf(db, secret)).toMatchObject({ organizationId: null });
  });
});

describe('changePassword', () => {
  const NEXT = 'another four words';

  it('ends all sessions and starts a new one', async () => {
    const { secret, session, personId, email } = await signInNewcomer();
    const elsewhere = await startSession(db, personId, PLACE);
    const fresh = await changePassword(db, session, { current: PASSWORD, next: NEXT }, PLACE);
    expect(await sessionOf(db, secret)).toBeNull();
    expect(await sessionOf(db, elsewhere)).toBeNull();
    expect(await sessionOf(db, fresh)).toMatchObject({ person: { id: personId } });
    expect(await personByPassword(db, email, PASSWORD)).toBeNull();
    expect(await personByPassword(db, email, NEXT)).toBe(personId);
  });

  it('forgets browsers that signed in with the old one', async () => {
    const { session, personId, email } = await signInNewcomer();
    const { secret } = await rememberBrowser(db, personId, undefined);
    await changePassword(db, session, { current: PASSWORD, next: NEXT }, PLACE);
    expect(await isKnownBrowser(db, email, secret)).toBe(false);
  });

  it('refuses a password that is easy to guess, and keeps the old one', async () => {
    const { secret, session, email, personId } = await signInNewcomer();
    for (const next of ['password1234', `${email}!`, 'too short']) {
      await expect(
        changePassword(db, session, { current: PASSWORD, next }, PLACE),
      ).rejects.toMatchObject({ status: 400 });
    }
    expect(await sessionOf(db, secret)).not.toBeNull();
    expect(await personByPassword(db, email, PASSWORD)).toBe(personId);
  });

  it('refuses a wrong current password', async () => {
    const { secret, session } = await signInNewcomer();
    await expect(
      changePassword(db, session, { current: 'not my password', next: NEXT }, PLACE),
    ).rejects.toMatchObject({ status: 400, message: /not your current/ });
    expect(await sessionOf(db, secret)).not.toBeNull();
  });

  it('lets one of two concurrent changes succeed', async () => {
    const { session } = await signInNewcomer();
    const both = await Promise.allSettled(
      ['and one more phrase', 'and a second phrase'].map((next) =>
        changePassword(db, session, { current: PASSWORD, next }, PLACE),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
