/** Deliveries to a real HTTPS server: what is sent, in which order, how often, and what happens if it fails. */
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Actor } from '../../../src/people/account/caller.ts';
import { addMember } from '../../../src/people/account/members.ts';
import { encryptStored } from '../../../src/people/account/stored-secrets.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { recordEvent, type NewEvent } from '../../../src/people/events/events.ts';
import { attempt } from '../../../src/territories/notify/webhooks/attempt.ts';
import {
  listDeliveries,
  resendDelivery,
} from '../../../src/territories/notify/webhooks/deliveries.ts';
import {
  beginRound,
  claimEndpoints,
  releaseEndpoint,
} from '../../../src/territories/notify/webhooks/dispatch.ts';
import {
  checkedUrl,
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  findEndpoint,
  rotateSecret,
  type EndpointFields,
} from '../../../src/territories/notify/webhooks/endpoints.ts';
import { offMailWriters } from '../../../src/territories/notify/webhooks/off-mail.ts';
import {
  parseRetryAfter,
  RETRY_SECONDS,
  secondsToRetry,
} from '../../../src/territories/notify/webhooks/retries.ts';
import {
  WEBHOOK_SECRETS,
  signedHeaders,
  webhookSecretBox,
} from '../../../src/territories/notify/webhooks/secrets.ts';
import type { Loop } from '../../../src/base/workers/loops.ts';
import { startWebhookSender } from '../../../src/territories/notify/webhooks/sender.ts';
import type { Database } from '../../../src/base/db/database.ts';
import type { Brand } from '../../../src/territories/brands/brands.ts';
import { tally } from '../../../src/base/observe/tally.ts';
import { untilBlocked } from '../../support/blocked.ts';
import { testDatabase } from '../../support/database.ts';
import { testLog } from '../../support/log.ts';
import { verify, webhookReceiver } from '../../support/servers/webhook-receiver.ts';
import { organizationWith, reviewer } from '../brands/organization.ts';
import { requirePublicHost } from '../../../src/base/outside/public-fetch.ts';

const { db } = await testDatabase('empty');
const receiver = await webhookReceiver();
const box = webhookSecretBox([Buffer.alloc(32, 7)]);
const rita = reviewer.actor;
/** Short enough for tests */
const SCHEDULE = [0.05, 0.05];
const POLL_MS = 20;

let tenant: TenantDatabase;
let north: Brand;
let south: Brand;
const senders: Loop[] = [];

beforeEach(async () => {
  await db.query('delete from webhook_endpoints');
  receiver.received.length = 0;
  receiver.answer = (_request, res) => void res.writeHead(204).end();
  ({
    tenant,
    brands: [north, south],
  } = await organizationWith(db, 'North', 'South'));
});

afterEach(() => Promise.all(senders.splice(0).map((sender) => sender.close())));

function startSender(schedule: readonly number[] = SCHEDULE): Loop {
  const log = testLog();
  const parts = { db, fetch: receiver.fetch, box, log, sendsMail: true, schedule };
  const sender = startWebhookSender(parts, POLL_MS);
  senders.push(sender);
  return sender;
}

const create = (fields: Partial<EndpointFields> = {}) =>
  tenant.transaction((tx) =>
    createEndpoint(tx, rita, { url: `${receiver.origin}/hook`, ...fields }, box),
  );

const shared = (code: string, brand?: Brand): NewEvent => ({
  type: 'share.created',
  actor: rita as Actor & { kind: 'person' },
  brandId: brand?.id,
  data: {
    code,
    kind: 'brand' as const,
    brand: null,
    plan: null,
    title: null,
    expiresAt: '2027-01-01T00:00:00.000Z',
  },
});

const record = (...events: NewEvent[]) =>
  tenant.transaction(async (tx) => {
    for (const event of events) recordEvent(tx, event);
  });

const codeOf = ({ event }: { event: { data: object } }) => (event.data as { code: string }).code;
const codes = () => receiver.received.map(codeOf);
const statesOf = async (id: string) => {
  const { rows } = await listDeliveries(tenant, { id });
  return Object.fromEntries(rows.map((row) => [codeOf(row), row.state]));
};
const deliveryOf = async (id: string, code: string) =>
  (await listDeliveries(tenant, { id })).rows.find((row) => codeOf(row) === code)!;

