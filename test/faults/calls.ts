/** Calls of a service, with how long each took. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Organization } from './faulty-service.ts';

export interface TimedAnswer {
  what: string;
  /** 0: no answer within the patience of the test */
  status: number;
  retryAfter: string | null;
  body: any;
  ms: number;
}

const GIVE_UP_MS = 30_000;
let calls = 0;
/** Each call comes from another client, so that limits per client don't apply. */
const anotherClient = () => {
  const n = ++calls;
  return { 'X-Forwarded-For': `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}` };
};

export async function timed(
  what: string,
  url: string,
  init: RequestInit = {},
): Promise<TimedAnswer> {
  const start = performance.now();
  const ms = () => performance.now() - start;
  try {
    const response = await fetch(url, {
      ...init,
      headers: { ...anotherClient(), ...(init.headers as Record<string, string>) },
      signal: AbortSignal.timeout(GIVE_UP_MS),
    });
    const text = await response.text();
    const body: unknown = response.headers.get('Content-Type')?.includes('json')
      ? JSON.parse(text)
      : text;
    const retryAfter = response.headers.get('Retry-After');
    return { what, status: response.status, retryAfter, body, ms: ms() };
  } catch (error) {
    return { what, status: 0, retryAfter: null, body: String(error), ms: ms() };
  }
}

/** The kinds of requests that a fault may affect. */
export function callsOf(url: string) {
  const mcp = (organization: Organization, name: string, args: object) =>
    timed(name, `${url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${organization.keys[calls % organization.keys.length]}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    });
  const mapAt = (degrees: number) =>
    `${url}/map-context?bbox=${degrees},30,${degrees + 1},31&zoom=8`;
  let uncached = 0;
  return {
    health: () => timed('health', `${url}/healthz`),
    /** The first call fills the cache. */
    cached: () => timed('cached', mapAt(-90)),
    uncached: () => timed('uncached', mapAt(-80 + ++uncached / 1000)),
    capabilities: ({ keys }: Organization) =>
      timed('capabilities', `${url}/agent/capabilities`, {
        headers: { Authorization: `Bearer ${keys[calls % keys.length]}` },
      }),
    read: (organization: Organization) => mcp(organization, 'service_list_brands', {}),
    write: (organization: Organization, brand = 'north', zip = '90001') =>
      mcp(organization, 'service_apply_territory', { brand, zips: [zip], confirm: true }),
  };
}

export type Calls = ReturnType<typeof callsOf>;

/** All kinds of requests that need the database, several of each at the same time. */
export const allKinds = (calls: Calls, organization: Organization, times = 3) =>
  Promise.all(
    Array.from({ length: times }, () => [
      calls.uncached(),
      calls.capabilities(organization),
      calls.read(organization),
      calls.write(organization),
    ]).flat(),
  );

/** Whether the request was served; a tool may fail in an answer with the status 200. */
export const isServed = ({ status, body }: TimedAnswer) =>
  status === 200 && body?.result?.isError !== true;

/** Whether a client expects this refusal: a 503, which names a wait unless it reports health, or a failed tool */
export const isRefused = ({ what, status, retryAfter, body }: TimedAnswer) =>
  status === 503
    ? what === 'health' || Number(retryAfter) > 0
    : status === 200 && body?.result?.structuredContent?.code === 'unavailable';

/** Milliseconds until a condition holds. */
export async function msUntil(holds: () => Promise<boolean>, patienceMs = 30_000): Promise<number> {
  const start = performance.now();
  while (!(await holds())) {
    if (performance.now() - start > patienceMs) return Infinity;
    await delay(25);
  }
  return performance.now() - start;
}
