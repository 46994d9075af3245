import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { operation, type Operation } from '../../../src/base/contract/operation.ts';
import { answerErrors } from '../../../src/doors/http/answers/error-answers.ts';
import { requestLog } from '../../../src/doors/http/requests/request-log.ts';
import { contractRoutes } from '../../../src/doors/http/routes.ts';
import { listen } from '../../../src/doors/http/requests/server.ts';
import { answerUnreadable } from '../../../src/doors/http/requests/unreadable-requests.ts';
import { memoryLimiter } from '../../../src/people/metering/limiter.ts';
import { bareParts, serveBare } from '../../support/bare-app.ts';
import { testLog } from '../../support/log.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

const port = await serveBare();
const send = (method: string, path: string, ...fields: string[]) =>
  sendRaw(port, head(method, path, ...fields));

/** Expects an Error object, with the headers of every answer. */
function expectRefusal(answer: Awaited<ReturnType<typeof sendRaw>>, status: number, code: string) {
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'service-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
  });
  const body = JSON.parse(answer.body) as { error: string; code: string };
  expect(body).toEqual({ error: expect.stringMatching(/^\S.*\.$/), code });
  expect(body.error).not.toMatch(/node:|\.ts|\n/);
}

describe('a malformed request', () => {
  it.each([
    ['an invalid % sequence', '/api/public/zip/%E0%A4%A', 400, 'bad_request'],
    ['a lone %', '/%', 400, 'bad_request'],
    ['a NUL character in the path', '/api/styles/a%00b.json', 400, 'bad_request'],
    ['a NUL character in the query', '/api/styles/light.json?vertical=%00', 400, 'bad_request'],
    ['a malformed absolute URL', 'http://[', 400, 'bad_request'],
    ['a space in the path', '/a b', 400, 'bad_request'],
    ['a path over 8 kB', `/${'x'.repeat(8 * 1024)}`, 414, 'uri_too_long'],
    ['a query over 8 kB', `/api/healthz?${'x'.repeat(9_000)}`, 414, 'uri_too_long'],
    ['more bytes than Node reads', `/${'x'.repeat(17_000)}`, 431, 'header_fields_too_large'],
  ])('gets an Error object: %s', async (_, path, status, code) => {
    expectRefusal(await send('GET', path), status, code);
  });

  it('names a parameter with U+0000', async () => {
    const { body } = await send('GET', '/api/styles/light.json?v=1&vertical=a%00b');
    expect(JSON.parse(body)).toMatchObject({
      error: 'vertical must not contain the character U+0000.',
    });
  });

  it.each([
    ['vertical=hvac&vertical=roofing', 'vertical is given twice. Send it once.'],
    ['vertical=hvac&vertical=hvac&vertical=hvac', 'vertical is given 3 times. Send it once.'],
  ])('names a repeated parameter: %s', async (query, error) => {
    const { body, status } = await send('GET', `/api/styles/light.json?${query}`);
    expect([status, JSON.parse(body)]).toEqual([400, { error, code: 'bad_request' }]);
  });

  it('gets an Error object for long header fields', async () => {
    const answer = await send('GET', '/api/healthz', `Cookie: ${'x'.repeat(17_000)}`);
    expectRefusal(answer, 431, 'header_fields_too_large');
  });

  it('gets an Error object if it isn’t HTTP', async () => {
    expectRefusal(await sendRaw(port, 'EHLO example.com\r\n\r\n'), 400, 'bad_request');
  });

  it('gets an Error object without a Host header', async () => {
    const answer = await sendRaw(port, 'GET /api/healthz HTTP/1.1\r\nConnection: close\r\n\r\n');
    expectRefusal(answer, 400, 'bad_request');
  });

  it('gets 405 with the supported methods', async () => {
    for (const method of ['POST', 'DELETE', 'PROPFIND', 'TRACE']) {
      const answer = await send(method, '/api/healthz');
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers['allow']).toBe('HEAD, GET');
    }
  });

  it('doesn’t include unusual but valid requests', async () => {
    for (const path of [
      'http://elsewhere:99/api/healthz',
      '/api/healthz?%',
      '/api/healthz?a=%E4',
    ]) {
      expect((await send('GET', path)).status).toBe(200);
    }
    expect((await send('GET', '/api/healthz', 'Expect: wonders')).status).toBe(200);
    expect((await send('GET', '/api/healthz', 'Upgrade: websocket')).status).toBe(200);
    expect((await sendRaw(port, 'GET /api/healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('every answer', () => {
  it.each(['/api/healthz', '/api/styles/light.json', '/docs', '/nothing', '/%'])(
    'keeps browsers from guessing its type: %s',
    async (path) => {
      const { headers } = await send('GET', path);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-powered-by']).toBeUndefined();
    },
  );

  it.each(['/docs', '/robots.txt', '/nothing', '/%', '/api/nothing'])(
    'has document headers if it may be a document: %s',
    async (path) => {
      const { headers } = await send('GET', path);
      const policy = headers['content-security-policy']!;
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("worker-src 'self' blob:");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    },
  );

  it('has no document headers if it’s data', async () => {
    const { headers } = await send('GET', '/api/styles/light.json');
    expect(headers['content-security-policy']).toBeUndefined();
    expect(headers['referrer-policy']).toBeUndefined();
  });

  it('requires TLS in browsers only if the service’s URL is HTTPS', async () => {
    const secure = await serveBare({ apiRoot: () => 'https://example.com/api' });
    const answers = [
      await sendRaw(secure, head('GET', '/nothing')),
      await sendRaw(secure, 'no http\r\n\r\n'),
    ];
    for (const { headers } of answers) {
      expect(headers['strict-transport-security']).toBe('max-age=31536000');
    }
    expect((await send('GET', '/nothing')).headers['strict-transport-security']).toBeUndefined();
  });
});

describe('HEAD', () => {
  it.each(['/api/styles/light.json', '/api/healthz', '/api/map-context', '/nothing'])(
    'returns the headers of GET without the body: %s',
    async (path) => {
      const volatile = ['date', 'ratelimit', 'x-request-id'];
      const stable = async (method: string) => {
        const { status, headers, body } = await send(method, path);
        const kept = Object.entries(headers).filter(
          ([name]) => !volatile.includes(name) && !name.startsWith('x-ratelimit-'),
        );
        return { status, headers: Object.fromEntries(kept), body };
      };
      const [get, headOnly] = [await stable('GET'), await stable('HEAD')];
      expect(get.body).not.toBe('');
      expect(headOnly).toEqual({ ...get, body: '' });
    },
  );
});

describe('OPTIONS', () => {
  it('lists the methods and allows any origin', async () => {
    const { status, headers, body } = await send('OPTIONS', '/api/styles/light.json');
    expect(status).toBe(204);
    expect(body).toBe('');
    expect(headers).toMatchObject({
      allow: 'HEAD, GET',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'HEAD, GET',
    });
  });
});

/** Records the signal of each call, and emits `call`. */
class Calls extends EventEmitter {
  readonly signals: AbortSignal[] = [];
  add(signal: AbortSignal) {
    this.signals.push(signal);
    this.emit('call');
  }
}

/** An operation that waits until the client disconnects, and one with a small answer. */
function waitingOperations(calls: Calls): Operation[] {
  const common = { method: 'get', tag: 'T', description: '', auth: 'none' } as const;
  const answers = { 200: { description: 'It', schema: z.object({ n: z.number() }), example: {} } };
  return [
    operation({
      ...common,
      id: 'wait',
      path: '/wait',
      summary: 'Waits',
      answers,
      handle: async ({ signal }) => {
        calls.add(signal);
        await once(signal, 'abort');
        throw new Error('canceled');
      },
    }),
    operation({
      ...common,
      id: 'small',
      path: '/small',
      summary: 'Small',
      answers,
      handle: async ({ signal }) => {
        calls.add(signal);
        return { status: 200, body: { n: 0 } };
      },
    }),
  ];
}

describe('the server', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = testLog((line) => lines.push(JSON.parse(line)));
  const calls = new Calls();
  const app = new Koa();
  app.on('error', (error) => log.error({ err: error }, 'answer could not be sent'));
  app
    .use(requestLog(log))
    .use(answerErrors(log))
    .use(contractRoutes(waitingOperations(calls), { basePath: '', checkAnswers: true }));
  const timeouts = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 50 };
  const server = await listen(
    app.callback(),
    { host: '127.0.0.1', port: 0, timeouts },
    answerUnreadable(memoryLimiter(), bareParts().apiRoot),
  );
  afterAll(() => server.stop(0));

  it('aborts work when its client disconnects, and logs no error', async () => {
    const socket: Socket = connect(server.port, '127.0.0.1');
    socket.write(head('GET', '/wait'));
    await once(calls, 'call');
    const signal = calls.signals.at(-1)!;
    expect(signal.aborted).toBe(false);
    socket.destroy();
    await once(signal, 'abort');
    await expect
      .poll(() => lines.find(({ path }) => path === '/wait'))
      .toMatchObject({ msg: 'request', aborted: true });
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  it('doesn’t abort work whose answer was sent', async () => {
    await sendRaw(server.port, head('GET', '/small'));
    expect(calls.signals.at(-1)!.aborted).toBe(false);
  });

  it('sends ETags with answers that aren’t cached', async () => {
    const { headers, body } = await sendRaw(server.port, head('GET', '/small'));
    expect(JSON.parse(body)).toEqual({ n: 0 });
    const known = head('GET', '/small', `If-None-Match: ${headers['etag']}`);
    expect(await sendRaw(server.port, known)).toMatchObject({ status: 304, body: '' });
  });

  it('answers 304 to a current copy even if the request asks caches to revalidate', async () => {
    const etag = (await sendRaw(server.port, head('GET', '/small'))).headers['etag']!;
    const ask = (...fields: string[]) => sendRaw(server.port, head('GET', '/small', ...fields));
    // `fetch` adds no-cache automatically.
    const current = await ask(`If-None-Match: ${etag}`, 'Cache-Control: no-cache');
    expect(current).toMatchObject({ status: 304, body: '' });
    for (const known of [`"other", ${etag}`, `W/${etag}`, '*']) {
      expect((await ask(`If-None-Match: ${known}`)).status).toBe(304);
    }
    for (const known of ['"other"', etag.slice(1, -1), '']) {
      expect((await ask(`If-None-Match: ${known}`)).status).toBe(200);
    }
  });

  it('ignores the body of a GET request and keeps the connection', async () => {
    const request = `GET /small HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{"a":`;
    const answers = await sendRaw(server.port, request + head('GET', '/small'));
    expect(answers.status).toBe(200);
    expect(answers.body).toMatch(/\{"n":0\}HTTP\/1\.1 200 OK/);
  });

  it('closes slow requests with 408', async () => {
    const answer = await sendRaw(server.port, 'GET /small HTTP/1.1\r\nHost: x\r\nX-Slow:');
    expectRefusal(answer, 408, 'request_timeout');
  });

  it('forbids caching of the health check', async () => {
    const { headers } = await send('GET', '/api/healthz');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['etag']).toBeUndefined();
  });
});
