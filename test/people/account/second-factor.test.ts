import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Alert } from '../../../src/people/account/alerts.ts';
import {
  APP_SECRETS,
  appSecretBox,
  confirmApp,
  setUpApp,
} from '../../../src/people/account/authenticator-app.ts';
import { callerOfPerson } from '../../../src/people/account/callers.ts';
import { hasSecondFactor } from '../../../src/people/account/has-second-factor.ts';
import { alertLetter } from '../../../src/people/account/letters/alerts.ts';
import { addPasskey as storePasskey, listPasskeys } from '../../../src/people/account/passkeys.ts';
import { newRecoveryCodes } from '../../../src/people/account/recovery-codes.ts';
import {
  addFactor,
  dropPasskey,
  isSecondFactor,
  removeApp,
  replaceRecoveryCodes,
  requireSecondFactor,
  resetSecondFactor,
  secondFactorsOf,
} from '../../../src/people/account/second-factor.ts';
import { countStored, encryptStored } from '../../../src/people/account/stored-secrets.ts';
import { endAllAccess } from '../../../src/people/account/sign-in.ts';
import { addMember } from '../../../src/people/account/members.ts';
import type { Queryable } from '../../../src/base/db/database.ts';
import { testDatabase } from '../../support/database.ts';
import { oneTimeCode } from '../../support/one-time-code.ts';
import { newOrganization } from './organizations.ts';

const { db } = await testDatabase('empty');

const [key, newKey] = [randomBytes(32), randomBytes(32)];
const secrets = appSecretBox([key]);
const silently = { sendsMail: false, secrets };

let people = 0;
async function newPerson(role: 'owner' | 'member' = 'owner') {
  const { organization, tenant } = await newOrganization(db);
  const email = `factor${people++}@example.com`;
  return { organization, tenant, ...(await addMember(tenant, { email, name: 'Pat', role })) };
}

async function withApp() {
  const person = await newPerson();
  const { secret } = await setUpApp(db, secrets, person);
  expect(await confirmApp(db, secrets, person.id, oneTimeCode(secret))).toBe(true);
  return { ...person, secret };
}

const personOf = ({ id }: { id: string }) => ({ kind: 'person', id, name: 'Pat' }) as const;

describe('an authenticator app', () => {
  it('turns the second factor on with its first code', async () => {
    const person = await newPerson();
    const { secret, uri } = await setUpApp(db, secrets, person);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Territory%20Intelligence:factor\d+%40example\.com\?/);
    expect(uri).toContain(`secret=${secret}`);
    expect((await setUpApp(db, secrets, person)).secret).toBe(secret);
    for (const wrong of ['', '12345', 'abcdef', oneTimeCode(secret, 5), oneTimeCode(secret, -5)]) {
      expect(await confirmApp(db, secrets, person.id, wrong)).toBe(false);
    }
    expect(await hasSecondFactor(db, person.id)).toBe(false);
    expect(await confirmApp(db, secrets, person.id, ` ${oneTimeCode(secret)} `)).toBe(true);
    expect(await hasSecondFactor(db, person.id)).toBe(true);
    await expect(setUpApp(db, secrets, person)).rejects.toMatchObject({ status: 409 });
  });

  it('gets another secret if its setup isn’t finished in time, or the password changes', async () => {
    const person = await newPerson();
    const { secret } = await setUpApp(db, secrets, person);
    await db.query(`update authenticator_apps set created_at = now() - interval '2 hours'`);
    const later = await setUpApp(db, secrets, person);
    expect(later.secret).not.toBe(secret);
    expect((await setUpApp(db, secrets, person)).secret).toBe(later.secret);
    expect(await confirmApp(db, secrets, person.id, oneTimeCode(secret))).toBe(false);
    await db.transaction((tx) => endAllAccess(tx, person.id));
    expect(await confirmApp(db, secrets, person.id, oneTimeCode(later.secret))).toBe(false);
    expect((await setUpApp(db, secrets, person)).secret).not.toBe(later.secret);
  });

  it('accepts each code once, and no earlier ones', async () => {
    const { id, secret } = await withApp();
    expect(await isSecondFactor(db, id, oneTimeCode(secret), silently)).toBe(false);
    const next = oneTimeCode(secret, 1);
    const both = await Promise.all([
      isSecondFactor(db, id, next, silently),
      isSecondFactor(db, id, next, silently),
    ]);
    expect(both.sort()).toEqual([false, true]);
    expect(await isSecondFactor(db, id, oneTimeCode(secret), silently)).toBe(false);
  });

  it('of another person is not accepted', async () => {
    const [one, other] = [await withApp(), await withApp()];
    expect(await isSecondFactor(db, one.id, oneTimeCode(other.secret, 1), silently)).toBe(false);
  });

  it('removes the recovery codes together with itself', async () => {
    const { id } = await withApp();
    const [code] = await newRecoveryCodes(db, id);
    await removeApp(db, id, silently);
    expect(await secondFactorsOf(db, id)).toEqual({
      appSince: null,
      passkeys: [],
      recoveryCodes: 0,
    });
    expect(await isSecondFactor(db, id, code!, silently)).toBe(false);
  });
});

