import { describe, expect, it } from 'vitest';
import {
  createOrganization,
  findOrganization,
  listOrganizations,
} from '../../../src/people/account/organizations.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { subscriptionOf, changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization, person } from './organizations.ts';

const { db } = await testDatabase('empty');
const DAY_MS = 86_400_000;

describe('organizations', () => {
  it('start with a 14-day trial, 1,000 units a month, and write access', async () => {
    const before = Date.now();
    const { id } = await createOrganization(db, { name: 'Acme Roofing' });
    const subscription = await subscriptionOf(tenantOf(db, id));
    expect(subscription).toMatchObject({
      status: 'trial',
      monthlyUnits: 1e3,
      monthlyZips: 2500,
      writeEntitlement: true,
    });
    const days = (Date.parse(subscription.trialEndsAt!) - before) / DAY_MS;
    expect(days).toBeCloseTo(14, 2);
  });

  it('see the figures of a trial without a paid subscription, and else of the whole country', async () => {
    const { id } = await createOrganization(db, { name: 'Paying' });
    const tenant = tenantOf(db, id);
    for (const [status, monthlyZips] of [
      ['active', null],
      ['past_due', null],
      ['cancelled', 2500],
    ] as const) {
      expect(await changeSubscription(tenant, { status })).toMatchObject({ monthlyZips });
    }
  });

  it.each([
    ['Müller & Sons', 'muller-sons'],
    ['  Été — 24/7 ', 'ete-24-7'],
  ])('named "%s" get the slug %s', async (name, slug) => {
    const organization = await createOrganization(db, { name });
    expect(organization).toMatchObject({ slug, name: name.trim() });
    expect(await findOrganization(db, slug.toUpperCase())).toEqual(organization);
  });

  it('need a unique slug', async () => {
    await createOrganization(db, { name: 'Twin' });
    await expect(createOrganization(db, { name: 'TWIN!' })).rejects.toMatchObject({
      status: 409,
      code: 'conflict',
      message: 'There is already an organization "twin". Give this one another short name.',
    });
    await expect(createOrganization(db, { name: 'Twin', slug: 'twin-2' })).resolves.toMatchObject({
      slug: 'twin-2',
    });
  });

  it.each([
    { name: '' },
    { name: 'x'.repeat(121) },
    { name: 'a\u001b[31m' },
    { name: '屋根' },
    { name: 'Good', slug: 'Not Good' },
    { name: 'Good', slug: '-' },
  ])('refuse name "$name" with slug "$slug"', async (given) => {
    await expect(createOrganization(db, given)).rejects.toMatchObject({ status: 400 });
  });

  it('are named in the error if they don’t exist', async () => {
    await expect(findOrganization(db, 'nobody')).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining('"nobody"'),
    });
  });

  it('are listed by slug', async () => {
    await createOrganization(db, { name: 'Zebra' });
    await createOrganization(db, { name: 'Aardvark' });
    const slugs = (await listOrganizations(db)).map(({ slug }) => slug);
    expect(slugs).toEqual(slugs.toSorted());
    expect(slugs).toEqual(expect.arrayContaining(['aardvark', 'zebra']));
  });
});

describe('a subscription', () => {
  it('changes only the given fields', async () => {
    const { tenant } = await newOrganization(db);
    const before = await subscriptionOf(tenant);
    expect(await changeSubscription(tenant, { monthlyUnits: 50 })).toEqual({
      ...before,
      monthlyUnits: 50,
    });
    expect(await changeSubscription(tenant, { writeEntitlement: false })).toEqual({
      ...before,
      monthlyUnits: 50,
      writeEntitlement: false,
    });
    expect(await subscriptionOf(tenant)).toMatchObject({
      monthlyUnits: 50,
      writeEntitlement: false,
    });
  });

  it('has an end date only while on trial', async () => {
    const { tenant } = await newOrganization(db);
    const { trialEndsAt } = await subscriptionOf(tenant);
    // A running trial doesn't restart.
    expect(await changeSubscription(tenant, { status: 'trial' })).toMatchObject({ trialEndsAt });
    expect(await changeSubscription(tenant, { status: 'active' })).toMatchObject({
      trialEndsAt: null,
    });
    const again = await changeSubscription(tenant, { status: 'trial' });
    expect((Date.parse(again.trialEndsAt!) - Date.now()) / DAY_MS).toBeCloseTo(14, 2);
    const longer = await changeSubscription(tenant, {
      trialEndsAt: new Date('2031-01-01T00:00:00Z'),
    });
    expect(longer).toMatchObject({ status: 'trial', trialEndsAt: '2031-01-01T00:00:00.000Z' });
  });

  it('cannot have fewer seats than members', async () => {
    const { tenant } = await newOrganization(db);
    await addMember(tenant, person('Ann'));
    await addMember(tenant, person('Bob'));
    await expect(changeSubscription(tenant, { seats: 1 })).rejects.toMatchObject({
      status: 402,
      code: 'seat_limit_exceeded',
    });
    await expect(changeSubscription(tenant, { seats: 0 })).rejects.toMatchObject({ status: 400 });
    expect(await changeSubscription(tenant, { seats: 2 })).toMatchObject({ seats: 2 });
  });
});
