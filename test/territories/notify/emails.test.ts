/** The emails and pages about events, through a real SMTP server. */
import { beforeEach, describe, expect, it } from 'vitest';
import { memberByEmail } from '../../../src/people/account/members.ts';
import { timeZoneOf } from '../../../src/people/account/days/as-of.ts';
import { tenantOf, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import { dispatchEvents } from '../../../src/territories/notify/dispatch.ts';
import { queueDueEmails } from '../../../src/territories/notify/queue-emails.ts';
import { changeSettings, settingsOf } from '../../../src/territories/notify/settings.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { createGroup } from '../../../src/territories/brands/groups/groups.ts';
import { approveReviews, rejectReviews } from '../../../src/territories/brands/review.ts';
import { testDatabase } from '../../support/database.ts';
import { serveMailing } from '../../support/mailing-app.ts';
import { PASSWORD, Visitor } from '../../support/visitor.ts';
import { agent, DALLAS, reviewer } from '../brands/organization.ts';
import { passTime } from './passing-time.ts';

const { db } = await testDatabase('sample', { own: true });
const { site, mailTo, allSent, smtp } = await serveMailing(db);

let owner: Visitor;
let ownerId: string;
let tenant: TenantDatabase;
let north: Brand;

beforeEach(async () => {
  owner = new Visitor(site);
  const fields = { organization: 'Lone Star', name: 'Olga', email: owner.email };
  await owner.post('/signup', { ...fields, password: PASSWORD });
  const path = (await mailTo(owner)).links[0]!.slice(site.length);
  await owner.post(path, { password: PASSWORD });
  const [row] = await db.query<{ organization: string }>(
    `select organization_id as organization from memberships
     join people on people.id = person_id where email = $1`,
    [owner.email],
  );
  tenant = tenantOf(db, row!.organization);
  ownerId = (await memberByEmail(tenant, owner.email)).id;
  north = await createBrand(tenant, { name: 'North' });
  await changeSettings(tenant, ownerId, { choices: { requests: 'now' } });
});

const request = (brand: Brand, zips: readonly string[], note?: string) =>
  tenant.transaction((tx) => applyZips(tx, agent, brand, { zips, note }));

/** Dispatches and sends what was recorded, as if the quiet minute had passed. */
async function send(): Promise<void> {
  await dispatchEvents(db);
  await passTime(db, '2 minutes');
  await queueDueEmails(db);
}

describe('an email about requests', () => {
  it('names the requester, the brand, the ZIP codes, and their effect, with a map', async () => {
    const south = await createBrand(tenant, { name: 'South' });
    await request(south, DALLAS.slice(0, 1));
    await tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: south.id }));
    const { batchId } = await request(north, DALLAS.slice(0, 3), 'Next to our crews');
    await send();
    const mail = await mailTo(owner);
    expect(mail.headers.subject).toBe('Review: 3 ZIP codes for North');
    const text = mail.text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`Agent requested ${DALLAS.slice(0, 3).join(', ')}.`);
    expect(text).toContain('“Next to our crews”');
    expect(text).toMatch(/It adds [\d,]+ households, for [\d,]+ in all\./);
    expect(text).toMatch(/The territory (?:would have|stays in) \d/);
    expect(text).toContain(`South already holds ${DALLAS[0]}.`);
    const review = mail.links.find((link) => link.includes(`#request-${batchId}`))!;
    const [address] = review.split('#');
    const page = await owner.get(address!.slice(site.length));
    expect(page.html).toContain(`id="request-${batchId}"`);
    // The HTML shows the picture that came with the message, and loads nothing else.
    const [[cid, bytes]] = [...mail.pictures] as [[string, Buffer]];
    expect(mail.html).toContain(`src="cid:${cid}"`);
    expect(mail.html.match(/src="(?!cid:)/g)).toBeNull();
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1_120, 600]);
    expect(mail.html).toContain('alt="Map of 3 ZIP codes requested for North"');
  });

  it('says which ZIP codes a rule doesn’t let anyone approve', async () => {
    const south = await createBrand(tenant, { name: 'South' });
    await request(north, DALLAS.slice(0, 2));
    await request(south, DALLAS.slice(0, 1));
    await tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: south.id }));
    const operator = { kind: 'operator', id: null, name: 'Op' } as const;
    await tenant.transaction((tx) =>
      createGroup(tx, operator, { name: 'Franchisees', rule: 'block', brands: ['north', 'south'] }),
    );
    await send();
    expect((await mailTo(owner)).text.replaceAll(/\s+/g, ' ')).toContain(
      `These can’t be approved: ${DALLAS[0]}: held by South, and the group "Franchisees" blocks overlaps.`,
    );
  });

  it('shows the first of many requests, and counts the others', async () => {
    for (let i = 0; i < 12; i++) {
      const brand = await createBrand(tenant, { name: `Brand ${i}` });
      await request(brand, [DALLAS[i % DALLAS.length]!]);
    }
    await send();
    const mail = await mailTo(owner);
    expect(mail.headers.subject).toBe('12 requests to review');
    expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(
      'Here are the first 10. 2 more are in the queue.',
    );
    expect(mail.html.match(/<h2 /g)).toHaveLength(10);
    expect(mail.pictures.size).toBe(5);
  });

  it('isn’t sent if nothing waits anymore', async () => {
    await request(north, DALLAS.slice(0, 1));
    await dispatchEvents(db);
    await tenant.transaction((tx) => rejectReviews(tx, reviewer, { brandId: north.id }, 'No'));
    await send();
    await allSent();
    expect(smtp.received.filter(({ to }) => to === owner.email)).toEqual([]);
  });
});

