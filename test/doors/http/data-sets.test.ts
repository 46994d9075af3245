/** The REST operations on data sets. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { readdirSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mintKey } from '../../../src/people/account/keys.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { geocoderFrom } from '../../../src/data/geocoding/geocoder.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { usageOf } from '../../people/metering/usage.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase, testFolder } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { hold } from '../../territories/brands/holding.ts';
import { DALLAS } from '../../territories/brands/organization.ts';

const { db, env } = await testDatabase('sample');
/** Answers every address with the same place in Dallas, or not at all. */
let isGeocoderDown = false;
const geocodingServer = createServer((_, response) => {
  response.writeHead(isGeocoderDown ? 500 : 200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify([{ lat: '32.787', lon: '-96.799', display_name: 'x', address: {} }]));
});
await new Promise<void>((resolve) => geocodingServer.listen(0, '127.0.0.1', resolve));
afterAll(() => geocodingServer.close());
const url = `http://127.0.0.1:${(geocodingServer.address() as AddressInfo).port}`;
const app = await serveKeyed(db, { geocoder: geocoderFrom({ url, engine: 'nominatim' }) });
const { key, caller } = await newKey(db);
const [A, B, C] = DALLAS as [string, string, string];

const request = (path = '', init: RequestInit = {}, by = key) =>
  fetch(`${app.api}/agent/data-sets${path}`, {
    ...init,
    headers: { ...bearer(by), ...newClient(), ...init.headers },
  });

async function answerOf(response: Promise<Response>): Promise<Record<string, any>> {
  const { status, ...rest } = await response.then(async (one) => ({
    status: one.status,
    body: (await one.json()) as object,
  }));
  return { status, ...rest.body };
}

const upload = (
  file: string,
  query: Record<string, string>,
  { by = key, type = 'text/csv' }: { by?: string; type?: string } = {},
) =>
  answerOf(
    request(
      `?${new URLSearchParams(query)}`,
      { method: 'POST', body: file, headers: { 'Content-Type': type } },
      by,
    ),
  );

const post = (path: string, body: object = {}, by = key) =>
  answerOf(
    request(
      path,
      {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      },
      by,
    ),
  );

const JOBS = [
  'Customer,ZIP,Service line,Revenue',
  `Ann Smith,${A},HVAC,"$1,200.50"`,
  `Bob Jones,${A}-1234,Plumbing,850`,
  `Cy Young,${B},HVAC,(100)`,
  `Di Prince,99999,HVAC,400`,
].join('\r\n');

