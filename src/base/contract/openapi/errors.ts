/** Error responses in the OpenAPI document. */
import type { ErrorCode } from '../error-codes.ts';
import { checkRequest, errorStatuses } from '../check.ts';
import { inputs, type ErrorStatus, type Operation } from '../operation.ts';
import { exampleOf } from '../resources.ts';
import { errorBodyOf, QuotaError } from '../schemas.ts';
import { answerHeaders } from './headers.ts';
import { jsonSchema, type Json, type Schemas } from './schema.ts';

interface ErrorFacts {
  description: string;
  example: { error: string; code: ErrorCode; usage?: unknown };
}

const fact = (description: string, code: ErrorCode, error: string): ErrorFacts => ({
  description,
  example: { error, code },
});

const FACTS: Record<ErrorStatus, ErrorFacts> = {
  400: fact('The body or a parameter is invalid', 'bad_request', 'The request is invalid.'),
  401: fact(
    'The credential is missing, malformed, or revoked',
    'unauthorized',
    'An API key is required. Send it as "Authorization: Bearer svc_live_…".',
  ),
  402: {
    description:
      'There is no active subscription or trial (`subscription_required`), not enough units are left ' +
      'this month (`usage_quota_exceeded`, with the meter), or the subscription includes the figures of fewer ' +
      'ZIP codes (`zip_limit_exceeded`, with its meter)',
    example: exampleOf(QuotaError) as ErrorFacts['example'],
  },
  403: fact(
    'The caller is not allowed to do this',
    'origin_not_allowed',
    'This server isn’t evil.example. Call it at https://territory.example.com/mcp.',
  ),
  404: fact(
    'The resource does not exist or has no data',
    'not_found',
    'There is no brand "nort". Available brands: north (North).',
  ),
  406: fact(
    'No media type matches the Accept header',
    'not_acceptable',
    'The Accept header matches none of the available types. Omit it, or use one of: application/json.',
  ),
  409: fact(
    'Conflicts with the current state',
    'conflict',
    'Another reviewer has already decided this request. Reload the review queue.',
  ),
  413: fact(
    'The body is too large',
    'content_too_large',
    'The body exceeds the limit of 1,048,576 bytes. Split the request.',
  ),
  415: fact(
    'The body is not JSON',
    'unsupported_media_type',
    'The body must be JSON. Send it with "Content-Type: application/json".',
  ),
  429: fact(
    'Too many requests; wait for the number of seconds in Retry-After',
    'rate_limited',
    'The limit "public" allows 100 requests per minute. Try again in 42 seconds.',
  ),
  503: fact(
    'A required component is temporarily unavailable',
    'unavailable',
    'The database can’t be reached right now. Try again in a moment.',
  ),
};

const EXAMPLE_WAIT_SECONDS = 42;

/** The error responses of an operation, by status. */
export function describeErrors(op: Operation, schemas: Schemas): Record<string, Json> {
  const responses: Record<string, Json> = {};
  for (const status of errorStatuses(op)) {
    const { description, example } = FACTS[status];
    const error = op.errorExamples?.[status] ?? (status === 400 && refusalOf(op));
    const body = error ? { ...example, error } : example;
    responses[status] = {
      description,
      headers: answerHeaders(op, status),
      content: {
        'application/json': {
          schema: jsonSchema(op.failures?.schema ?? errorBodyOf(status), 'output', schemas),
          example:
            op.failures?.bodyOf({
              status,
              error: body,
              body: {},
              ...((status === 429 || status === 503) && {
                retryAfterSeconds: EXAMPLE_WAIT_SECONDS,
              }),
            }) ?? body,
        },
      },
    };
  }
  return responses;
}

/** The operation's actual message for invalid input; undefined if it accepts any input. */
function refusalOf(op: Operation): string | undefined {
  const invalid = (place: string) =>
    Object.fromEntries(
      inputs(op)
        .filter(([declared]) => declared === place)
        .flatMap(([, schema]) => Object.keys('shape' in schema ? (schema.shape as Json) : {}))
        .map((name) => [name, '?']),
    );
  try {
    checkRequest(op, { params: invalid('params'), query: invalid('query'), body: invalid('body') });
  } catch (error) {
    // `checkRequest` throws nothing else.
    return (error as Error).message;
  }
  return undefined;
}