describe('a webhook', () => {
  it('gets signed events from its creation on, in the format of Standard Webhooks', async () => {
    await record(shared('before', north));
    const { id, secret } = await create();
    startSender();
    await record(shared('after', north));
    await expect.poll(codes).toEqual(['after']);
    const [request] = receiver.received;
    expect(verify(secret, request!)).toEqual(request!.event);
    expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, request!)).toThrow();
    expect(request!.event).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: 'share.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      data: { code: 'after', by: { kind: 'person', name: 'Rita' } },
    });
    expect(request!.headers).toMatchObject({
      'webhook-id': request!.event.id,
      'content-type': 'application/json',
    });
    await expect
      .poll(() => findEndpoint(tenant, id))
      .toMatchObject({ health: 'working', waiting: 0, deliveredAt: expect.any(Date) });
    expect((await deliveryOf(id, 'after')).attempted).toMatchObject({ status: 204, problem: null });
  });

  it('gets only its types and brands', async () => {
    const types = await create({ types: ['share.revoked'] });
    const brands = await create({ brandIds: [south.id] });
    startSender();
    await record(
      shared('a', north),
      { ...shared('b', north), type: 'share.revoked' } as NewEvent,
      shared('c', south),
      shared('d'),
    );
    await expect.poll(() => codes().sort()).toEqual(['b', 'c']);
    await expect.poll(() => statesOf(types.id)).toEqual({ b: 'delivered' });
    await expect.poll(() => statesOf(brands.id)).toEqual({ c: 'delivered' });
  });

  it('never gets events that only people are told of', async () => {
    await create();
    startSender();
    await record(
      { type: 'plan.edited', actor: rita, data: { plan: { id: north.id, name: 'Texas' } } },
      shared('after'),
    );
    await expect.poll(codes).toEqual(['after']);
  });

  it('gets nothing of another organization', async () => {
    await create();
    startSender();
    const other = await organizationWith(db, 'Other');
    await other.tenant.transaction(async (tx) => recordEvent(tx, shared('theirs')));
    await record(shared('ours'));
    await expect.poll(codes).toEqual(['ours']);
  });

  it('can be signed with the old secret for a day after a rotation', async () => {
    const { id, secret } = await create();
    const rotated = await tenant.transaction((tx) => rotateSecret(tx, id, box));
    startSender();
    await record(shared('a'));
    await expect.poll(codes).toEqual(['a']);
    const [request] = receiver.received;
    for (const one of [secret, rotated.secret]) expect(verify(one, request!)).toBeTruthy();
    await db.query(`update webhook_endpoints set old_secret_until = now()`);
    await record(shared('b'));
    await expect.poll(codes).toEqual(['a', 'b']);
    expect(verify(rotated.secret, receiver.received[1]!)).toBeTruthy();
    expect(() => verify(secret, receiver.received[1]!)).toThrow('No matching signature');
  });

  it('stores its secrets encrypted, and encrypts plain ones at the next start', async () => {
    const plain = webhookSecretBox([]);
    const { id, secret } = await tenant.transaction((tx) =>
      createEndpoint(tx, rita, { url: 'https://a.example/' }, plain),
    );
    const { secret: newer } = await tenant.transaction((tx) => rotateSecret(tx, id, plain));
    for (const column of WEBHOOK_SECRETS) await encryptStored(db, column, box);
    const [row] = await db.query<{ id: string; secret: string; oldSecret: string }>(
      'select id, secret, old_secret as "oldSecret" from webhook_endpoints',
    );
    expect(JSON.stringify(row)).not.toMatch(/whsec_/);
    const headers = signedHeaders(row!, box, 'evt_1', '{}');
    for (const one of [secret, newer]) {
      expect(() => new Webhook(one).verify('{}', headers)).not.toThrow();
    }
  });
});