describe('an uploaded file', () => {
  it('becomes data sets by amount and group, which are listed, read, and deleted', async () => {
    const uploaded = await upload(JOBS, {
      name: 'Jobs 2025',
      count: 'true',
      sum: 'revenue',
      mean: 'Revenue',
      groupBy: 'service line',
      period: '2025',
    });
    expect(uploaded).toMatchObject({
      status: 200,
      stored: true,
      format: 'csv',
      rows: 4,
      groupBy: 'Service line',
      counts: { placed: 3, unknown_zip: 1 },
      place: { by: 'zip', columns: ['ZIP'] },
    });
    expect(
      uploaded['dataSets'].map(({ slug, name, total, zipCount }: any) => [
        slug,
        name,
        total,
        zipCount,
      ]),
    ).toEqual([
      ['jobs-2025-hvac', 'Jobs 2025 (HVAC)', 2, 2],
      ['jobs-2025-revenue-hvac', 'Jobs 2025: Revenue (HVAC)', 1100.5, 2],
      ['jobs-2025-mean-revenue-hvac', 'Jobs 2025: mean Revenue (HVAC)', 550.25, 2],
      ['jobs-2025-plumbing', 'Jobs 2025 (Plumbing)', 1, 1],
      ['jobs-2025-revenue-plumbing', 'Jobs 2025: Revenue (Plumbing)', 850, 1],
      ['jobs-2025-mean-revenue-plumbing', 'Jobs 2025: mean Revenue (Plumbing)', 850, 1],
    ]);
    expect(uploaded['findings']).toEqual([
      {
        line: 5,
        given: '99999',
        zip: '99999',
        outcome: 'unknown_zip',
        reason: 'Not a known ZIP code.',
      },
    ]);
    const { dataSets, limits } = await answerOf(request());
    expect(dataSets.map(({ slug }: any) => slug)).toContain('jobs-2025-plumbing');
    expect(limits).toMatchObject({ rowsUsed: 4 });
    const one = await answerOf(request('/JOBS%202025:%20revenue%20(hvac)'));
    expect(one).toMatchObject({
      unit: 'dollars',
      period: '2025',
      addsUp: 'sum',
      total: 1100.5,
      upload: { number: 1, rows: 4, counts: { placed: 3, unknown_zip: 1 } },
    });
    const csv = await (await request('/jobs-2025-hvac/zips.csv')).text();
    expect(csv.split('\r\n')[1]).toMatch(new RegExp(`^${A},1,1,\\d+(\\.\\d+)?$`));
    for (const { slug } of dataSets) await post(`/${slug}/delete`);
    expect((await answerOf(request()))['dataSets']).toEqual([]);
  });

  it.each([`${'x'.repeat(79)}😀 and more`, 'jobs\0here'])(
    'may have headings that the database can’t hold as they are: %j',
    async (heading) => {
      const features = [
        { type: 'Feature', geometry: null, properties: { zip: A, [heading]: 3 } },
        { type: 'Feature', geometry: null, properties: { zip: B, [heading]: 5 } },
      ];
      const file = JSON.stringify({ type: 'FeatureCollection', features });
      const type = 'application/geo+json';
      const { dataSets } = await upload(file, { name: 'Headings', sum: '2' }, { type });
      expect(dataSets).toMatchObject([{ total: 8 }]);
      expect(await post('/headings/delete')).toMatchObject({ status: 200 });
    },
  );

  it('is only read for a preview', async () => {
    const preview = await upload(JOBS, { name: 'Preview', preview: 'true' });
    expect(preview).toMatchObject({ stored: false, dataSets: [{ slug: null, total: 3 }] });
    expect(await answerOf(request('/preview'))).toMatchObject({ status: 404 });
  });

  it('replaces the amounts of its name, and the last five uploads can be restored', async () => {
    for (let total = 1; total <= 8; total++) {
      const sent = await upload(`zip,jobs\n${A},${total}`, { name: 'Weekly', sum: 'jobs' });
      expect(sent['dataSets']).toMatchObject([{ slug: 'weekly', total, replaces: total > 1 }]);
    }
    const { uploads } = await answerOf(request('/weekly'));
    expect(uploads.map(({ number }: any) => number)).toEqual([8, 7, 6, 5, 4, 3]);
    expect(await post('/weekly/restore', { upload: 4 })).toMatchObject({ total: 4 });
    expect(await post('/weekly/restore', { upload: 2 })).toMatchObject({
      status: 404,
      error: expect.stringContaining('Kept: 8, 7, 6, 5, 4, 3'),
    });
    await upload(`zip,jobs\n${A},9`, { name: 'weekly', sum: 'jobs' });
    expect(await answerOf(request('/weekly'))).toMatchObject({ total: 9, name: 'Weekly' });
    expect(await post('/weekly/restore', { upload: 8 })).toMatchObject({ total: 8 });
    expect(await upload(`zip,jobs\n${A},9`, { name: 'weekly', mean: 'jobs' })).toMatchObject({
      status: 409,
      error: expect.stringContaining('contains sums'),
    });
  });

  it('leaves out ZIP codes with few rows if asked', async () => {
    const sent = await upload(JOBS, { name: 'Private', count: 'true', suppressBelow: '2' });
    expect(sent['dataSets']).toMatchObject([{ zipCount: 1, total: 2, suppressedZips: 1 }]);
    expect(await upload(JOBS, { name: 'None', suppressBelow: '5' })).toMatchObject({
      status: 400,
      error: expect.stringContaining('fewer than 5 rows'),
    });
  });

  it.each([
    ['without a name', {}, 400, /name/],
    ['with an unknown column', { name: 'X', sum: 'price' }, 400, /no column "price"/],
    ['with half of the coordinates', { name: 'X', lng: 'ZIP' }, 400, /name both columns/],
    [
      'with a misspelled parameter',
      { name: 'X', total: 'Revenue' },
      400,
      /unknown parameter total/,
    ],
  ] as const)('is refused %s', async (_, query, status, error) => {
    const refused = await upload(JOBS, query);
    expect(refused).toMatchObject({ status, error: expect.stringMatching(error) });
  });

  it('is refused as a form, and compressed', async () => {
    expect(
      await upload('a=b', { name: 'X' }, { type: 'multipart/form-data; boundary=x' }),
    ).toMatchObject({ status: 415 });
    const gzipped = { method: 'POST', body: 'x', headers: { 'Content-Encoding': 'gzip' } };
    expect(await answerOf(request('?name=X', gzipped))).toMatchObject({ status: 415 });
  });

  it('keeps its sums and nothing of its rows in the database', async () => {
    const secrets = ['Zanzibar Quux', '17 Xylophone Lane', 'zq@customers.example'];
    const rows = [`zip,customer,street,email`, `${A},${secrets.join()}`, `n/a,${secrets.join()}`];
    await upload(rows.join('\n'), { name: 'Secrets' });
    // Without headings, which the summary names
    const visits = ['17 Xylophone Street,Dallas,Zanzibar Quux', '18 Main Street,Dallas,Ann'];
    expect(await upload(visits.join('\n'), { name: 'Visits', address: '1,2' })).toMatchObject({
      status: 200,
      rows: 2,
    });
    const tables = await db.query<{ name: string }>(
      `select format('%I', relname) as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
    );
    for (const { name } of tables) {
      const [found] = await db.query<{ rows: number }>(
        `select count(*)::int as rows from ${name} as stored
         where to_jsonb(stored)::text ilike any($1)`,
        [['%Zanzibar%', '%Xylophone%', '%zq@customers%']],
      );
      expect([name, found!.rows]).toEqual([name, 0]);
    }
  });

  it('leaves nothing of its rows in the log or in a file, even if it fails', async () => {
    const secrets = [
      'Wilhelmina Zumwalt',
      '41 Wombat Crescent',
      'wz@customers.example',
      '48271.93',
    ];
    vi.stubEnv('TMPDIR', testFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const files = () => [tmpdir(), env['DATA_DIR']!].map((folder) => readdirSync(folder));
    const before = files();
    const row = (zip: string) => [zip, ...secrets].join();
    const head = 'zip,customer,street,email,revenue';
    const good = `${head}\n${row(A)}\n${row('n/a')}\n${row('')}`;
    const seen: string[][][] = [];
    for (const [file, query, status] of [
      [good, { name: 'Private' }, 200],
      [good, { name: 'Private', sum: 'customer' }, 400],
      [`${head}\n${row('n/a')}`, { name: 'Private', sum: 'revenue' }, 400],
      [`${head}\n${row(A)}\n"${secrets.join()}`, { name: 'Private' }, 400],
      [`PK\u0003\u0004${secrets.join()}`, { name: 'Private' }, 400],
      [
        `{"type":"FeatureCollection","features":[{"x":"${secrets.join()}"`,
        { name: 'Private' },
        400,
      ],
    ] as const) {
      const sending = upload(file, query);
      seen.push(files());
      expect((await sending)['status']).toBe(status);
      seen.push(files());
    }
    isGeocoderDown = true;
    const addresses = `street,city,customer\n${secrets[1]},Dallas,${secrets[0]}`;
    expect(await upload(addresses, { name: 'Private' })).toMatchObject({ status: 503 });
    isGeocoderDown = false;
    expect(seen).toEqual(seen.map(() => before));
    expect(app.log()).toContain('/agent/data-sets');
    for (const secret of secrets) {
      expect(app.log()).not.toContain(secret);
      expect(app.log()).not.toContain(encodeURIComponent(secret));
    }
  });

  it('that doesn’t arrive completely stores nothing', async () => {
    const { length } = (await answerOf(request()))['dataSets'];
    const uploads = () => app.log().split('"POST","path":"/api/agent/data-sets"').length;
    const before = uploads();
    const socket = connect(app.port, '127.0.0.1');
    socket.write(
      [
        'POST /api/agent/data-sets?name=Cut HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${key}`,
        'Content-Type: text/csv',
        'Content-Length: 100000',
        '',
        `zip,jobs\n${`${A},1\n`.repeat(5_000)}`,
      ].join('\r\n'),
    );
    await once(socket.resume(), 'connect');
    await expect.poll(() => socket.writableLength).toBe(0);
    socket.destroy();
    await expect.poll(uploads).toBe(before + 1);
    expect((await answerOf(request()))['dataSets']).toHaveLength(length);
    expect(await upload(JOBS, { name: 'Afterwards' })).toMatchObject({ status: 200 });
  });

  it('of more than 100 MB is refused, at once if it says so', async () => {
    const tooLarge = { status: 413, code: 'content_too_large' };
    const MB = 1024 * 1024;
    const declared = connect(app.port, '127.0.0.1');
    declared.write(
      [
        'POST /api/agent/data-sets?name=Large HTTP/1.1',
        'Host: localhost',
        `Authorization: Bearer ${key}`,
        `Content-Length: ${100 * MB + 1}`,
        '',
        '',
      ].join('\r\n'),
    );
    const [answer] = (await once(declared, 'data')) as [Buffer];
    declared.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /);
    const piece = Buffer.alloc(MB, `${A},1,${'x'.repeat(1_000)}\n`);
    async function* pieces() {
      for (let i = 0; i <= 100; i++) yield piece;
    }
    const chunked = { method: 'POST', body: pieces() as never, duplex: 'half' } as RequestInit;
    expect(await answerOf(request('?name=Large', chunked))).toMatchObject(tooLarge);
    expect(await answerOf(request('/large'))).toMatchObject({ status: 404 });
  });
});

