/** Builds the OpenAPI document: 3.1, or 3.0 for tools that read no other. */
import type { z } from 'zod';
import type { AnswerDeclaration, Operation } from './operation.ts';
import { describeInfo, describeTags, type Roots } from './openapi/about.ts';
import { describeErrors } from './openapi/errors.ts';
import { answerHeaders, HEADERS } from './openapi/headers.ts';
import { jsonSchema, newSchemas, type Json, type Schemas } from './openapi/schema.ts';
import { describeWebhook, WEBHOOK_TAG, type WebhookDeclaration } from './openapi/webhooks.ts';
import { letOthersRun } from '../workers/let-others-run.ts';
import { sessionCookieName } from './session-cookie.ts';

interface OpenApi extends Json {
  paths: Record<string, Json>;
  components: Record<string, Json>;
}

/** Other requests run while it's built. */
export async function openApiDocument(
  operations: readonly Operation[],
  roots: Roots,
  webhooks: readonly WebhookDeclaration[] = [],
  version: Schemas['version'] = '3.1',
): Promise<OpenApi> {
  const schemas = newSchemas(version);
  const paths: Record<string, Json> = {};
  for (const op of operations) {
    paths[op.path] ??= {};
    paths[op.path]![op.method] = describeOperation(op, schemas);
    await letOthersRun();
  }
  const sent = webhooks.map((one) => [one.name, describeWebhook(one, schemas)]);
  const tags = operations.map(({ tag }) => tag);
  const schemes = operations.flatMap((op) => securityOf(op).flatMap(Object.keys));
  return {
    openapi: version === '3.1' ? '3.1.0' : '3.0.3',
    info: describeInfo(roots),
    externalDocs: {
      description: 'Quick starts, guides, limits, errors, and versions',
      url: `${roots.site}/docs`,
    },
    servers: [{ url: roots.api }],
    tags: describeTags(sent.length > 0 ? [...tags, WEBHOOK_TAG] : tags),
    paths,
    ...(sent.length > 0 && { webhooks: Object.fromEntries(sent) }),
    components: {
      schemas: schemas.named,
      headers: pickComponents(HEADERS, headersIn(paths)),
      securitySchemes: pickComponents(securitySchemes(roots), schemes),
    },
  };
}

const securitySchemes = ({ api, site }: Roots) => ({
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key (`svc_live_…`)' },
  connector: {
    type: 'http',
    scheme: 'bearer',
    description:
      `An access token for ${api}/mcp, which a person granted to a connector. ` +
      '`/.well-known/oauth-protected-resource` describes how to get one',
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token for the whole API, which a person granted to a program such as the command ' +
      `line. Get one like that of a connector, but request \`resource=${api}\``,
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName(site),
    description: 'The browser session of a signed-in person',
  },
});

const SECURITY: Record<Operation['auth'], Json[]> = {
  none: [],
  'bearer-if-private': [{}, { bearer: [] }],
  'bearer-or-connector': [{ bearer: [] }, { connector: [] }, { accessToken: [] }],
  'bearer-or-session': [{ bearer: [] }, { accessToken: [] }, { session: [] }],
};

const securityOf = ({ auth, refusesAccessTokens }: Operation) =>
  SECURITY[auth].filter((scheme) => !(refusesAccessTokens && 'accessToken' in scheme));

/** Keeps only the referenced components. */
function pickComponents(components: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.includes(name)));
}

function headersIn(paths: Json): string[] {
  const references = JSON.stringify(paths).matchAll(/#\/components\/headers\/([\w-]+)/g);
  return Array.from(references, ([, name]) => name!);
}

function describeOperation(op: Operation, schemas: Schemas): Json {
  const responses: Json = describeErrors(op, schemas);
  for (const [status, answer] of Object.entries(op.answers)) {
    responses[status] = {
      description: answer.description,
      headers: answerHeaders(op, Number(status)),
      ...(!('empty' in answer) && { content: describeContent(answer, schemas) }),
    };
    if (!answer.cached) continue;
    responses[304] = {
      description: 'Not modified: the copy named in `If-None-Match` is current',
      headers: answerHeaders(op, 304),
    };
  }
  return {
    operationId: op.id,
    tags: [op.tag],
    summary: op.summary,
    description: op.description,
    ...(op.deprecated && { deprecated: true }),
    security: securityOf(op),
    parameters: [
      ...describeParameters(op.params, 'path', schemas),
      ...describeParameters(op.query, 'query', schemas),
    ],
    ...(op.file && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          Object.entries(op.file.types).map(([type, example]) => [
            type,
            example === '' ? {} : { schema: { type: 'string' }, example },
          ]),
        ),
      },
    }),
    ...(op.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: jsonSchema(op.body, 'input', schemas),
            ...(op.bodyExamples && { examples: op.bodyExamples }),
          },
          ...(op.formBody && {
            'application/x-www-form-urlencoded': { schema: jsonSchema(op.body, 'input', schemas) },
          }),
        },
      },
    }),
    responses,
  };
}

type DeclaredBody = Exclude<AnswerDeclaration, { empty: true }>;

/** Media types of an answer. OpenAPI 3.1 omits the schema of binary content. */
function describeContent(answer: DeclaredBody, schemas: Schemas): Json {
  if ('type' in answer) {
    const { type, otherTypes = [], example, otherExamples = {} } = answer;
    const content = example === undefined ? {} : { schema: { type: 'string' }, example };
    const others = otherTypes.map((other) => {
      return [other, other in otherExamples ? { example: otherExamples[other] } : {}] as const;
    });
    return Object.fromEntries([[type, content], ...others]);
  }
  const { types = ['application/json'], example } = answer;
  const schema = jsonSchema(answer.schema, 'output', schemas);
  return Object.fromEntries(types.map((type) => [type, { schema, example }]));
}

export function describeParameters(
  object: z.ZodObject | undefined,
  place: 'path' | 'query',
  schemas = newSchemas(),
): Json[] {
  return Object.entries(object?.shape ?? {}).map(([name, field]) => {
    const type = field as z.ZodType;
    const { description, example, ...schema } = jsonSchema(type, 'input', schemas);
    return {
      name,
      in: place,
      required: place === 'path' || !type.safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema,
      ...(example !== undefined && { example }),
    };
  });
}
