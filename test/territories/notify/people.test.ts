/** Who is told of which event, and when an email is queued. */
import { beforeEach, describe, expect, it } from 'vitest';
import { addMember, removeMember, type Member } from '../../../src/people/account/members.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import type { Actor } from '../../../src/people/account/caller.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { recordEvent } from '../../../src/people/events/events.ts';
import { dispatchEvents } from '../../../src/territories/notify/dispatch.ts';
import { notificationWriters } from '../../../src/territories/notify/letters/writers.ts';
import {
  countUnread,
  latestNotifications,
  markRead,
} from '../../../src/territories/notify/notifications.ts';
import {
  MAX_BURST_MINUTES,
  nextDaily,
  QUIET_SECONDS,
} from '../../../src/territories/notify/due-emails.ts';
import {
  DUE_EMAILS,
  NOTIFICATION_MAIL,
  queueDueEmails,
  type NotificationMail,
} from '../../../src/territories/notify/queue-emails.ts';
import { remindOfWaiting } from '../../../src/territories/notify/reminders.ts';
import { changeSettings, settingsOf } from '../../../src/territories/notify/settings.ts';
import { applyPlan } from '../../../src/territories/plans/apply.ts';
import { editPlan } from '../../../src/territories/plans/edit.ts';
import { createPlan } from '../../../src/territories/plans/plans.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { person } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';
import { DALLAS, organizationWith } from '../brands/organization.ts';
import { passTime } from './passing-time.ts';

const { db } = await testDatabase('sample', { own: true });

let tenant: TenantDatabase;
let brand: Brand;
let owner: Member;
let rita: Member;
let mel: Member;
let count = 0;

const actorOf = ({ id, name }: Member): Actor => ({ kind: 'person', id, name });
const reviewerOf = (member: Member) =>
  ({ actor: actorOf(member), role: 'reviewer', brandScope: 'all' }) as const;

beforeEach(async () => {
  await db.query('delete from outbox');
  ({
    tenant,
    brands: [brand],
  } = await organizationWith(db, 'North'));
  await tenant.query('update plans set seats = 10 where organization_id = $1');
  const join = (name: string, role: 'owner' | 'reviewer' | 'member') =>
    addMember(tenant, { ...person(`${name}${++count}`, role), name });
  owner = await join('Olga', 'owner');
  rita = await join('Rita', 'reviewer');
  mel = await join('Mel', 'member');
});

const request = (actor: Actor, zips: readonly string[] = DALLAS.slice(0, 2), note?: string) =>
  tenant.transaction((tx) => applyZips(tx, actor, brand, { zips, note }));

/** What a person is told, oldest first */
async function toldOf({ id }: Member): Promise<string[]> {
  await dispatchEvents(db);
  return (await latestNotifications(tenant, id, 100)).map(({ text }) => text).reverse();
}

interface Queued {
  recipient: string;
  data: NotificationMail;
}

const queued = () =>
  db.query<Queued>(`select recipient, data from outbox where kind = 'notifications' order by id`);

const queuedTo = async ({ email }: Member) =>
  (await queued()).filter(({ recipient }) => recipient === email);

