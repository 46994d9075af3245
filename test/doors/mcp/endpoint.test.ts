/** HTTP behavior of POST /mcp: statuses, headers, and protocol errors. */
import { request } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/people/account/keys.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';
import { testDatabase } from '../../support/database.ts';
import { serveDemo } from './service.ts';

const { db } = await testDatabase('sample');
const { url, key, tenant, anotherKey } = await serveDemo(db);

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const call = (name: string, args: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};
const PLAN = { metro: 'dallas-tx', vertical: 'roofing' };
const COMPLETE = {
  ref: { type: 'ref/prompt', name: 'plan-territory' },
  argument: { name: 'metro', value: 'dal' },
};

/** For the many messages about params, which would use up the limit of the other key */
const ofAnotherKey = { Authorization: `Bearer ${await anotherKey()}` };

interface Reply {
  status: number;
  headers: Headers;
  body: any;
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const sent = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: sent === '' ? '' : JSON.parse(sent),
  };
}

const readUnits = async () => (await meterOf(tenant, { monthlyUnits: 0 })).unitsUsed;

describe('the endpoint', () => {
  it('requires a credential and says how to send one', async () => {
    for (const Authorization of ['', 'Bearer', 'Basic eA==', 'Bearer svc_live_nobody']) {
      const { status, headers, body } = await post(LIST, { Authorization });
      expect(status).toBe(401);
      expect(headers.get('WWW-Authenticate')).toMatch(/^Bearer realm="territory"/);
      expect(body).toMatchObject({
        jsonrpc: '2.0',
        id: null,
        error: { message: expect.any(String), data: { code: 'unauthorized', status: 401 } },
      });
    }
  });

  it('rejects a revoked key', async () => {
    const lost = await anotherKey();
    expect((await post(LIST, { Authorization: `Bearer ${lost}` })).status).toBe(200);
    const [row] = await tenant.query<{ id: string }>(
      'select id from api_keys where organization_id = $1 and hint = $2',
      [lost.slice(-4)],
    );
    await revokeKey(tenant, row!.id);
    expect((await post(LIST, { Authorization: `Bearer ${lost}` })).status).toBe(401);
  });

  it('answers pages of other origins that send a token, but never one that uses cookies', async () => {
    for (const Origin of ['https://agents.example', 'null']) {
      const { status, headers } = await post(LIST, { Origin });
      expect(status).toBe(200);
      expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    }
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://agents.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Methods')).toBe('POST');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
    expect(preflight.headers.get('Access-Control-Expose-Headers')).toContain('WWW-Authenticate');
  });

  it('refuses pages whose host name isn’t its own', async () => {
    const sent = request(url, {
      method: 'POST',
      headers: {
        Host: 'evil.example:3000',
        Origin: 'http://evil.example:3000',
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
      },
    });
    sent.end(JSON.stringify(LIST));
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(403);
    expect(JSON.parse(await text(response))).toMatchObject({
      id: 1,
      error: { data: { code: 'origin_not_allowed', status: 403 } },
    });
  });

  it('accepts any Host header', async () => {
    for (const Host of ['evil.example', 'a b', '[::', 'x'.repeat(300)]) {
      const sent = request(url, {
        method: 'POST',
        headers: { Host, Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      });
      sent.end(JSON.stringify(LIST));
      const [response] = await once(sent, 'response');
      expect(response.statusCode).toBe(200);
      expect(JSON.parse(await text(response)).result.tools.length).toBe(17);
    }
  });

  it('answers other methods with 405 and the allowed method', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(url, { method, headers: { Authorization: `Bearer ${key}` } });
      expect(response.status).toBe(405);
      expect(response.headers.get('Allow')).toBe('POST');
    }
  });
});

