import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callerOfPerson } from '../../../src/people/account/callers.ts';
import { invite, openInvitation } from '../../../src/people/account/invitations.ts';
import { EMAIL } from '../../../src/people/account/names.ts';
import {
  addMember,
  listMembers,
  removeMember,
  setRole,
} from '../../../src/people/account/members.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantIn, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization, person } from './organizations.ts';

const { db } = await testDatabase('empty');
const emails = async (tenant: TenantDatabase) =>
  (await listMembers(tenant)).map(({ email }) => email);
const outcomesOf = async (work: Promise<unknown>[]) => {
  const results = await Promise.allSettled(work);
  return {
    done: results.filter(({ status }) => status === 'fulfilled').length,
    refusals: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
};

describe('members', () => {
  it('need an email address that zod accepts', () => {
    expect(EMAIL.source).toBe(z.regexes.email.source.replaceAll(String.raw`\-`, '-'));
  });

  it('are identified by their email addresses, ignoring case', async () => {
    const { tenant } = await newOrganization(db);
    await addMember(tenant, { email: ' Pat@Example.com ', name: 'Pat', role: 'owner' });
    await expect(addMember(tenant, person('PAT'))).rejects.toMatchObject({ status: 409 });
    expect(await setRole(tenant, 'PAT@EXAMPLE.COM', 'owner')).toMatchObject({
      email: 'Pat@Example.com',
      name: 'Pat',
    });
  });

  it('can have another role in another organization', async () => {
    const [one, two] = [await newOrganization(db), await newOrganization(db)];
    const there = await addMember(one.tenant, person('Zoe', 'owner'));
    const here = await addMember(two.tenant, {
      ...person('Zoe', 'reviewer'),
      name: 'Another name',
    });
    expect(here).toMatchObject({ id: there.id, name: 'Zoe', role: 'reviewer' });
    expect(await listMembers(one.tenant)).toMatchObject([{ role: 'owner' }]);
  });

  it('cannot be listed or changed by another organization', async () => {
    const [one, two] = [await newOrganization(db), await newOrganization(db)];
    await addMember(one.tenant, person('Ida'));
    expect(await listMembers(two.tenant)).toEqual([]);
    for (const change of [
      () => setRole(two.tenant, 'ida@example.com', 'owner'),
      () => removeMember(two.tenant, 'ida@example.com'),
    ]) {
      await expect(change()).rejects.toMatchObject({ status: 404 });
    }
    expect(await listMembers(one.tenant)).toMatchObject([{ role: 'member' }]);
  });

  it.each(['', 'pat', 'pat@', '@example.com', 'a b@example.com', `${'x'.repeat(250)}@example.com`])(
    'cannot have the email address "%s"',
    async (email) => {
      const { tenant } = await newOrganization(db);
      await expect(addMember(tenant, { ...person('Pat'), email })).rejects.toMatchObject({
        status: 400,
      });
    },
  );
});

describe('a removed member', () => {
  it('cannot return through an invitation that they created', async () => {
    const { tenant } = await newOrganization(db);
    await addMember(tenant, person('Ann', 'owner'));
    const bob = await addMember(tenant, person('Bob', 'admin'));
    const token = await invite(tenant, { name: 'Me', role: 'admin', createdBy: bob.id });
    await removeMember(tenant, bob.email);
    await expect(openInvitation(db, token)).rejects.toMatchObject({ status: 404 });
  });
});

describe('seats', () => {
  it('are taken by members and freed when they leave', async () => {
    const { tenant } = await newOrganization(db);
    await changeSubscription(tenant, { seats: 2 });
    await addMember(tenant, person('Ann', 'owner'));
    await addMember(tenant, person('Bob'));
    await expect(addMember(tenant, person('Cid'))).rejects.toMatchObject({
      status: 402,
      code: 'seat_limit_exceeded',
      message: expect.stringContaining('All 2 seats'),
    });
    await removeMember(tenant, 'bob@example.com');
    await addMember(tenant, person('Cid'));
    expect(await emails(tenant)).toEqual(['ann@example.com', 'cid@example.com']);
  });

  it('are not oversold when several people are added at once', async () => {
    const { tenant } = await newOrganization(db);
    await changeSubscription(tenant, { seats: 3 });
    await addMember(tenant, person('Ann', 'owner'));
    await addMember(tenant, person('Bob'));
    const racers = Array.from({ length: 8 }, (_, i) => addMember(tenant, person(`Racer${i}`)));
    const { done, refusals } = await outcomesOf(racers);
    expect(done).toBe(1);
    expect(refusals.map(({ code }) => code)).toEqual(Array(7).fill('seat_limit_exceeded'));
    expect(await emails(tenant)).toHaveLength(3);
  });

  it('cannot be reduced while a member takes the last one', async () => {
    const { tenant } = await newOrganization(db);
    await changeSubscription(tenant, { seats: 2 });
    await addMember(tenant, person('Ann', 'owner'));
    const { done } = await outcomesOf([
      addMember(tenant, person('Bob')),
      changeSubscription(tenant, { seats: 1 }),
    ]);
    expect(done).toBe(1);
  });
});

describe('the last owner', () => {
  it('can neither leave nor take another role', async () => {
    const { tenant } = await newOrganization(db);
    await addMember(tenant, person('Ann', 'owner'));
    await addMember(tenant, person('Bob', 'admin'));
    for (const change of [
      () => setRole(tenant, 'ann@example.com', 'admin'),
      () => removeMember(tenant, 'ann@example.com'),
    ]) {
      await expect(change()).rejects.toMatchObject({
        status: 409,
        message: expect.stringContaining('Ann is the last owner'),
      });
    }
    await setRole(tenant, 'bob@example.com', 'owner');
    await removeMember(tenant, 'ann@example.com');
    expect(await listMembers(tenant)).toMatchObject([{ name: 'Bob', role: 'owner' }]);
  });

  const leave = (tenant: TenantDatabase, email: string) => removeMember(tenant, email);
  const stepDown = (tenant: TenantDatabase, email: string) => setRole(tenant, email, 'member');

  it.each([
    ['leaves', 'steps down', leave, stepDown],
    ['steps down', 'leaves', stepDown, leave],
  ])('must stay if one of two owners %s while the other %s', async (_one, _other, one, other) => {
    const { organization, tenant } = await newOrganization(db);
    await addMember(tenant, person('Ann', 'owner'));
    await addMember(tenant, person('Bob', 'owner'));
    let second: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await one(tenantIn(tx, organization.id), 'ann@example.com');
      second = other(tenant, 'bob@example.com').catch((error: unknown) => error);
      // Long enough for the second change to read the old state if it doesn't wait.
      await delay(100);
    });
    expect(await second).toMatchObject({
      message: expect.stringContaining('Bob is the last owner'),
    });
  });
});

describe('callerOfPerson', () => {
  it('returns the person’s role, or null if they aren’t a member', async () => {
    const { organization, tenant } = await newOrganization(db);
    const other = await newOrganization(db);
    const { id } = await addMember(tenant, person('Rea', 'reviewer'));
    expect(await callerOfPerson(db, organization.id, id)).toMatchObject({
      organization,
      actor: { kind: 'person', id, name: 'Rea' },
      role: 'reviewer',
      brandScope: 'all',
    });
    expect(await callerOfPerson(db, other.organization.id, id)).toBeNull();
  });
});
