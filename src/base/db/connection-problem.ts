/** Explains to operators why the database can't be used. */
import type { Config } from '../../config.ts';
import { ServiceError } from '../../errors.ts';
import { CANNOT_REACH, isUnreachable } from './failures.ts';

interface ConnectionProblem {
  /** Without a period */
  detail: string;
  /** Remedy, unless the detail contains it */
  fix?: string;
}

/** Returns the location of the database, such as `at db.example.com:5432`. */
export function databasePlace({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>) {
  if (databaseUrl === undefined) return `embedded in ${dataDir}`;
  const { hostname, port, searchParams } = new URL(databaseUrl);
  // Parameters take precedence, as in the driver.
  const host = searchParams.get('host') || hostname || 'localhost';
  const portUsed = searchParams.get('port') || port;
  return `at ${host}${portUsed && `:${portUsed}`}`;
}

export function connectionProblem(error: unknown, config: Config): ConnectionProblem {
  const cause = (error instanceof ServiceError && error.cause) || error;
  const code = (cause as { code?: string }).code ?? '';
  const known = KNOWN[code];
  if (known) return known;
  // Use our own message, unless it only says that the database can't be reached.
  if (error instanceof ServiceError && error.message !== CANNOT_REACH) {
    return { detail: error.message.replace(/\.$/, '') };
  }
  if (SQLSTATE.test(code) && !isUnreachable(cause)) {
    const { message } = cause as Error;
    return { detail: `The database ${databasePlace(config)} refuses a query: ${message}` };
  }
  return {
    detail: `The database ${databasePlace(config)} can’t be reached${code ? ` (${code})` : ''}`,
    fix: 'Check DATABASE_URL, the network, and that PostgreSQL runs.',
  };
}

/** Codes of the server. Those of Node start with E. */
const SQLSTATE = /^(?!E)[0-9A-Z]{5}$/;

/** By SQLSTATE */
const KNOWN: Record<string, ConnectionProblem> = {
  '28P01': {
    detail: 'The database refuses the password',
    fix: 'Check the user and password in DATABASE_URL.',
  },
  '28000': {
    detail: 'The database refuses the user from this machine',
    fix: 'Check the user in DATABASE_URL, and pg_hba.conf on the server.',
  },
  '3D000': {
    detail: 'The server has no database of that name',
    fix: 'Create it, or correct the name in DATABASE_URL.',
  },
  '53300': {
    detail: 'The server has no free connections',
    fix: 'Raise its max_connections, or lower DATABASE_POOL_SIZE.',
  },
};