describe('order', () => {
  it('is kept within a brand while other brands go on', async () => {
    const { id } = await create();
    let isDown = true;
    receiver.answer = (request, res) => {
      const isNorth = codeOf(request).startsWith('n');
      res.writeHead(isNorth && isDown ? 503 : 204).end();
    };
    startSender(Array.from({ length: 1_000 }, () => 0.05));
    await record(shared('n1', north), shared('n2', north), shared('s1', south), shared('o1'));
    await record(shared('s2', south), shared('o2'));
    await expect
      .poll(() => statesOf(id))
      .toMatchObject({
        n1: 'retrying',
        n2: 'waiting',
        s1: 'delivered',
        s2: 'delivered',
        o2: 'delivered',
      });
    expect(codes()).not.toContain('n2');
    expect((await findEndpoint(tenant, id)).health).toBe('failing');
    isDown = false;
    await record(shared('n3', north));
    await expect.poll(() => statesOf(id)).toMatchObject({ n1: 'delivered', n3: 'delivered' });
    const unique = [...new Set(codes())];
    for (const lane of ['n', 's', 'o']) {
      const ofLane = unique.filter((code) => code.startsWith(lane));
      expect(ofLane).toEqual(ofLane.toSorted());
    }
    const { attempts } = await deliveryOf(id, 'n1');
    expect(codes().filter((code) => code === 'n1')).toHaveLength(attempts);
    expect(codes().filter((code) => code === 'n2')).toHaveLength(1);
  });

  it('is kept by several processes that share the work, without repetitions', async () => {
    const { id } = await create();
    const EVENTS = 60;
    for (let i = 0; i < 4; i++) startSender();
    for (let i = 0; i < EVENTS; i++) {
      const number = String(i).padStart(2, '0');
      await record(i % 2 === 0 ? shared(`n${number}`, north) : shared(`s${number}`, south));
    }
    await expect.poll(() => receiver.received.length).toBe(EVENTS);
    for (const lane of ['n', 's']) {
      const ofLane = codes().filter((code) => code.startsWith(lane));
      expect(ofLane).toEqual(ofLane.toSorted());
    }
    await expect.poll(async () => (await findEndpoint(tenant, id)).waiting).toBe(0);
  });

  it('continues after a process that died in the middle', async () => {
    await create();
    await record(shared('a', north), shared('b', north));
    // A process claims the webhook, makes its deliveries, and never comes back.
    const [claim] = await claimEndpoints(db, { free: 10, share: 10 });
    expect(await beginRound(db, claim!)).toMatchObject({ due: [{}] });
    startSender();
    await delay(5 * POLL_MS);
    expect(codes()).toEqual([]);
    await db.query('update webhook_endpoints set claimed_until = now()');
    await expect.poll(codes).toEqual(['a', 'b']);
  });
});

