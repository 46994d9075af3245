/** The errors of an operation, as the OpenAPI document describes them. */
import type { ErrorCode } from '../error-codes.ts';
import { checkRequest, errorStatuses } from '../check.ts';
import { inputs, type ErrorStatus, type Operation } from '../operation.ts';
import { exampleOf } from '../resources.ts';
import { errorBodyOf, QuotaError } from '../schemas.ts';
import { answerHeaders } from './headers.ts';
import { jsonSchema, type Json } from './schema.ts';

interface ErrorFacts {
  description: string;
  example: { error: string; code: ErrorCode; usage?: unknown };
}

const fact = (description: string, code: ErrorCode, error: string): ErrorFacts => ({
  description,
  example: { error, code },
});

const FACTS: Record<ErrorStatus, ErrorFacts> = {
  400: fact('The body or a parameter is malformed', 'bad_request', 'The request is malformed.'),
  401: fact(
    'Missing, malformed or revoked credential',
    'unauthorized',
    'This needs a valid API key, sent as "Authorization: Bearer svc_live_…".',
  ),
  402: {
    description:
      'No active subscription or trial (`subscription_required`), or the monthly units are used up ' +
      '(`usage_quota_exceeded`, with the meter)',
    example: exampleOf(QuotaError) as ErrorFacts['example'],
  },
  403: fact(
    'Whoever asks may not',
    'origin_not_allowed',
    'Pages of https://brand.example may not call this.',
  ),
  404: fact('There is no such thing, or no data for it', 'not_found', 'There is no such thing.'),
  406: fact(
    'No representation matches the Accept header',
    'not_acceptable',
    'This comes as application/json; the Accept header takes none.',
  ),
  409: fact(
    'It stands against what is there by now',
    'conflict',
    'It was decided already, by somebody else.',
  ),
  413: fact(
    'The body is too large',
    'content_too_large',
    'The body has more than 1,048,576 bytes, the most that is read.',
  ),
  415: fact(
    'The body is not JSON',
    'unsupported_media_type',
    'The body must be JSON: send it with "Content-Type: application/json".',
  ),
  429: fact(
    'Rate limited; wait for the seconds in Retry-After',
    'rate_limited',
    'At most 100 requests a minute are served here (limit "public"). Try again in 42 seconds.',
  ),
  503: fact(
    'A part that the answer needs is away for now',
    'unavailable',
    'The database cannot be reached for now.',
  ),
};

/** The Error responses by status. */
export function describeErrors(op: Operation, schemas: Json): Record<string, Json> {
  const responses: Record<string, Json> = {};
  for (const status of errorStatuses(op)) {
    const { description, example } = FACTS[status];
    const error = op.errorExamples?.[status] ?? (status === 400 && refusalOf(op));
    responses[status] = {
      description,
      headers: answerHeaders(op, status),
      content: {
        'application/json': {
          schema: jsonSchema(errorBodyOf(status), 'output', schemas),
          example: error ? { ...example, error } : example,
        },
      },
    };
  }
  return responses;
}

/** What the operation truly says to senseless input; undefined where it takes any. */
function refusalOf(op: Operation): string | undefined {
  const senseless = (place: string) =>
    Object.fromEntries(
      inputs(op)
        .filter(([declared]) => declared === place)
        .flatMap(([, schema]) => Object.keys('shape' in schema ? (schema.shape as Json) : {}))
        .map((name) => [name, '?']),
    );
  try {
    checkRequest(op, {
      params: senseless('params'),
      query: senseless('query'),
      body: senseless('body'),
    });
  } catch (error) {
    // The only failure that it has: a sentence about each fault
    return (error as Error).message;
  }
  return undefined;
}
