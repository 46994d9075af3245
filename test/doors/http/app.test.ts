import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { createApp } from '../../../src/app.ts';
import { SERVICE_VERSION } from '../../../src/base/contract/version.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { badRequest } from '../../../src/errors.ts';
import { answerErrors } from '../../../src/doors/http/answers/error-answers.ts';
import { requestLog } from '../../../src/doors/http/requests/request-log.ts';
import { listen, type RunningServer } from '../../../src/doors/http/requests/server.ts';
import { render } from '../../../src/render/render.ts';
import { appendTrace } from '../../../src/base/observe/trace.ts';
import { testLog } from '../../support/log.ts';
import { bareParts } from '../../support/bare-app.ts';

const lines: Record<string, unknown>[] = [];
const log = testLog((line) => lines.push(JSON.parse(line)));

const servers: RunningServer[] = [];
afterAll(() => Promise.all(servers.map((s) => s.stop(0))));

async function serve(app: Koa): Promise<string> {
  const server = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
  servers.push(server);
  return `http://127.0.0.1:${server.port}`;
}

/** Serves a handler with only the log, the collected headers, and error answers around it. */
function serveHandler(handler: Koa.Middleware): Promise<string> {
  const app = new Koa();
  app.use(requestLog(log)).use(answerErrors(log)).use(handler);
  return serve(app);
}

describe('the service', () => {
  const db = {
    query: async () => [],
    transaction: async () => {},
    responds: async () => true,
    close: async () => {},
  };
  const service = serve(
    createApp(
      bareParts({
        db: db as unknown as Database,
        renderer: mapsWith({ render }),
        log,
        apiRoot: () => '',
      }),
      { basePath: '/api' },
    ),
  );

  it('sends the version of the contract with every answer, including 404', async () => {
    for (const path of ['/api/healthz', '/healthz', '/api/nothing']) {
      const response = await fetch((await service) + path);
      expect(response.headers.get('Service-Version')).toBe(SERVICE_VERSION);
    }
  });

  it('answers unknown paths with an Error object', async () => {
    const response = await fetch(`${await service}/api/nothing`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error:
        'Nothing found at /api/nothing. Check the address; /docs/reference lists all operations.',
      code: 'not_found',
    });
  });

  it('lists the supported methods in a 405 answer', async () => {
    const response = await fetch(`${await service}/api/healthz`, { method: 'DELETE' });
    expect(response.status).toBe(405);
    expect(response.headers.get('Allow')).toBe('HEAD, GET');
    expect(await response.json()).toMatchObject({ code: 'method_not_allowed' });
  });

  it('answers HEAD like GET, without the body', async () => {
    const response = await fetch(`${await service}/api/healthz`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });
});

describe('a failure', () => {
  it('shows the message and code of a ServiceError', async () => {
    const url = await serveHandler(() => {
      throw badRequest('The ZIP code must have five digits.');
    });
    const response = await fetch(url);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'The ZIP code must have five digits.',
      code: 'bad_request',
    });
  });

  it('drops the cache and encoding headers of the intended answer', async () => {
    const url = await serveHandler((ctx) => {
      ctx.set({ 'Cache-Control': 'public, max-age=86400', ETag: '"x"', 'Content-Encoding': 'br' });
      throw badRequest('Too late.');
    });
    const { headers } = await fetch(url);
    expect(headers.get('Cache-Control')).toBeNull();
    expect(headers.get('ETag')).toBeNull();
    expect(headers.get('Content-Encoding')).toBeNull();
  });

  it('logs any other error and shows only the request id', async () => {
    const url = await serveHandler(() => {
      throw new Error('relation "secret_table" does not exist');
    });
    const response = await fetch(url, { headers: { 'X-Request-Id': 'abc-123' } });
    const body = await response.text();
    expect(response.status).toBe(500);
    expect(body).not.toContain('secret_table');
    expect(body).toContain('abc-123');
    expect(lines.find((l) => l['msg'] === 'request failed')).toMatchObject({
      requestId: 'abc-123',
      err: { message: expect.stringContaining('secret_table') },
    });
  });
});

describe('the request log', () => {
  it('logs each request without its query', async () => {
    const url = await serveHandler((ctx) => {
      ctx.body = 'fine';
    });
    const response = await fetch(`${url}/some/path?email=someone@example.com`);
    const requestId = response.headers.get('X-Request-Id');
    await expect
      .poll(() => lines.find((l) => l['requestId'] === requestId))
      .toMatchObject({ msg: 'request', method: 'GET', path: '/some/path', status: 200 });
    expect(JSON.stringify(lines)).not.toContain('someone@example.com');
  });

  it('shortens the tokens of share links', async () => {
    const url = await serveHandler((ctx) => {
      ctx.body = 'fine';
    });
    await fetch(`${url}/shared/4f7k2m9x0q/meta`);
    await expect.poll(() => lines.map(({ path }) => path)).toContain('/shared/4f7…/meta');
    expect(JSON.stringify(lines)).not.toContain('4f7k2m9x0q');
  });

  it('replaces a request id that could forge log lines', async () => {
    const url = await serveHandler((ctx) => {
      ctx.body = 'fine';
    });
    const response = await fetch(url, { headers: { 'X-Request-Id': 'a b{"msg":1}' } });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a stopping server', () => {
  const slowApp = () => {
    const app = new Koa();
    app.use(async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, Number(ctx.query['ms'])));
      ctx.body = 'done';
    });
    return app;
  };

  it('finishes open requests and refuses new ones', async () => {
    const server = await listen(slowApp().callback(), { host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${server.port}`;
    const open = fetch(`${url}/?ms=300`).then((r) => r.text());
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopped = server.stop(5_000);
    await expect(fetch(`${url}/?ms=0`)).rejects.toThrow();
    expect(await open).toBe('done');
    await stopped;
  });

  it('closes connections that outlast the grace period', async () => {
    const server = await listen(slowApp().callback(), { host: '127.0.0.1', port: 0 });
    const open = fetch(`http://127.0.0.1:${server.port}/?ms=60000`).catch(() => 'cut off');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await server.stop(50);
    expect(await open).toBe('cut off');
  });
});

describe('a request within a trace', () => {
  const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
  const PARENT = '00f067aa0ba902b7';
  const send = async (traceparent: string) => {
    let sql = '';
    const url = await serveHandler((ctx) => {
      sql = appendTrace('select 1');
      ctx.body = 'fine';
    });
    const response = await fetch(url, { headers: { traceparent } });
    const requestId = response.headers.get('X-Request-Id');
    const find = () => lines.find((l) => l['requestId'] === requestId);
    await expect.poll(find).toBeDefined();
    return { sql, line: find()! };
  };

  it('is logged with the trace, and its SQL continues the trace as a new span', async () => {
    const { sql, line } = await send(`00-${TRACE}-${PARENT}-01`);
    expect(line).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    expect(line['spanId']).toMatch(/^[0-9a-f]{16}$/);
    expect(line['spanId']).not.toBe(PARENT);
    expect(sql).toBe(`select 1 /*traceparent='00-${TRACE}-${String(line['spanId'])}-01'*/`);
  });

  it.each([
    'garbage',
    `ff-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01'*/; drop table zips; --`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
  ])('has none if the header is malformed: %s', async (traceparent) => {
    const { sql, line } = await send(traceparent);
    expect(sql).toBe('select 1');
    expect(line).not.toHaveProperty('traceId');
  });
});
