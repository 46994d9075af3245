/** Serves the demo organization and connects the official MCP clients. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { findOrganization } from '../../../src/people/account/organizations.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import { tenantOf } from '../../../src/people/account/tenant.ts';
import { createApp } from '../../../src/app.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { DEMO, makeDemo } from '../../../src/territories/demo/demo.ts';
import { listen } from '../../../src/doors/http/requests/server.ts';
import { answerUnreadable } from '../../../src/doors/http/requests/unreadable-requests.ts';
import { memoryLimiter, type Limiter } from '../../../src/people/metering/limiter.ts';
import { render } from '../../../src/render/render.ts';
import type { DriveTimes } from '../../../src/data/routing/drive-times.ts';
import { bareParts } from '../../support/bare-app.ts';
import { isFault, testLog } from '../../support/log.ts';

export interface ToolReply {
  isError?: boolean;
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, any>;
}

export interface ToolClient {
  era: string;
  list(): Promise<{ tools: Record<string, any>[] }>;
  call(name: string, args?: Record<string, unknown>): Promise<ToolReply>;
  close(): Promise<void>;
}

const BASE_PATH = '/api';

export async function serveDemo(
  db: Database,
  more: { apiRoot?: string; driveTimes?: DriveTimes; limiter?: Limiter } = {},
) {
  const faults: string[] = [];
  const log = testLog((line) => {
    if (isFault(line)) faults.push(line);
  });
  afterEach(() => {
    const logged = faults.splice(0);
    if (logged.length > 0) throw new Error(`The log contains errors: ${logged.join('')}`);
  });
  const { limiter = memoryLimiter() } = more;
  let port = 0;
  const apiRoot = () => more.apiRoot ?? `http://localhost:${port}${BASE_PATH}`;
  const { driveTimes } = more;
  const renderer = mapsWith({ render });
  const parts = bareParts({ db, renderer, log, apiRoot, limiter, driveTimes });
  const server = await listen(
    createApp(parts, { basePath: BASE_PATH, checkAnswers: true }).callback(),
    { host: '127.0.0.1', port: 0 },
    answerUnreadable(limiter, apiRoot),
  );
  ({ port } = server);
  afterAll(() => server.stop(0));

  const demo = await makeDemo(db);
  const organization = await findOrganization(db, DEMO);
  const tenant = tenantOf(db, organization.id);
  // Tests use more units than a trial has.
  await changeSubscription(tenant, { monthlyUnits: 100_000 });
  return {
    url: new URL(`http://localhost:${port}${BASE_PATH}/mcp`),
    site: `http://localhost:${port}`,
    api: `http://localhost:${port}${BASE_PATH}`,
    organization,
    tenant,
    key: demo!.key,
    /** A key may call 60 times per minute; tests that call more use several. */
    anotherKey: async (options: { brands?: 'all' | string[]; mayWrite?: boolean } = {}) =>
      (
        await mintKey(tenant, {
          name: 'Another key',
          brands: options.brands ?? 'all',
          mayWrite: options.mayWrite ?? true,
        })
      ).key,
  };
}

/** `@modelcontextprotocol/client` 2.x, for protocol version 2026-07-28. */
export async function modernClient(url: URL, key: string): Promise<ToolClient> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: credential(key) }));
  return {
    era: '2026-07-28',
    list: () => client.listTools(),
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<ToolReply>,
    close: () => client.close(),
  };
}

/** `@modelcontextprotocol/sdk` 1.x, for protocol version 2025-11-25. */
export async function client2025(url: URL, key: string): Promise<ToolClient> {
  const client = new Client2025({ name: 'test', version: '1' });
  const transport = new Transport2025(url, { requestInit: credential(key) });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    era: '2025-11-25',
    list: () => client.listTools(),
    call: (name, args) => client.callTool({ name, arguments: args }) as Promise<ToolReply>,
    close: () => client.close(),
  };
}

const credential = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } });

export const textOf = ({ content }: ToolReply) =>
  content.flatMap(({ type, text }) => (type === 'text' ? [text!] : [])).join('\n');