describe('looking up addresses', () => {
  const rows = Array.from({ length: 150 }, (_, i) => `${i + 1} Main St,Dallas,TX`);
  const FILE = ['Street,City,State', ...rows, ...rows].join('\n');

  it('costs a unit per 100 different ones, in a preview, too', async () => {
    const { key: by, caller } = await newKey(db);
    const charged = async () => {
      const { charged, reserved } = await usageOf(caller.tenant);
      expect(reserved).toEqual({});
      return Object.values(charged);
    };
    const preview = await upload(FILE, { name: 'Visits', preview: 'true' }, { by });
    expect(preview).toMatchObject({ status: 200, place: { by: 'address' } });
    expect(await charged()).toEqual([2]);
    expect(await upload(FILE, { name: 'Visits' }, { by })).toMatchObject({ status: 200 });
    expect(await charged()).toEqual([4]);
    // Refused, because the name has sums
    const means = `${FILE.replace('State', 'State,Ticket').replaceAll(',TX', ',TX,5')}`;
    const query = { name: 'Visits', mean: 'Ticket' };
    expect(await upload(means, query, { by })).toMatchObject({ status: 409 });
    await upload(JOBS, { name: 'By ZIP code' }, { by });
    expect(await charged()).toEqual([4]);
  });

  it('ends when no units are left, and costs nothing then', async () => {
    const { key: by, caller } = await newKey(db);
    await changeSubscription(caller.tenant, { monthlyUnits: 1 });
    expect(await upload(FILE, { name: 'Visits' }, { by })).toMatchObject({
      status: 402,
      code: 'usage_quota_exceeded',
      usage: { unitsRemaining: 0 },
    });
    expect(await usageOf(caller.tenant)).toEqual({ periods: {}, charged: {}, reserved: {} });
  });
});

