/** Failures of the database that aren't failures of a statement: it is unreachable, silent, or busy. */
import { ServiceError, unavailable } from '../errors.ts';

/** The database didn't answer in time. */
export class SilentError extends Error {
  override name = 'SilentError';

  constructor(ms: number) {
    super(`the database gave no answer within ${Math.round(ms)} ms`);
  }
}

/**
 * Codes that mean "database unreachable", not "bad query": Node's socket errors, SQLSTATE class 08
 * (connection exception), 57P01 to 57P03 (shutdown, crash, starting up), 53300 (too many
 * connections), and 25P03 (idle in a transaction for too long).
 */
const UNREACHABLE_CODES =
  /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|08...|57P0[123]|53300|25P03)$/;
/** pg throws these errors without a code. */
const UNREACHABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|not queryable/;

export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  if (error instanceof SilentError) return true;
  const code = codeOf(error);
  return code === undefined
    ? UNREACHABLE_MESSAGES.test(error.message)
    : UNREACHABLE_CODES.test(code);
}

/** Whether the database was reached but didn't answer. */
export const isSilent = (error: unknown) =>
  error instanceof SilentError ||
  (error instanceof Error && /timeout expired|due to connection timeout/.test(error.message));

const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';

/** Whether a statement was canceled because it took too long. */
export const isCanceled = (error: unknown): boolean =>
  codeOf(error) === QUERY_CANCELED ||
  (error instanceof ServiceError && codeOf(error.cause) === QUERY_CANCELED);

/** Returns the error for callers: 503 if a later attempt may succeed, otherwise the same error. */
export function callersError(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (codeOf(error) === LOCK_NOT_AVAILABLE) {
    return unavailable('Another change to the same data is still running. Try again in a moment.', {
      cause: error,
    });
  }
  if (codeOf(error) === QUERY_CANCELED) {
    return unavailable('The database took too long to answer. Try again in a moment.', {
      cause: error,
    });
  }
  return isUnreachable(error) ? unreachable(error) : error;
}

export const unreachable = (cause: unknown): ServiceError =>
  unavailable('The database can’t be reached right now. Try again in a moment.', { cause });

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
