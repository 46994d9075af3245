/**
 * Every failure that a person can meet, with its name. An error is made where its cause is known;
 * each door (HTTP, MCP, command line) shows it once. Only `message` and `code` reach people: a
 * message is a sentence of ours that says what was wrong and what would be right, while `cause`
 * keeps the original for the log.
 */
import type { ErrorCode } from './contract/error-codes.ts';

export class ServiceError extends Error {
  /** HTTP status */
  readonly status: number;
  /** Machine-readable code of the contract, where it has one */
  readonly code: ErrorCode | undefined;
  /** Further fields of the Error object that the code has: a meter, say */
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

/** The request (or a command's argument) is malformed. */
export const badRequest = (message: string, options?: ErrorOptions) =>
  new ServiceError(400, 'bad_request', message, options);

export const notFound = (message: string) => new ServiceError(404, 'not_found', message);

/** A browser was led here by another site. */
export const crossSite = (message: string) => new ServiceError(403, 'cross_site', message);

/** What is there already stands against it. */
export const conflict = (message: string) => new ServiceError(409, 'conflict', message);

/** No credential, or one that is malformed or revoked. */
export const unauthorized = (message: string) => new ServiceError(401, 'unauthorized', message);

export const notAcceptable = (message: string) => new ServiceError(406, 'not_acceptable', message);

export const methodNotAllowed = (message: string) =>
  new ServiceError(405, 'method_not_allowed', message);

/** A part that the answer needs is away for now; the same call may succeed later. */
export const unavailable = (message: string, options?: ErrorOptions) =>
  new ServiceError(503, 'unavailable', message, options);

/** An input file that cannot be imported. Nothing has been changed when it is thrown. */
export class ImportError extends Error {
  override name = 'ImportError';
}

/** Settings that cannot be used; `problems` lists every bad one, not only the first. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings cannot be used:\n${problems.map((p) => `  - ${p}`).join('\n')}`);
    this.problems = problems;
  }
}
