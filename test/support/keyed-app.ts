/** The service on a real database, and organizations with keys to call it. */
import { afterAll } from 'vitest';
import { randomBytes } from 'node:crypto';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import type { Caller } from '../../src/people/account/caller.ts';
import { callerOfKey } from '../../src/people/account/callers.ts';
import { mintKey } from '../../src/people/account/keys.ts';
import { createOrganization } from '../../src/people/account/organizations.ts';
import { tenantOf } from '../../src/people/account/tenant.ts';
import { createApp, type AppParts } from '../../src/app.ts';
import type { Database } from '../../src/base/db/database.ts';
import { clientAddress } from '../../src/doors/http/requests/client-address.ts';
import { listen } from '../../src/doors/http/requests/server.ts';
import { answerUnreadable } from '../../src/doors/http/requests/unreadable-requests.ts';
import { memoryLimiter } from '../../src/people/metering/limiter.ts';
import { networkList } from '../../src/base/text/networks.ts';
import { bareParts } from './bare-app.ts';
import { testLog } from './log.ts';

export interface KeyedApp {
  port: number;
  /** Root of the API */
  api: string;
  /** Everything logged so far */
  log(): string;
}

/**
 * Starts the service as if behind a proxy, so that a test can act as many clients through
 * `X-Forwarded-For`. Every answer is checked against its declaration.
 */
export async function serveKeyed(
  db: Database,
  more: Partial<AppParts> = {},
  basePath = '/api',
): Promise<KeyedApp> {
  let lines = '';
  let port = 0;
  const apiRoot = () => `http://127.0.0.1:${port}${basePath}`;
  const limiter = memoryLimiter();
  const app = createApp(
    bareParts({
      db,
      renderer: mapsWith({ render: () => Promise.reject(new Error('this app has no renderer')) }),
      log: testLog((line) => (lines += line)),
      apiRoot,
      limiter,
      clientOf: clientAddress(networkList(['127.0.0.1'])),
      ...more,
    }),
    { basePath, checkAnswers: true },
  );
  const server = await listen(
    app.callback(),
    { host: '127.0.0.1', port: 0 },
    answerUnreadable(limiter, apiRoot),
  );
  afterAll(() => server.stop(0));
  port = server.port;
  return { port, api: apiRoot(), log: () => lines };
}

/** Mints a key for a new organization on a trial. */
export async function newKey(
  db: Database,
  { mayWrite = true } = {},
): Promise<{ key: string; caller: Caller }> {
  const organization = await createOrganization(db, {
    name: `Keyed ${randomBytes(5).toString('hex')}`,
  });
  const tenant = tenantOf(db, organization.id);
  const { key } = await mintKey(tenant, { name: 'test', brands: 'all', mayWrite });
  return { key, caller: (await callerOfKey(db, key))! };
}

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
