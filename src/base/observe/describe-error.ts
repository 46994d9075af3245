/** Describes an error to operators: what went wrong and what to do next, never a stack trace. */
import { ConfigError, ImportError, ServiceError } from '../../errors.ts';

const OURS = [ImportError, ServiceError, ConfigError];

/**
 * Returns a sentence for an operator.
 * @param details whether to add the stack of an unexpected error
 */
export function describeError(error: unknown, details = false): string {
  if (!(error instanceof Error)) return `Unexpected error: ${String(error)}`;
  if (OURS.some((kind) => error instanceof kind)) return error.message;
  const { problems } = error as { problems?: readonly string[] };
  if (Array.isArray(problems)) return problems.join('\n'); // of a scene or a style
  const known = systemProblem(error) ?? databaseProblem(error);
  const text = known ?? `Unexpected error: ${error.message}. ${HOW_TO_REPORT}`;
  return details ? `${text}\n${error.stack}` : text;
}

const HOW_TO_REPORT = 'Set LOG_LEVEL=debug to see where it happened.';

/** Node's errors for files, folders, and ports. */
function systemProblem(error: NodeJS.ErrnoException & { port?: number }): string | undefined {
  const { code, syscall, path, port } = error;
  if (syscall === undefined || code === undefined) return undefined;
  if (syscall === 'listen') {
    if (code === 'EADDRINUSE') {
      return `Port ${port} is in use. Stop the process that uses it, or choose another port.`;
    }
    if (code === 'EACCES') return `Port ${port} isn’t allowed for this user. Use one above 1023.`;
  }
  if (path === undefined) return undefined;
  return FILE_PROBLEMS[code]?.(path) ?? error.message;
}

const FILE_PROBLEMS: Record<string, (path: string) => string> = {
  ENOENT: (path) => `There is no file or folder ${path}. Check the path.`,
  EACCES: (path) => `Your user isn’t allowed to use ${path}. Change its permissions.`,
  EROFS: (path) => `${path} is on a read-only disk. Choose another folder.`,
  EISDIR: (path) => `${path} is a folder. Name a file.`,
  ENOSPC: (path) => `The disk of ${path} is full. Free some space.`,
};

/** PostgreSQL's errors by SQLSTATE. Their own messages refer to statements that operators don't see. */
function databaseProblem(error: Error): string | undefined {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  if (typeof code !== 'string' || severity === undefined) return undefined;
  return (
    DATABASE_PROBLEMS.find(([pattern]) => pattern.test(code))?.[1] ??
    `The database refused a statement (SQLSTATE ${code}). ${HOW_TO_REPORT}`
  );
}

const DATABASE_PROBLEMS: readonly [RegExp, string][] = [
  [
    /^42501/,
    'The database user lacks a right that the service needs. Run territory-admin doctor to see which.',
  ],
  [/^53100/, 'The disk of the database is full. Free some space on it.'],
  [/^53200/, 'The database ran out of memory. Give its server more memory.'],
  [/^25006/, 'The database is read-only. Set DATABASE_URL to the primary server.'],
  [
    /^(40|55P03|57014)/,
    'The database was busy with other work for too long. Try again when it’s idle.',
  ],
  [
    /^(0A000|58P01)/,
    'The database server lacks an extension. Install PostGIS 3 for its version of PostgreSQL.',
  ],
];