describe('the secret of an authenticator app', () => {
  const stored = async (id: string) => {
    const [row] = await db.query<{ secret: string }>(
      'select secret from authenticator_apps where person_id = $1',
      [id],
    );
    return row!.secret;
  };
  const store = (id: string, secret: string) =>
    db.query('update authenticator_apps set secret = $2 where person_id = $1', [id, secret]);

  it('is encrypted, and can’t be copied to another person or changed', async () => {
    const [{ id, secret }, other] = [await withApp(), await withApp()];
    const sealed = await stored(id);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
    expect(sealed).not.toContain(secret);
    expect(secrets.open(sealed, id)).toBe(secret);
    expect(() => secrets.open(sealed, other.id)).toThrow('belongs to another row');
    const changed = sealed.slice(0, -1) + (sealed.endsWith('A') ? 'Q' : 'A');
    expect(() => secrets.open(changed, id)).toThrow('was changed');
    await store(other.id, sealed);
    const code = oneTimeCode(secret, 1);
    await expect(isSecondFactor(db, other.id, code, silently)).rejects.toThrow('another row');
    expect(await isSecondFactor(db, id, code, silently)).toBe(true);
    await store(other.id, secrets.seal(other.secret, other.id));
  });

  it('is stored in plain text without a key, also if it looks encrypted, as some refresh tokens do', async () => {
    const plainly = appSecretBox([]);
    for (const secret of ['v1.MQabc-def', 'plain.v1.x', 'JBSWY3DPEHPK3PXP']) {
      const kept = plainly.seal(secret, 'id');
      expect(plainly.open(kept, 'id')).toBe(secret);
      expect(secrets.open(kept, 'id')).toBe(secret);
      expect(secrets.open(secrets.seal(secret, 'id'), 'id')).toBe(secret);
    }
  });

  it('is encrypted later if there was no key, and moves to a new key', async () => {
    const { id, secret } = await withApp();
    await store(id, secret);
    const plainly = { sendsMail: false, secrets: appSecretBox([]) };
    expect(await isSecondFactor(db, id, oneTimeCode(secret, 1), plainly)).toBe(true);
    expect(await countStored(db, APP_SECRETS, secrets)).toMatchObject({ plain: 1, unreadable: 0 });
    expect(await encryptStored(db, APP_SECRETS, appSecretBox([]))).toBe(0);
    expect(await encryptStored(db, APP_SECRETS, secrets)).toBe(1);
    expect(await stored(id)).toContain(secrets.prefix);

    const newOnly = appSecretBox([newKey]);
    const { encrypted } = await countStored(db, APP_SECRETS, secrets);
    expect(await countStored(db, APP_SECRETS, newOnly)).toEqual({
      plain: 0,
      encrypted,
      unreadable: encrypted,
    });
    expect(await encryptStored(db, APP_SECRETS, newOnly)).toBe(0);
    expect(await encryptStored(db, APP_SECRETS, appSecretBox([newKey, key]))).toBe(encrypted);
    expect(await countStored(db, APP_SECRETS, newOnly)).toEqual({
      plain: 0,
      encrypted,
      unreadable: 0,
    });
    await encryptStored(db, APP_SECRETS, appSecretBox([key, newKey]));
    expect(secrets.open(await stored(id), id)).toBe(secret);
  });
});

describe('recovery codes', () => {
  it('work once each, however they are typed, and are stored as hashes', async () => {
    const { id } = await withApp();
    const codes = await newRecoveryCodes(db, id);
    expect(new Set(codes).size).toBe(10);
    expect(codes[0]).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    const stored = JSON.stringify(
      await db.query('select recovery_codes::text from recovery_codes'),
    );
    expect(stored).not.toContain(codes[0]!.replaceAll('-', ''));
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O');
    expect(await isSecondFactor(db, id, typed, silently)).toBe(true);
    expect(await isSecondFactor(db, id, codes[0]!, silently)).toBe(false);
    const race = [1, 2, 3].map(() => isSecondFactor(db, id, codes[1]!, silently));
    expect((await Promise.all(race)).filter(Boolean)).toHaveLength(1);
    expect(await secondFactorsOf(db, id)).toMatchObject({ recoveryCodes: 8 });
  });

  it('are replaced by new ones', async () => {
    const { id } = await withApp();
    const [old] = await newRecoveryCodes(db, id);
    const [fresh] = await newRecoveryCodes(db, id);
    expect(await isSecondFactor(db, id, old!, silently)).toBe(false);
    expect(await isSecondFactor(db, id, fresh!, silently)).toBe(true);
  });
});

