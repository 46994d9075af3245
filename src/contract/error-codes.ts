/**
 * Every code that a failure can have. The type of `ServiceError` knows no other, and the
 * documentation shows them from here.
 */

export interface ErrorFacts {
  /** Of HTTP; null for what only tools answer, within an answer of status 200 */
  status: number | null;
  /** Markdown */
  meaning: string;
  /** What whoever meets it should do; Markdown */
  remedy: string;
}

export const ERROR_CODES = {
  bad_request: {
    status: 400,
    meaning: 'The body, a parameter or a tool’s input is malformed.',
    remedy:
      'Read `error`: it names each fault and what would be right. The same request fails again.',
  },
  unauthorized: {
    status: 401,
    meaning: 'There is no credential, or it is malformed, expired or revoked.',
    remedy:
      'Send `Authorization: Bearer` with a valid key or access token. `WWW-Authenticate` says how.',
  },
  subscription_required: {
    status: 402,
    meaning: 'The organisation has neither a subscription nor a running trial.',
    remedy: 'Its owner renews the plan. What is public still answers.',
  },
  usage_quota_exceeded: {
    status: 402,
    meaning: 'Fewer units are left this month than the call costs. `usage` holds the meter.',
    remedy: 'Wait for `usage.resetsAt`, or have the plan’s units raised.',
  },
  seat_limit_exceeded: {
    status: 402,
    meaning: 'The plan has no free seat for another person.',
    remedy: 'Remove somebody, or have the plan’s seats raised.',
  },
  write_not_entitled: {
    status: 403,
    meaning: 'The plan, the key or the person may read, but not change anything.',
    remedy:
      'Use a key that writes, on a plan that includes it. `error` says which of them lacks it.',
  },
  brand_out_of_scope: {
    status: 403,
    meaning: 'The brand exists, but lies outside the brands of this key or person.',
    remedy: 'Name one of the brands that `error` lists, or use a key with a wider scope.',
  },
  role_required: {
    status: 403,
    meaning: 'This is for people with a certain role, such as reviewers. No key can do it.',
    remedy: 'Ask somebody with the role that `error` names.',
  },
  cross_site: {
    status: 403,
    meaning: 'A page of another site sent a form in the name of somebody who is signed in.',
    remedy: 'Open the page here and send the form from it.',
  },
  origin_not_allowed: {
    status: 403,
    meaning: 'A web page of another origin called `/mcp`.',
    remedy: 'Call it from a program, without the `Origin` header.',
  },
  not_found: {
    status: 404,
    meaning:
      'There is no such thing, no data for it, or none that is public: a ZIP outside the launched ' +
      'metros, a share link that was revoked or has expired.',
    remedy: 'Read `error`, which often lists what there is. Do not try again unchanged.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path is right, its method is not.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  not_acceptable: {
    status: 406,
    meaning: 'Nothing that is here matches the `Accept` header.',
    remedy: 'Leave `Accept` out, or name one of the types in `error`.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive in time.',
    remedy: 'Send it again.',
  },
  conflict: {
    status: 409,
    meaning: 'What is there already stands against it, such as a removal that was undone before.',
    remedy: 'Look at how things stand now before you try again.',
  },
  content_too_large: {
    status: 413,
    meaning: 'The body is larger than what is read.',
    remedy: 'Send less at a time.',
  },
  uri_too_long: {
    status: 414,
    meaning: 'The address is longer than what is read.',
    remedy: 'Shorten the query.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not what its operation reads, mostly JSON.',
    remedy: 'Send `Content-Type: application/json` and a body that is it.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests in too short a time.',
    remedy: 'Wait for the seconds in `Retry-After`, then go on.',
  },
  header_fields_too_large: {
    status: 431,
    meaning: 'The header fields are longer than what is read.',
    remedy: 'Send fewer of them; cookies are the usual cause.',
  },
  internal_error: {
    status: 500,
    meaning: 'A fault of ours. `error` holds the request’s id, which is also `X-Request-Id`.',
    remedy: 'Look at how things stand, try once more, then tell us the id.',
  },
  unavailable: {
    status: 503,
    meaning:
      'A part that the answer needs is away for now, such as the database. The call was not served ' +
      'and costs nothing.',
    remedy: 'Wait for the seconds in `Retry-After`, then send the same request again.',
  },
  confirmation_required: {
    status: null,
    meaning:
      'A tool that changes something was called without `confirm: true`. Nothing was changed.',
    remedy: 'Show the `preview` to the person; if they agree, call again with `confirm: true`.',
  },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;
