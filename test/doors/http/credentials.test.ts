import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/people/account/keys.ts';
import { POLICIES } from '../../../src/base/contract/limits.ts';
import { newClient } from '../../support/clients.ts';
import { cuttableDatabase } from '../../support/cuttable-database.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

const { db, env } = await testDatabase('empty');
const app = await serveKeyed(db);
const CAPABILITIES = `${app.api}/agent/capabilities`;

const get = (url: string, headers: Record<string, string>) => fetch(url, { headers });

describe('a credential', () => {
  it('is accepted with the scheme in any case', async () => {
    const { key } = await newKey(db);
    for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
      const answer = await get(CAPABILITIES, { Authorization: `${scheme} ${key}`, ...newClient() });
      expect(answer.status).toBe(200);
    }
  });

  it.each([
    ['nothing', undefined],
    ['an empty field', ''],
    ['a scheme alone', 'Bearer'],
    ['another scheme', 'Basic c3ZjX2xpdmVfOng='],
    ['a key without a scheme', `svc_live_${'a'.repeat(40)}`],
    ['two keys', `Bearer svc_live_${'a'.repeat(40)} svc_live_${'b'.repeat(40)}`],
    ['text that isn’t a key', 'Bearer hello'],
    ['a key that is too short', 'Bearer svc_live_abc'],
    ['an unknown key', `Bearer svc_live_${'a'.repeat(40)}`],
    ['an SQL injection', `Bearer svc_live_'or'1'='1${'a'.repeat(28)}`],
    ['a very long key', `Bearer ${'a'.repeat(8_000)}`],
  ])('is refused with 401 if it is %s', async (_what, authorization) => {
    const fields = authorization === undefined ? [] : [`Authorization: ${authorization}`];
    const { status, headers, body } = await sendRaw(
      app.port,
      head('GET', '/api/agent/capabilities', ...fields),
    );
    expect(status).toBe(401);
    expect(JSON.parse(body)).toEqual({ error: expect.any(String), code: 'unauthorized' });
    expect(headers['www-authenticate']).toBe(
      authorization === undefined
        ? 'Bearer realm="territory"'
        : 'Bearer realm="territory", error="invalid_token"',
    );
    expect(headers['ratelimit']).toMatch(/^"unauthenticated";r=\d+;t=\d+$/);
  });

  it('is refused in the same words whether it’s revoked or unknown', async () => {
    const { key, caller } = await newKey(db);
    expect((await get(CAPABILITIES, { ...bearer(key), ...newClient() })).status).toBe(200);
    await revokeKey(caller.tenant, 'test');
    const revoked = await get(CAPABILITIES, { ...bearer(key), ...newClient() });
    const unknown = await get(CAPABILITIES, {
      ...bearer(`svc_live_${'z'.repeat(40)}`),
      ...newClient(),
    });
    expect(revoked.status).toBe(401);
    expect(await revoked.json()).toEqual(await unknown.json());
  });

  it('isn’t required for OPTIONS and 405', async () => {
    const options = await fetch(CAPABILITIES, { method: 'OPTIONS', headers: newClient() });
    expect(options.status).toBe(204);
    expect(options.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    const wrong = await fetch(`${app.api}/agent/territory-plan`, { headers: newClient() });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('Allow')).toBe('POST');
    expect(wrong.headers.get('RateLimit')).toMatch(/^"unauthenticated"/);
  });

  it('doesn’t change the 404 of unknown paths', async () => {
    const { key } = await newKey(db);
    const answer = await get(`${app.api}/agent/nothing`, { ...bearer(key), ...newClient() });
    expect(answer.status).toBe(404);
  });
});

describe('requests without a valid credential', () => {
  it('are counted by address and refused after 60 attempts in a minute', async () => {
    const client = newClient();
    const forged = { ...bearer(`svc_live_${'f'.repeat(40)}`), ...client };
    for (let n = POLICIES.unauthenticated.quota - 1; n >= 0; n--) {
      const answer = await get(CAPABILITIES, forged);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('RateLimit')).toMatch(new RegExp(`^"unauthenticated";r=${n};`));
    }
    const refused = await get(CAPABILITIES, forged);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    // A valid key still works at the same address.
    const { key } = await newKey(db);
    expect((await get(CAPABILITIES, { ...bearer(key), ...client })).status).toBe(200);
  });
});

