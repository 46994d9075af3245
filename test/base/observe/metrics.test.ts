/** Metrics of the service on a real database, read as Prometheus reads them. */
import { afterAll, describe, expect, it } from 'vitest';
import { claimMail, finishMail, postponeMail, queueMail } from '../../../src/people/mail/outbox.ts';
import { createMetrics } from '../../../src/base/observe/metrics.ts';
import { memoryShares } from '../../../src/base/workers/memory.ts';
import { serveMetrics } from '../../../src/base/observe/metrics-server.ts';
import { backlogOf } from '../../../src/run/start/metrics.ts';
import { tally } from '../../../src/base/observe/tally.ts';
import { testDatabase } from '../../support/database.ts';
import { newKey, serveKeyed } from '../../support/keyed-app.ts';

const { db } = await testDatabase('sample');
const stats = { queued: 2, running: 1, done: 40, failed: 3, lost: 1 };
let shown: object | null = {};
const metrics = createMetrics({
  renderer: { engine: 'canvas', stats },
  streets: { current: () => shown, stats: { read: 7, remembered: 5, lost: 2, damaged: 1 } },
  poolUse: () => ({ open: 5, idle: 3, waiting: 4, max: 10 }),
  backlog: backlogOf(db),
});
const { api } = await serveKeyed(db, { observer: metrics.observer });
const server = await serveMetrics(
  { host: '127.0.0.1', port: 0, contentType: metrics.contentType },
  () => metrics.metrics(),
);
afterAll(() => server.close());

