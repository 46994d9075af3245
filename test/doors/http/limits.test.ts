import { describe, expect, it } from 'vitest';
import { POLICIES } from '../../../src/base/contract/limits.ts';
import { clientAddress } from '../../../src/doors/http/requests/client-address.ts';
import { limitHeaders } from '../../../src/doors/http/limits/limits.ts';
import { memoryLimiter, type Standing } from '../../../src/people/metering/limiter.ts';
import { networkList } from '../../../src/base/text/networks.ts';
import { serveBare } from '../../support/bare-app.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

/** Trusts this machine as a proxy, so that each test can be a new client. */
const clientOf = clientAddress(networkList(['127.0.0.1']));
const port = await serveBare({ clientOf });
let clients = 0;
const newClient = () => `X-Forwarded-For: 203.0.113.${++clients}`;
const ask = (method: string, path: string, ...fields: string[]) =>
  sendRaw(port, head(method, path, ...fields));

const LIMIT_HEADERS = /^"([\w-]+)";r=(\d+);t=(\d+)$/;

describe('rate-limit headers', () => {
  it.each([
    ['GET /api/healthz', 200, 'service'],
    ['HEAD /api/healthz', 200, 'service'],
    ['DELETE /api/healthz', 405, 'service'],
    ['GET /nothing', 404, 'service'],
    ['PROPFIND /nothing', 404, 'service'],
    ['OPTIONS *', 404, 'service'],
    ['GET /api/map-context', 400, 'map-context'],
    ['OPTIONS /api/map-context', 204, 'map-context'],
    ['POST /api/map-context', 405, 'map-context'],
    ['PROPFIND /api/map-context', 405, 'map-context'],
    ['GET /api/public/zip/1', 400, 'public'],
    ['HEAD /api/public/zip/1', 400, 'public'],
    ['OPTIONS /api/public/zip/1', 204, 'public'],
    ['PUT /api/public/zip/1', 405, 'public'],
    ['GET /API/Public/Zip/1/', 400, 'public'],
    ['GET /api/public/no/such/thing', 404, 'public'],
    ['GET /.well-known/nothing', 404, 'well-known'],
    ['GET /api/shared/x/nothing', 404, 'shared'],
    ['GET /api/agent/capabilities', 401, 'unauthenticated'],
    ['POST /api/agent/territory-plan', 401, 'unauthenticated'],
    ['GET /api/agent/territory-plan', 405, 'unauthenticated'],
    ['OPTIONS /api/agent/territory-plan', 204, 'unauthenticated'],
    ['GET /api/agent/nothing', 404, 'unauthenticated'],
    ['POST /api/mcp', 401, 'unauthenticated'],
    ['GET /api/styles/light.json', 200, 'tiles'],
    ['GET /api/public/zip/%E0%A4%A', 400, 'public'],
    ['GET /api/public/{9000}', 414, 'public'],
    ['GET http://[', 400, 'service'],
    ['GET / not http', 400, 'service'],
    ['GET /{20000}', 431, 'service'],
  ])('of %s (%i) report the policy %s', async (request, status, policy) => {
    const [, method = '', short = ''] = /^(\w+) (.*)$/.exec(request) ?? [];
    const path = short.replace(/\{(\d+)\}/, (_, length) => 'x'.repeat(Number(length)));
    const now = Math.floor(Date.now() / 1000);
    const answer = await ask(method, path, newClient());
    expect(answer.status).toBe(status);
    const { quota, windowSeconds } = POLICIES[policy as 'public'];
    const [, name, remaining, seconds] = LIMIT_HEADERS.exec(answer.headers['ratelimit']!) ?? [];
    expect(name).toBe(policy);
    expect(Number(seconds)).toBeLessThanOrEqual(windowSeconds);
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': `"${policy}";q=${quota};w=${windowSeconds}`,
      'x-ratelimit-limit': String(quota),
      'x-ratelimit-remaining': remaining,
    });
    const reset = Number(answer.headers['x-ratelimit-reset']);
    expect(reset).toBeGreaterThanOrEqual(now);
    expect(reset).toBeLessThanOrEqual(now + 2 * windowSeconds);
  });

  it('are sent with 304', async () => {
    const { headers } = await ask('GET', '/api/styles/light.json');
    const again = await ask('GET', '/api/styles/light.json', `If-None-Match: ${headers['etag']}`);
    expect(again.status).toBe(304);
    expect(again.headers['ratelimit']).toMatch(/^"tiles";/);
  });

  it('are sent with 500', async () => {
    const broken = await serveBare({
      db: { query: () => Promise.reject(new Error('broken')) } as never,
    });
    const answer = await sendRaw(broken, head('GET', '/api/map-context?bbox=0,0,1,1&zoom=3'));
    expect(answer.status).toBe(500);
    expect(answer.headers['ratelimit']).toMatch(/^"map-context";/);
  });

  it('count every request once, including HEAD, OPTIONS, and errors', async () => {
    const client = newClient();
    const left: unknown[] = [];
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'GET']) {
      const { headers } = await ask(method, '/api/public/zip/1', client);
      left.push(headers['x-ratelimit-remaining']);
    }
    expect(left).toEqual(['99', '98', '97', '96', '95']);
  });
});