describe('a request', () => {
  it('is told to everyone who reviews, once, except the person who made it', async () => {
    await request(actorOf(rita));
    expect(await toldOf(owner)).toEqual(['Rita requested 2 ZIP codes for North.']);
    expect(await toldOf(rita)).toEqual([]);
    expect(await toldOf(mel)).toEqual([]);
  });

  it('is told once by any number of processes', async () => {
    for (const zip of DALLAS) await request(actorOf(mel), [zip]);
    await Promise.all(Array.from({ length: 6 }, () => dispatchEvents(db)));
    expect(await toldOf(rita)).toHaveLength(DALLAS.length);
  });

  it('is told although the events of other organizations fail', async () => {
    const others: TenantDatabase[] = [];
    const fail = async () => {
      const { tenant: other } = await organizationWith(db);
      await other.query(`select record_event($1, 'territory.approved', null, null, '{}', null)`);
      others.push(other);
    };
    await fail();
    await request(actorOf(mel));
    await fail();
    await expect(dispatchEvents(db)).rejects.toThrow();
    const told = await latestNotifications(tenant, rita.id, 10);
    for (const other of others) {
      await other.query('delete from event_positions where organization_id = $1');
    }
    expect(told).toHaveLength(1);
  });

  it('that waits for three days is mentioned once more', async () => {
    const { batchId } = await request(actorOf(mel));
    const back = (days: number) =>
      tenant.query(
        `update reviews set requested_at = requested_at - $2::int * interval '1 day'
         where organization_id = $1`,
        [days],
      );
    await back(2);
    await remindOfWaiting(db);
    expect(await toldOf(rita)).toHaveLength(1);
    await back(1);
    await Promise.all([remindOfWaiting(db), remindOfWaiting(db)]);
    await back(10);
    await remindOfWaiting(db);
    expect(await toldOf(rita)).toEqual([
      'Mel requested 2 ZIP codes for North.',
      'A request of Mel has waited for three days: 2 ZIP codes for North.',
    ]);
    expect(await toldOf(mel)).toEqual([]);
    const [latest] = await latestNotifications(tenant, rita.id, 1);
    expect(latest!.path).toContain(`#request-${batchId}`);
  });

  it('is forgotten with the membership', async () => {
    await request(actorOf(mel));
    await dispatchEvents(db);
    await removeMember(tenant, rita.email);
    expect(await latestNotifications(tenant, rita.id, 10)).toEqual([]);
  });
});

describe('a decision', () => {
  it('is told to each requester with their own ZIP codes and the reason', async () => {
    const key = { name: 'Agent', brands: 'all', mayWrite: true, createdBy: mel.id } as const;
    const { id } = await mintKey(tenant, key);
    const robot: Actor = { kind: 'key', id, name: 'Agent' };
    await request(robot, DALLAS.slice(0, 2));
    await request(actorOf(owner), DALLAS.slice(2, 3));
    const pending = await tenant.query<{ id: string }>(
      'select id from reviews where organization_id = $1',
    );
    const ids = pending.map(({ id }) => id);
    await tenant.transaction((tx) => rejectReviews(tx, reviewerOf(rita), { ids }, 'Too far away'));
    expect(await toldOf(mel)).toEqual(['Rita rejected 2 ZIP codes that you requested for North.']);
    const [news] = await latestNotifications(tenant, mel.id, 1);
    expect(news!.details).toEqual([`${DALLAS[0]}, ${DALLAS[1]}.`, 'Reason: Too far away']);
    expect((await toldOf(owner)).at(-1)).toBe(
      'Rita rejected 1 ZIP code that you requested for North.',
    );
  });

  it('says which ZIP codes were requested, and that approved ones are live, with a map of them', async () => {
    const { batchId } = await request(actorOf(mel), DALLAS.slice(0, 2));
    await toldOf(rita);
    const [asked] = await latestNotifications(tenant, rita.id, 1);
    expect(asked!.details).toEqual([`${DALLAS[0]}, ${DALLAS[1]}.`]);
    await tenant.transaction((tx) => approveReviews(tx, reviewerOf(rita), { batchId: batchId! }));
    await toldOf(mel);
    const [news] = await latestNotifications(tenant, mel.id, 1);
    expect(news!.details).toEqual([`${DALLAS[0]}, ${DALLAS[1]} are live now.`]);
    expect(news!.path).toBe(`/account/map?brand=${brand.slug}&zips=${DALLAS[0]}+${DALLAS[1]}`);
  });

  it('is told to those whose ZIP codes its event doesn’t list', async () => {
    const rows = await db.query<{ zip: string }>('select zip from zips order by zip limit 1001');
    const zips = rows.map(({ zip }) => zip);
    await request(actorOf(owner), zips.slice(0, 1_000));
    await request(actorOf(mel), zips.slice(1_000));
    await tenant.transaction((tx) => approveReviews(tx, reviewerOf(rita), { brandId: brand.id }));
    const sentence = (count: string) => `Rita approved ${count} that you requested for North.`;
    expect(await toldOf(mel)).toEqual([sentence('1 ZIP code')]);
    expect((await toldOf(owner)).at(-1)).toBe(sentence('1,000 ZIP codes'));
  });

  it('isn’t told to the person who made it', async () => {
    const { batchId } = await request(actorOf(rita));
    await tenant.transaction((tx) => approveReviews(tx, reviewerOf(rita), { batchId: batchId! }));
    expect(await toldOf(rita)).toEqual([]);
  });
});

