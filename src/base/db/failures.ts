/** Failures of the database that aren't failures of a statement: it is unreachable, silent, busy, or too slow. */
import { ServiceError, unavailable } from '../../errors.ts';

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
/** The server ended a transaction whose client was too busy to send the next statement. */
const IDLE_IN_TRANSACTION = '25P03';
const LOCK_NOT_AVAILABLE = '55P03';
const OUT_OF_MEMORY = '53200';

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
  if (codeOf(error) === OUT_OF_MEMORY) return tooLarge(error);
  if (isTooLate(error)) return tooLate(error);
  return isUnreachable(error) ? unreachable(error) : error;
}

/** Whether a deadline passed on a connection that had been established. The database may just be busy. */
const isTooLate = (error: unknown) =>
  error instanceof SilentError ||
  [QUERY_CANCELED, IDLE_IN_TRANSACTION].includes(codeOf(error) ?? '');

const tooLate = (cause: unknown) =>
  unavailable(
    `The request took too long. Try again in a moment. If it fails again, ${ASK_FOR_LESS}`,
    { cause },
  );

const tooLarge = (cause: unknown) =>
  unavailable(`The database has too little memory for this request, so ${ASK_FOR_LESS}`, { cause });

const ASK_FOR_LESS = 'ask for less, such as a smaller area, a lower zoom, or fewer ZIP codes.';

/** All connections are in use. */
export const tooBusy = (cause: unknown): ServiceError =>
  unavailable('Too many requests are waiting for the database. Try again in a moment.', { cause });

export const unreachable = (cause: unknown): ServiceError => unavailable(CANNOT_REACH, { cause });

export const CANNOT_REACH = 'The database can’t be reached right now. Try again in a moment.';

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
