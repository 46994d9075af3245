import { describe, expect, it } from 'vitest';
import { confirmApp, setUpApp } from '../../src/account/authenticator-app.ts';
import { callerOfPerson } from '../../src/account/callers.ts';
import { hasSecondFactor } from '../../src/account/has-second-factor.ts';
import { newRecoveryCodes } from '../../src/account/recovery-codes.ts';
import {
  isSecondFactor,
  removeApp,
  requireSecondFactor,
  resetSecondFactor,
  secondFactorsOf,
} from '../../src/account/second-factor.ts';
import { addMember } from '../../src/account/members.ts';
import { testDatabase } from '../support/database.ts';
import { oneTimeCode } from '../support/one-time-code.ts';
import { newOrganization } from './organizations.ts';

const { db } = await testDatabase('empty');

const NO_MAIL = { sendsMail: false };

let people = 0;
async function someone(role: 'owner' | 'member' = 'owner') {
  const { organization, tenant } = await newOrganization(db);
  const email = `factor${people++}@example.com`;
  return { organization, tenant, ...(await addMember(tenant, { email, name: 'Pat', role })) };
}

async function withApp() {
  const person = await someone();
  const { secret } = await setUpApp(db, person);
  expect(await confirmApp(db, person.id, oneTimeCode(secret))).toBe(true);
  return { ...person, secret };
}

describe('an authenticator app', () => {
  it('turns the second factor on with its first code', async () => {
    const person = await someone();
    const { secret, uri } = await setUpApp(db, person);
    expect(uri).toMatch(/^otpauth:\/\/totp\/Territory%20Intelligence:factor\d+%40example\.com\?/);
    expect(uri).toContain(`secret=${secret}`);
    expect((await setUpApp(db, person)).secret).toBe(secret);
    for (const wrong of ['', '12345', 'abcdef', oneTimeCode(secret, 5), oneTimeCode(secret, -5)]) {
      expect(await confirmApp(db, person.id, wrong)).toBe(false);
    }
    expect(await hasSecondFactor(db, person.id)).toBe(false);
    expect(await confirmApp(db, person.id, ` ${oneTimeCode(secret)} `)).toBe(true);
    expect(await hasSecondFactor(db, person.id)).toBe(true);
    await expect(setUpApp(db, person)).rejects.toMatchObject({ status: 409 });
  });

  it('accepts each code once, and none from before', async () => {
    const { id, secret } = await withApp();
    expect(await isSecondFactor(db, id, oneTimeCode(secret), NO_MAIL)).toBe(false);
    const next = oneTimeCode(secret, 1);
    const both = await Promise.all([
      isSecondFactor(db, id, next, NO_MAIL),
      isSecondFactor(db, id, next, NO_MAIL),
    ]);
    expect(both.sort()).toEqual([false, true]);
    expect(await isSecondFactor(db, id, oneTimeCode(secret), NO_MAIL)).toBe(false);
  });

  it('of another person is not accepted', async () => {
    const [one, other] = [await withApp(), await withApp()];
    expect(await isSecondFactor(db, one.id, oneTimeCode(other.secret, 1), NO_MAIL)).toBe(false);
  });

  it('takes the recovery codes with it when it is removed', async () => {
    const { id } = await withApp();
    const [code] = await newRecoveryCodes(db, id);
    await removeApp(db, id, NO_MAIL);
    expect(await secondFactorsOf(db, id)).toEqual({
      appSince: null,
      passkeys: [],
      recoveryCodes: 0,
    });
    expect(await isSecondFactor(db, id, code!, NO_MAIL)).toBe(false);
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
    expect(await isSecondFactor(db, id, typed, NO_MAIL)).toBe(true);
    expect(await isSecondFactor(db, id, codes[0]!, NO_MAIL)).toBe(false);
    const race = [1, 2, 3].map(() => isSecondFactor(db, id, codes[1]!, NO_MAIL));
    expect((await Promise.all(race)).filter(Boolean)).toHaveLength(1);
    expect(await secondFactorsOf(db, id)).toMatchObject({ recoveryCodes: 8 });
  });

  it('are replaced by new ones', async () => {
    const { id } = await withApp();
    const [old] = await newRecoveryCodes(db, id);
    const [fresh] = await newRecoveryCodes(db, id);
    expect(await isSecondFactor(db, id, old!, NO_MAIL)).toBe(false);
    expect(await isSecondFactor(db, id, fresh!, NO_MAIL)).toBe(true);
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
    await requireSecondFactor(tenant, true, owner.id);
    expect([await lacks(owner.id), await lacks(id)]).toEqual([false, true]);
    const { secret } = await setUpApp(db, { id, email: 'new@example.com' });
    expect(await lacks(id)).toBe(true);
    await confirmApp(db, id, oneTimeCode(secret));
    expect(await lacks(id)).toBe(false);
  });

  it('must be led by an example: whoever requires it has one', async () => {
    const { tenant, id } = await someone();
    await expect(requireSecondFactor(tenant, true, id)).rejects.toMatchObject({
      status: 409,
    });
    await requireSecondFactor(tenant, false, id);
  });
});

describe('resetSecondFactor', () => {
  it('removes everything, for a person who lost it', async () => {
    const { id, email } = await withApp();
    const [code] = await newRecoveryCodes(db, id);
    expect(await resetSecondFactor(db, email.toUpperCase(), NO_MAIL)).toMatchObject({ id });
    expect(await hasSecondFactor(db, id)).toBe(false);
    expect(await isSecondFactor(db, id, code!, NO_MAIL)).toBe(false);
    await expect(resetSecondFactor(db, 'eve@example.com', NO_MAIL)).rejects.toMatchObject({
      status: 404,
    });
  });
});
