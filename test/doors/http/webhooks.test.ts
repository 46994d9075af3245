/** The REST operations on events and webhooks. */
import { beforeEach, describe, expect, it } from 'vitest';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { EVENTS, PUBLIC_EVENT_TYPES, type EventKind } from '../../../src/people/events/catalog.ts';
import { EVENT_EXAMPLES } from '../../../src/people/events/examples.ts';
import { recordEvent } from '../../../src/people/events/events.ts';
import { webhookSecretBox } from '../../../src/territories/notify/webhooks/secrets.ts';
import { startWebhookSender } from '../../../src/territories/notify/webhooks/sender.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { testLog } from '../../support/log.ts';
import { verify, webhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db } = await testDatabase('sample', { own: true });
const receiver = await webhookReceiver();
const box = webhookSecretBox([Buffer.alloc(32, 7)]);
const app = await serveKeyed(db, { webhooks: { box, ...receiver } });

let key: string;
let tenant: TenantDatabase;

beforeEach(async () => {
  const made = await newKey(db);
  key = made.key;
  tenant = made.caller.tenant;
  receiver.received.length = 0;
  receiver.answer = (_request, res) => void res.writeHead(204).end();
});

async function call(path: string, body?: object, by = key): Promise<Record<string, any>> {
  const response = await fetch(`${app.api}/agent${path}`, {
    headers: { ...bearer(by), ...newClient(), 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

const url = () => `${receiver.origin}/hook`;

/** Runs work while events are sent. */
async function sending<T>(work: () => Promise<T>): Promise<T> {
  const parts = { db, box, fetch: receiver.fetch, log: testLog(), sendsMail: false };
  const sender = startWebhookSender(parts, 20);
  try {
    return await work();
  } finally {
    await sender.close();
  }
}

describe('the feed', () => {
  it('has every event once, in order, and continues after the last one', async () => {
    const brand = await createBrand(tenant, { name: 'North' });
    await hold(tenant, brand, DALLAS.slice(0, 2));
    const first = await call('/events?limit=1');
    expect(first).toMatchObject({
      status: 200,
      events: [
        {
          id: expect.stringMatching(/^evt_/),
          type: 'territory.requested',
          data: { brand: { name: 'North' }, zips: DALLAS.slice(0, 2) },
        },
      ],
    });
    const rest = await call(`/events?after=${first['nextAfter']}`);
    expect(rest['events'].map(({ type }: any) => type)).toEqual(['territory.approved']);
    const last = rest['nextAfter'];
    expect(await call(`/events?after=${last}`)).toMatchObject({ events: [], nextAfter: last });
    const requested = await call('/events?types=territory.requested,%20plan.applied');
    expect(requested).toMatchObject({ events: [{ type: 'territory.requested' }], nextAfter: last });
  });

  it('has no events that only people are told of', async () => {
    await tenant.transaction(async (tx) => {
      recordEvent(tx, {
        type: 'plan.edited',
        actor: { kind: 'operator', id: null, name: 'territory-admin' },
        data: { plan: { id: tx.organizationId, name: 'Texas' } },
      });
    });
    expect(await call('/events')).toMatchObject({ events: [], nextAfter: expect.any(Number) });
    expect(await call('/events?types=plan.edited')).toMatchObject({ status: 400 });
  });

  it('shows a key with some brands only their events', async () => {
    const [north, south] = [
      await createBrand(tenant, { name: 'North' }),
      await createBrand(tenant, { name: 'South' }),
    ];
    const { key: limited } = await mintKey(tenant, {
      name: 'South',
      brands: [south.id],
      mayWrite: true,
    });
    await hold(tenant, north, DALLAS.slice(0, 1));
    await hold(tenant, south, DALLAS.slice(1, 2));
    const { events, nextAfter } = await call('/events', undefined, limited);
    expect(events.map(({ data }: any) => data.brand.name)).toEqual(['South', 'South']);
    const own = { events: [], nextAfter };
    expect(await call(`/events?after=${nextAfter}`, undefined, limited)).toMatchObject(own);
    expect(await call('/webhooks', undefined, limited)).toMatchObject({
      status: 403,
      code: 'brand_out_of_scope',
    });
    // Neither a position nor the distance of two positions tells what others did.
    await hold(tenant, north, DALLAS.slice(2, 6));
    expect(await call(`/events?after=${nextAfter}`, undefined, limited)).toMatchObject(own);
    expect((await call('/events')).nextAfter).toBeGreaterThan(nextAfter);
    const started = Date.now();
    await hold(tenant, south, DALLAS.slice(6, 7));
    const next = (await call('/events', undefined, limited)).nextAfter;
    expect(next / 1_000).toBeGreaterThanOrEqual(started);
    expect(next / 1_000).toBeLessThanOrEqual(Date.now() + 1);
  });

  it('never goes back from a position beyond the last event', async () => {
    const beyond = Number.MAX_SAFE_INTEGER;
    expect(await call(`/events?after=${beyond}`)).toMatchObject({ events: [], nextAfter: beyond });
  });

  it.each(['after=-1', 'limit=0', 'limit=201', 'types=territory.sold', 'since=1'])(
    'refuses %s',
    async (query) => expect(await call(`/events?${query}`)).toMatchObject({ status: 400 }),
  );
});

describe('webhooks', () => {
  it('are created with a secret, tested, changed, rotated, and deleted', async () => {
    const brand = await createBrand(tenant, { name: 'North' });
    const made = await call('/webhooks', {
      url: url(),
      description: 'CRM',
      types: ['territory.requested', 'territory.approved'],
      brands: ['north'],
    });
    expect(made).toMatchObject({
      status: 200,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      webhook: {
        url: url(),
        description: 'CRM',
        health: 'new',
        off: null,
        createdBy: 'test',
        brands: [{ id: brand.id, slug: 'north', name: 'North' }],
      },
    });
    const { id } = made['webhook'];
    const listed = await call('/webhooks');
    expect(listed['webhooks']).toEqual([made['webhook']]);
    expect(JSON.stringify(listed)).not.toContain('whsec_');

    expect(await call(`/webhooks/${id}/test`, {})).toMatchObject({
      status: 204,
      accepted: true,
      type: 'territory.requested',
      problem: null,
    });
    const [tested] = receiver.received;
    expect(verify(made['secret'], tested!)).toMatchObject({ test: true });
    receiver.answer = (_request, res) => void res.writeHead(500).end('no');
    expect(await call(`/webhooks/${id}/test`, { type: 'share.created' })).toMatchObject({
      accepted: false,
      type: 'share.created',
      answer: 'no',
    });
    expect((await call(`/webhooks/${id}/deliveries`))['deliveries']).toEqual([]);

    expect(await call(`/webhooks/${id}`, { types: null, brands: null, on: false })).toMatchObject({
      types: null,
      brands: null,
      description: 'CRM',
      health: 'off',
      off: { because: 'person' },
    });
    const rotated = await call(`/webhooks/${id}/rotate-secret`, {});
    expect(rotated['secret']).not.toBe(made['secret']);
    expect(rotated['webhook'].oldSecretUntil).toMatch(/^\d{4}-/);
    expect(await call(`/webhooks/${id}/delete`, {})).toEqual({ status: 200, deleted: id });
    expect(await call(`/webhooks/${id}`)).toMatchObject({ status: 404 });
  });

  it('get events, whose deliveries are listed and sent again', async () => {
    const brand = await createBrand(tenant, { name: 'North' });
    const { webhook, secret } = await call('/webhooks', { url: url() });
    await sending(async () => {
      await hold(tenant, brand, DALLAS.slice(0, 1));
      await expect
        .poll(() => receiver.received.map(({ event }) => event.type))
        .toEqual(['territory.requested', 'territory.approved']);
      const { events } = await call('/events');
      expect(receiver.received.map(({ event }) => event)).toEqual(events);
      const path = `/webhooks/${webhook.id}/deliveries`;
      await expect
        .poll(async () => (await call(`${path}?state=delivered`))['deliveries'])
        .toHaveLength(2);
      const page = await call(`${path}?limit=1`);
      expect(page['deliveries']).toMatchObject([
        {
          state: 'delivered',
          attempts: 1,
          dueAt: null,
          event: events[1],
          brand: { name: 'North' },
          attempted: { status: 204, problem: null },
        },
      ]);
      const older = await call(`${path}?limit=1&cursor=${page['nextCursor']}`);
      expect(older).toMatchObject({ deliveries: [{ event: events[0] }], nextCursor: null });
      const again = await call(`${path}/${older['deliveries'][0].id}/resend`, {});
      expect(again).toMatchObject({ status: 200 });
      await expect.poll(() => receiver.received.length).toBe(3);
    });
    expect(receiver.received[2]!.body).toBe(receiver.received[0]!.body);
    expect(verify(secret, receiver.received[2]!)).toBeTruthy();
  });

  it('go only to public https addresses', async () => {
    const refusals = ['http://example.com/', 'https://10.0.0.1/', 'https://metadata.invalid/'];
    for (const address of refusals) {
      expect(await call('/webhooks', { url: address })).toMatchObject({ status: 400 });
    }
    expect(await call('/webhooks', { url: url(), brands: ['nobody'] })).toMatchObject({
      status: 404,
    });
    expect(await call('/webhooks', { url: url(), types: ['plan.edited'] })).toMatchObject({
      status: 400,
    });
  });

  it('belong to one organization', async () => {
    const { webhook } = await call('/webhooks', { url: url() });
    const other = await newKey(db);
    for (const path of ['', '/deliveries']) {
      const answer = await call(`/webhooks/${webhook.id}${path}`, undefined, other.key);
      expect(answer).toMatchObject({ status: 404 });
    }
    for (const path of [
      '',
      '/delete',
      '/rotate-secret',
      '/test',
      `/deliveries/${webhook.id}/resend`,
    ]) {
      const answer = await call(`/webhooks/${webhook.id}${path}`, {}, other.key);
      expect(answer).toMatchObject({ status: 404 });
    }
    expect((await call('/webhooks'))['webhooks']).toHaveLength(1);
  });

  it('need a key that can write', async () => {
    const { key: reading } = await mintKey(tenant, {
      name: 'Reader',
      brands: 'all',
      mayWrite: false,
    });
    expect((await callerOfKey(db, reading))!.mayWrite).toBe(false);
    expect(await call('/webhooks', undefined, reading)).toMatchObject({
      status: 403,
      code: 'write_not_entitled',
    });
    expect(await call('/events', undefined, reading)).toMatchObject({ status: 200 });
  });
});

describe('the contract', () => {
  it('has a webhook with a valid example for each event that other systems see', async () => {
    const { webhooks } = (await (await fetch(`${app.api}/openapi.json`)).json()) as {
      webhooks: Record<string, { post: any }>;
    };
    expect(Object.keys(webhooks)).toEqual(PUBLIC_EVENT_TYPES);
    for (const type of PUBLIC_EVENT_TYPES) {
      const { title, data } = EVENTS[type] as EventKind;
      const { post } = webhooks[type]!;
      expect(post.summary).toBe(title);
      const { example } = post.requestBody.content['application/json'];
      expect(example.data).toEqual(EVENT_EXAMPLES[type]);
      expect(data.strict().safeParse(example.data).error).toBeUndefined();
    }
  });
});