describe('data sets', () => {
  it('are seen by a key with some brands only where these hold ZIP codes', async () => {
    await upload(`zip,jobs\n${A},10\n${B},20\n${C},40`, { name: 'Scoped', sum: 'jobs' });
    const brand = await createBrand(caller.tenant, { name: 'Scoped Roofing' });
    await hold(caller.tenant, brand, [B]);
    const limited = await mintKey(caller.tenant, {
      name: 'limited',
      brands: [brand.id],
      mayWrite: true,
    });
    const seen = await answerOf(request('/scoped', {}, limited.key));
    expect(seen).toMatchObject({ zipCount: 1, total: 20, upload: { rows: 1, counts: {} } });
    const csv = await (await request('/scoped/zips.csv', {}, limited.key)).text();
    expect(csv.trim().split('\r\n').slice(1)).toEqual([expect.stringMatching(`^${B},20,1,`)]);
    expect(await upload(JOBS, { name: 'Scoped' }, { by: limited.key })).toMatchObject({
      status: 409,
      error: 'Another data set has the name "Scoped". Choose another name.',
    });
    expect(await post('/scoped/delete', {}, limited.key)).toMatchObject({
      status: 403,
      code: 'brand_out_of_scope',
    });
  });

  it('of a key with some brands belong to these, and only others with them see them', async () => {
    const [east, west] = [
      await createBrand(caller.tenant, { name: 'East Roofing' }),
      await createBrand(caller.tenant, { name: 'West Roofing' }),
    ];
    const keyOf = async ({ id }: { id: string }) =>
      (await mintKey(caller.tenant, { name: 'one', brands: [id], mayWrite: true })).key;
    const [ofEast, ofWest] = [await keyOf(east), await keyOf(west)];
    const uploaded = { name: 'Eastern', sum: 'jobs' };
    expect((await upload(`zip,jobs\n${A},10`, uploaded, { by: ofEast })).status).toBe(200);
    // The brand holds no ZIP code. Its own data isn't limited to them.
    const seen = await answerOf(request('/eastern', {}, ofEast));
    expect(seen).toMatchObject({ brands: ['east-roofing'], zipCount: 1, total: 10 });
    expect((await upload(`zip,jobs\n${A},12`, uploaded, { by: ofEast })).status).toBe(200);
    expect(await answerOf(request('/eastern', {}))).toMatchObject({ total: 12 });
    expect((await request('/eastern', {}, ofWest)).status).toBe(404);
    expect(await post('/eastern/restore', { upload: 1 }, ofWest)).toMatchObject({ status: 404 });
    expect(await post('/eastern/delete', {}, ofEast)).toMatchObject({ status: 200 });
  });

  it('belong to one organization', async () => {
    await upload(`zip,jobs\n${A},10`, { name: 'Ours', sum: 'jobs' });
    const other = await newKey(db);
    await changeSubscription(other.caller.tenant, { status: 'active' });
    for (const path of ['/ours', '/ours/zips.csv']) {
      expect((await request(path, {}, other.key)).status).toBe(404);
    }
    expect(await post('/ours/delete', {}, other.key)).toMatchObject({ status: 404 });
    expect((await answerOf(request('', {}, other.key)))['dataSets']).toEqual([]);
  });

  it('and their rows are limited by the plan', async () => {
    const trial = await newKey(db);
    await changeSubscription(trial.caller.tenant, { status: 'trial' });
    for (let i = 0; i < 10; i++) {
      const sent = await upload(`zip,n\n${A},1`, { name: `Set ${i}` }, { by: trial.key });
      expect(sent['status']).toBe(200);
    }
    expect(await upload(`zip,n\n${A},1`, { name: 'Set 11' }, { by: trial.key })).toMatchObject({
      status: 409,
      error: expect.stringContaining('10 data sets'),
    });
    await trial.caller.tenant.query(
      'update data_set_rows set rows = 249999 where organization_id = $1',
    );
    expect(
      await upload(`zip,n\n${A},1\n${B},1`, { name: 'Set 1' }, { by: trial.key }),
    ).toMatchObject({ status: 402, error: expect.stringContaining('only 1 is left') });
    expect(await upload(`zip,n\n${A},1`, { name: 'Set 1' }, { by: trial.key })).toMatchObject({
      status: 200,
    });
    expect(await upload(`zip,n\n${A},1`, { name: 'Set 1' }, { by: trial.key })).toMatchObject({
      status: 402,
      code: 'row_limit_exceeded',
    });
  });
});