describe('a plan', () => {
  it('is told to its creator when someone else edits or applies it', async () => {
    const id = await tenant.transaction((tx) =>
      createPlan(tx, actorOf(mel), {
        name: 'Texas',
        market: 'Dallas',
        zips: DALLAS,
        dataSets: [],
        settings: { balance: 'households' } as never,
        territories: [{ number: 1, name: 'Downtown', brand, zips: DALLAS.slice(0, 2) }],
      }),
    );
    const edit = (actor: Actor, version: number) =>
      tenant.transaction((tx) => editPlan(tx, actor, id, version, { name: `Texas ${version}` }));
    await edit(actorOf(mel), 1);
    await edit(actorOf(owner), 2);
    await tenant.transaction((tx) => applyPlan(tx, actorOf(owner), id, 3));
    const key = { name: 'Own', brands: 'all', mayWrite: true, createdBy: mel.id } as const;
    const own: Actor = { kind: 'key', id: (await mintKey(tenant, key)).id, name: 'Own' };
    await edit(own, 3);
    expect(await toldOf(mel)).toEqual([
      'Olga edited your plan “Texas 2”.',
      'Olga applied your plan “Texas 2”.',
    ]);
    expect((await toldOf(owner)).filter((text) => text.includes('plan'))).toEqual([]);
  });
});

const reachThreshold = () =>
  tenant.transaction(async (tx) =>
    recordEvent(tx, {
      type: 'usage.threshold',
      data: {
        meter: 'units',
        percent: 80,
        used: 800,
        included: 1e3,
        period: '2026-11',
        resetsAt: '2026-12-01T00:00:00.000Z',
      },
    }),
  );

describe('usage', () => {
  it('is told to owners', async () => {
    await reachThreshold();
    expect(await toldOf(owner)).toEqual(['80% of this month’s units are used: 800 of 1,000.']);
    expect(await toldOf(rita)).toEqual([]);
  });
});

describe('the bell', () => {
  it('counts what the person hasn’t seen', async () => {
    await request(actorOf(mel), DALLAS.slice(0, 1));
    await request(actorOf(mel), DALLAS.slice(1, 2));
    await dispatchEvents(db);
    expect(await countUnread(tenant, rita.id)).toBe(2);
    const [latest, first] = await latestNotifications(tenant, rita.id, 2);
    await markRead(tenant, rita.id, first!.position);
    expect(await countUnread(tenant, rita.id)).toBe(1);
    expect(latest!.isRead).toBe(false);
    expect(await countUnread(tenant, owner.id)).toBe(2);
  });
});

