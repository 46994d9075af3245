/** Connections whose clients send or read slowly. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import Koa from 'koa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFileBody } from '../../../src/doors/http/requests/file-body.ts';
import { listen, type RunningServer } from '../../../src/doors/http/requests/server.ts';
import { head, sendRaw } from '../../support/raw-http.ts';
import { serveBare } from '../../support/bare-app.ts';

const port = await serveBare();

describe('a body without an end', () => {
  it.each(['identity', 'gzip', 'chunked, identity', 'x'])(
    'with Transfer-Encoding: %s is refused, and its connection closed',
    async (coding) => {
      const request = ['GET /api/healthz HTTP/1.1', 'Host: x', `Transfer-Encoding: ${coding}`];
      const startedAt = performance.now();
      const answer = await sendRaw(port, `${request.join('\r\n')}\r\n\r\nbody`);
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toMatchObject({ code: 'bad_request' });
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    },
  );

  it('with Transfer-Encoding: chunked is accepted', async () => {
    const request = head('POST', '/api/agent/territory-plan', 'Transfer-Encoding: chunked');
    expect((await sendRaw(port, `${request}0\r\n\r\n`)).status).toBe(401);
  });
});

it('an idle connection stays open for longer than proxies use it', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/healthz`);
  expect(answer.headers.get('Keep-Alive')).toBe('timeout=75');
});

describe('a slow client', () => {
  const MB = 1024 * 1024;
  let server: RunningServer;

  beforeAll(async () => {
    const app = new Koa();
    app.silent = true;
    app.use(async (ctx) => {
      if (ctx.path === '/unread') {
        ctx.body = 'unread';
        return;
      }
      if (ctx.path === '/refused') {
        readFileBody(ctx.req, MB);
        ctx.body = 'refused';
        return;
      }
      if (ctx.path === '/file') {
        let length = 0;
        for await (const chunk of readFileBody(ctx.req, MB)) length += chunk.length;
        ctx.body = `${length} bytes`;
        return;
      }
      if (ctx.method === 'POST') for await (const _ of ctx.req);
      // Larger than the system's buffer for a connection.
      ctx.body = Buffer.alloc(64 * MB);
    });
    server = await listen(app.callback(), {
      host: '127.0.0.1',
      port: 0,
      timeouts: { headersTimeout: 300, requestTimeout: 300, connectionsCheckingInterval: 50 },
      readingPace: { graceMs: 1500, bytesPerSecond: 2 * MB, checkMs: 50 },
    });
  });
  afterAll(() => server.stop(0));

  function open(request: string): Socket {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(request);
    return socket;
  }

  const expectClosed = async (socket: Socket) => {
    const startedAt = performance.now();
    await new Promise((resolve) => socket.once('close', resolve));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  };

  it('that reads nothing loses its connection', async () => {
    const socket = open(head('GET', '/'));
    socket.pause();
    await delay(3_000);
    // The end shows only when the client reads.
    let length = 0;
    socket.on('data', (chunk) => (length += chunk.length)).resume();
    await expectClosed(socket);
    expect(length).toBeLessThan(64 * MB);
  });

  it('that reads a little now and then loses its connection', async () => {
    const socket = open(head('GET', '/'));
    let length = 0;
    socket.on('data', (chunk) => {
      length += chunk.length;
      socket.pause();
      setTimeout(() => socket.resume(), 50);
    });
    await expectClosed(socket);
    expect(length).toBeLessThan(64 * MB);
  });

  it('that reads steadily gets the whole answer', async () => {
    const socket = open(head('GET', '/'));
    let length = 0;
    socket.on('data', (chunk) => (length += chunk.length));
    await expectClosed(socket);
    expect(length).toBeGreaterThan(64 * MB);
  });

  it('that sends its body byte by byte loses its connection', async () => {
    const socket = open(head('POST', '/', 'Content-Length: 100000'));
    const timer = setInterval(() => socket.write('x'), 20);
    await expectClosed(socket);
    clearInterval(timer);
  });

  it('that sends a file byte by byte has more time', async () => {
    const LENGTH = 60;
    const socket = open(head('POST', '/file', `Content-Length: ${LENGTH}`));
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    for (let i = 0; i < LENGTH; i++) {
      await delay(20);
      socket.write('x');
    }
    await once(socket, 'close');
    expect(text).toContain('200 OK');
    expect(text).toContain(`${LENGTH} bytes`);
  });

  it('whose file is refused while it arrives can use the connection afterwards', async () => {
    const socket = open('POST /file HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    let text = '';
    socket.on('data', (chunk) => (text += chunk));
    const chunk = `${MB.toString(16)}\r\n${'x'.repeat(MB)}\r\n`;
    for (let i = 0; i < 3; i++) socket.write(chunk);
    await expect.poll(() => text).toContain('HTTP/1.1 413 ');
    socket.write(`${chunk}0\r\n\r\nGET /unread HTTP/1.1\r\nHost: x\r\n\r\n`);
    await expect.poll(() => text).toContain('HTTP/1.1 200 ');
    socket.destroy();
  });

  it.each([
    ['an unread body', '/unread'],
    ['a file that is refused before it’s read', '/refused'],
  ])('that never finishes %s loses its connection', async (_, path) => {
    const socket = open(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nx`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toContain('200 OK');
    const timer = setInterval(() => socket.write('x'), 20);
    await expectClosed(socket);
    clearInterval(timer);
  });
});

it('pipelined requests are answered in order, and other connections get turns in between', async () => {
  const COUNT = 300;
  let handled = 0;
  let handledBefore = 0;
  const server = await listen(
    (req, res) => {
      if (req.url === '/other') handledBefore = handled;
      else for (const until = performance.now() + 2; performance.now() < until;);
      handled++;
      setImmediate(() => res.end(`${req.url};`));
    },
    { host: '127.0.0.1', port: 0 },
  );
  const [flood, other] = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
  await Promise.all([once(flood, 'connect'), once(other, 'connect')]);
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  flood.write(Array.from({ length: COUNT }, (_, i) => ask(`/${i}`)).join(''));
  let text = '';
  flood.on('data', (chunk) => (text += chunk));
  await once(flood, 'data');
  other.write(ask('/other'));
  await once(other, 'data');
  expect(handledBefore).toBeLessThan(COUNT / 2);
  await expect.poll(() => handled).toBe(COUNT + 1);
  await expect
    .poll(() => [...text.matchAll(/\/(\d+);/g)].map(([, i]) => Number(i)))
    .toEqual([...Array(COUNT).keys()]);
  for (const socket of [flood, other]) socket.destroy();
  await server.stop(0);
});
