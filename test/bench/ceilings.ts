/** Compares the service with two ceilings in turns: a bare Koa handler, and the SQL alone. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { afterAll, expect } from 'vitest';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import type * as app from '../../src/app.ts';
import type { Database } from '../../src/base/db/database.ts';
import type * as http from '../../src/doors/http/requests/server.ts';
import { KEEP_ALIVE_MS } from '../../src/doors/http/requests/server.ts';
import { createLog, linesTo } from '../../src/base/observe/log.ts';
import { compiledModule } from '../../src/base/workers/compiled-module.ts';
import { render } from '../../src/render/render.ts';
import { median } from './quantile.ts';
import { bareParts } from '../support/bare-app.ts';

// The compiled code, as in production: the test runner's transformed sources are a third slower.
const { createApp } = (await import(compiledModule('app.ts'))) as typeof app;
const { listen } = (await import(compiledModule('doors/http/requests/server.ts'))) as typeof http;

const ROUNDS = 16;
/** Requests until the compiler has optimized the code */
const WARM_UP = 4;
const RESPONSES = 4_000;
const CONNECTIONS = 16;
/** Enough clients to keep each far below every rate limit */
const CLIENTS = 20_000;

const agent = new Agent({ keepAlive: true });

export const report = (line: string) => process.stdout.write(`${line}\n`);

/** Starts the service, with requests spread over many clients. @returns its port */
export async function service(db: Database): Promise<number> {
  let asked = 0;
  const parts = bareParts({
    db,
    renderer: mapsWith({ render }),
    log: createLog('info', linesTo(openSync('/dev/null', 'w'))),
    apiRoot: () => 'http://localhost',
    clientOf: () => String(asked++ % CLIENTS),
  });
  const server = await listen(createApp(parts, { basePath: '' }).callback(), LOCAL);
  afterAll(() => server.stop(0));
  return server.port;
}

const LOCAL = { host: '127.0.0.1', port: 0 };

/** Requests a path from another process until it has all responses. */
export async function load(ports: readonly number[], path: string, amount: object): Promise<void> {
  const options = { ports, path, headers: ['Accept-Encoding: br'], ...amount };
  const client = fork(new URL('load.mjs', import.meta.url), [JSON.stringify(options)]);
  const [code] = await once(client, 'exit');
  if (code !== 0) throw new Error('a process that sends requests has failed');
}

/** Microseconds of this process's CPU per response, which other work on the machine affects least */
async function cpuPerResponse(port: number, path: string): Promise<number> {
  const before = process.cpuUsage();
  await load([port], path, { connections: CONNECTIONS, total: RESPONSES });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RESPONSES;
}

/** A compressed response; fetch would decode it. */
async function responseOf(port: number, path: string) {
  const request = get({ port, path, headers: { 'Accept-Encoding': 'br' }, agent });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(response.statusCode).toBe(200);
  const raw = response.rawHeaders;
  const fields = Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i]!, raw[2 * i + 1]!]);
  return { fields, bytes: Buffer.concat(chunks) };
}

/** Set by Node */
const OWN_FIELDS = new Set(['Content-Length', 'Date', 'Connection', 'Keep-Alive']);

/** @returns CPU time of a bare Koa handler that sends the same bytes and fields, relative to that of the service */
export async function compareCachedWithKoa(
  name: string,
  port: number,
  path: string,
): Promise<number> {
  const { fields, bytes } = await responseOf(port, path);
  const sent = fields.filter(([field]) => !OWN_FIELDS.has(field!));
  const bare = new Koa();
  bare.use((ctx) => {
    for (const [field, value] of sent) ctx.set(field!, value!);
    ctx.body = bytes;
  });
  const ceiling = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, bare.callback());
  await once(ceiling.listen(LOCAL), 'listening');
  const ceilingPort = (ceiling.address() as AddressInfo).port;
  const us: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const [bareUs, oursUs] = [
      await cpuPerResponse(ceilingPort, path),
      await cpuPerResponse(port, path),
    ];
    if (round < 0) continue;
    us.bare.push(bareUs);
    us.ours.push(oursUs);
  }
  ceiling.close();
  const part = median(us.bare) / median(us.ours);
  report(
    `cached, ${name}: ${bytes.length} bytes, ${median(us.ours).toFixed(1)} us of CPU, ` +
      `bare Koa ${median(us.bare).toFixed(1)} us: ${(100 * part).toFixed()}%`,
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
    // They take turns at being second, because the second finds the database's pages in memory.
    if (i % 2 === 0) times.sql.push(await elapsedMs(sql));
    times.ours.push(await elapsedMs(() => responseOf(port, path)));
    // The same request from the cache shows the overhead of any request, including the client.
    times.cached.push(await elapsedMs(() => responseOf(port, path)));
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
