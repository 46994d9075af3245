import { describe, expect, it } from 'vitest';
import { setPlan } from '../../src/account/plans.ts';
import { Capabilities } from '../../src/agent/capabilities.ts';
import { TerritoryPlan } from '../../src/agent/territory-plan-schema.ts';
import { TOOLS } from '../../src/agent/tools.ts';
import { operations } from '../../src/app.ts';
import { meterOf } from '../../src/metering/meter.ts';
import { createBrand } from '../../src/territory/brands.ts';
import { bareParts } from '../support/bare-app.ts';
import { usageOf } from '../metering/usage.ts';
import { testDatabase } from '../support/database.ts';
import { bearer, newClient, newKey, serveKeyed } from '../support/keyed-app.ts';
import { head, sendRaw } from '../support/raw-http.ts';

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

const plan = (key: string, asked: object) => post(key, '/agent/territory-plan', asked);
const DALLAS = { metro: 'dallas-tx', vertical: 'roofing', size: 5 };

describe('/agent/capabilities', () => {
  it('tells plan, meter, scope and tools, is kept by nobody, and costs nothing', async () => {
    const { key, caller } = await newKey(db);
    await createBrand(caller.tenant, { name: 'North' });
    const { status, headers, body } = await call(key, '/agent/capabilities');
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('ETag')).toBeNull();
    const told = Capabilities.parse(body);
    expect(told).toMatchObject({
      accessEnabled: true,
      organization: { name: caller.organization.name },
      usage: { unitsUsed: 0, unitsIncluded: 1000 },
      mayWrite: true,
      brandScope: { all: true, brands: [{ name: 'North' }] },
      limits: { requestsPerMinute: 60, requestsPerDay: 2000 },
    });
    expect(told.tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    const again = await call(key, '/agent/capabilities');
    expect(again.body.usage).toEqual(told.usage);
  });

  it('tells, rather than refuses, where nothing would be served', async () => {
    const { key, caller } = await newKey(db);
    await setPlan(caller.tenant, { status: 'cancelled' });
    const { status, body } = await call(key, '/agent/capabilities');
    expect(status).toBe(200);
    expect(body).toMatchObject({ accessEnabled: false, plan: { status: 'cancelled' } });
  });
});

