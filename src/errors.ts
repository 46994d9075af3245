/**
 * Named failures. An error is created where its cause is known, and presented once by each door: HTTP, MCP,
 * the command line. Only `message` and `code` are visible to people. The message is one of our own
 * sentences that says what went wrong and what to do next; `cause` keeps the original error for the log.
 */
import type { ErrorCode } from './base/contract/error-codes.ts';

export class ServiceError extends Error {
  /** HTTP status */
  readonly status: number;
  /** The contract's code for this failure, if it has one */
  readonly code: ErrorCode | undefined;
  /** Additional fields of the Error object, such as the usage meter */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(
    status: number,
    code: ErrorCode | undefined,
    message: string,
    { details, ...options }: ErrorOptions & { details?: ServiceError['details'] } = {},
  ) {
    super(message, options);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** The request, or a command's argument, is invalid. */
export const badRequest = (message: string, options?: ErrorOptions) =>
  new ServiceError(400, 'bad_request', message, options);

export const notFound = (message: string) => new ServiceError(404, 'not_found', message);

/** A page of another site started the request. */
export const crossSite = (message: string) => new ServiceError(403, 'cross_site', message);

/** The request conflicts with the current state. */
export const conflict = (message: string) => new ServiceError(409, 'conflict', message);

/** The credential is missing, malformed, or revoked. */
export const unauthorized = (message: string) => new ServiceError(401, 'unauthorized', message);

export const notAcceptable = (message: string) => new ServiceError(406, 'not_acceptable', message);

export const methodNotAllowed = (message: string) =>
  new ServiceError(405, 'method_not_allowed', message);

/** The client sent too many requests in a short time. */
export class TooManyRequests extends ServiceError {
  readonly retryAfterSeconds: number;
  /** The exceeded limit, as in `RateLimit-Policy`, if it's one of the contract's */
  readonly limit: { policy: string; quota: number; windowSeconds: number } | undefined;

  constructor(message: string, retryAfterSeconds: number, limit?: TooManyRequests['limit']) {
    super(429, 'rate_limited', message);
    this.retryAfterSeconds = Math.max(retryAfterSeconds, 1);
    this.limit = limit;
  }
}

/** A required component is temporarily unavailable; the same call may succeed later. */
export const unavailable = (message: string, options?: ErrorOptions) =>
  new ServiceError(503, 'unavailable', message, options);

/** A file can't be imported. No data has changed when this is thrown. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** Invalid settings. `problems` lists all of them. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`Invalid settings:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.problems = problems;
  }
}
