/** The service on a database without data, for what is true of every request. */
import { afterAll } from 'vitest';
import { createApp, type AppParts } from '../../src/app.ts';
import type { Database } from '../../src/db/database.ts';
import { listen } from '../../src/http/requests/server.ts';
import { answerUnreadable } from '../../src/http/requests/unreadable-requests.ts';
import { memoryLimiter } from '../../src/metering/limiter.ts';
import { testLog } from './log.ts';

const db: Database = {
  query: async () => [],
  transaction: async () => {
    throw new Error('There is no database to write to.');
  },
  close: async () => {},
};

/** What of the world the service has here; `more` replaces parts of it. */
export const bareParts = (more: Partial<AppParts> = {}): AppParts => ({
  db,
  renderer: { render: async () => ({ bytes: Buffer.alloc(0), type: 'image/png' }) as never },
  log: testLog(),
  apiRoot: () => 'http://localhost/api',
  limiter: memoryLimiter(),
  ...more,
});

/** @returns its port, once it listens under `/api` */
export async function serveBare(more: Partial<AppParts> = {}): Promise<number> {
  const parts = bareParts(more);
  const app = createApp(parts, { basePath: '/api', checkAnswers: true });
  const server = await listen(
    app.callback(),
    { host: '127.0.0.1', port: 0 },
    answerUnreadable(parts.limiter!, parts.apiRoot),
  );
  afterAll(() => server.stop(0));
  return server.port;
}
