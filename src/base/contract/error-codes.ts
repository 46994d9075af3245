/** All error codes. `ServiceError` accepts no others, and the documentation lists these. */

export interface ErrorFacts {
  /** HTTP status; null for codes that appear only in tool results, whose HTTP status is 200 */
  status: number | null;
  /** Markdown */
  meaning: string;
  /** Advice for the client. Markdown */
  remedy: string;
}

export const ERROR_CODES = {
  bad_request: {
    status: 400,
    meaning: 'The body, a parameter, or a tool’s input is invalid.',
    remedy:
      'Read `error`, which names each invalid field and what it accepts. Fix the request before you ' +
      'send it again.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The credential is missing, malformed, expired, or revoked.',
    remedy:
      'Send `Authorization: Bearer` with a valid API key or access token. The `WWW-Authenticate` ' +
      'header has details.',
  },
  subscription_required: {
    status: 402,
    meaning: 'The organization has neither an active subscription nor a current trial.',
    remedy:
      'Ask the organization’s owner to renew the subscription. Public endpoints keep working.',
  },
  usage_quota_exceeded: {
    status: 402,
    meaning:
      'The call costs more units than the organization has left this month. `usage` holds the meter.',
    remedy: 'Wait until `usage.resetsAt`, or ask for a subscription with more units.',
  },
  zip_limit_exceeded: {
    status: 402,
    meaning:
      'The call needs the figures of more ZIP codes than the subscription includes this month. `figures` holds ' +
      'the meter.',
    remedy:
      'Ask for fewer ZIP codes or for ones you saw this month, wait until `figures.resetsAt`, or ask ' +
      'for a subscription with more ZIP codes.',
  },
  row_limit_exceeded: {
    status: 402,
    meaning: 'The upload has more rows than the organization may still upload this month.',
    remedy:
      'Upload fewer rows, such as one for each ZIP code, wait for the next month, or ask for a larger subscription.',
  },
  seat_limit_exceeded: {
    status: 402,
    meaning: 'Every seat of the subscription is taken.',
    remedy: 'Remove a member, or ask for a subscription with more seats.',
  },
  write_not_entitled: {
    status: 403,
    meaning: 'The subscription, the API key, or the person has read-only access.',
    remedy:
      'Read `error`, which says which of them is read-only. Use a key that can write, on a subscription that ' +
      'includes writing.',
  },
  brand_out_of_scope: {
    status: 403,
    meaning: 'The share link belongs to a brand that this key or person has no access to.',
    remedy: 'Use a key with a wider brand scope.',
  },
  role_required: {
    status: 403,
    meaning: 'The action requires a role, such as reviewer. API keys have no roles.',
    remedy: 'Ask a person with the role named in `error`.',
  },
  access_token_not_allowed: {
    status: 403,
    meaning: 'The operation creates something that would outlive the sign-in of an access token.',
    remedy: 'Use an API key, or sign in on the site.',
  },
  cross_site: {
    status: 403,
    meaning: 'The form was sent from a page of another site.',
    remedy: 'Open the page on this site and send the form from there.',
  },
  origin_not_allowed: {
    status: 403,
    meaning: 'A web page called `/mcp` under a host name that isn’t the service’s (DNS rebinding).',
    remedy: 'Call the address of the service, as in `error`.',
  },
  invalid_signature: {
    status: 403,
    meaning:
      'The signed URL has expired or was changed, its key was revoked, or its organization replaced the ' +
      'signing secret.',
    remedy: 'Sign the URL again, and use the result unchanged.',
  },
  not_found: {
    status: 404,
    meaning:
      'The resource doesn’t exist, has no data, or isn’t public. Examples are a ZIP code outside the ' +
      'launched metros and an expired or revoked share link.',
    remedy: 'Read `error`, which often lists the valid values.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but it doesn’t support this method.',
    remedy: 'Use one of the methods in the `Allow` header.',
  },
  not_acceptable: {
    status: 406,
    meaning: 'No available media type matches the `Accept` header.',
    remedy: 'Omit `Accept`, or use one of the types listed in `error`.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request took too long to arrive.',
    remedy: 'Send it again.',
  },
  conflict: {
    status: 409,
    meaning:
      'The request conflicts with the current state. An example is undoing a removal that was ' +
      'already undone.',
    remedy: 'Read the current state before you try again.',
  },
  content_too_large: {
    status: 413,
    meaning: 'The body exceeds the size limit.',
    remedy: 'Split the request into smaller ones.',
  },
  uri_too_long: {
    status: 414,
    meaning: 'The URL exceeds the length limit.',
    remedy: 'Shorten the query.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The operation doesn’t accept this type of body. Most operations accept JSON.',
    remedy: 'Send a JSON body with `Content-Type: application/json`.',
  },
  rate_limited: {
    status: 429,
    meaning: 'You sent too many requests in a short time.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then try again.',
  },
  header_fields_too_large: {
    status: 431,
    meaning: 'The header fields exceed the size limit.',
    remedy: 'Send fewer header fields. Cookies are the usual cause.',
  },
  internal_error: {
    status: 500,
    meaning:
      'Something went wrong on our side. `error` contains the request id, which is also in ' +
      '`X-Request-Id`.',
    remedy:
      'Check whether the request took effect, then try once more. If it fails again, send us the ' +
      'request id.',
  },
  unavailable: {
    status: 503,
    meaning:
      'A component that the request needs, such as the database, is temporarily unavailable. The call ' +
      'wasn’t served and costs nothing.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then send the same request again.',
  },
  confirmation_required: {
    status: null,
    meaning:
      'Not an error: the result is a preview (`status: preview`), because a tool that makes changes was ' +
      'called without `confirm: true`. Nothing was changed.',
    remedy: 'Show the `preview` to the person. If they agree, call again with `confirm: true`.',
  },
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERROR_CODES;
