/** The OpenAPI 3.1 document of a set of operations. */
import { z } from 'zod';
import { errorStatuses } from './check.ts';
import type { Operation } from './operation.ts';
import { ErrorBody } from './schemas.ts';
import { SERVICE_VERSION } from './version.ts';

type Json = Record<string, unknown>;

const ERROR_DESCRIPTIONS: Record<number, string> = {
  400: 'The body or a parameter is malformed',
  401: 'Missing, malformed or revoked credential',
  402: 'No active subscription or trial, or the monthly unit allowance is exhausted',
  404: 'There is no such thing, or no data for it',
  406: 'No representation matches the Accept header',
  429: 'Rate limited; wait for the seconds in Retry-After',
  503: 'A part that the answer needs is away for now',
};

/**
 * @param baseUrl the API's root, for `servers`
 * @returns an object to be sent as JSON or YAML
 */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    paths[op.path] ??= {};
    paths[op.path]![op.method] = describeOperation(op, schemas);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Territory Intelligence Service',
      version: SERVICE_VERSION,
      description:
        'ZIP-code territory intelligence for home-services brands: demand scores, territories, maps.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map((op) => op.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`svc_live_…`)' },
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
      },
    },
  };
}

const SECURITY: Record<Operation['auth'], Json[]> = {
  none: [],
  bearer: [{ bearer: [] }],
  'bearer-or-session': [{ bearer: [] }, { session: [] }],
};

function describeOperation(op: Operation, schemas: Json): Json {
  const responses: Json = {};
  for (const [status, answer] of Object.entries(op.answers)) {
    responses[status] = {
      description: answer.description,
      // Bytes have no schema: OpenAPI 3.1 leaves it out.
      content:
        'type' in answer
          ? { [answer.type]: {} }
          : { 'application/json': jsonAnswer(answer, schemas) },
    };
  }
  for (const status of errorStatuses(op)) {
    const content = { schema: jsonSchema(ErrorBody, 'output', schemas) };
    responses[status] ??= {
      description: ERROR_DESCRIPTIONS[status],
      content: { 'application/json': content },
    };
  }
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    description: op.description,
    security: SECURITY[op.auth],
    parameters: [
      ...describeParameters(op.params, 'path', schemas),
      ...describeParameters(op.query, 'query', schemas),
    ],
    ...(op.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(op.body, 'input', schemas) } },
      },
    }),
    responses,
  };
}

function jsonAnswer({ schema, example }: { schema: z.ZodType; example: unknown }, schemas: Json) {
  return { schema: jsonSchema(schema, 'output', schemas), example };
}

function describeParameters(
  object: z.ZodObject | undefined,
  place: 'path' | 'query',
  schemas: Json,
): Json[] {
  return Object.entries(object?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = jsonSchema(field as z.ZodType, 'input', schemas);
    const required = place === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return { name, in: place, required, ...(description ? { description } : {}), schema };
  });
}

/**
 * A schema as JSON Schema (2020-12, which OpenAPI 3.1 speaks). Those with a `meta.id` go to
 * `schemas` and are referred to.
 */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Json): Json {
  const { $schema: _, $defs, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  for (const [id, definition] of Object.entries($defs ?? {})) {
    schemas[id] = toComponentRefs(definition as Json);
  }
  const body = toComponentRefs(root as Json);
  const { id } = root as { id?: unknown };
  if (typeof id !== 'string') return body;
  schemas[id] = body;
  return { $ref: `#/components/schemas/${id}` };
}

/** `$defs` carry their `meta.id`, which the document has as the key. */
function toComponentRefs({ id: _, ...definition }: Json): Json {
  const text = JSON.stringify(definition).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text) as Json;
}