describe('an email at once', () => {
  beforeEach(() => changeSettings(tenant, rita.id, { choices: { requests: 'now' } }));

  it('waits for a quiet minute, and comes once for a burst of 500 requests', async () => {
    const zips = await db.query<{ zip: string }>('select zip from zips order by zip limit 500');
    for (const { zip } of zips) await request(actorOf(mel), [zip]);
    await dispatchEvents(db);
    await queueDueEmails(db);
    expect(await queuedTo(rita)).toEqual([]);
    await passTime(db, `${QUIET_SECONDS} seconds`);
    await Promise.all(Array.from({ length: 5 }, () => queueDueEmails(db)));
    const mails = await queuedTo(rita);
    expect(mails).toHaveLength(1);
    const [told] = await tenant.query<{ count: number }>(
      `select count(*) as count from notifications
       where organization_id = $1 and person_id = $2 and email_id = $3`,
      [rita.id, mails[0]!.data.emailId],
    );
    expect(told!.count).toBe(500);
  });

  it('waits no longer than ten minutes while requests keep coming', async () => {
    await request(actorOf(mel), DALLAS.slice(0, 1));
    await dispatchEvents(db);
    await passTime(db, `${MAX_BURST_MINUTES} minutes`);
    await request(actorOf(mel), DALLAS.slice(1, 2));
    await dispatchEvents(db);
    await queueDueEmails(db);
    expect(await queuedTo(rita)).toHaveLength(1);
  });

  it('isn’t lost if a person gets too many in an hour', async () => {
    for (let i = 0; i < 14; i++) {
      await request(actorOf(mel), [DALLAS[0]!]);
      await tenant.transaction((tx) =>
        rejectReviews(tx, reviewerOf(owner), { brandId: brand.id }, 'No'),
      );
      await dispatchEvents(db);
      await passTime(db, '1 hour');
      await queueDueEmails(db);
    }
    expect(await queuedTo(rita)).toHaveLength(12);
    await db.query(`update outbox set queued_at = queued_at - interval '2 hours'`);
    await passTime(db, '1 hour');
    await queueDueEmails(db);
    const mails = await queuedTo(rita);
    expect(mails).toHaveLength(13);
    const unsent = await tenant.query(
      'select from notifications where organization_id = $1 and person_id = $2 and email_id is null',
      [rita.id],
    );
    expect(unsent).toEqual([]);
  });

  it('isn’t sent for what is older than three days, such as before the service sent email', async () => {
    await request(actorOf(mel));
    await dispatchEvents(db);
    await passTime(db, '3 days');
    await queueDueEmails(db);
    expect(await queued()).toEqual([]);
  });
});

describe('what is due', () => {
  it('is found by an index, however many notifications and members wait for their hour', async () => {
    const undo = new Error('rolled back');
    const looking = db.transaction(async (tx) => {
      const ids = `select md5('due' || i)::uuid as id, i from generate_series(1, 20000) as i`;
      await tx.query(
        `insert into people (id, email, name, password_hash)
         select id, 'p' || i || '@example.com', 'P', '' from (${ids}) added`,
      );
      await tx.query(
        `insert into memberships (organization_id, person_id, role)
         select $1, id, 'member' from (${ids}) added`,
        [tenant.organizationId],
      );
      await tx.query(
        `insert into due_emails select $1, id, 'requests', now() + i * interval '1 second'
         from (${ids}) added`,
        [tenant.organizationId],
      );
      await tx.query('analyze due_emails, people');
      const plan = await tx.query<{ 'QUERY PLAN': string }>(`explain ${DUE_EMAILS}`);
      const text = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(text).toContain('Index Scan using due_emails_due on due_emails');
      expect(text).not.toMatch(/Seq Scan|on notifications/);
      throw undo;
    });
    await expect(looking).rejects.toBe(undo);
  });

  it('has no row of members who never want an email', async () => {
    for (const { id } of [owner, rita]) {
      await changeSettings(tenant, id, { choices: { requests: 'never' } });
    }
    await request(actorOf(mel));
    await dispatchEvents(db);
    const due = () => tenant.query('select topic from due_emails where organization_id = $1');
    expect(await due()).toEqual([]);
    await changeSettings(tenant, rita.id, { choices: { requests: 'daily' } });
    expect(await due()).toHaveLength(1);
    await changeSettings(tenant, rita.id, { choices: { requests: 'never' } });
    expect(await due()).toEqual([]);
  });
});