/** The samples of a scrape, by name with labels */
async function scrape(): Promise<Record<string, number>> {
  const response = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toMatch(/^text\/plain; version=/);
  const lines = (await response.text()).split('\n').filter((line) => /^[a-z]/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

const requests = (operation: string, status: number | string) =>
  `territory_http_requests_total{operation="${operation}",status="${status}"}`;

describe('/metrics', () => {
  it('counts requests by operation and status, and times them', async () => {
    for (const path of ['/public/vertical/roofing', '/public/vertical/roofing', '/public/zip/1']) {
      await (await fetch(api + path)).text();
    }
    await expect
      .poll(scrape)
      .toMatchObject({
        [requests('getPublicVertical', 200)]: 2,
        [requests('getPublicZipProfile', 400)]: 1,
        'territory_http_request_duration_seconds_count{operation="getPublicVertical"}': 2,
        'territory_http_request_duration_seconds_bucket{le="+Inf",operation="getPublicVertical"}': 2,
        territory_http_requests_running: 0,
      });
  });

  it('shows what parts of the service may take, and what pictures and jobs set aside', async () => {
    const shown = await scrape();
    const of = (name: string, part: string) =>
      shown[`territory_memory_${name}_bytes{part="${part}"}`]!;
    for (const part of ['program', 'cache', 'drawing', 'jobs']) {
      expect(of('budget', part)).toBeGreaterThan(24 * 2 ** 20);
    }
    expect(of('used', 'drawing')).toBe(memoryShares().drawingMb * 2 ** 20);
    expect(of('used', 'cache')).toBeLessThan(of('budget', 'cache'));
    expect(of('used', 'jobs')).toBe(0);
  });

  it('says whether maps show streets, and counts tiles and failures', async () => {
    expect(await scrape()).toMatchObject({
      territory_streets_shown: 1,
      'territory_streets_tiles_total{origin="archive"}': 7,
      'territory_streets_tiles_total{origin="memory"}': 5,
      'territory_streets_failures_total{failure="unreadable"}': 2,
      'territory_streets_failures_total{failure="damaged-tile"}': 1,
    });
    shown = null;
    expect(await scrape()).toMatchObject({ territory_streets_shown: 0 });
  });

  it('counts paths without an operation together, so that probes add no metrics', async () => {
    for (let i = 0; i < 20; i++) await fetch(`${api}/wp-admin-${i}.php`);
    await expect.poll(scrape).toMatchObject({ [requests('unmatched', 404)]: 20 });
    expect(JSON.stringify(await scrape())).not.toContain('wp-admin');
  });

  it('counts clients that disconnect', async () => {
    const controller = new AbortController();
    const answer = fetch(`${api}/map-context?bbox=-125,24,-66,50&zoom=4`, {
      signal: controller.signal,
    }).catch(() => 'aborted');
    await expect.poll(scrape).toMatchObject({ territory_http_requests_running: 1 });
    controller.abort();
    expect(await answer).toBe('aborted');
    await expect.poll(scrape).toMatchObject({ [requests('getMapContext', 'aborted')]: 1 });
  });

  it('shows the pool, pictures, caches, and the event loop', async () => {
    const { hit } = tally.cache;
    await (await fetch(`${api}/public/vertical/roofing`)).text();
    expect(tally.cache.hit).toBeGreaterThan(hit);
    expect(await scrape()).toMatchObject({
      territory_database_connections_max: 10,
      territory_database_connections_busy: 2,
      territory_database_connections_idle: 3,
      territory_database_waiting: 4,
      territory_render_queued: 2,
      territory_render_running: 1,
      'territory_render_pictures_total{outcome="drawn"}': 40,
      'territory_render_pictures_total{outcome="failed"}': 3,
      'territory_render_workers_lost_total{engine="canvas"}': 1,
      'territory_cache_requests_total{result="hit"}': tally.cache.hit,
      nodejs_eventloop_lag_p99_seconds: expect.any(Number),
    });
  });

  it('counts units by tool, and shows reviews waiting and units of all organizations', async () => {
    const { key } = await newKey(db);
    const before = tally.units.get('service_get_zip_profile') ?? 0;
    const answer = await fetch(`${api}/mcp`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'service_get_zip_profile', arguments: { zip: '75201' } },
      }),
    });
    expect(answer.status).toBe(200);
    expect(await scrape()).toMatchObject({
      'territory_units_charged_total{tool="service_get_zip_profile"}': before + 1,
      territory_database_up: 1,
      territory_reviews_waiting: 0,
      territory_units_used: expect.any(Number),
    });
  });

  it('is the only page on its port', async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/`);
    expect(response.status).toBe(404);
  });
});

describe('the backlog', () => {
  it('counts waiting emails and has the age of the oldest', async () => {
    const before = { ...tally.mail };
    expect(await backlogOf(db)()).toMatchObject({ mails: 0, oldestMailSeconds: 0 });
    for (const name of ['sent', 'late', 'new']) {
      await queueMail(db, { kind: 'alert', recipient: `${name}@example.com`, hours: 1 });
    }
    const [sent, late] = [(await claimMail(db))!, (await claimMail(db))!];
    await finishMail(db, sent, 'sent');
    await postponeMail(db, late, 60, 'busy');
    await db.query(`update outbox set queued_at = now() - interval '90 s' where id = $1`, [
      late.id,
    ]);
    const backlog = await backlogOf(db)();
    expect(backlog).toMatchObject({ mails: 2 });
    expect(backlog!.oldestMailSeconds).toBeGreaterThanOrEqual(90);
    const { sent: sentBefore, retried } = before;
    expect(tally.mail).toEqual({ ...before, sent: sentBefore + 1, retried: retried + 1 });
    expect(await scrape()).toMatchObject({
      'territory_mails_total{outcome="sent"}': sentBefore + 1,
      'territory_mails_total{outcome="refused"}': before.refused,
      territory_mails_waiting: expect.any(Number),
      territory_mails_oldest_seconds: expect.any(Number),
    });
  });

  it('is unknown, and omitted, while the database can’t be reached', async () => {
    const broken = backlogOf({ query: () => Promise.reject(new Error('gone')) });
    expect(await broken()).toBeNull();
    const bare = createMetrics({ renderer: { engine: 'canvas', stats }, backlog: broken });
    const text = await bare.metrics();
    expect(text).not.toMatch(/^territory_reviews_waiting/m);
    expect(text).toMatch(/^territory_database_up 0$/m);
  });
});