describe('failures', () => {
  /** Turns the webhook on at a receiver that works again. @returns what is delivered in all, by code */
  async function missedBy(id: string): Promise<string[]> {
    receiver.answer = (_request, res) => void res.writeHead(204).end();
    receiver.received.length = 0;
    await tenant.transaction((tx) => editEndpoint(tx, id, { on: true }));
    await expect
      .poll(() => findEndpoint(tenant, id))
      .toMatchObject({ health: 'working', waiting: 0, failed: 0 });
    return codes().toSorted();
  }
  const owner = () => addMember(tenant, { email: 'olga@example.com', name: 'Olga', role: 'owner' });
  const mails = () =>
    db.query<{ recipient: string; data: object }>(
      `select recipient, data from outbox where kind = 'webhook-off'`,
    );

  it('turn the webhook off after the last attempt, with one email to each owner', async () => {
    await owner();
    const { id } = await create();
    receiver.answer = (_request, res) => void res.writeHead(500).end('database is down');
    for (let i = 0; i < 3; i++) startSender();
    await record(shared('n1', north), shared('n2', north), shared('s1', south));
    await expect
      .poll(async () => (await findEndpoint(tenant, id)).off)
      .toMatchObject({ because: 'failing' });
    await delay(10 * POLL_MS);
    const failed = Object.values(await statesOf(id)).filter((state) => state === 'failed');
    expect(failed.length).toBeGreaterThanOrEqual(1);
    expect(codes()).not.toContain('n2');
    const first = await deliveryOf(id, failed.length === 2 ? 'n1' : codes().at(-1)!);
    expect(first.attempted).toMatchObject({ status: 500, answer: 'database is down' });
    expect(first.attempts).toBe(SCHEDULE.length + 1);
    const data = { host: new URL(receiver.origin).host, webhookId: id, because: 'failing' };
    expect(await mails()).toMatchObject([{ recipient: 'olga@example.com', data }]);

    const [mail] = await db.query<{ recipient: string; data: Record<string, unknown> }>(
      `select recipient, data from outbox where kind = 'webhook-off'`,
    );
    const writers = offMailWriters((path) => `https://territory.test${path}`);
    const written = await writers['webhook-off']!(mail!.recipient, mail!.data);
    const { letter, recipient } = written!;
    expect(recipient).toBe('olga@example.com');
    expect(letter.subject).toBe(`The webhook at ${new URL(receiver.origin).host} is off`);
    expect(letter.paragraphs.join(' ')).toContain('didn’t accept an event of Test for three days');
    expect(letter.link!.url).toBe(`https://territory.test/account/webhooks/${id}`);

    await record(shared('n3', north));
    expect(await missedBy(id)).toEqual(['n1', 'n2', 'n3', 's1']);
    expect(codes().indexOf('n2')).toBeLessThan(codes().indexOf('n3'));
    expect(codes().indexOf('n1')).toBeLessThan(codes().indexOf('n2'));
  });

  it('stop at once if the receiver is gone', async () => {
    const { id } = await create();
    receiver.answer = (_request, res) => void res.writeHead(410).end();
    startSender();
    await record(shared('a', north), shared('b', north));
    await expect.poll(async () => (await findEndpoint(tenant, id)).off?.because).toBe('gone');
    expect(codes()).toEqual(['a']);
    expect(await statesOf(id)).toEqual({ a: 'failed', b: 'waiting' });
    expect(await findEndpoint(tenant, id)).toMatchObject({ failed: 1, waiting: 1 });
    await record(shared('c', north));
    expect(await missedBy(id)).toEqual(['a', 'b', 'c']);
    expect(codes()).toEqual(['a', 'b', 'c']);
  });

  it('are brought by turning the webhook on, also if a person has turned it off meanwhile', async () => {
    const { id } = await create();
    receiver.answer = (_request, res) => {
      const off = tenant.transaction((tx) => editEndpoint(tx, id, { on: false }));
      void off.then(() => res.writeHead(410).end());
    };
    startSender();
    await record(shared('a', north), shared('b', north));
    await expect.poll(() => statesOf(id)).toEqual({ a: 'failed', b: 'waiting' });
    expect((await findEndpoint(tenant, id)).off?.because).toBe('person');
    expect(await missedBy(id)).toEqual(['a', 'b']);
    expect(codes()).toEqual(['a', 'b']);
  });

  it('wait as long as the receiver asks', async () => {
    const { id } = await create();
    receiver.answer = (_request, res) => void res.writeHead(429, { 'Retry-After': '3600' }).end();
    startSender();
    await record(shared('a'));
    await expect.poll(() => statesOf(id)).toEqual({ a: 'retrying' });
    const { dueAt } = await deliveryOf(id, 'a');
    expect(dueAt!.getTime() - Date.now()).toBeGreaterThan(3_500_000);
  });

  it('are attempts that are redirected, refused, or not answered', async () => {
    const send = (url: string, limitMs?: number) =>
      attempt(receiver.fetch, { url, headers: {}, body: '{}' }, limitMs);
    receiver.answer = (_request, res) =>
      void res.writeHead(307, { Location: 'https://example.com/' }).end();
    expect(await send(receiver.origin)).toMatchObject({
      isDelivered: false,
      status: 307,
      problem: 'The answer was 307. Redirects aren’t followed: enter the final address.',
    });
    expect(receiver.received).toHaveLength(1);
    receiver.answer = () => {};
    expect(await send(receiver.origin, 50)).toMatchObject({
      status: null,
      problem: 'No answer within 0.05 seconds.',
    });
    receiver.answer = (_request, res) => void res.socket!.destroy();
    expect((await send(receiver.origin)).problem).toMatch(/closed the connection/);
    expect((await send('https://localhost:1/')).problem).toMatch(/refused the connection/);
    expect((await send('https://10.0.0.1/')).problem).toMatch(/not a public address/);
    receiver.answer = (_request, res) => void res.writeHead(200).end('x'.repeat(100_000));
    const { isDelivered, answer } = await send(receiver.origin);
    expect([isDelivered, answer!.length]).toEqual([true, 1_024]);
    receiver.answer = (_request, res) => void res.writeHead(200).end('a\u0000b\u001b[31m');
    expect((await send(receiver.origin)).answer).toBe('a b [31m');
  });

  it('are repeated for three days, ever more rarely', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    vi.useFakeTimers({ now: Date.parse('2026-11-29T00:00:00Z'), toFake: ['Date'] });
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.useRealTimers();
    });
    const waits = RETRY_SECONDS.map((_, i) => secondsToRetry(i + 1, null)!);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    expect(waits.reduce((sum, seconds) => sum + seconds, 0) / 3600).toBeCloseTo(75.6, 1);
    expect(secondsToRetry(waits.length + 1, null)).toBeNull();
    expect(secondsToRetry(1, 120)).toBe(120);
    expect(secondsToRetry(1, 10_000_000)).toBe(24 * 3600);
    expect(secondsToRetry(2, 1)).toBe(300);
    expect(parseRetryAfter('Sun, 29 Nov 2026 00:01:00 GMT')).toBe(60);
    expect([parseRetryAfter('soon'), parseRetryAfter(null)]).toEqual([null, null]);
  });
});