describe('an email about a decision', () => {
  it('says what was decided, and why', async () => {
    const actor = { kind: 'person', id: ownerId, name: 'Olga' } as const;
    await tenant.transaction((tx) => applyZips(tx, actor, north, { zips: DALLAS.slice(0, 2) }));
    await tenant.transaction((tx) =>
      rejectReviews(tx, reviewer, { brandId: north.id }, 'Too far from the crews'),
    );
    await send();
    const mail = await mailTo(owner);
    expect(mail.headers.subject).toBe('Rita rejected 2 ZIP codes that you requested for North');
    expect(mail.text).toContain('Reason: Too far from the crews');
  });

  it('is one email for several', async () => {
    const actor = { kind: 'person', id: ownerId, name: 'Olga' } as const;
    for (const zip of DALLAS.slice(0, 3)) {
      await tenant.transaction((tx) => applyZips(tx, actor, north, { zips: [zip] }));
      await tenant.transaction((tx) => approveReviews(tx, reviewer, { brandId: north.id }));
    }
    await send();
    const mail = await mailTo(owner);
    expect(mail.headers.subject).toBe('Decisions on your requests: 3 updates');
    expect(mail.html.match(/<h2 /g)).toHaveLength(3);
  });
});

describe('unsubscribing', () => {
  it('takes one POST of a mail program, from any origin and without a sign-in', async () => {
    await request(north, DALLAS.slice(0, 1));
    await send();
    const mail = await mailTo(owner);
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    const url = mail.headers['list-unsubscribe']!.slice(1, -1);
    expect(url.startsWith(`${site}/unsubscribe/`)).toBe(true);

    // Programs that check the links of emails only open them.
    const page = await new Visitor(site).get(url.slice(site.length));
    expect(page.status).toBe(200);
    expect(page.html.replaceAll(/\s+/g, ' ')).toContain(
      `Stop emails to ${owner.email} about “Requests to review” of <strong>Lone Star</strong>?`,
    );
    expect((await settingsOf(tenant, ownerId)).choices.requests).toBe('now');

    const body = new FormData();
    body.set('List-Unsubscribe', 'One-Click');
    const origin = { Origin: 'https://mail.example' };
    const done = await fetch(url, { method: 'POST', body, headers: origin });
    expect(done.status).toBe(200);
    expect((await settingsOf(tenant, ownerId)).choices).toMatchObject({
      requests: 'never',
      decisions: 'now',
    });
    const again = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    expect((await fetch(url, { method: 'POST', body: again })).status).toBe(200);
  });

  it('refuses a made-up link', async () => {
    const made = await new Visitor(site).get(`/unsubscribe/${'a'.repeat(43)}`);
    expect(made.status).toBe(404);
    expect(made.html).toContain('This link is not valid.');
  });
});

describe('the page of notifications', () => {
  it('lists what is new, which the bell counts until the page was seen', async () => {
    await request(north, DALLAS.slice(0, 2), 'Growing');
    await dispatchEvents(db);
    const before = (await owner.get('/account')).html;
    expect(before).toMatch(/Notifications, 1 new/);
    const page = (await owner.get('/account/notifications')).html.replaceAll(/\s+/g, ' ');
    expect(page).toContain('Agent requested 2 ZIP codes for North.');
    expect(page).toContain('Note: Growing');
    expect((await owner.get('/account')).html).not.toContain('1 new');
  });

  it('takes the time zone of the browser, until the person chooses one', async () => {
    const zoned = (zone: string) => {
      const { cookie } = owner;
      return owner.get('/account', { Cookie: `${cookie}; time-zone=${zone}` });
    };
    await zoned('Mars/Olympus');
    expect((await settingsOf(tenant, ownerId)).timeZone).toBeNull();
    await zoned('America/Detroit');
    await zoned('America/Denver');
    expect((await settingsOf(tenant, ownerId)).timeZone).toBe('America/Detroit');
    const { html } = await owner.get('/account/notifications');
    expect(html).toContain('<option value="America/Detroit" selected>America/Detroit</option>');
    const kept = { hour: '9', 'time-zone': 'America/Detroit' };
    expect((await owner.post('/account/notifications', kept)).status).toBe(303);
  });

  it('lets the days of an organization begin where its first browser is', async () => {
    const cookie = (zone: string) => ({ Cookie: `${owner.cookie}; time-zone=${zone}` });
    expect(await timeZoneOf(tenant)).toBe('America/New_York');
    await owner.get('/account', cookie('America/Denver'));
    expect(await timeZoneOf(tenant)).toBe('America/Denver');
    await changeSettings(tenant, ownerId, { timeZone: 'America/Chicago' });
    await owner.get('/account', cookie('America/Phoenix'));
    expect(await timeZoneOf(tenant)).toBe('America/Denver');
  });

  it('saves what a person chose', async () => {
    const fields = { 'email-requests': 'never', 'email-usage': 'daily', hour: '17' };
    const zone = { 'time-zone': 'America/Denver' };
    const saved = await owner.post('/account/notifications', { ...fields, ...zone });
    expect(saved).toMatchObject({ status: 303, to: '/account/notifications?done=emails-saved' });
    expect(await settingsOf(tenant, ownerId)).toEqual({
      timeZone: 'America/Denver',
      digestHour: 17,
      choices: {
        requests: 'never',
        decisions: 'now',
        terms: 'now',
        plans: 'now',
        boundaries: 'now',
        census: 'daily',
        usage: 'daily',
      },
    });
    const { html } = await owner.get('/account/notifications');
    expect(html).toContain('<option value="America/Denver" selected>');
    const wrong = await owner.post('/account/notifications', { ...fields, 'time-zone': 'Mars' });
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('Choose one of the time zones in the list.');
  });
});
