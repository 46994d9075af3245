import { describe, expect, it } from 'vitest';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { listKeys } from '../../../src/people/account/keys.ts';
import { listMembers } from '../../../src/people/account/members.ts';
import { listOrganizations } from '../../../src/people/account/organizations.ts';
import { passwordByLink } from '../../../src/people/account/password-links.ts';
import { makeDemo, ownerSignIn } from '../../../src/territories/demo/demo.ts';
import { listActivity } from '../../../src/territories/brands/activity.ts';
import { findBrand } from '../../../src/territories/brands/brands.ts';
import { listBrands } from '../../../src/territories/brands/list-brands.ts';
import { brandZips } from '../../../src/territories/brands/brand-zips.ts';
import { listReviews } from '../../../src/territories/brands/review-list.ts';
import { testDatabase } from '../../support/database.ts';

const { db } = await testDatabase('sample');
const empty = await testDatabase('empty');

describe('the demo organization', async () => {
  const made = await Promise.all([makeDemo(db), makeDemo(db)]);
  const demo = made.find((result) => result !== null)!;
  const { tenant } = (await callerOfKey(db, demo.key))!;
  const territory = async (slug: string) =>
    (await brandZips(tenant, await findBrand(tenant, 'all', slug), {}, { limit: 500 })).rows;
  const [roofing, hvac] = [
    await territory('lone-star-roofing'),
    await territory('desert-air-hvac'),
  ];

  it('is created once, even by concurrent processes', async () => {
    expect(made.filter((result) => result !== null)).toHaveLength(1);
    expect(await makeDemo(db)).toBeNull();
    expect((await listOrganizations(db)).map(({ slug }) => slug)).toEqual(['demo']);
    expect(await listKeys(tenant)).toMatchObject([{ brands: 'all', mayWrite: true }]);
  });

  it('has an owner, a reviewer, and a subscription that doesn’t expire', async () => {
    expect((await listMembers(tenant)).map(({ role }) => role).sort()).toEqual([
      'owner',
      'reviewer',
    ]);
    expect(await callerOfKey(db, demo.key)).toMatchObject({
      organization: { slug: 'demo' },
      subscription: { status: 'active', monthlyUnits: 1000, writeEntitlement: true },
    });
  });

  it('has two brands, each in Dallas and Phoenix', async () => {
    expect((await listBrands(tenant, 'all')).rows).toMatchObject([
      { slug: 'desert-air-hvac', live: 25, pending: 3 },
      { slug: 'lone-star-roofing', live: 34, pending: 0 },
    ]);
    for (const zips of [roofing, hvac]) {
      expect(new Set(zips.map(({ state }) => state))).toEqual(new Set(['TX', 'AZ']));
    }
  });

  it('has ZIP codes that both brands hold', () => {
    const shared = roofing.filter((row) => row.shared).map(({ zip }) => zip);
    expect(shared).toHaveLength(5);
    expect(hvac.filter((row) => row.shared).map(({ zip }) => zip)).toEqual(shared);
  });

  it('has one isolated ZIP code and three pending ones', async () => {
    expect([...roofing, ...hvac].filter(({ isolated }) => isolated)).toHaveLength(1);
    const { rows } = await listReviews(tenant, 'all', { status: 'pending' });
    expect(rows).toHaveLength(3);
    expect(new Set(rows.map(({ brand }) => brand.slug))).toEqual(new Set(['desert-air-hvac']));
  });

  it('has an activity entry for each step of its creation', async () => {
    const { rows } = await listActivity(tenant, 'all');
    expect(rows.map(({ action, actor }) => `${actor.name}: ${action}`)).toEqual([
      'Dana Reyes: locator_created',
      'Dana Reyes: share_minted',
      'Dana Reyes: contact_set',
      'Dana Reyes: contact_set',
      'Dana Reyes: data_uploaded',
      'Dana Reyes: data_uploaded',
      'Dana Reyes: territory_applied',
      ...Array.from({ length: 5 }, () => [
        'Sam Ortiz: territory_approved',
        'Dana Reyes: territory_applied',
      ]).flat(),
    ]);
  });

  it('offers its owner a new password link until they choose a password', async () => {
    const first = await ownerSignIn(db);
    const second = await ownerSignIn(db);
    expect(first).toMatchObject({ email: 'dana@demo.example' });
    const tokenOf = (path: string) => decodeURIComponent(path.split('/').at(-1)!);
    await expect(
      passwordByLink(db, tokenOf(first!.passwordPath!), 'four words make one'),
    ).rejects.toMatchObject({ status: 404 });
    await passwordByLink(db, tokenOf(second!.passwordPath!), 'four words make one');
    expect(await ownerSignIn(db)).toEqual({ email: 'dana@demo.example', passwordPath: null });
    expect(await ownerSignIn(empty.db)).toBeNull();
  });

  it('is not created without ZIP codes in its metros, and leaves nothing behind', async () => {
    await expect(makeDemo(empty.db)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('too few ZIP codes of Dallas, TX'),
    });
    expect(await listOrganizations(empty.db)).toEqual([]);
  });
});
