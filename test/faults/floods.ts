/** Sends too many, too large, or endless requests. The service answers other requests and doesn't crash. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { PATIENCE_MS } from '../support/patience.ts';
import { Visitor } from '../support/visitor.ts';
import { isRefused, isServed, msUntil, type TimedAnswer } from './calls.ts';
import { FULL, recordFigures, SLACK } from './figures.ts';
import type { Stage } from './stage.ts';

const OTHERS_MS = 1_000 * SLACK;
const SLOW_READERS = 60;

interface Flood {
  name: string;
  /** Checks the statuses of the answers. @returns a note about them */
  send(stage: Stage): Promise<string | undefined>;
  /** Only in `npm run faults` */
  full?: boolean;
}

const FLOODS: Flood[] = [
  {
    name: '3,000 pipelined health checks',
    async send({ service }) {
      const statuses = await pipelinedHealth(service.url, 3_000);
      const { 200: healthy = 0, 503: late = 0 } = statuses;
      expect(healthy + late).toBe(3_000);
      expect(healthy).toBeGreaterThanOrEqual(2_000);
      return undefined;
    },
  },
  {
    name: 'an import report of 15 MB, and a file with 1,200,000 objects',
    send: ({ service }) => sendHugeImports(service.url),
  },
  { name: '20 bodies of deeply nested JSON, 1 MB each', send: sendDeepBodies },
  {
    name: `${SLOW_READERS} clients that read nothing`,
    send: ({ service }) => readNothing(service.url),
    full: true,
  },
];

/** Each body comes with a valid key, since others are refused unread. */
async function sendDeepBodies({ service, theirs }: Stage): Promise<string> {
  const body = '['.repeat(500_000) + ']'.repeat(500_000);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const headers = {
        Authorization: `Bearer ${theirs.keys[i]}`,
        'Content-Type': 'application/json',
        'X-Forwarded-For': `10.8.0.${i}`,
      };
      const answer = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body });
      return { status: answer.status, text: await answer.text() };
    }),
  );
  const refused = { status: 400, text: expect.stringContaining('nested too deeply') };
  expect(answers).toEqual(answers.map(() => refused));
  return 'answered 400';
}

/** Sends bodies that froze or crashed earlier versions. */
async function sendHugeImports(url: string): Promise<string> {
  const visitor = await new Visitor(url).signUp();
  await visitor.post('/account/brands', { name: 'North' });
  const check = '/account/brands/north/transfer/check';
  const { to: report } = await visitor.post(check, { list: '90001' });
  expect(report).toMatch(/\/transfer\/reports\/[^/]+$/);
  const objects = (count: number) => `[${'{},'.repeat(count)}{}]`;
  const send = async (path: string, body: string | FormData) => {
    const headers = {
      Cookie: visitor.cookie!,
      'Sec-Fetch-Site': 'same-origin',
      ...(typeof body === 'string' && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    };
    const answer = await fetch(url + path, { method: 'POST', headers, body, redirect: 'manual' });
    return { status: answer.status, text: await answer.text() };
  };
  // Earlier versions read the report of an import from the form that sends it to review.
  const sent = await send(report!, `report={"place":"line","findings":${objects(5_000_000)}}`);
  expect(sent.status).toBe(413);
  // Reading stops at the first feature that is too many.
  const file = new FormData();
  file.set('file', `{"type":"FeatureCollection","features":${objects(1_200_000)}}`);
  const imported = await send(check, file);
  expect(imported).toEqual({
    status: 400,
    text: expect.stringContaining('more than 40,000 features'),
  });
  return `answered ${sent.status}, as a file ${imported.status}`;
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
      const outcome = await send(stage()).finally(() => (flooding = false));
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
      const isFine = (answer: TimedAnswer) => isServed(answer) || isRefused(answer);
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
  await expect.poll(() => unreadConnections(Number(port))).toBeGreaterThan(0);
  await delay(5_000);
  // An answer on its way to another client counts, too, so one count of 0 is enough.
  let open = unreadConnections(Number(port));
  while (open > 0 && ms() < PATIENCE_MS) {
    await delay(500);
    open = unreadConnections(Number(port));
  }
  for (const socket of sockets) socket.destroy();
  expect(open).toBe(0);
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
