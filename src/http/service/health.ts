/** Reports whether the service can reach its database. */
import { setTimeout as delay } from 'node:timers/promises';
import { operation, type Operation } from '../../contract/operation.ts';
import { HealthStatus } from '../../contract/schemas.ts';
import type { Queryable } from '../../db/database.ts';

/** A database that takes longer for a trivial query counts as unreachable. */
const DEADLINE_MS = 2_000;
const NO_STORE = { 'Cache-Control': 'no-store' };

export function healthOperation(db: Queryable): Operation {
  return operation({
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Check the health of the service',
    description:
      'Returns `ok` if the database responds, and `degraded` with the status 503 if it doesn’t. The ' +
      'process keeps running either way and recovers by itself.',
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
      (await responds(db))
        ? { status: 200, headers: NO_STORE, body: { status: 'ok' } }
        : { status: 503, headers: NO_STORE, body: { status: 'degraded' } },
  });
}

function responds(db: Queryable): Promise<boolean> {
  const response = db.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([response, delay(DEADLINE_MS, false, { ref: false })]);
}
