/** The pages of webhooks, used without scripts. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '../../../src/people/account/caller.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { listDeliveries } from '../../../src/territories/notify/webhooks/deliveries.ts';
import { listEndpoints } from '../../../src/territories/notify/webhooks/endpoints.ts';
import { webhookSecretBox } from '../../../src/territories/notify/webhooks/secrets.ts';
import { startWebhookSender } from '../../../src/territories/notify/webhooks/sender.ts';
import { createBrand, type Brand } from '../../../src/territories/brands/brands.ts';
import { newOrganization } from '../../people/account/organizations.ts';
import { testDatabase } from '../../support/database.ts';
import { serveKeyed } from '../../support/keyed-app.ts';
import { testLog } from '../../support/log.ts';
import { verify, webhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { Visitor } from '../../support/visitor.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample', { own: true });
const receiver = await webhookReceiver();
const box = webhookSecretBox([Buffer.alloc(32, 7)]);
const app = await serveKeyed(db, { webhooks: { box, ...receiver } });
const SITE = `http://127.0.0.1:${app.port}`;

let tenant: TenantDatabase;
let brand: Brand;
let pat: Visitor;

/** A signed-in member. Skips the password, whose hash takes a second. */
async function signInMember(role: Role): Promise<Visitor> {
  const visitor = new Visitor(SITE);
  const { id } = await addMember(tenant, { email: visitor.email, name: 'Pat', role });
  visitor.cookie = `session=${await startSession(db, id, { userAgent: '', client: '' })}`;
  return visitor;
}

beforeEach(async () => {
  ({ tenant } = await newOrganization(db));
  pat = await signInMember('owner');
  brand = await createBrand(tenant, { name: 'Lone <Star>' });
  receiver.received.length = 0;
  receiver.answer = (_request, res) => void res.writeHead(204).end();
});

const create = (more: Record<string, string> = {}) =>
  pat.post('/account/webhooks', {
    url: `${receiver.origin}/hook`,
    description: 'CRM & more',
    events: 'all',
    scope: 'all',
    ...more,
  });

const only = async () => (await listEndpoints(tenant))[0]!;
const pageOf = async (path = '') => `/account/webhooks/${(await only()).id}${path}`;
const secretIn = (html: string) => /value="(whsec_[^"]+)"/.exec(html)![1]!.replaceAll('&#61;', '=');

/** Sends what waits. */
async function deliver(done: () => Promise<boolean>): Promise<void> {
  const parts = { db, box, fetch: receiver.fetch, log: testLog(), sendsMail: false };
  const sender = startWebhookSender(parts, 20);
  await expect.poll(done).toBe(true);
  await sender.close();
}

describe('the list', () => {
  it('adds a webhook, and shows its secret once', async () => {
    const { status, html } = await create({ events: 'some', type: 'territory.approved' });
    expect(status).toBe(200);
    const secret = secretIn(html);
    expect(html).toContain('Secret of CRM &amp; more');
    expect(await only()).toMatchObject({ types: ['territory.approved'], brands: null });
    const again = await pat.get('/account/webhooks');
    expect(again.html).toContain('Nothing sent yet');
    expect(again.html).not.toContain(secret);
  });

  it('shows problems at the fields', async () => {
    const { status, html } = await create({ events: 'some', url: 'https://10.0.0.1/' });
    expect(status).toBe(400);
    expect(html).toContain('Choose at least one event, or choose all events above.');
    const privateHost = await create({ url: 'https://10.0.0.1/' });
    expect(privateHost.html).toMatch(/id="url-problem">Webhooks are sent to public addresses/);
    expect(privateHost.html).toContain('value="https://10.0.0.1/"');
    expect(await listEndpoints(tenant)).toEqual([]);
  });

  it('is for owners and admins', async () => {
    await create();
    const reviewer = await signInMember('reviewer');
    const { html } = await reviewer.get('/account/webhooks');
    expect(html).toContain('This needs the role owner or admin.');
    expect(html).not.toContain(receiver.origin);
    expect((await reviewer.get(await pageOf())).status).toBe(403);
    expect((await reviewer.post(await pageOf('/delete'))).status).toBe(403);
    expect(await listEndpoints(tenant)).toHaveLength(1);
  });
});

describe('a webhook', () => {
  it('shows deliveries with their answers, and sends one again', async () => {
    await create();
    receiver.answer = (_request, res) => void res.writeHead(503).end('<b>down</b>');
    await hold(tenant, brand, DALLAS.slice(0, 1));
    await deliver(async () => (await only()).health === 'failing');
    const { html } = await pat.get(await pageOf());
    expect(html).toContain('ZIP codes requested');
    expect(html).toContain('The answer was 503. Answer with 2xx to accept an event.');
    expect(html).toContain('Behind an earlier event of its brand');
    expect(html).toContain('Lone &lt;Star&gt;');
    expect((await pat.get(await pageOf('?state=delivered'))).html).toContain('None.');

    receiver.answer = (_request, res) => void res.writeHead(200).end();
    const { rows } = await listDeliveries(tenant, await only(), { state: 'retrying' });
    const sent = await pat.post(await pageOf('/resend'), { delivery: rows[0]!.id });
    expect(sent.to).toBe(`${await pageOf('?done=delivery-resent')}`);
    await deliver(async () => (await only()).waiting === 0);
    expect((await pat.get(await pageOf())).html).toMatch(/Working[^]*Delivered[^]*200, \d+ ms/);
  });

  it('gets a test event, whose answer is shown', async () => {
    const secret = secretIn((await create()).html);
    const { html } = await pat.post(await pageOf('/test'));
    expect(html).toMatch(/The receiver accepted the test event \(204, \d+ ms\)/);
    expect(verify(secret, receiver.received[0]!)).toMatchObject({ test: true });
    receiver.answer = (_request, res) => void res.writeHead(401).end('<i>signature</i>');
    const refused = await pat.post(await pageOf('/test'));
    expect(refused.html).toContain('The answer was 401.');
    expect(refused.html).toContain('&lt;i&gt;signature&lt;/i&gt;');
  });

  it('is changed, turned off and on, rotated, and deleted', async () => {
    const first = secretIn((await create()).html);
    const fields = { url: `${receiver.origin}/new`, events: 'all', scope: 'some', brand: brand.id };
    expect((await pat.post(await pageOf('/edit'), fields)).status).toBe(303);
    expect(await only()).toMatchObject({
      url: fields.url,
      brands: [{ id: brand.id }],
      description: null,
    });
    const wrong = await pat.post(await pageOf('/edit'), { ...fields, url: 'http://a.example/' });
    expect(wrong.html).toMatch(/<details class="changing" open>[^]*starts with https/);
    await pat.post(await pageOf('/switch'), { on: 'no' });
    expect((await pat.get(await pageOf())).html).toContain('Turn on');
    await pat.post(await pageOf('/switch'), { on: 'yes' });
    expect((await only()).off).toBeNull();
    const { html } = await pat.post(await pageOf('/rotate'));
    expect(secretIn(html)).not.toBe(first);
    expect(html).toContain('Also signs until');
    const deleted = await pat.post(await pageOf('/delete'));
    expect(deleted.to).toBe('/account/webhooks?done=webhook-deleted');
    expect(await listEndpoints(tenant)).toEqual([]);
  });
});