describe('an email', () => {
  const mailing = { sendsMail: true };
  const letterOf = (alert: Alert) =>
    alertLetter(alert, { name: 'Pat', at: new Date(), page: (path) => path });
  const lettersTo = async (email: string) => {
    const mails = await db.query<{ data: { alert: Alert } }>(
      'select data from outbox where recipient = $1 order by queued_at',
      [email],
    );
    return mails.map(({ data }) => letterOf(data.alert));
  };
  const addPasskey = async (id: string) => {
    const credential = { id: randomUUID(), publicKey: new Uint8Array(), counter: 0 };
    const passkey = { name: 'Laptop', credential, transports: [] };
    await addFactor(db, id, 'passkey', (tx) => storePasskey(tx, id, passkey), mailing);
    return (await listPasskeys(db, id)).at(-1)!.id;
  };
  const addApp = async (person: { id: string; email: string }) => {
    const { secret } = await setUpApp(db, secrets, person);
    const confirm = async (tx: Queryable) =>
      expect(await confirmApp(tx, secrets, person.id, oneTimeCode(secret))).toBe(true);
    return addFactor(db, person.id, 'app', confirm, mailing);
  };

  it('tells a person about each change, even if there are many', async () => {
    const person = await newPerson();
    const { id, email } = person;
    await addApp(person);
    const passkeys = [await addPasskey(id), await addPasskey(id)];
    await replaceRecoveryCodes(db, id, mailing);
    await removeApp(db, id, mailing);
    for (const passkey of passkeys) await dropPasskey(db, id, passkey, mailing);
    expect((await lettersTo(email)).map(({ subject }) => subject)).toEqual([
      'Second factor turned on',
      'Passkey added',
      'Passkey added',
      'New recovery codes',
      'Authenticator app removed',
      'Passkey removed',
      'Second factor turned off',
    ]);
  });

  it('is sent once if an app is removed twice, and not for an unfinished setup', async () => {
    const { id, email } = await withApp();
    await removeApp(db, id, mailing);
    await expect(removeApp(db, id, mailing)).rejects.toMatchObject({ status: 404 });
    await setUpApp(db, secrets, { id, email });
    await expect(removeApp(db, id, mailing)).rejects.toMatchObject({ status: 404 });
    expect((await lettersTo(email)).map(({ subject }) => subject)).toEqual([
      'Second factor turned off',
    ]);
  });

  it('isn’t sent for a factor that isn’t added, because there are no recovery codes for it', async () => {
    const person = await newPerson();
    const { id, email } = person;
    await db.query(
      `alter table recovery_codes add constraint refused check (person_id <> '${id}')`,
    );
    await expect(addApp(person)).rejects.toThrow('refused');
    await db.query('alter table recovery_codes drop constraint refused');
    expect(await hasSecondFactor(db, id)).toBe(false);
    expect(await lettersTo(email)).toEqual([]);
    expect(await addApp(person)).toHaveLength(10);
  });

  it('about an added factor links to its removal, because a new password doesn’t remove it', () => {
    for (const change of ['on', 'app-added', 'passkey-added'] as const) {
      const { paragraphs, link } = letterOf({ about: 'second-factor', change });
      expect(paragraphs.at(-1)).toContain('remove it and choose a new password now.');
      expect(link!.url).toBe('/account/second-factor');
    }
  });

  it('isn’t sent if there is no second factor whose recovery codes could be replaced', async () => {
    const { id, email } = await newPerson();
    await expect(replaceRecoveryCodes(db, id, mailing)).rejects.toMatchObject({ status: 409 });
    expect(await db.query('select from outbox where recipient = $1', [email])).toEqual([]);
  });
});

describe('an organization that requires a second factor', () => {
  it('marks members without one, until they set it up', async () => {
    const { organization, tenant, ...owner } = await withApp();
    const { id } = await addMember(tenant, {
      email: 'new@example.com',
      name: 'New',
      role: 'member',
    });
    const lacks = async (personId: string) =>
      (await callerOfPerson(db, organization.id, personId))!.lacksSecondFactor ?? false;
    expect(await lacks(id)).toBe(false);
    await requireSecondFactor(tenant, true, personOf(owner));
    expect([await lacks(owner.id), await lacks(id)]).toEqual([false, true]);
    const { secret } = await setUpApp(db, secrets, { id, email: 'new@example.com' });
    expect(await lacks(id)).toBe(true);
    await confirmApp(db, secrets, id, oneTimeCode(secret));
    expect(await lacks(id)).toBe(false);
  });

  it('may be required only by people who have one', async () => {
    const { tenant, id } = await newPerson();
    await expect(requireSecondFactor(tenant, true, personOf({ id }))).rejects.toMatchObject({
      status: 409,
    });
    await requireSecondFactor(tenant, false, personOf({ id }));
  });
});

describe('resetSecondFactor', () => {
  it('removes everything, for a person who lost it', async () => {
    const { id, email } = await withApp();
    const [code] = await newRecoveryCodes(db, id);
    expect(await resetSecondFactor(db, email.toUpperCase(), silently)).toMatchObject({ id });
    expect(await hasSecondFactor(db, id)).toBe(false);
    expect(await isSecondFactor(db, id, code!, silently)).toBe(false);
    await expect(resetSecondFactor(db, 'eve@example.com', silently)).rejects.toMatchObject({
      status: 404,
    });
  });
});
