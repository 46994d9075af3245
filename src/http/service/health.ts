/** Is the service able to answer? */
import { setTimeout as delay } from 'node:timers/promises';
import { operation, type Operation } from '../../contract/operation.ts';
import { HealthStatus } from '../../contract/schemas.ts';
import type { Queryable } from '../../db/database.ts';

/** A database that does not answer a trivial query for so long is as good as away. */
const DEADLINE_MS = 2_000;
const NEVER_KEPT = { 'Cache-Control': 'no-store' };

export function healthOperation(db: Queryable): Operation {
  return operation({
    id: 'getHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Service',
    summary: 'Health of the service',
    description:
      '`ok` while the database answers; `degraded`, with the status 503, while it does not. The ' +
      'process serves in either case and recovers by itself.',
    auth: 'none',
    answers: {
      200: { description: 'All is well', schema: HealthStatus, example: { status: 'ok' } },
      503: {
        description: 'The database is away; the process still serves',
        schema: HealthStatus,
        example: { status: 'degraded' },
      },
    },
    handle: async () =>
      (await answers(db))
        ? { status: 200, headers: NEVER_KEPT, body: { status: 'ok' } }
        : { status: 503, headers: NEVER_KEPT, body: { status: 'degraded' } },
  });
}

function answers(db: Queryable): Promise<boolean> {
  const answered = db.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([answered, delay(DEADLINE_MS, false, { ref: false })]);
}