describe('/agent/territory-plan', () => {
  it('plans for a metro and charges what scoring costs', async () => {
    const { key, caller } = await newKey(db);
    const { status, headers, body } = await plan(key, DALLAS);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const { recommendations, nextActions, sourceNotes } = TerritoryPlan.parse(body);
    expect(recommendations.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
    expect(nextActions).not.toHaveLength(0);
    expect(sourceNotes.join(' ')).toContain('synthetic');
    expect(await meterOf(caller.tenant, caller.plan)).toMatchObject({ unitsUsed: 10 });
    const { charged, reserved } = await usageOf(caller.tenant);
    expect(Object.values(charged)).toEqual([10]);
    expect(reserved).toEqual({});
  });

  it('answers each example of the contract as it stands', async () => {
    const { key } = await newKey(db);
    const op = operations(bareParts()).find(({ id }) => id === 'planTerritory')!;
    const examples = Object.values(op.bodyExamples!);
    expect(examples).toHaveLength(2);
    for (const { value } of examples) expect((await plan(key, value as object)).status).toBe(200);
  });

  it.each([
    [{ vertical: 'roofing' }, 400, /either metro or zips/],
    [{ ...DALLAS, zips: ['75201'] }, 400, /either metro or zips/],
    [{ ...DALLAS, vertical: 'bakeries' }, 400, /^vertical: /],
    [{ ...DALLAS, size: 0 }, 400, /^size: /],
    [{ vertical: 'roofing', zips: ['7520'] }, 400, /"7520" is not a string of five digits/],
    [{ vertical: 'roofing', zips: Array(501).fill('75201') }, 400, /^zips: /],
    [{ ...DALLAS, metro: 'paris-fr' }, 404, /paris-fr/],
    [{ vertical: 'roofing', zips: ['00000'] }, 404, /score/],
    [{ ...DALLAS, constraints: { minScore: 100, excludeZips: [] } }, 200, /./],
  ])('of %o is %i', async (asked, expected, message) => {
    const { key, caller } = await newKey(db);
    const { status, body } = await plan(key, asked);
    expect(status).toBe(expected);
    expect(String(body.error ?? body.summary)).toMatch(message);
    // What fails costs nothing.
    const { unitsUsed } = await meterOf(caller.tenant, caller.plan);
    expect(unitsUsed).toBe(expected === 200 ? 10 : 0);
  });

  it('is refused with the meter once the units are used up', async () => {
    const { key, caller } = await newKey(db);
    await setPlan(caller.tenant, { monthlyUnits: 15 });
    expect((await plan(key, DALLAS)).status).toBe(200);
    const { status, body } = await plan(key, DALLAS);
    expect(status).toBe(402);
    expect(body).toMatchObject({
      error: expect.stringMatching(/^Of the 15 units of this month 5 are left/),
      code: 'usage_quota_exceeded',
      usage: { unitsIncluded: 15, unitsUsed: 10, unitsRemaining: 5 },
    });
  });

  it('charges exactly what is there where 12 calls race for 5', async () => {
    const { key, caller } = await newKey(db);
    await setPlan(caller.tenant, { monthlyUnits: 50 });
    const replies = await Promise.all(Array.from({ length: 12 }, () => plan(key, DALLAS)));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(7).fill(402)]);
    expect(await meterOf(caller.tenant, { monthlyUnits: 50 })).toMatchObject({ unitsUsed: 50 });
  });

  it.each([
    ['past_due', /past due/],
    ['cancelled', /cancelled/],
  ] as const)('needs a subscription or a running trial: %s', async (status, message) => {
    const { key, caller } = await newKey(db);
    await setPlan(caller.tenant, { status });
    const refused = await plan(key, DALLAS);
    expect(refused.status).toBe(402);
    expect(refused.body).toEqual({
      error: expect.stringMatching(message),
      code: 'subscription_required',
    });
  });

  it('is not served while usage cannot be recorded', async () => {
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
      error: 'Usage cannot be recorded right now, so the call was not served.',
      code: 'unavailable',
    });
    expect(failing.log()).toContain('disk full');
  });
});

describe('/agent/openapi.json', () => {
  it('is the same bytes as /openapi.json, for holders of a credential', async () => {
    const { key } = await newKey(db);
    const alias = await call(key, '/agent/openapi.json');
    const { text } = await call(key, '/openapi.json');
    expect(alias.status).toBe(200);
    expect(alias.text).toBe(text);
    expect(alias.headers.get('Cache-Control')).toMatch(/^private/);
    const ask = (...fields: string[]) =>
      sendRaw(app.port, head('GET', '/api/agent/openapi.json', ...fields));
    const credential = `Authorization: Bearer ${key}`;
    const known = `If-None-Match: ${(await ask(credential)).headers['etag']}`;
    expect((await ask(credential, known)).status).toBe(304);
    expect((await ask(known)).status).toBe(401);
  });
});

describe('/agent/mcp-manifest.json', () => {
  it('lists the tools, and says that it goes away and what comes in its place', async () => {
    const { key } = await newKey(db);
    const { status, headers, body } = await call(key, '/agent/mcp-manifest.json');
    expect(status).toBe(200);
    expect(body.tools).toHaveLength(TOOLS.length);
    expect(headers.get('Deprecation')).toBe('@1787356800');
    expect(headers.get('Sunset')).toBe('Sun, 22 Aug 2027 00:00:00 GMT');
    expect(headers.get('Link')).toContain('/mcp/info>; rel="successor-version"');
  });
});

it('of two organisations each has its own account', async () => {
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
