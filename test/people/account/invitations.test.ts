import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  acceptInvitation,
  invite,
  listInvitations,
  openInvitation,
  revokeInvitation,
} from '../../../src/people/account/invitations.ts';
import { addMember, listMembers } from '../../../src/people/account/members.ts';
import { lockSeats, changeSubscription } from '../../../src/people/account/subscription.ts';
import { tenantIn } from '../../../src/people/account/tenant.ts';
import { testDatabase } from '../../support/database.ts';
import { newOrganization, person } from './organizations.ts';

const { db } = await testDatabase('empty');

let people = 0;
const newcomer = () => ({
  name: `New ${people}`,
  email: `new${people++}@example.com`,
  password: 'four words make one',
});

/** An organization with an owner, and a function that creates invitations to it. */
async function newInviter(seats = 5) {
  const { tenant, organization } = await newOrganization(db);
  await changeSubscription(tenant, { seats });
  const owner = await addMember(tenant, {
    ...person('Ann', 'owner'),
    email: `ann${people++}@example.com`,
  });
  const link = (name = 'Bob') => invite(tenant, { name, role: 'reviewer', createdBy: owner.id });
  return { tenant, organization, owner, link };
}

const INVALID = { status: 404, message: expect.stringContaining('not valid') };

describe('invitations', () => {
  it('adds a new person with its role, once', async () => {
    const { tenant, organization, link } = await newInviter();
    const token = await link();
    expect(token).toMatch(/^svc_invite_[0-9A-Za-z]{40}$/);
    expect(await openInvitation(db, token)).toMatchObject({
      organization: { id: organization.id },
      role: 'reviewer',
      invitedBy: 'Ann',
    });
    expect(await listInvitations(tenant)).toMatchObject([{ name: 'Bob', createdBy: 'Ann' }]);
    const { personId } = await acceptInvitation(db, token, newcomer());
    expect(await listMembers(tenant)).toMatchObject([{}, { id: personId, role: 'reviewer' }]);
    expect(await listInvitations(tenant)).toEqual([]);
    await expect(openInvitation(db, token)).rejects.toMatchObject(INVALID);
    await expect(acceptInvitation(db, token, newcomer())).rejects.toMatchObject(INVALID);
    const kept = await db.query('select invitations::text as row from invitations');
    expect(JSON.stringify(kept)).not.toContain(token);
  });

  it('adds a person with an account, who keeps the account and other memberships', async () => {
    const [one, other] = [await newInviter(), await newInviter()];
    const { id, email } = one.owner;
    await acceptInvitation(db, await other.link(), { personId: id, email, name: 'Ann' });
    expect(await listMembers(other.tenant)).toMatchObject([{}, { id, role: 'reviewer' }]);
    expect(await listMembers(one.tenant)).toMatchObject([{ id, role: 'owner' }]);
  });

  it('refuses existing members and email addresses with an account, and stays open', async () => {
    const { link, owner } = await newInviter();
    const token = await link();
    await expect(
      acceptInvitation(db, token, { ...newcomer(), email: owner.email }),
    ).rejects.toMatchObject({ status: 409 });
    const { id: personId, email, name } = owner;
    await expect(acceptInvitation(db, token, { personId, email, name })).rejects.toMatchObject({
      status: 409,
    });
    await acceptInvitation(db, token, newcomer());
  });

  it('refuses expired, revoked, and unknown tokens', async () => {
    const { tenant, link } = await newInviter();
    const [old, revoked] = [await link('Old'), await link('Revoked')];
    await tenant.query(
      `update invitations set expires_at = now() where organization_id = $1 and name = 'Old'`,
    );
    const [open] = await listInvitations(tenant);
    const other = await newInviter();
    await expect(revokeInvitation(other.tenant, open!.id)).rejects.toMatchObject({ status: 404 });
    await revokeInvitation(tenant, open!.id);
    for (const token of [old, revoked, 'svc_invite_x']) {
      await expect(acceptInvitation(db, token, newcomer())).rejects.toMatchObject(INVALID);
    }
  });

  it('refuses to create an invitation without a free seat', async () => {
    const { link } = await newInviter(1);
    await expect(link()).rejects.toMatchObject({ status: 402, code: 'seat_limit_exceeded' });
  });
});

describe('concurrent acceptance', () => {
  it('gives the last seat to one person and leaves the other invitations open', async () => {
    const { tenant, link } = await newInviter(2);
    const tokens = [await link('A'), await link('B'), await link('C')];
    const results = await Promise.allSettled(
      tokens.map((token) => acceptInvitation(db, token, newcomer())),
    );
    const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refusals.map(({ code }) => code)).toEqual(Array(2).fill('seat_limit_exceeded'));
    expect(await listMembers(tenant)).toHaveLength(2);
    expect(await listInvitations(tenant)).toHaveLength(2);
  });

  it('admits one person per link', async () => {
    const { tenant, organization, link } = await newInviter();
    const token = await link();
    const guests = [await newInviter(), await newInviter()];
    let racing: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await db.transaction(async (tx) => {
      // Both read the invitation before either can take a seat.
      await lockSeats(tenantIn(tx, organization.id));
      racing = Promise.allSettled(
        guests.map(({ owner: { id: personId, email, name } }) =>
          acceptInvitation(db, token, { personId, email, name }),
        ),
      );
      await delay(200);
    });
    const statuses = (await racing!).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['fulfilled', 'rejected']);
    expect(await listMembers(tenant)).toHaveLength(2);
  });
});