describe('a client that exceeds its quota', () => {
  const client = newClient();
  const overspent = (async () => {
    const statuses: number[] = [];
    for (let i = 0; i < POLICIES.public.quota; i++) {
      statuses.push((await ask('GET', '/api/public/zip/1', client)).status);
    }
    return { statuses, ...(await ask('GET', '/api/public/zip/1', client)) };
  })();

  it('is served up to the quota', async () => {
    expect(new Set((await overspent).statuses)).toEqual(new Set([400]));
  });

  it('receives a message, a code, and Retry-After', async () => {
    const { status, headers, body } = await overspent;
    expect(status).toBe(429);
    const [, , remaining, seconds] = LIMIT_HEADERS.exec(headers['ratelimit']!)!;
    expect(remaining).toBe('0');
    expect(headers['retry-after']).toBe(seconds);
    expect(Number(seconds)).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(body)).toEqual({
      error: `The limit "public" allows 100 requests per minute. Try again in ${seconds} seconds.`,
      code: 'rate_limited',
    });
  });

  it('can read the refusal from a page of another site', async () => {
    expect((await overspent).headers['access-control-allow-origin']).toBe('*');
  });

  it('is refused for every spelling of the path', async () => {
    await overspent;
    for (const path of ['/API/public/zip/1', '/api/public/ZIP/1/', 'http://x/api/public/zip/1']) {
      expect((await ask('GET', path, client)).status).toBe(429);
    }
  });

  it('keeps the quotas of other policies', async () => {
    await overspent;
    expect((await ask('GET', '/api/healthz', client)).status).toBe(200);
  });

  it('doesn’t affect other clients', async () => {
    await overspent;
    const other = await ask('GET', '/api/public/zip/1', newClient());
    expect(other.headers['x-ratelimit-remaining']).toBe('99');
  });

  it('can’t evade the limit with X-Forwarded-For if there is no proxy', async () => {
    const open = await serveBare();
    const answers = [];
    for (const from of ['203.0.113.1', '203.0.113.2']) {
      const request = head('GET', '/api/public/zip/1', `X-Forwarded-For: ${from}`);
      answers.push((await sendRaw(open, request)).headers['x-ratelimit-remaining']);
    }
    expect(answers).toEqual(['99', '98']);
  });
});

describe('several policies', () => {
  const standing = (more: Partial<Standing>): Standing => ({
    policy: 'public',
    quota: 60,
    windowSeconds: 60,
    remaining: 5,
    resetSeconds: 10,
    exceeded: false,
    ...more,
  });

  it('are all listed, and the older headers report the tightest', () => {
    const day = standing({
      policy: 'service',
      quota: 2000,
      windowSeconds: 86_400,
      remaining: 3,
      resetSeconds: 7000,
    });
    const headers = limitHeaders([standing({}), day]);
    expect(headers).toMatchObject({
      RateLimit: '"public";r=5;t=10, "service";r=3;t=7000',
      'RateLimit-Policy': '"public";q=60;w=60, "service";q=2000;w=86400',
      'X-RateLimit-Limit': '2000',
      'X-RateLimit-Remaining': '3',
    });
  });

  it('are reported by the one that resets later if both are exceeded', () => {
    const day = standing({ policy: 'mcp-day', quota: 2000, remaining: 0, resetSeconds: 7_000 });
    for (const both of [
      [standing({ remaining: 0 }), day],
      [day, standing({ remaining: 0 })],
    ] as const) {
      expect(limitHeaders(both)['X-RateLimit-Limit']).toBe('2000');
    }
  });
});

describe('the limiter in memory', () => {
  it('allows exactly the quota if all requests come at once', async () => {
    const limiter = memoryLimiter();
    const standings = await Promise.all(
      Array.from({ length: 130 }, () => limiter.count('public', 'a')),
    );
    expect(standings.filter(({ exceeded }) => !exceeded)).toHaveLength(100);
  });
});