describe('the limits of a key', () => {
  const policies = '"agent";q=30;w=60, "mcp";q=60;w=60, "mcp-day";q=2000;w=86400';

  it('are reported with those of the account, and the tightest one in the older headers', async () => {
    const { key } = await newKey(db);
    const answer = await get(CAPABILITIES, { ...bearer(key), ...newClient() });
    expect(answer.headers.get('RateLimit-Policy')).toBe(policies);
    expect(answer.headers.get('RateLimit')).toMatch(
      /^"agent";r=29;t=\d+, "mcp";r=59;t=\d+, "mcp-day";r=1999;t=\d+$/,
    );
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('30');
    expect(answer.headers.get('X-RateLimit-Remaining')).toBe('29');
  });

  it('allow 30 requests a minute per address, and 60 across addresses', async () => {
    const { key } = await newKey(db);
    const at = async (client: Record<string, string>) => {
      const answer = await get(CAPABILITIES, { ...bearer(key), ...client });
      return { status: answer.status, limits: answer.headers.get('RateLimit')! };
    };
    const [here, there, elsewhere] = [newClient(), newClient(), newClient()];
    for (let n = 0; n < 30; n++) expect((await at(here)).status).toBe(200);
    const refusedHere = await at(here);
    expect(refusedHere.status).toBe(429);
    // The key's limits are reported, but the refused request isn't counted against them.
    expect(refusedHere.limits).toMatch(/^"agent";r=0;t=\d+, "mcp";r=30;.*"mcp-day";r=1970;/);
    for (let n = 0; n < 30; n++) expect((await at(there)).status).toBe(200);
    const refusedElsewhere = await at(elsewhere);
    expect(refusedElsewhere.status).toBe(429);
    expect(refusedElsewhere.limits).toMatch(/^"agent";r=29;t=\d+, "mcp";r=0;.*"mcp-day";r=1940;/);
  });

  it('report when the daily limit resets once it’s exceeded', async () => {
    const { key, caller } = await newKey(db);
    await get(CAPABILITIES, { ...bearer(key), ...newClient() });
    await db.query('update limit_counters set points = 2000 where key = $1', [
      `mcp-day:${caller.actor.id}`,
    ]);
    const refused = await get(CAPABILITIES, { ...bearer(key), ...newClient() });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({
      error: expect.stringMatching(/^The limit "mcp-day" allows 2,000 requests per day\./),
      code: 'rate_limited',
    });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(86_000);
    expect(refused.headers.get('X-RateLimit-Limit')).toBe('2000');
  });
});

