import { describe, expect, it } from 'vitest';
import { addMember } from '../../../src/people/account/members.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { startSession } from '../../../src/people/account/sessions.ts';
import { Capabilities } from '../../../src/doors/tools/capabilities.ts';
import { saveData } from '../../territories/own-data/saved.ts';
import { TerritoryPlan } from '../../../src/doors/tools/support/territory-plan-schema.ts';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { bareOperations } from '../../support/bare-app.ts';
import { hold } from '../../territories/brands/holding.ts';
import { usageOf } from '../../people/metering/usage.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, any>;
}

async function call(key: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const headers = { ...bearer(key), ...newClient(), ...(init.headers as Record<string, string>) };
  const answer = await fetch(`${app.api}${path}`, { ...init, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, text, body: JSON.parse(text) };
}

const post = (key: string, path: string, body: unknown) =>
  call(key, path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  });

const plan = (key: string, request: object) => post(key, '/agent/territory-plan', request);
const DALLAS = { metro: 'dallas-tx', vertical: 'roofing', size: 5 };

describe('log lines', () => {
  const lines = () =>
    app
      .log()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));

  it('name the request and the caller of a tool that failed', async () => {
    const { key, caller } = await newKey(db);
    const brand = await createBrand(caller.tenant, { name: 'North' });
    await hold(caller.tenant, brand, ['75201']);
    const params = { name: 'service_render_territory_map', arguments: { brand: 'north' } };
    const { headers, body } = await post(key, '/mcp', {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params,
    });
    expect(body.result).toMatchObject({ isError: true });
    expect(lines().find(({ msg }) => msg === 'tool failed')).toMatchObject({
      requestId: headers.get('X-Request-Id'),
      organization: caller.organization.id,
      key: caller.actor.id,
    });
  });

  it('name the organization and the person who opens a page', async () => {
    const { caller } = await newKey(db);
    const person = { email: 'log@example.com', name: 'Pat', role: 'owner' } as const;
    const { id } = await addMember(caller.tenant, person);
    const secret = await startSession(db, id, { userAgent: '', client: '' });
    const site = new URL(app.api).origin;
    for (const path of ['/account/brands', '/account/activity.csv']) {
      const answer = await fetch(site + path, { headers: { Cookie: `session=${secret}` } });
      expect(answer.status).toBe(200);
      const requestId = answer.headers.get('X-Request-Id');
      await answer.arrayBuffer();
      await expect
        .poll(() => lines().find((line) => line.requestId === requestId))
        .toMatchObject({ msg: 'request', organization: caller.organization.id, person: id });
    }
  });
});

it('a page’s request is refused after a switch to another organization in another tab', async () => {
  const [{ caller }, { caller: other }] = [await newKey(db), await newKey(db)];
  const person = { email: 'switch@example.com', name: 'Pat', role: 'owner' } as const;
  const { id } = await addMember(caller.tenant, person);
  const secret = await startSession(db, id, { userAgent: '', client: '' });
  const ask = async (organizationId: string) => {
    const headers = { Cookie: `session=${secret}`, 'For-Organization': organizationId };
    const answer = await fetch(`${app.api}/agent/capabilities`, { headers });
    return [answer.status, ((await answer.json()) as { error?: string }).error];
  };
  expect(await ask(caller.organization.id)).toEqual([200, undefined]);
  const refusal = expect.stringMatching(/^You switched to .*, but this page is from another/);
  expect(await ask(other.organization.id)).toEqual([401, refusal]);
});

