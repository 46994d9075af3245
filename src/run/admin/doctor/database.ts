/** Checks the database: connection, version, rights, PostGIS, and migrations. */
import type { Config } from '../../../config.ts';
import type { Database, Queryable } from '../../../base/db/database.ts';
import { connectionProblem, databasePlace } from '../../../base/db/connection-problem.ts';
import { migrationState } from '../../../base/db/migrate.ts';
import { failed, ok, warning, type CheckResult } from './check-result.ts';
import { formatBytes } from './machine.ts';

/** Older versions get no security fixes. */
const OLDEST_POSTGRES = 13;

export async function checkConnection(db: Queryable, config: Config): Promise<CheckResult> {
  try {
    const [row] = await db.query<{ version: string; number: number; bytes: number }>(
      `select current_setting('server_version') as version,
         current_setting('server_version_num')::int as number,
         pg_database_size(current_database()) as bytes`,
    );
    const { version, number, bytes } = row!;
    const detail = `PostgreSQL ${version} ${databasePlace(config)}, ${formatBytes(bytes)}`;
    return number < OLDEST_POSTGRES * 10_000
      ? failed(detail, `Use PostgreSQL ${OLDEST_POSTGRES} or newer.`)
      : ok(detail);
  } catch (error) {
    const { detail, fix } = connectionProblem(error, config);
    return failed(detail, fix);
  }
}

interface Rights {
  user: string;
  readOnly: boolean;
  createsTables: boolean;
  createsSchemas: boolean;
  /** Tables of the service that belong to another user */
  foreign: string[];
  separates: boolean;
}

const RIGHTS = `
  select session_user as user,
    current_setting('transaction_read_only')::bool as "readOnly",
    has_schema_privilege('public', 'create') as "createsTables",
    has_database_privilege(current_database(), 'create') as "createsSchemas",
    coalesce((select array_agg(tablename::text order by tablename) from pg_tables
      where schemaname = 'public' and tablename <> 'spatial_ref_sys'
        and not pg_has_role(session_user, tableowner, 'member')), '{}') as foreign,
    (select rolcreaterole or rolsuper from pg_roles where rolname = session_user)
      or coalesce((select pg_has_role(session_user, oid, 'member') from pg_roles
        where rolname = 'territory_tenant'), false) as separates`;

export async function checkRights(db: Queryable): Promise<CheckResult> {
  const [row] = await db.query<Rights>(RIGHTS);
  const { user, readOnly, createsTables, createsSchemas, foreign, separates } = row!;
  if (readOnly) {
    return failed('The server is read-only', 'Set DATABASE_URL to the primary server.');
  }
  const missing = [
    ...(createsTables ? [] : ['create tables in the schema public']),
    ...(createsSchemas ? [] : ['create schemas, which imports use']),
    ...(foreign.length === 0 ? [] : [`change tables of another user (${foreign.join(', ')})`]),
    ...(separates ? [] : ['use the role territory_tenant, which separates organizations']),
  ];
  return missing.length === 0
    ? ok(`The user ${user} has all rights that the service needs`)
    : failed(
        `The user ${user} may not ${missing.join('; ')}`,
        `As an administrator, grant these rights to ${user}. See “Prepare the database” in the guide “Run it in production”.`,
      );
}

export async function checkPostgis(db: Database): Promise<CheckResult> {
  const [row] = await db.query<{ installed: string | null; available: string | null }>(
    `select (select extversion from pg_extension where extname = 'postgis') as installed,
       (select default_version from pg_available_extensions where name = 'postgis') as available`,
  );
  const { installed, available } = row!;
  const version = installed ?? available;
  if (version === null) {
    return failed(
      'PostGIS isn’t installed on the server',
      'Install PostGIS 3 for its version of PostgreSQL.',
    );
  }
  if (Number.parseInt(version, 10) < 3) return failed(`PostGIS ${version}`, 'Use PostGIS 3.');
  if (installed !== null) return ok(`PostGIS ${version}`);
  const refusal = await refusalOfPostgis(db);
  return refusal === null
    ? ok(`PostGIS ${version} is available; the first start creates the extension`)
    : failed(
        `PostGIS ${version} is available, but not in the database: ${refusal}`,
        'As an administrator, run `create extension postgis` in the database.',
      );
}

/**
 * Creates the extension and rolls back. Hosting providers also let some users create it who aren’t superusers.
 * @returns the server's message without a period; null if the user may create it
 */
async function refusalOfPostgis(db: Database): Promise<string | null> {
  const done = new Error('roll back');
  try {
    return await db.transaction(async (tx) => {
      await tx.query('create extension postgis');
      throw done;
    });
  } catch (error) {
    return error === done ? null : (error as Error).message.replace(/\.$/, '');
  }
}

export async function checkMigrations(db: Queryable): Promise<CheckResult> {
  const { applied, missing, changed, unknown } = await migrationState(db);
  if (changed.length > 0) {
    return failed(
      `Changed since the database applied them: ${changed.join(', ')}`,
      'Restore the files of this version.',
    );
  }
  if (unknown.length > 0) {
    return failed(
      `A newer version of the service has changed this database: ${unknown.join(', ')}`,
      'Run that version, or restore a backup.',
    );
  }
  if (missing.length > 0) {
    return warning(
      applied.length === 0
        ? 'No migrations are applied yet'
        : `${applied.length} applied, ${missing.length} missing: ${missing.join(', ')}`,
      'Run territory-admin migrate, or start the service, which does the same.',
    );
  }
  return ok(`All ${applied.length} applied`);
}
