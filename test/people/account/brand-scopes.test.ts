/** Members and invitations with some brands of an organization. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { callerOfPerson, signerById } from '../../../src/people/account/callers.ts';
import {
  acceptInvitation,
  invite,
  listInvitations,
  openInvitation,
} from '../../../src/people/account/invitations.ts';
import {
  addMember,
  grantMember,
  memberByEmail,
  setBrands,
  setRole,
} from '../../../src/people/account/members.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { recipientsOf } from '../../../src/territories/notify/recipients.ts';
import { listMembers } from '../../../src/people/account/members.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { lastPosition, listEvents } from '../../../src/people/events/events.ts';
import { answerOnce } from '../../../src/people/metering/idempotent.ts';
import { recordThresholds } from '../../../src/people/metering/thresholds.ts';
import type { MapRenderer } from '../../../src/maps/cartography/map-renderer.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import {
  publicWeights,
  readProfile,
  setProfile,
} from '../../../src/territories/brands/targeting/profile.ts';
import { dispatchEvents } from '../../../src/territories/notify/dispatch.ts';
import { notificationWriters } from '../../../src/territories/notify/letters/writers.ts';
import { countUnread, latestNotifications } from '../../../src/territories/notify/notifications.ts';
import { NOTIFICATION_MAIL } from '../../../src/territories/notify/queue-emails.ts';
import { setDataSetBrands } from '../../../src/territories/own-data/data-sets.ts';
import { testDatabase } from '../../support/database.ts';
import { agent, organizationWith } from '../../territories/brands/organization.ts';
import { saveData } from '../../territories/own-data/saved.ts';

const { db } = await testDatabase('sample');

async function start() {
  const { tenant, brands } = await organizationWith(db, 'North', 'South');
  await changeSubscription(tenant, { seats: 20 });
  const owner = await addMember(tenant, { email: emailOf('o'), name: 'Olga', role: 'owner' });
  return { tenant, owner, north: brands[0], south: brands[1] };
}

let people = 0;
const emailOf = (name: string) => `${name}${people++}@scopes.example`;

describe('an invitation', () => {
  it('for some brands gives these', async () => {
    const { tenant, owner, north } = await start();
    const given = { name: 'Ana', role: 'reviewer' as const, createdBy: owner.id };
    const token = await invite(tenant, { ...given, brandIds: [north.id] });
    expect(await listInvitations(tenant)).toMatchObject([{ brandIds: [north.id] }]);
    expect(await openInvitation(db, token)).toMatchObject({ brands: [{ name: 'North' }] });
    const email = emailOf('ana');
    const { personId } = await acceptInvitation(db, token, {
      email,
      name: 'Ana',
      password: 'four words make one',
    });
    expect(await memberByEmail(tenant, email)).toMatchObject({ brandIds: [north.id] });
    const caller = (await callerOfPerson(db, tenant.organizationId, personId))!;
    expect(caller.brandScope).toEqual(new Set([north.id]));
    // Without any condition, a statement finds only the rows of the brand.
    expect(await caller.tenant.common.query('select slug from brands')).toEqual([
      { slug: 'north' },
    ]);
  });

  it('of an owner gives all, and one for no brand or another organization’s is refused', async () => {
    const { tenant, owner, north } = await start();
    const { north: foreign } = await start();
    const given = { name: 'Ana', role: 'member' as const, createdBy: owner.id };
    await invite(tenant, { ...given, role: 'owner', brandIds: [north.id] });
    expect(await listInvitations(tenant)).toMatchObject([{ brandIds: null }]);
    for (const brandIds of [[], [foreign.id], ['x']]) {
      await expect(invite(tenant, { ...given, brandIds })).rejects.toMatchObject({ status: 400 });
    }
  });
});

describe('a member', () => {
  it('with some brands gets all as an owner, and an owner can’t be limited', async () => {
    const { tenant, owner, north } = await start();
    const email = emailOf('kim');
    await addMember(tenant, { email, name: 'Kim', role: 'admin', brandIds: [north.id] });
    expect(await setRole(tenant, email, 'owner')).toMatchObject({ brandIds: null });
    await expect(setBrands(tenant, owner.email, [north.id])).rejects.toMatchObject({ status: 409 });
    expect(await memberByEmail(tenant, email)).toMatchObject({ role: 'owner', brandIds: null });
  });

  it('gets what the company’s provider says, except an owner', async () => {
    const { tenant, owner, north } = await start();
    const kim = await addMember(tenant, { email: emailOf('kim'), name: 'Kim', role: 'admin' });
    const limited = { role: 'member' as const, brandIds: [north.id] };
    await tenant.transaction(async (tx) => {
      await grantMember(tx, kim, limited);
      await grantMember(tx, owner, limited);
    });
    expect(await memberByEmail(tenant, kim.email)).toMatchObject(limited);
    expect(await memberByEmail(tenant, owner.email)).toMatchObject({ role: 'owner' });
  });

  it('signs URLs for their brands only, as long as they are a member', async () => {
    const { tenant, north } = await start();
    const email = emailOf('ana');
    const { id } = await addMember(tenant, {
      email,
      name: 'Ana',
      role: 'member',
      brandIds: [north.id],
    });
    const { signsAs } = (await callerOfPerson(db, tenant.organizationId, id))!;
    expect(signsAs).not.toBe(tenant.organizationId);
    expect((await signerById(db, signsAs))!.brandScope).toEqual(new Set([north.id]));
    await tenant.query('delete from memberships where organization_id = $1 and person_id = $2', [
      id,
    ]);
    expect(await signerById(db, signsAs)).toBeNull();
  });

  it('is told only of events of their brands', async () => {
    const { tenant, north, south, owner } = await start();
    const add = (name: string, brandIds: string[] | null) =>
      addMember(tenant, { email: emailOf(name), name, role: 'reviewer', brandIds });
    const [ana, all] = [await add('Ana', [north.id]), await add('Al', null)];
    const told = async (brandId: string) => {
      const event = { type: 'territory.requested', brandId, actor: null, data: {} } as never;
      const recipients = await recipientsOf(tenant, await listMembers(tenant), event);
      return recipients.map(({ personId }) => personId).sort();
    };
    expect(await told(north.id)).toEqual([owner.id, ana.id, all.id].sort());
    expect(await told(south.id)).toEqual([owner.id, all.id].sort());
  });
});

it('What the whole organization is told is recorded once, also by callers with some brands', async () => {
  const { tenant, north } = await start();
  const limited = tenantOf(db, tenant.organizationId, new Set([north.id]));
  const use = { meter: 'units' as const, used: 90, included: 100, at: new Date() };
  const positions: number[] = [];
  for (let n = 0; n < 3; n++) {
    await limited.transaction(async (tx) => recordThresholds(tx, use));
    positions.push(await lastPosition(tenant));
  }
  const { events } = await listEvents(tenant, 0, 10, { types: ['usage.threshold'] });
  expect(events).toHaveLength(1);
  // The position doesn't move, which would take a lock at every call.
  expect(new Set(positions).size).toBe(1);
  expect((await listEvents(limited, 0, 10)).events).toEqual([]);
});

it('A notification of a brand that a member no longer has is neither shown nor sent', async () => {
  const { tenant, north, south } = await start();
  const email = emailOf('ana');
  const { id } = await addMember(tenant, { email, name: 'Ana', role: 'reviewer' });
  await tenant.transaction((tx) => applyZips(tx, agent, south, { zips: ['75201'] }));
  await dispatchEvents(db);
  const emailId = randomUUID();
  await tenant.query('update notifications set email_id = $2 where organization_id = $1', [
    emailId,
  ]);
  const { [NOTIFICATION_MAIL]: write } = notificationWriters({
    db,
    renderer: {} as MapRenderer,
    page: (path) => path,
  });
  const data = { organizationId: tenant.organizationId, personId: id, topic: 'requests', emailId };
  const told = async () => {
    const caller = (await callerOfPerson(db, tenant.organizationId, id))!;
    return {
      shown: (await latestNotifications(caller.tenant, id, 10)).length,
      unread: await countUnread(caller.tenant, id),
    };
  };
  expect(await told()).toEqual({ shown: 1, unread: 1 });
  await setBrands(tenant, email, [north.id]);
  expect(await told()).toEqual({ shown: 0, unread: 0 });
  expect(await write!(email, data)).toBeNull();
});

it('Own weights count without data sets of other brands', async () => {
  const { tenant, north, south } = await start();
  const { id, slug } = await saveData({ tenant }, 'South jobs', { '75201': 1 });
  await tenant.transaction((tx) => setDataSetBrands(tx, agent, id, [south.id]));
  const limited = tenantOf(db, tenant.organizationId, new Set([north.id]));
  const weights = { medianHouseholdIncome: 60, [`data:${slug}`]: 40 };
  await setProfile(tenant, agent, 'roofing', weights);
  await setProfile(tenant, agent, 'hvac', { [`rate:${slug}`]: 1 });
  expect(await readProfile(tenant, 'roofing')).toMatchObject({ own: true, weights });
  expect((await readProfile(limited, 'roofing')).weights).toEqual({ medianHouseholdIncome: 60 });
  // Nothing is left of these.
  expect(await readProfile(limited, 'hvac')).toMatchObject({
    own: false,
    weights: publicWeights('hvac'),
  });
});

it('A repeated call gets the answer only of callers with the same brands', async () => {
  const { tenant, north, south } = await start();
  const asked = (brands: 'all' | Set<string>) =>
    tenantOf(db, tenant.organizationId, brands).transaction((tx) =>
      answerOnce(tx, { tool: 'apply', key: 'one', input: { brand: 'north' } }, async () => ({
        text: 'South blocks it.',
      })),
    );
  expect(await asked('all')).toMatchObject({ repeated: false });
  expect(await asked('all')).toMatchObject({ repeated: true });
  await expect(asked(new Set([north.id]))).rejects.toMatchObject({ status: 409 });
  await tenant.query('delete from idempotent_calls where organization_id = $1');
  expect(await asked(new Set([north.id, south.id]))).toMatchObject({ repeated: false });
  expect(await asked(new Set([south.id, north.id]))).toMatchObject({ repeated: true });
});