describe('/agent/capabilities', () => {
  it('returns plan, usage, brand scope, and tools, uncached and free of charge', async () => {
    const { key, caller } = await newKey(db);
    await createBrand(caller.tenant, { name: 'North' });
    const { status, headers, body } = await call(key, '/agent/capabilities');
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('ETag')).toBeNull();
    const capabilities = Capabilities.parse(body);
    expect(capabilities).toMatchObject({
      accessEnabled: true,
      organization: { name: caller.organization.name },
      usage: { unitsUsed: 0, unitsIncluded: 1000 },
      mayWrite: true,
      brandScope: { all: true, brands: [{ name: 'North' }] },
      limits: { requestsPerMinute: 60, requestsPerDay: 2000 },
    });
    expect(capabilities.tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    // The log names the organization and the key by their ids.
    const ids = `"organization":"${caller.organization.id}","key":"${caller.actor.id}"`;
    await expect.poll(() => app.log()).toContain(ids);
    const again = await call(key, '/agent/capabilities');
    expect(again.body.usage).toEqual(capabilities.usage);
  });

  it('lists the data sets, with what the key sees of them', async () => {
    const { key, caller } = await newKey(db);
    await saveData(caller, 'Jobs 2025', { '75201': 5, '75204': 2 }, { period: '2025' });
    const { body } = await call(key, '/agent/capabilities');
    expect(body.dataSets).toEqual([
      {
        slug: 'jobs-2025',
        name: 'Jobs 2025',
        unit: 'count',
        addsUp: 'sum',
        period: '2025',
        zips: 2,
        total: 7,
      },
    ]);
  });

  it('describes a canceled plan instead of refusing the call', async () => {
    const { key, caller } = await newKey(db);
    await changeSubscription(caller.tenant, { status: 'cancelled' });
    const { status, body } = await call(key, '/agent/capabilities');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      accessEnabled: false,
      mayWrite: false,
      whyNot: expect.stringContaining('was canceled'),
      plan: { status: 'cancelled' },
    });
  });
});

describe('every operation at /agent', () => {
  const all = bareOperations().filter(({ path }) => path.startsWith('/agent/'));

  it.each(all.map(({ method, path }) => [method, path] as const))(
    '%s %s refuses an unknown parameter and names the known ones',
    async (method, path) => {
      const { key, caller } = await newKey(db);
      const at = `${path.replaceAll(/\{\w+\}/g, 'x')}?limti=3`;
      const answer = method === 'get' ? await call(key, at) : await post(key, at, {});
      expect(answer.status).toBe(400);
      expect(answer.body['error']).toMatch(
        /unknown parameter limti; (?:use [a-z]+(?:, [a-z]+)*|this operation takes no query parameters)/,
      );
      expect((await meterOf(caller.tenant, caller.subscription)).unitsUsed).toBe(0);
    },
  );
});

describe('a text that the database can’t store', () => {
  it.each([
    ['/agent/plans', { name: 'x', copyOf: 'a\0b' }, 'copyOf must not contain the character U+0000'],
    ['/agent/territory-export', { brand: '\0' }, 'brand must not contain the character U+0000'],
    [
      '/agent/territory-exhibit',
      { brand: 'a\ud800' },
      'brand must not contain half of a surrogate pair',
    ],
    [
      '/agent/territory-plan',
      { ...DALLAS, zips: ['\0'] },
      'zips.0 must not contain the character U+0000',
    ],
    [
      '/agent/plans',
      { name: 'x', 'a\0': 1 },
      'a field name in it must not contain the character U+0000',
    ],
    ['/agent/plans/a%00b', undefined, 'The path contains the character U+0000'],
    ['/agent/plans?cursor=%00', undefined, 'cursor must not contain the character U+0000'],
  ])('is refused by name at %s', async (path, body, why) => {
    const { key } = await newKey(db);
    const { status, ...reply } = await (body === undefined
      ? call(key, path)
      : post(key, path, body));
    expect(status).toBe(400);
    expect(reply).toMatchObject({ body: { error: expect.stringContaining(why) } });
  });

  it('is refused by name in forms and registrations of connectors', async () => {
    const site = app.api.replace('/api', '');
    const send = async (path: string, type: string, body: string) => {
      const headers = { ...newClient(), 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' };
      const answer = await fetch(site + path, { method: 'POST', headers, body });
      return [answer.status, ((await answer.json()) as { error: string }).error];
    };
    const form = 'application/x-www-form-urlencoded';
    const uri = 'http://localhost/\0';
    expect(await send('/login', form, 'email=a%00&password=x')).toEqual([
      400,
      'email must not contain the character U+0000.',
    ]);
    expect(await send('/token', form, 'client_id=%00')).toEqual([
      400,
      'client_id must not contain the character U+0000.',
    ]);
    expect(
      await send('/register', 'application/json', JSON.stringify({ redirect_uris: [uri] })),
    ).toEqual([400, 'redirect_uris.0 must not contain the character U+0000.']);
  });

  it('isn’t the only thing that a form or a page refuses: a field may not be repeated', async () => {
    const site = app.api.replace('/api', '');
    const headers = { ...newClient(), 'Sec-Fetch-Site': 'same-origin' };
    const body = new URLSearchParams([
      ['email', 'a@example.com'],
      ['email', 'b@example.com'],
    ]);
    const form = await fetch(`${site}/login`, { method: 'POST', headers, body });
    const page = await fetch(`${site}/login?next=/a&next=/b`, { headers });
    for (const [answer, name] of [
      [form, 'email'],
      [page, 'next'],
    ] as const) {
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: `${name} is given twice. Send it once.`, code: 'bad_request' },
      ]);
    }
  });
});

