/** Compares the service with two ceilings in turns: a bare Koa handler, and the SQL alone. */
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import Koa from 'koa';
import { afterAll, expect } from 'vitest';
import type * as app from '../../src/app.ts';
import type { Database } from '../../src/db/database.ts';
import type * as http from '../../src/http/requests/server.ts';
import { createLog, linesTo } from '../../src/log.ts';
import { compiledModule } from '../../src/paths.ts';
import { render } from '../../src/render/render.ts';

// The compiled code, as in production: the test runner's transformed sources are a third slower.
const { createApp } = (await import(compiledModule('app.ts'))) as typeof app;
const { listen } = (await import(compiledModule('http/requests/server.ts'))) as typeof http;

const ROUNDS = 3;
const SECONDS = 3;
const CONNECTIONS = 16;
/** So many that each stays far below every rate limit */
const CLIENTS = 20_000;

const agent = new Agent({ keepAlive: true });

export const report = (line: string) => process.stdout.write(`${line}\n`);

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Starts the service, with requests spread over many clients. @returns its port */
export async function service(db: Database): Promise<number> {
  let asked = 0;
  const parts = {
    db,
    renderer: { render },
    log: createLog('info', linesTo(openSync('/dev/null', 'w'))),
    apiRoot: () => 'http://localhost',
    clientOf: () => String(asked++ % CLIENTS),
  };
  const server = await listen(createApp(parts, { basePath: '' }).callback(), LOCAL);
  afterAll(() => server.stop(0));
  return server.port;
}

const LOCAL = { host: '127.0.0.1', port: 0 };

interface Load {
  perSecond: number;
  p99Ms: number;
}

async function loadOf(port: number, path: string): Promise<Load> {
  const headers = ['Accept-Encoding: br'];
  const load = new Worker(new URL('load.mjs', import.meta.url), {
    workerData: { port, path, headers, connections: CONNECTIONS, seconds: SECONDS },
  });
  const [measured] = (await once(load, 'message')) as [Load];
  return measured;
}

/** The compressed body; fetch would decode it. */
export async function encodedBody(port: number, path: string): Promise<Buffer> {
  const request = get({ port, path, headers: { 'Accept-Encoding': 'br' }, agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(response.statusCode).toBe(200);
  return Buffer.concat(chunks);
}

/** @returns requests per second relative to a bare Koa handler that sends the same bytes */
export async function compareCachedWithKoa(
  name: string,
  port: number,
  path: string,
): Promise<number> {
  const bytes = await encodedBody(port, path);
  const bare = new Koa();
  bare.use((ctx) => {
    ctx.type = 'json';
    ctx.set('Content-Encoding', 'br');
    ctx.body = bytes;
  });
  const ceiling = await listen(bare.callback(), LOCAL);
  const loads: Record<'ours' | 'bare', Load[]> = { ours: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    loads.bare.push(await loadOf(ceiling.port, path));
    loads.ours.push(await loadOf(port, path));
  }
  await ceiling.stop(0);
  const rateOf = (of: Load[]) => median(of.map(({ perSecond }) => perSecond));
  const p99Of = (of: Load[]) => median(of.map(({ p99Ms }) => p99Ms)).toFixed(1);
  const part = rateOf(loads.ours) / rateOf(loads.bare);
  report(
    `cached, ${name}: ${bytes.length} bytes, ${rateOf(loads.ours).toFixed()}/s ` +
      `(p99 ${p99Of(loads.ours)} ms), bare Koa ${rateOf(loads.bare).toFixed()}/s ` +
      `(p99 ${p99Of(loads.bare)} ms): ${(100 * part).toFixed()}%`,
  );
  return part;
}

/**
 * @param tries requests that aren't cached yet, each with its SQL
 * @returns the median time of a response relative to its SQL
 */
export async function compareUncachedWithSql(
  name: string,
  port: number,
  tries: readonly { path: string; sql: () => Promise<unknown> }[],
): Promise<number> {
  const times: { ours: number[]; cached: number[]; sql: number[] } = {
    ours: [],
    cached: [],
    sql: [],
  };
  for (const [i, { path, sql }] of tries.entries()) {
    // The second of the two finds the database's pages in memory, so they take turns.
    if (i % 2 === 0) times.sql.push(await elapsedMs(sql));
    times.ours.push(await elapsedMs(() => encodedBody(port, path)));
    // The same request from the cache shows the overhead of any request, including the client.
    times.cached.push(await elapsedMs(() => encodedBody(port, path)));
    if (i % 2 === 1) times.sql.push(await elapsedMs(sql));
  }
  const [ours, cached, sql] = [median(times.ours), median(times.cached), median(times.sql)];
  report(
    `uncached, ${name}: ${ours.toFixed(2)} ms, SQL alone ${sql.toFixed(2)} ms: ` +
      `${(ours / sql).toFixed(2)} times (again, cached: ${cached.toFixed(2)} ms)`,
  );
  return ours / sql;
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
