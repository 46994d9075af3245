import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import {
  makePasswordLink,
  openPasswordLink,
  passwordByLink,
} from '../../../src/people/account/password-links.ts';
import { sessionOf, startSession } from '../../../src/people/account/sessions.ts';
import { personByPassword } from '../../../src/people/account/sign-in.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization } from './organizations.ts';

const { db } = await testDatabase('empty');

const PASSWORD = 'four words make one';
const INVALID = { status: 404, message: expect.stringContaining('not valid') };

let people = 0;

/** A member whom an operator added, without a password. */
async function newMember() {
  const { tenant } = await newOrganization(db);
  const email = `Member${people++}@example.com`;
  return addMember(tenant, { email, name: 'Sam', role: 'member' });
}

describe('a password link', () => {
  it('sets a first password, once', async () => {
    const { id, email } = await newMember();
    expect(await personByPassword(db, email, PASSWORD)).toBeNull();
    const { person, token } = await makePasswordLink(db, ` ${email.toUpperCase()} `);
    expect(person).toEqual({ id, name: 'Sam', email });
    expect(token).toMatch(/^svc_password_[0-9A-Za-z]{40}$/);
    expect(await openPasswordLink(db, token)).toEqual(person);
    expect(await passwordByLink(db, token, PASSWORD)).toBe(id);
    expect(await personByPassword(db, email, PASSWORD)).toBe(id);
    await expect(openPasswordLink(db, token)).rejects.toMatchObject(INVALID);
    await expect(passwordByLink(db, token, 'quite another one')).rejects.toMatchObject(INVALID);
    expect(await personByPassword(db, email, PASSWORD)).toBe(id);
  });

  it('replaces a forgotten password and ends all sessions', async () => {
    const { id, email } = await newMember();
    await passwordByLink(db, (await makePasswordLink(db, email)).token, PASSWORD);
    const secret = await startSession(db, id, { userAgent: 'Firefox', client: '192.0.2.1' });
    const { token } = await makePasswordLink(db, email);
    expect(await sessionOf(db, secret)).not.toBeNull();
    await passwordByLink(db, token, 'another four words');
    expect(await sessionOf(db, secret)).toBeNull();
    expect(await personByPassword(db, email, PASSWORD)).toBeNull();
    expect(await personByPassword(db, email, 'another four words')).toBe(id);
  });

  it('stays valid after an unacceptable password', async () => {
    const { id, email } = await newMember();
    const { token } = await makePasswordLink(db, email);
    for (const bad of ['short', email]) {
      await expect(passwordByLink(db, token, bad)).rejects.toMatchObject({ status: 400 });
    }
    expect(await passwordByLink(db, token, PASSWORD)).toBe(id);
  });

  it('is invalid once it is replaced or expired', async () => {
    const { email } = await newMember();
    const { token: first } = await makePasswordLink(db, email);
    const { person, token } = await makePasswordLink(db, email);
    await expect(openPasswordLink(db, first)).rejects.toMatchObject(INVALID);
    await db.query('update password_links set expires_at = now() where person_id = $1', [
      person.id,
    ]);
    await expect(openPasswordLink(db, token)).rejects.toMatchObject(INVALID);
    await expect(passwordByLink(db, token, PASSWORD)).rejects.toMatchObject(INVALID);
  });

  it('works only once for concurrent uses', async () => {
    const { email } = await newMember();
    const { token } = await makePasswordLink(db, email);
    const uses = await Promise.allSettled(
      ['one of four words', 'two of four words'].map((word) => passwordByLink(db, token, word)),
    );
    expect(uses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('needs an account, and is stored only as a hash', async () => {
    await expect(makePasswordLink(db, 'nobody@example.com')).rejects.toMatchObject({ status: 404 });
    const { email } = await newMember();
    const { token } = await makePasswordLink(db, email);
    const kept = await db.query('select password_links::text as row from password_links');
    expect(JSON.stringify(kept)).not.toContain(token);
  });
});
