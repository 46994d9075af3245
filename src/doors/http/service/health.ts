/** Reports whether the service can reach its database. */
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { HealthStatus } from '../../../base/contract/schemas.ts';
import type { Database } from '../../../base/db/database.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

export function healthOperation(db: Pick<Database, 'responds'>): Operation {
  return operation({
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Check the health of the service',
    description:
      'Returns `ok` if the database responds, and `degraded` with the status 503 if it doesn’t. The ' +
      'process keeps running either way and recovers automatically.',
    auth: 'none',
    answers: {
      200: {
        description: 'The service is healthy',
        schema: HealthStatus,
        example: { status: 'ok' },
      },
      503: {
        description: 'The database is unreachable',
        schema: HealthStatus,
        example: { status: 'degraded' },
      },
    },
    handle: async () =>
      (await db.responds())
        ? { status: 200, headers: NO_STORE, body: { status: 'ok' } }
        : { status: 503, headers: NO_STORE, body: { status: 'degraded' } },
  });
}
