/** Checks the replica: reachable, in recovery, up to date, and with the rights for its reads. */
import type { Config } from '../../../config.ts';
import { connectionProblem, databasePlace } from '../../../base/db/connection-problem.ts';
import { openDatabase, type Queryable } from '../../../base/db/database.ts';
import { readDatasets } from '../../../base/db/datasets.ts';
import { replicaLag } from '../../../base/db/replica.ts';
import { SHARED_READER } from '../../../base/db/tenant-role.ts';
import { ok, skipped, warning, type CheckResult } from './check-result.ts';
import { formatBytes } from './machine.ts';

/** Problems are only warnings, because the service works without a replica. */
export async function checkReplica(primary: Queryable, config: Config): Promise<CheckResult> {
  const { databaseReadUrl: url } = config;
  if (url === undefined)
    return skipped('DATABASE_READ_URL is not set: the database serves all reads');
  const target = { ...config, databaseUrl: url };
  const where = `The replica ${databasePlace(target)}`;
  const replica = await openDatabase({ ...target, databasePoolSize: 1 });
  try {
    return await compare(where, primary, replica);
  } catch (error) {
    const { detail } = connectionProblem(error, target);
    return warning(
      `The replica can’t be read: ${detail}`,
      'Check DATABASE_READ_URL and that the replica runs. Until then, the primary serves its reads.',
    );
  } finally {
    await replica.close();
  }
}

async function compare(
  where: string,
  primary: Queryable,
  replica: Queryable,
): Promise<CheckResult> {
  const lag = await replicaLag(primary, replica);
  if (!lag) {
    return warning(
      `${where} is not a replica, because it accepts changes`,
      'Set DATABASE_READ_URL to a streaming replica of the database, or unset it.',
    );
  }
  const behind = `${formatBytes(lag.bytes)}, ${Math.ceil(lag.seconds)} s`;
  // Without the role, the user can't read the data that is compared next.
  if (!(await maySwitch(replica))) {
    return warning(
      `${where} is read by a user that may not use the role ${SHARED_READER}`,
      `On the primary, as an administrator, run \`grant ${SHARED_READER} to\` that user.`,
    );
  }
  if ((await contentOf(primary)) !== (await contentOf(replica))) {
    return warning(
      `${where} has older data or an older schema (${behind} behind), so the primary serves its reads`,
      'If that lasts, check that the replica receives and applies changes.',
    );
  }
  return ok(`${where} has the current data, ${lag.bytes === 0 ? 'nothing' : behind} behind`);
}

/** Returns the schema, from the catalog because the replica's user can't read all tables, and the datasets. */
async function contentOf(db: Queryable): Promise<string> {
  const [columns, datasets] = await Promise.all([
    db.query(
      `select attrelid::regclass, attname, atttypid from pg_attribute join pg_class c on c.oid = attrelid
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attnum > 0
       order by attrelid, attnum`,
    ),
    readDatasets(db),
  ]);
  return JSON.stringify([columns, [...datasets.values()]]);
}

async function maySwitch(replica: Queryable): Promise<boolean> {
  const rows = await replica.query(
    `select from pg_roles where rolname = $1 and pg_has_role(session_user, oid, 'member')`,
    [SHARED_READER],
  );
  return rows.length > 0;
}
