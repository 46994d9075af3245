import { describe, expect, it } from 'vitest';
import {
  forgetBrowsers,
  isKnownBrowser,
  rememberBrowser,
} from '../../../src/people/account/known-browsers.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { newSecret } from '../../../src/people/account/secret.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization, person } from './organizations.ts';

const { db } = await testDatabase('empty');

let people = 0;
async function newPerson() {
  const { tenant } = await newOrganization(db);
  return addMember(tenant, person(`Known${people++}`));
}

describe('a known browser', () => {
  it('is recognized for the person who signed in there, and only for them', async () => {
    const [pat, eve] = [await newPerson(), await newPerson()];
    const { secret, isAnother } = await rememberBrowser(db, pat.id, undefined);
    expect(isAnother).toBe(false);
    expect((await rememberBrowser(db, pat.id, undefined)).isAnother).toBe(true);
    expect(await isKnownBrowser(db, pat.email.toUpperCase(), secret)).toBe(true);
    expect(await isKnownBrowser(db, eve.email, secret)).toBe(false);
    expect(await rememberBrowser(db, pat.id, secret)).toEqual({ secret, isAnother: false });
    const stored = JSON.stringify(
      await db.query('select known_browsers::text from known_browsers'),
    );
    expect(stored).not.toContain(Buffer.from(secret).toString('hex'));
  });

  it('is recognized for everyone who signs in there', async () => {
    const [pat, sam] = [await newPerson(), await newPerson()];
    const first = await rememberBrowser(db, pat.id, undefined);
    const second = await rememberBrowser(db, sam.id, first.secret);
    expect(await isKnownBrowser(db, pat.email, second.secret)).toBe(true);
    expect(await isKnownBrowser(db, sam.email, second.secret)).toBe(true);
  });

  it('gets a new cookie for a person who hasn’t used it, so that a planted one is useless', async () => {
    const [victim, attacker] = [await newPerson(), await newPerson()];
    const own = await rememberBrowser(db, attacker.id, undefined);
    for (const planted of [own.secret, newSecret(), 'x']) {
      const { secret } = await rememberBrowser(db, victim.id, planted);
      expect(secret).not.toBe(planted);
      expect(await isKnownBrowser(db, victim.email, planted)).toBe(false);
    }
  });

  it('is forgotten after a year without a sign-in, and with the password', async () => {
    const pat = await newPerson();
    const old = await rememberBrowser(db, pat.id, undefined);
    await db.query(
      `update known_browsers set last_used_at = now() - interval '366 days' where person_id = $1`,
      [pat.id],
    );
    expect(await isKnownBrowser(db, pat.email, old.secret)).toBe(false);
    const fresh = await rememberBrowser(db, pat.id, old.secret);
    expect(fresh.secret).not.toBe(old.secret);
    await forgetBrowsers(db, pat.id);
    expect(await isKnownBrowser(db, pat.email, fresh.secret)).toBe(false);
  });
});