describe('a JSON body', () => {
  const PLAN = '/api/agent/territory-plan';
  const send = async (body: string | Uint8Array, headers: Record<string, string> = {}) => {
    const { key: fresh } = await newKey(db);
    const answer = await fetch(`http://127.0.0.1:${app.port}${PLAN}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...bearer(fresh), ...newClient(), ...headers },
    });
    return { status: answer.status, ...((await answer.json()) as { error: string; code: string }) };
  };

  it.each([
    ['nothing', '', 'The body is empty. Send a JSON body.'],
    [
      'half of an object',
      '{"metro": "dallas-tx"',
      'The body is not valid JSON. It ends too early.',
    ],
    [
      'a name without quotes',
      '{metro: "dallas-tx"}',
      'The body is not valid JSON. Check it near character 2.',
    ],
    ['a word', 'undefined', 'The body is not valid JSON. Check its syntax.'],
    [
      'Latin-1',
      Buffer.from('"\u00e9"', 'latin1'),
      'The body is not valid UTF-8. Encode it as UTF-8.',
    ],
    ['33 lists', '['.repeat(33), 'The body is nested too deeply. The limit is 32 levels.'],
    [
      '200,000 objects',
      '{"a":'.repeat(200_000),
      'The body is nested too deeply. The limit is 32 levels.',
    ],
    [
      '10,002 values',
      `[${'0,'.repeat(10_001)}0]`,
      'The body has too many values. The limit is 10,000.',
    ],
    ['a text of commas', `"${','.repeat(20_000)}"`, 'it must be an object'],
    ['null', 'null', 'it must be an object'],
    ['a list', '[]', 'it must be an object'],
    ['a text', '"text"', 'it must be an object'],
    ['a prototype', '{"__proto__": {"vertical": "roofing"}}', 'vertical: '],
  ])('is refused with 400: %s', async (_what, body, message) => {
    const answer = await send(body);
    expect(answer).toMatchObject({ status: 400, code: 'bad_request' });
    expect(answer.error).toContain(message);
  });

  it('may contain any number of brackets inside a string', async () => {
    const answer = await send(JSON.stringify({ vertical: `"\\${'['.repeat(100)}` }));
    expect(answer).toMatchObject({ status: 400, error: expect.stringMatching(/^vertical: /) });
  });

  it.each([
    [{ 'Content-Type': 'text/plain' }, /Content-Type: application\/json/],
    [{ 'Content-Type': 'application/x-www-form-urlencoded' }, /must be JSON/],
    [{ 'Content-Type': 'application/json; charset=latin1' }, /must be JSON/],
    [{ 'Content-Encoding': 'gzip' }, /^Compressed bodies aren’t supported/],
  ])('is refused with 415 with the headers %o', async (headers, message) => {
    expect(await send('{}', headers)).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
      error: expect.stringMatching(message),
    });
  });

  it('may name its charset', async () => {
    const answer = await send('{}', { 'Content-Type': 'Application/JSON; charset="UTF-8"' });
    expect(answer.status).toBe(400);
  });

  it('may have at most a megabyte, with or without Content-Length', async () => {
    const megabyte = 1024 * 1024;
    const ofLength = (length: number) => `"${'x'.repeat(length - 2)}"`;
    expect(await send(ofLength(megabyte))).toMatchObject({ status: 400 });
    const tooLong = { status: 413, code: 'content_too_large' };
    expect(await send(ofLength(megabyte + 1))).toMatchObject(tooLong);
    const { key } = await newKey(db);
    const chunks = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 40; n++) controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
        controller.close();
      },
    });
    const answer = await fetch(`http://127.0.0.1:${app.port}${PLAN}`, {
      method: 'POST',
      body: chunks,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json', ...bearer(key), ...newClient() },
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  it('is refused by its Content-Length before it arrives', async () => {
    const { key } = await newKey(db);
    const answer = await sendRaw(
      app.port,
      head(
        'POST',
        PLAN,
        `Authorization: Bearer ${key}`,
        'Content-Type: application/json',
        'Content-Length: 2000000',
      ),
    );
    expect(answer.status).toBe(413);
  });

  it('is dropped without an error if the client disconnects', async () => {
    const { key } = await newKey(db);
    const socket = connect(app.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      head('POST', PLAN, `Authorization: Bearer ${key}`, 'Content-Type: application/json').replace(
        '\r\n\r\n',
        '\r\nContent-Length: 100\r\n\r\n{"metro"',
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await expect
      .poll(() => app.log())
      .toMatch(/"path":"\/api\/agent\/territory-plan"[^\n]*"aborted":true/);
    expect(app.log()).not.toMatch(/request failed/);
  });

  it('isn’t read without a valid credential', async () => {
    const answer = await fetch(`http://127.0.0.1:${app.port}${PLAN}`, {
      method: 'POST',
      body: 'x'.repeat(3_000_000),
      headers: newClient(),
    });
    expect(answer.status).toBe(401);
  });
});

it('answers 503 with Retry-After while the database is unreachable', async () => {
  const { key } = await newKey(db);
  const { db: cut, proxy } = await cuttableDatabase(env);
  const away = await serveKeyed(cut);
  const there = () => get(`${away.api}/agent/capabilities`, { ...bearer(key), ...newClient() });
  expect((await there()).status).toBe(200);
  await proxy.cut();
  const answer = await there();
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: 'unavailable' });
  expect(answer.headers.get('Retry-After')).toBe('5');
  expect(answer.headers.get('RateLimit')).toMatch(/^"unauthenticated"/);
  await proxy.mend();
  expect((await there()).status).toBe(200);
});

it('never logs a key', async () => {
  const { key } = await newKey(db);
  const secret = key.slice('svc_live_'.length);
  const forged = `svc_live_${'Q'.repeat(40)}`;
  const failing = await serveKeyed({
    ...db,
    query: async (sql, values) => {
      if (sql.includes('usage_periods')) throw new Error('broken');
      return db.query(sql, values);
    },
  });
  const requests: [string, RequestInit][] = [
    [CAPABILITIES, { headers: bearer(key) }],
    [CAPABILITIES, { headers: bearer(forged) }],
    [CAPABILITIES, { headers: { Authorization: key } }],
    [CAPABILITIES, { headers: { Cookie: `session=${key}` } }],
    [`${CAPABILITIES}?key=${key}`, { headers: bearer(key) }],
    [`${app.api}/agent/${key}`, { headers: bearer(key) }],
    [CAPABILITIES, { headers: { ...bearer(key), 'X-Request-Id': key } }],
    [`${app.api}/agent/territory-plan`, { method: 'POST', body: key, headers: bearer(key) }],
    [`${failing.api}/agent/capabilities`, { headers: bearer(key) }],
  ];
  for (const [url, init] of requests) {
    await fetch(url, { ...init, headers: { ...newClient(), ...init.headers } });
  }
  await expect.poll(() => failing.log()).toContain('request failed');
  const logged = app.log() + failing.log();
  expect(logged).toContain('/api/agent/svc_live_…');
  expect(logged).not.toContain(secret);
  expect(logged).not.toContain('Q'.repeat(40));
});