describe('a message', () => {
  it('is answered as JSON for any Accept header', async () => {
    for (const Accept of ['application/json', '*/*', 'text/event-stream', 'text/html']) {
      const { status, headers, body } = await post(LIST, { Accept });
      expect(status).toBe(200);
      expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
      expect(body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { tools: expect.any(Array) } });
    }
  });

  it('keeps its id, a string or a number', async () => {
    for (const id of [0, 7, 'seven']) {
      expect((await post(call('service_list_brands', {}, id))).body.id).toBe(id);
    }
  });

  it.each([
    ['invalid JSON', '{"jsonrpc"', -32700],
    ['empty', '', -32700],
    ['nested too deep', `${'['.repeat(40)}${']'.repeat(40)}`, -32700],
    ['an empty object', '{}', -32600],
    ['a batch', JSON.stringify([LIST, LIST]), -32600],
    ['a message of another version', JSON.stringify({ ...LIST, jsonrpc: '1.0' }), -32600],
    ['a message without a method', '{"jsonrpc":"2.0","id":1}', -32600],
  ])('that is %s gets a protocol error', async (_what, body, code) => {
    const reply = await post(body);
    expect(reply).toMatchObject({
      status: 400,
      body: { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
    });
  });

  it('with an unknown method gets a protocol error', async () => {
    expect(await post({ ...LIST, method: 'tools/steal' })).toMatchObject({
      body: { id: 1, error: { code: -32601 } },
    });
  });

  it('that is a batch says that batches aren’t supported', async () => {
    for (const batch of [[LIST, LIST], []]) {
      expect((await post(batch)).body.error).toEqual({
        code: -32600,
        message: 'Batches aren’t supported. Send each message in a request of its own.',
      });
    }
  });

  it('may have null for anything that it leaves out', async () => {
    for (const [method, params] of [
      ['tools/list', null],
      ['tools/list', { cursor: null, _meta: null }],
      ['resources/list', { cursor: null, _meta: { progressToken: null } }],
      ['tools/call', { name: 'service_get_capabilities', arguments: null }],
      ['tools/call', { name: 'service_list_brands', arguments: { limit: null, cursor: null } }],
      ['prompts/get', { name: 'plan-territory', arguments: { ...PLAN, brand: null } }],
      ['completion/complete', { ...COMPLETE, context: null }],
      ['initialize', { ...INITIALIZE, capabilities: { roots: null } }],
    ] as const) {
      const { status, body } = await post({ jsonrpc: '2.0', id: 1, method, params }, ofAnotherKey);
      expect([method, status, body.error]).toEqual([method, 200, undefined]);
      expect(body.result.isError ?? false).toBe(false);
    }
  });

  it.each([
    [
      'completion/complete',
      {},
      /^completion\/complete: ref must be an object; argument is missing/,
    ],
    ['completion/complete', { ...COMPLETE, ref: 'plan-territory' }, /ref must be an object\. Send/],
    [
      'completion/complete',
      { ...COMPLETE, ref: { type: 'ref/prompt' } },
      /: ref.name is missing\./,
    ],
    [
      'completion/complete',
      { ...COMPLETE, argument: { name: 'metro' } },
      /argument.value is missing/,
    ],
    ['initialize', undefined, /^initialize: params is missing\. Send params such as \{"protocolV/],
    ['initialize', { ...INITIALIZE, protocolVersion: 1 }, /: protocolVersion must be a string\./],
    [
      'initialize',
      { ...INITIALIZE, clientInfo: { name: 'x' } },
      /: clientInfo.version is missing\./,
    ],
    [
      'logging/setLevel',
      { level: 'loud' },
      /level must be one of debug, .*such as \{"level":"info"\}\.$/,
    ],
    ['logging/setLevel', {}, /level must be one of debug/],
    [
      'prompts/get',
      { name: 'plan-territory', arguments: { size: 15 } },
      /arguments.size must be a st/,
    ],
    ['prompts/get', {}, /: name is missing\./],
    ['prompts/list', { cursor: 3 }, /: cursor must be a string\./],
    ['resources/read', { uri: 5 }, /: uri must be a string\. .*territory:\/\/brands/],
    [
      'resources/read',
      { uri: 'territory://brands/a\0' },
      /: uri must not contain the character U\+0000\./,
    ],
    ['tools/call', { name: ['x'] }, /: name must be a string\./],
    [
      'tools/call',
      { name: 'service_list_brands', arguments: [] },
      /: arguments must be an object\./,
    ],
    [
      'tools/list',
      { _meta: { progressToken: {} } },
      /progressToken must be a string or a number\./,
    ],
    ['ping', { _meta: 3 }, /: _meta must be an object\./],
    ['tools/list', [], /: params must be an object\. Send/],
    ['resources/list', 'all', /: params must be an object/],
  ])('%s with %j gets a sentence', async (method, params, sentence) => {
    const { body } = await post({ jsonrpc: '2.0', id: 9, method, params }, ofAnotherKey);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 9,
      error: { code: -32602, message: expect.stringMatching(sentence) },
    });
    expect(body.error.message).not.toMatch(/Invalid input|invalid_type|expected/);
  });

  it('must be JSON of at most one megabyte', async () => {
    const long = { ...LIST, params: { _meta: { x: 'x'.repeat(1024 * 1024) } } };
    expect((await post(long)).status).toBe(413);
    expect((await post(LIST, { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('without an id gets no answer', async () => {
    expect(await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
      status: 202,
      body: '',
    });
    expect((await post({ ...call('service_list_brands'), id: undefined })).status).toBe(202);
  });

  it('of the newer protocol must repeat method and version in its headers', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { ...LIST, params: { _meta: meta } };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list' };
    expect((await post(message, headers)).status).toBe(200);
    expect(await post(message, { ...headers, 'Mcp-Method': 'tools/call' })).toMatchObject({
      status: 400,
      body: { error: { code: -32020 } },
    });
    const future = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
    expect(
      await post(
        { ...LIST, params: { _meta: future } },
        { ...headers, 'MCP-Protocol-Version': '2030-01-01' },
      ),
    ).toMatchObject({ status: 400, body: { error: { code: -32022 } } });
    expect(
      await post(
        { ...message, method: 'subscriptions/listen' },
        { ...headers, 'Mcp-Method': 'subscriptions/listen' },
      ),
    ).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  });
});

describe('a call', () => {
  const charged = async (message: object) => {
    const before = await readUnits();
    const { body } = await post(message, { Authorization: `Bearer ${costKey}` });
    return { units: (await readUnits()) - before, isError: body.result.isError };
  };
  let costKey = key;

  it('is charged when it succeeds, but not for a failure or a preview', async () => {
    costKey = await anotherKey();
    const brand = 'lone-star-roofing';
    expect(await charged(call('service_list_brands'))).toEqual({ units: 1, isError: false });
    expect(
      await charged(call('service_score_territory', { vertical: 'hvac', metro: 'dallas-tx' })),
    ).toEqual({ units: 10, isError: false });
    for (const failing of [
      call('service_score_territory', { vertical: 'hvac', metro: 'nowhere' }),
      call('service_score_territory', { vertical: 'hvac' }),
      call('service_get_brand_territory', { brand: 'nobody' }),
    ]) {
      expect(await charged(failing)).toEqual({ units: 0, isError: true });
    }
    for (const preview of [
      call('service_share_territory_map', { brand }),
      call('service_remove_territory', { brand, zips: ['75201'] }),
    ]) {
      expect(await charged(preview)).toEqual({ units: 0, isError: false });
    }
  });

  it('is charged once if a write is repeated', async () => {
    const message = call('service_share_territory_map', {
      brand: 'lone-star-roofing',
      confirm: true,
      idempotencyKey: 'the same',
    });
    expect(await charged(message)).toEqual({ units: 5, isError: false });
    expect(await charged(message)).toEqual({ units: 0, isError: false });
  });

  it('is refused with the usage when the units are used up', async () => {
    await changeSubscription(tenant, { monthlyUnits: await readUnits() });
    const { status, body } = await post(call('service_list_brands', {}, 'a'));
    expect(status).toBe(402);
    expect(body).toMatchObject({
      jsonrpc: '2.0',
      id: 'a',
      error: {
        message: expect.stringContaining('Wait for new units'),
        data: {
          code: 'usage_quota_exceeded',
          retryAfterSeconds: expect.any(Number),
          usage: { unitsRemaining: 0, unitsIncluded: await readUnits() },
        },
      },
    });
    // Free calls still work.
    expect((await post(LIST)).status).toBe(200);
    expect((await post(call('service_list_brands', { limit: 'all' }))).status).toBe(200);
    await changeSubscription(tenant, { monthlyUnits: 100_000 });
  });
});

it('calls without a subscription are refused', async () => {
  await changeSubscription(tenant, { status: 'past_due' });
  const refused = await post(LIST);
  // Waiting for new units doesn't help.
  expect(refused.body.error.data).not.toHaveProperty('retryAfterSeconds');
  expect(refused).toMatchObject({
    status: 402,
    body: {
      id: 1,
      error: {
        data: {
          code: 'subscription_required',
          status: 402,
          usage: { unitsUsed: await readUnits() },
        },
      },
    },
  });
  await changeSubscription(tenant, { status: 'active' });
});

it('a key may call 60 times per minute', async () => {
  const busy = await anotherKey();
  const replies = await Promise.all(
    Array.from({ length: 61 }, () => post(LIST, { Authorization: `Bearer ${busy}` })),
  );
  const refused = replies.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(1);
  const wait = Number(refused[0]!.headers.get('Retry-After'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(refused[0]!.body.error.data).toEqual({
    code: 'rate_limited',
    status: 429,
    retryAfterSeconds: wait,
    limit: { policy: 'mcp', quota: 60, windowSeconds: 60 },
  });
  expect(replies[0]!.headers.get('RateLimit')).toMatch(
    /^"mcp";r=\d+;t=\d+, "mcp-day";r=\d+;t=\d+$/,
  );
});