describe('the places of a process', () => {
  const createTwelve = async () => {
    for (let i = 0; i < 12; i++) await create({ url: `${receiver.origin}/slow` });
    await record(shared('slow', north));
    const slow = tenant;
    ({
      tenant,
      brands: [north],
    } = await organizationWith(db, 'North'));
    return slow;
  };

  it('go to an organization only up to its share, and first to those without one', async () => {
    const slow = (await createTwelve()).organizationId;
    await create();
    await create();
    await record(shared('fast', north));
    const fast = tenant.organizationId;
    const claimed = async (room: Parameters<typeof claimEndpoints>[1]) =>
      (await claimEndpoints(db, room)).map(({ organizationId }) => organizationId).toSorted();
    expect(await claimed({ free: 2, share: 3 })).toEqual([slow, fast].toSorted());
    const held = new Map([[slow, 1]]);
    expect(await claimed({ free: 10, share: 3, held })).toEqual([slow, slow, fast].toSorted());
    expect(await claimed({ free: 10, share: 3, held: new Map([[slow, 3]]) })).toEqual([]);
  });

  it('come back although a request never ends, so that others are served', async () => {
    await createTwelve();
    const lostBefore = tally.lostPlaces.webhooks;
    const fetch: typeof receiver.fetch = (url, init) =>
      url.endsWith('/slow') ? new Promise(() => {}) : receiver.fetch(url, init);
    const limits = { count: 1, share: 1, ms: 2_000 };
    senders.push(
      startWebhookSender({ db, fetch, box, log: testLog(), sendsMail: false }, POLL_MS, limits),
    );
    await expect
      .poll(() => db.query('select from webhook_endpoints where claim is not null'))
      .toHaveLength(1);
    await create();
    await record(shared('fast', north));
    await expect.poll(codes).toContain('fast');
    expect(tally.lostPlaces.webhooks).toBeGreaterThan(lostBefore);
  });
});

