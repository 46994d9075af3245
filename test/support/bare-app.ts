/** The service in the test's process: by default on a database without data, for what holds for every request. */
import { afterAll } from 'vitest';
import { mapsWith } from '../../src/maps/cartography/map-renderer.ts';
import { createApp, operations, type AppParts } from '../../src/app.ts';
import { networkList } from '../../src/base/text/networks.ts';
import { publicFetch } from '../../src/base/outside/public-fetch.ts';
import type { Operation } from '../../src/base/contract/operation.ts';
import { appSecretBox } from '../../src/people/account/authenticator-app.ts';
import { signingSecretBox } from '../../src/people/account/signing-secret.ts';
import { answerCaches } from '../../src/doors/http/answers/answer-caches.ts';
import { clientAddress } from '../../src/doors/http/requests/client-address.ts';
import type { Database } from '../../src/base/db/database.ts';
import { listen } from '../../src/doors/http/requests/server.ts';
import { answerUnreadable } from '../../src/doors/http/requests/unreadable-requests.ts';
import { memoryLimiter } from '../../src/people/metering/limiter.ts';
import { ANY_WEBHOOK } from './any-webhook.ts';
import { companySecretBox } from '../../src/people/account/company-sign-in/parts.ts';
import { issuerFetch } from '../../src/base/outside/issuer-fetch.ts';
import { txtLookup } from '../../src/base/outside/txt-records.ts';
import { testLog } from './log.ts';

const db: Database = {
  query: async () => [],
  at: () => ({ query: async () => [] }),
  transaction: async () => {
    throw new Error('This database has no tables.');
  },
  responds: async () => true,
  close: async () => {},
};

/**
 * The parts of a service without data, settings, and encryption, whose client is the sender of a request; `more`
 * replaces some of them.
 */
export const bareParts = (more: Partial<AppParts> = {}): AppParts => ({
  db,
  renderer: mapsWith({
    render: async () => ({ bytes: Buffer.alloc(0), type: 'image/png' }) as never,
  }),
  streets: null,
  log: testLog(),
  apiRoot: () => 'http://localhost/api',
  limiter: memoryLimiter(),
  clientOf: clientAddress(networkList([])),
  driveTimes: undefined,
  geocoder: undefined,
  sendsMail: false,
  secrets: appSecretBox([]),
  signingSecrets: signingSecretBox([]),
  company: {
    db: more.db ?? db,
    fetch: issuerFetch(networkList([])),
    secrets: companySecretBox([]),
    log: more.log ?? testLog(),
    lookUpTxt: txtLookup(),
  },
  webhooks: ANY_WEBHOOK,
  clientFetch: publicFetch(),
  sharedAnswers: undefined,
  observer: undefined,
  ...more,
});

/** All operations of a service with these parts. */
export function bareOperations(more: Partial<AppParts> = {}, basePath = ''): Operation[] {
  const parts = bareParts(more);
  return operations(parts, basePath, answerCaches(parts.apiRoot));
}

/** Starts the service, and checks every answer against its declaration. @returns its port */
export async function serveBare(more: Partial<AppParts> = {}, basePath = '/api'): Promise<number> {
  const parts = bareParts(more);
  const app = createApp(parts, { basePath, checkAnswers: true });
  const server = await listen(
    app.callback(),
    { host: '127.0.0.1', port: 0 },
    answerUnreadable(parts.limiter, parts.apiRoot),
  );
  afterAll(() => server.stop(0));
  return server.port;
}
