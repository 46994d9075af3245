/** The service in the test's process: by default on a database without data, for what holds for every request. */
import { afterAll } from 'vitest';
import { mapsWith } from '../../src/cartography/map-renderer.ts';
import { createApp, type AppParts } from '../../src/app.ts';
import type { Database } from '../../src/db/database.ts';
import { listen } from '../../src/http/requests/server.ts';
import { answerUnreadable } from '../../src/http/requests/unreadable-requests.ts';
import { memoryLimiter } from '../../src/metering/limiter.ts';
import { ANY_WEBHOOK } from './any-webhook.ts';
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

/** The parts of a service without data; `more` replaces some of them. */
export const bareParts = (more: Partial<AppParts> = {}): AppParts => ({
  db,
  renderer: mapsWith({
    render: async () => ({ bytes: Buffer.alloc(0), type: 'image/png' }) as never,
  }),
  log: testLog(),
  apiRoot: () => 'http://localhost/api',
  limiter: memoryLimiter(),
  webhooks: ANY_WEBHOOK,
  ...more,
});

/** Starts the service, and checks every answer against its declaration. @returns its port */
export async function serveBare(more: Partial<AppParts> = {}, basePath = '/api'): Promise<number> {
  const parts = bareParts(more);
  const app = createApp(parts, { basePath, checkAnswers: true });
  const server = await listen(
    app.callback(),
    { host: '127.0.0.1', port: 0 },
    answerUnreadable(parts.limiter!, parts.apiRoot),
  );
  afterAll(() => server.stop(0));
  return server.port;
}
