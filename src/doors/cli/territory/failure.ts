/** Errors of `territory` and their exit codes. */
import { ServiceError } from '../../../errors.ts';

export const EXIT = {
  ok: 0,
  other: 1,
  usage: 2,
  notFound: 3,
  badRequest: 4,
  notAllowed: 5,
  rateLimited: 6,
  unavailable: 7,
  unconfirmed: 8,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_MEANINGS: Record<keyof typeof EXIT, string> = {
  ok: 'success',
  other: 'any other failure, such as a file that cannot be written',
  usage: 'wrong arguments or an invalid setting',
  notFound: 'not found: no such brand, or no data for the ZIP code or metro (404)',
  badRequest: 'bad request, such as a malformed ZIP code or an unknown tool (400)',
  notAllowed: 'not allowed: check the key, subscription, limits, and permissions (401-403)',
  rateLimited: 'rate limited, even after retries (429)',
  unavailable: 'the service or the network is unavailable',
  unconfirmed: 'preview only: the change needs --confirm',
};

export const EXIT_CODES_HELP = [
  '\nExit codes:',
  ...(Object.keys(EXIT) as (keyof typeof EXIT)[]).map(
    (name) => `  ${EXIT[name]}  ${EXIT_MEANINGS[name]}`,
  ),
].join('\n');

/** An error message for standard error, with an exit code. */
export class Failure extends Error {
  override name = 'Failure';
  readonly exitCode: ExitCode;
  /** The service's code for the error, if it has one */
  readonly code: string | undefined;
  /** Additional fields of the service's Error object, such as the usage meter */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    exitCode: ExitCode,
    message: string,
    { code, details = {}, ...options }: FailureOptions = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
    this.code = code;
    this.details = details;
  }
}

interface FailureOptions extends ErrorOptions {
  code?: string | undefined;
  details?: Readonly<Record<string, unknown>>;
}

/** Codes of errors that the command detects itself */
const OWN_CODES: Record<ExitCode, string> = {
  [EXIT.ok]: 'ok',
  [EXIT.other]: 'failed',
  [EXIT.usage]: 'usage',
  [EXIT.notFound]: 'not_found',
  [EXIT.badRequest]: 'bad_request',
  [EXIT.notAllowed]: 'not_allowed',
  [EXIT.rateLimited]: 'rate_limited',
  [EXIT.unavailable]: 'unavailable',
  [EXIT.unconfirmed]: 'confirmation_required',
};

/** Returns an error as a line of JSON: the service's Error object with the exit code. */
export function failureJson(
  message: string,
  exitCode: ExitCode,
  more: FailureOptions = {},
): string {
  const { code = OWN_CODES[exitCode], details } = more;
  return `${JSON.stringify({ ...details, error: message, code, exitCode })}\n`;
}

const BY_STATUS: Record<number, ExitCode> = {
  400: EXIT.badRequest,
  401: EXIT.notAllowed,
  402: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  429: EXIT.rateLimited,
};

export const exitCodeOfStatus = (status: number): ExitCode =>
  BY_STATUS[status] ?? (status >= 500 ? EXIT.unavailable : EXIT.other);

/** Exit codes by a tool's error code */
const BY_CODE: Record<string, ExitCode> = {
  bad_request: EXIT.badRequest,
  not_found: EXIT.notFound,
  subscription_required: EXIT.notAllowed,
  usage_quota_exceeded: EXIT.notAllowed,
  zip_limit_exceeded: EXIT.notAllowed,
  seat_limit_exceeded: EXIT.notAllowed,
  write_not_entitled: EXIT.notAllowed,
  brand_out_of_scope: EXIT.notAllowed,
  role_required: EXIT.notAllowed,
  unavailable: EXIT.unavailable,
  internal_error: EXIT.unavailable,
};

export const exitCodeOfCode = (code: string): ExitCode => BY_CODE[code] ?? EXIT.other;

/** Throws an error about the input as a failure of usage. */
export function failOnInput(error: unknown): never {
  if (!(error instanceof ServiceError)) throw error;
  throw new Failure(EXIT.usage, error.message, { cause: error });
}