describe('/agent/territory-plan', () => {
  it('refuses unknown fields before it charges, and says where they belong', async () => {
    const { key, caller } = await newKey(db);
    const misplaced = await plan(key, { ...DALLAS, contiguous: true, limit: 3 });
    expect(misplaced.status).toBe(400);
    expect(misplaced.body['error']).toMatch(
      /"contiguous"; put it in constraints; .*unknown field "limit"; fields: vertical, metro, zips, size, constraints$/,
    );
    const inner = await plan(key, { ...DALLAS, constraints: { minscore: 3 } });
    expect(inner.body['error']).toMatch(/"minscore" in constraints; did you mean minScore\?/);
    expect((await meterOf(caller.tenant, caller.subscription)).unitsUsed).toBe(0);
  });

  it('plans for a metro and charges the units of a scoring call', async () => {
    const { key, caller } = await newKey(db);
    const { status, headers, body } = await plan(key, DALLAS);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const { recommendations, nextActions, sourceNotes } = TerritoryPlan.parse(body);
    expect(recommendations.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
    expect(nextActions).not.toHaveLength(0);
    expect(sourceNotes.join(' ')).toContain('synthetic');
    expect(await meterOf(caller.tenant, caller.subscription)).toMatchObject({ unitsUsed: 10 });
    const { charged, reserved } = await usageOf(caller.tenant);
    expect(Object.values(charged)).toEqual([10]);
    expect(reserved).toEqual({});
  });

  it('accepts every example of the contract', async () => {
    const { key } = await newKey(db);
    const op = bareOperations().find(({ id }) => id === 'planTerritory')!;
    const examples = Object.values(op.bodyExamples!);
    expect(examples).toHaveLength(2);
    for (const { value } of examples) expect((await plan(key, value as object)).status).toBe(200);
  });

  it.each([
    [{ vertical: 'roofing' }, 400, /Give a metro, such as dallas-tx, or a list of zips/],
    [{ ...DALLAS, zips: ['75201'] }, 400, /either metro or zips/],
    [{ ...DALLAS, vertical: 'bakeries' }, 400, /^vertical:? must be one of roofing/],
    [{ ...DALLAS, size: 0 }, 400, /^size must be at least 1/],
    [{ vertical: 'roofing', zips: ['7520'] }, 400, /"7520" is not a string of five digits/],
    [
      { vertical: 'roofing', zips: Array(501).fill('75201') },
      400,
      /^zips must have at most 500 items/,
    ],
    [{ ...DALLAS, metro: 'paris-fr' }, 404, /paris-fr/],
    [{ vertical: 'roofing', zips: ['00000'] }, 404, /score/],
    [{ ...DALLAS, constraints: { minScore: 100, excludeZips: [] } }, 200, /./],
  ])('answers %o with %i', async (request, expected, message) => {
    const { key, caller } = await newKey(db);
    const { status, body } = await plan(key, request);
    expect(status).toBe(expected);
    expect(String(body.error ?? body.summary)).toMatch(message);
    // Failed calls cost nothing.
    const { unitsUsed } = await meterOf(caller.tenant, caller.subscription);
    expect(unitsUsed).toBe(expected === 200 ? 10 : 0);
  });

  it('returns 402 with the usage meter if too few units are left', async () => {
    const { key, caller } = await newKey(db);
    await changeSubscription(caller.tenant, { monthlyUnits: 15 });
    expect((await plan(key, DALLAS)).status).toBe(200);
    const { status, body } = await plan(key, DALLAS);
    expect(status).toBe(402);
    expect(body).toMatchObject({
      error: expect.stringMatching(
        /^This call takes 10 units, but only 5 of this month’s 15 are left/,
      ),
      code: 'usage_quota_exceeded',
      usage: { unitsIncluded: 15, unitsUsed: 10, unitsRemaining: 5 },
    });
  });

  it('serves 5 of 12 concurrent calls if the units suffice for 5', async () => {
    const { key, caller } = await newKey(db);
    await changeSubscription(caller.tenant, { monthlyUnits: 50 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => plan(key, DALLAS)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(7).fill(402)]);
    expect(await meterOf(caller.tenant, { monthlyUnits: 50 })).toMatchObject({ unitsUsed: 50 });
  });

  it.each([
    ['past_due', /past due/],
    ['cancelled', /canceled/],
  ] as const)('returns 402 while the subscription is %s', async (status, message) => {
    const { key, caller } = await newKey(db);
    await changeSubscription(caller.tenant, { status });
    const refused = await plan(key, DALLAS);
    expect(refused.status).toBe(402);
    expect(refused.body).toEqual({
      error: expect.stringMatching(message),
      code: 'subscription_required',
      usage: await meterOf(caller.tenant, caller.subscription),
    });
  });

  it('returns 503 while usage can’t be recorded', async () => {
    const failing = await serveKeyed({
      ...db,
      query: (sql, values) =>
        sql.includes('usage_periods')
          ? Promise.reject(new Error('disk full'))
          : db.query(sql, values),
    });
    const { key } = await newKey(db);
    const answer = await fetch(`${failing.api}/agent/territory-plan`, {
      method: 'POST',
      body: JSON.stringify(DALLAS),
      headers: { 'Content-Type': 'application/json', ...bearer(key), ...newClient() },
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      error: 'Usage can’t be recorded right now, so the call was refused. Try again.',
      code: 'unavailable',
    });
    expect(failing.log()).toContain('disk full');
  });
});

describe('/agent/openapi.json', () => {
  it('returns the same bytes as /openapi.json, but requires a credential', async () => {
    const { key } = await newKey(db);
    const alias = await call(key, '/agent/openapi.json');
    const { text } = await call(key, '/openapi.json');
    expect(alias.status).toBe(200);
    expect(alias.text).toBe(text);
    expect(alias.headers.get('Cache-Control')).toMatch(/^private/);
    const get = (...fields: string[]) =>
      sendRaw(app.port, head('GET', '/api/agent/openapi.json', ...fields));
    const credential = `Authorization: Bearer ${key}`;
    const known = `If-None-Match: ${(await get(credential)).headers['etag']}`;
    expect((await get(credential, known)).status).toBe(304);
    expect((await get(known)).status).toBe(401);
  });
});

describe('/agent/mcp-manifest.json', () => {
  it('lists the tools, with deprecation headers that name the successor', async () => {
    const { key } = await newKey(db);
    const { status, headers, body } = await call(key, '/agent/mcp-manifest.json');
    expect(status).toBe(200);
    expect(body.tools).toHaveLength(TOOLS.length);
    expect(headers.get('Deprecation')).toBe('@1787356800');
    expect(headers.get('Sunset')).toBe('Sun, 22 Aug 2027 00:00:00 GMT');
    expect(headers.get('Link')).toContain('/mcp/info>; rel="successor-version"');
  });
});

it('counts two organizations at one client address separately', async () => {
  const [one, other] = [await newKey(db), await newKey(db)];
  const client = newClient();
  const ask = (key: string) =>
    fetch(`${app.api}/agent/capabilities`, { headers: { ...bearer(key), ...client } });
  expect((await ask(one.key)).headers.get('RateLimit')).toMatch(/^"agent";r=29;/);
  expect((await ask(other.key)).headers.get('RateLimit')).toMatch(/^"agent";r=29;/);
  expect(await (await ask(other.key)).json()).toMatchObject({
    organization: { slug: other.caller.organization.slug },
  });
});