describe('a queued email', () => {
  it('isn’t sent if the person meanwhile stopped the topic, or has another role', async () => {
    const write = async () => {
      const [{ recipient, data }] = (await queuedTo(owner)) as [Queued];
      const writers = notificationWriters({ db, renderer: undefined as never, page: String });
      return writers[NOTIFICATION_MAIL]!(recipient, { ...data });
    };
    await reachThreshold();
    await dispatchEvents(db);
    await passTime(db, '2 minutes');
    await queueDueEmails(db);
    expect(await write()).toMatchObject({ recipient: owner.email });
    await changeSettings(tenant, owner.id, { choices: { usage: 'never' } });
    expect(await write()).toBeNull();
    await changeSettings(tenant, owner.id, { choices: { usage: 'now' } });
    await tenant.query(
      `update memberships set role = 'member' where organization_id = $1 and person_id = $2`,
      [owner.id],
    );
    expect(await write()).toBeNull();
  });
});

describe('a daily email', () => {
  /** The hour in a time zone now */
  const hourIn = async (zone: string) =>
    (
      await db.query<{ hour: number }>(
        'select extract(hour from now() at time zone $1)::int as hour',
        [zone],
      )
    )[0]!.hour;

  it.each([
    ['comes at the hour of the day', 8, '2026-06-10T11:59Z', '2026-06-10T12:00Z'],
    ['comes at once at the hour', 8, '2026-06-10T12:00Z', '2026-06-10T12:00Z'],
    ['comes the next day after the hour', 8, '2026-06-10T12:01Z', '2026-06-11T12:00Z'],
    ['comes at the same hour in winter', 8, '2026-01-10T12:59Z', '2026-01-10T13:00Z'],
    ['comes an hour later if the hour is skipped', 2, '2026-03-08T06:59Z', '2026-03-08T07:00Z'],
    ['comes at the hour of the next day after that', 2, '2026-03-08T07:01Z', '2026-03-09T06:00Z'],
    ['comes the second time if the hour occurs twice', 1, '2026-11-01T05:30Z', '2026-11-01T06:00Z'],
  ])('%s', async (_case, hour, from, due) => {
    const [row] = await db.query<{ at: Date }>(
      `select ${nextDaily('$1::timestamptz')} as at
       from (select 'America/New_York' as zone, $2::int * interval '1 hour' as hour) member`,
      [from, hour],
    );
    expect(row!.at).toEqual(new Date(due));
  });

  it('comes after the chosen hour of the person’s time zone, once a day', async () => {
    const zone = 'Pacific/Honolulu';
    const hour = await hourIn(zone);
    await changeSettings(tenant, rita.id, { timeZone: zone, digestHour: (hour + 1) % 24 });
    await request(actorOf(mel));
    await dispatchEvents(db);
    await queueDueEmails(db);
    expect(await queuedTo(rita)).toEqual([]);
    // The hour began after the request.
    await changeSettings(tenant, rita.id, { digestHour: hour });
    await passTime(db, '1 day');
    await queueDueEmails(db);
    await queueDueEmails(db);
    expect(await queuedTo(rita)).toMatchObject([{ data: { topic: 'requests' } }]);
  });

  it('is the default for requests, at 8:00 in the East, while decisions come at once', async () => {
    expect(await settingsOf(tenant, rita.id)).toEqual({
      timeZone: null,
      digestHour: 8,
      choices: {
        requests: 'daily',
        decisions: 'now',
        terms: 'now',
        plans: 'now',
        boundaries: 'now',
        census: 'daily',
        usage: 'now',
      },
    });
  });
});

describe('settings', () => {
  it('stop a topic, and refuse what doesn’t exist', async () => {
    await changeSettings(tenant, rita.id, { choices: { requests: 'never' } });
    await request(actorOf(mel));
    await dispatchEvents(db);
    await passTime(db, '2 days');
    await queueDueEmails(db);
    expect(await queuedTo(rita)).toEqual([]);
    expect(await queuedTo(owner)).toHaveLength(1);
    const change = (settings: object) => changeSettings(tenant, rita.id, settings);
    await expect(change({ timeZone: 'Mars/Olympus' })).rejects.toThrow('time zones in the list');
    await expect(change({ digestHour: 24 })).rejects.toThrow('full hour');
    await expect(change({ choices: { requests: 'hourly' } })).rejects.toThrow('for each topic');
    expect((await settingsOf(tenant, rita.id)).choices.requests).toBe('never');
  });
});
