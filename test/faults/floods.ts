/** Sends too many, too large, or endless requests. The service answers other requests and doesn't crash. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Visitor } from '../support/visitor.ts';
import { isRefused, isServed, msUntil, type TimedAnswer } from './calls.ts';
import { FULL, recordFigures, SLACK } from './figures.ts';
import type { Stage } from './stage.ts';

const OTHERS_MS = 1_000 * SLACK;
const SLOW_READERS = 60;
const SLOW_MS = 120_000;

interface Flood {
  name: string;
  send(url: string): Promise<string | undefined>;
  /** Only in `npm run faults` */
  full?: boolean;
}

const FLOODS: Flood[] = [
  {
    name: '3,000 pipelined health checks',
    async send(url) {
      const { 200: healthy = 0, 503: late = 0 } = await pipelinedHealth(url, 3_000);
      expect(healthy + late).toBe(3_000);
      expect(healthy).toBeGreaterThanOrEqual(FULL ? 3_000 : 2_000);
      return undefined;
    },
  },
  {
    name: 'an import report of 15 MB, and a file of 6 MB',
    send: sendHugeImports,
  },
  {
    name: '20 bodies of deeply nested JSON, 1 MB each',
    async send(url) {
      const body = '['.repeat(500_000) + ']'.repeat(500_000);
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.8.0.${i}` };
          return (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).status;
        }),
      );
      return `answered ${[...new Set(statuses)].join()}`;
    },
  },
  { name: `${SLOW_READERS} clients that read nothing`, send: readNothing, full: true },
];

/** Sends bodies that froze or crashed earlier versions. @returns the statuses */
async function sendHugeImports(url: string): Promise<string> {
  const visitor = await new Visitor(url).signUp();
  await visitor.post('/account/brands', { name: 'North' });
  const objects = (count: number) => `[${'{},'.repeat(count)}{}]`;
  const send = (path: string, field: string, text: string) => {
    const body = new FormData();
    body.set(field, text);
    const headers = { Cookie: visitor.cookie!, 'Sec-Fetch-Site': 'same-origin' };
    return fetch(`${url}/account/brands/north/transfer/${path}`, {
      ...{ method: 'POST', headers, body, redirect: 'manual' },
    }).then(
      ({ status }) => status,
      () => 'no answer',
    );
  };
  // Earlier versions read the report of an import from this form.
  const sent = await send(
    'report.csv',
    'report',
    `{"place":"line","findings":${objects(5_000_000)}}`,
  );
  // As many as an imported file may have
  const features = `{"type":"FeatureCollection","features":${objects(2_000_000)}}`;
  const imported = await send('check', 'file', features);
  return `answered ${sent}, as a file ${imported}`;
}

export function floods(run: boolean, stage: () => Stage): void {
  for (const { name, send } of FLOODS.filter(({ full }) => FULL || !full)) {
    it.runIf(run)(`answers others during ${name}`, async (context) => {
      const { service, calls, theirs, database, restart } = stage();
      expect(isServed(await calls.read(theirs))).toBe(true);
      let flooding = true;
      const watch = async (call: () => Promise<TimedAnswer>) => {
        const answers: TimedAnswer[] = [];
        while (flooding && service.process.exitCode === null && !service.process.signalCode) {
          answers.push(await call());
          await delay(50);
        }
        return answers;
      };
      const watched = [calls.health, () => calls.read(theirs), calls.uncached].map(watch);
      await delay(200);
      const outcome = await send(service.url).finally(() => (flooding = false));
      const [health, ...others] = (await Promise.all(watched)) as [
        TimedAnswer[],
        ...TimedAnswer[][],
      ];
      const slowest = (answers: TimedAnswer[]) => Math.max(...answers.map(({ ms }) => ms));
      const ended = service.process.exitCode !== null || service.process.signalCode !== null;
      const [answeredMs, healthMs] = [slowest(others.flat()), slowest(health)];
      const note = [outcome, ended && 'the process died'].filter(Boolean).join('; ');
      recordFigures(context, {
        scenario: name,
        database: database.kind,
        answeredMs,
        healthMs,
        note,
      });
      if (ended) await restart();
      await msUntil(async () => isServed(await stage().calls.read(theirs)));
      expect(ended).toBe(false);
      // A busy machine may be too slow for the deadlines of the service, which then refuses.
      const isFine = (answer: TimedAnswer) => isServed(answer) || (!FULL && isRefused(answer));
      expect([...health, ...others.flat()].filter((answer) => !isFine(answer))).toEqual([]);
      expect(answeredMs).toBeLessThan(OTHERS_MS);
      expect(healthMs).toBeLessThan(OTHERS_MS);
    });
  }
}

/** Waits until the service has closed the connections of clients that read none of their answers. */
async function readNothing(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: SLOW_READERS }, (_, i): Socket => {
    const socket = connect(Number(port), hostname).on('error', () => {});
    const ask = `GET /openapi.json HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.7.0.${i}\r\n\r\n`;
    return socket.pause().on('connect', () => socket.write(ask.repeat(100)));
  });
  const started = performance.now();
  const ms = () => performance.now() - started;
  await delay(5_000);
  while (ms() < SLOW_MS && unreadConnections(Number(port)) > 0) await delay(500);
  const open = unreadConnections(Number(port));
  for (const socket of sockets) socket.destroy();
  return `${open} of them connected after ${(ms() / 1000).toFixed()} s`;
}

/** Open connections to a port of this machine whose clients don't read */
function unreadConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .filter((line) => {
      const [, address, , state, queues] = line.trim().split(/\s+/);
      return address?.endsWith(local) && state === '01' && !queues!.startsWith('00000000');
    }).length;
}

/** Sends requests on one connection without waiting. @returns the number of answers by status */
async function pipelinedHealth(url: string, count: number): Promise<Record<string, number>> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  const statuses: Record<string, number> = {};
  socket.write(
    'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 10.9.9.9\r\n\r\n'.repeat(count),
  );
  let answered = 0;
  for await (const chunk of socket) {
    text += chunk;
    const found = [...text.matchAll(/HTTP\/1\.1 (\d+)[^]*?\}/g)];
    for (const [, status] of found) statuses[status!] = (statuses[status!] ?? 0) + 1;
    answered += found.length;
    const last = found.at(-1);
    if (last) text = text.slice(last.index + last[0].length);
    if (answered >= count) break;
  }
  return statuses;
}