describe('a person', () => {
  it('sends a delivery again, for which others don’t wait', async () => {
    const { id } = await create();
    startSender();
    await record(shared('a', north));
    await expect.poll(() => statesOf(id)).toEqual({ a: 'delivered' });
    receiver.answer = (request, res) =>
      void res.writeHead(codeOf(request) === 'a' ? 500 : 204).end();
    const { id: delivery } = await deliveryOf(id, 'a');
    await tenant.transaction((tx) => resendDelivery(tx, id, delivery));
    await record(shared('b', north));
    await expect.poll(() => statesOf(id)).toEqual({ a: 'failed', b: 'delivered' });
    expect(codes().filter((code) => code === 'a')).toHaveLength(2);
    expect(
      new Set(receiver.received.filter((one) => codeOf(one) === 'a').map(({ event }) => event.id))
        .size,
    ).toBe(1);
    expect((await findEndpoint(tenant, id)).off).toBeNull();
    receiver.answer = (_request, res) => void res.writeHead(204).end();
    await tenant.transaction((tx) => resendDelivery(tx, id, delivery));
    await expect.poll(() => statesOf(id)).toEqual({ a: 'delivered', b: 'delivered' });
  });

  it('gets events soon after a failure of the database, before the claim would end', async () => {
    const { id } = await create();
    let isDown = true;
    const flaky: Database = {
      ...db,
      transaction: (work, scope) =>
        isDown ? Promise.reject(new Error('lost')) : db.transaction(work, scope),
    };
    const sender = startWebhookSender(
      { db: flaky, box, fetch: receiver.fetch, log: testLog(), sendsMail: false },
      POLL_MS,
    );
    senders.push(sender);
    await record(shared('a', north));
    const endsSoon = async () => {
      const [row] = await db.query<{ soon: boolean | null }>(
        `select claimed_until < now() + interval '10 seconds' as soon from webhook_endpoints`,
      );
      return row!.soon;
    };
    await expect.poll(endsSoon).toBe(true);
    isDown = false;
    await expect.poll(() => statesOf(id)).toEqual({ a: 'delivered' });
  });

  it('sends again while a process finishes its turn', async () => {
    const { id } = await create();
    const sender = startSender();
    await record(shared('a', north));
    await expect.poll(() => statesOf(id)).toEqual({ a: 'delivered' });
    await sender.close();
    const { id: delivery } = await deliveryOf(id, 'a');
    await record(shared('b', south));
    const [claim] = await claimEndpoints(db, { free: 10, share: 10 });
    let release: Promise<void> | undefined;
    await tenant.transaction(async (tx) => {
      await resendDelivery(tx, id, delivery);
      await tx.query('select $1::uuid'); // Sends the deferred statements.
      release = releaseEndpoint(db, claim!);
      await untilBlocked(db, 1);
    });
    await release;
    const [webhook] = await db.query<{ due: boolean | null }>(
      'select due_at <= now() as due from webhook_endpoints where id = $1',
      [id],
    );
    expect(webhook!.due).toBe(true);
  });

  it('tries a repeated delivery now, but none behind it', async () => {
    const { id } = await create();
    receiver.answer = (_request, res) => void res.writeHead(500).end();
    startSender([3_600]);
    await record(shared('a', north), shared('b', north));
    await expect.poll(() => statesOf(id)).toEqual({ a: 'retrying', b: 'waiting' });
    const behind = await deliveryOf(id, 'b');
    await expect(
      tenant.transaction((tx) => resendDelivery(tx, id, behind.id)),
    ).rejects.toMatchObject({ status: 409 });
    receiver.answer = (_request, res) => void res.writeHead(204).end();
    const first = await deliveryOf(id, 'a');
    await tenant.transaction((tx) => resendDelivery(tx, id, first.id));
    await expect.poll(codes).toEqual(['a', 'a', 'b']);
  });

  it('turns a webhook off and on, without losing what happened in between', async () => {
    const { id } = await create();
    startSender();
    await tenant.transaction((tx) => editEndpoint(tx, id, { on: false }));
    await record(shared('a', north));
    await delay(5 * POLL_MS);
    expect(await findEndpoint(tenant, id)).toMatchObject({
      health: 'off',
      off: { because: 'person' },
    });
    expect(codes()).toEqual([]);
    await tenant.transaction((tx) => editEndpoint(tx, id, { on: true, description: ' CRM ' }));
    await expect.poll(codes).toEqual(['a']);
    expect((await findEndpoint(tenant, id)).description).toBe('CRM');
  });

  it('changes and deletes webhooks', async () => {
    const { id } = await create({ types: ['share.created'], brandIds: [north.id] });
    const edited = await tenant.transaction((tx) =>
      editEndpoint(tx, id, { url: 'https://b.example/', types: null }),
    );
    expect(edited).toMatchObject({
      url: 'https://b.example/',
      types: null,
      health: 'new',
      brands: [{ id: north.id, name: 'North', slug: 'north' }],
    });
    await tenant.transaction((tx) => deleteEndpoint(tx, id));
    await expect(findEndpoint(tenant, id)).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    'http://example.com/',
    'https://user:secret@example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://169.254.169.254/latest',
    'https://unknown.invalid/',
    'no address',
    `https://example.com/${'a'.repeat(2_000)}`,
  ])('can’t enter %s', (url) =>
    expect(checkedUrl(url, requirePublicHost)).rejects.toMatchObject({ status: 400 }),
  );

  it('can have 20 webhooks', async () => {
    for (let i = 0; i < 20; i++) await create();
    await expect(create()).rejects.toMatchObject({ status: 409 });
  });
});
