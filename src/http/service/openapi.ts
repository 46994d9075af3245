/** The contract as an OpenAPI document. */
import { z } from 'zod';
import { ABSTRACT, TITLE, type Roots } from '../../contract/openapi/about.ts';
import type { WebhookDeclaration } from '../../contract/openapi/webhooks.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { operation, type Operation } from '../../contract/operation.ts';
import { assembledJson, type PreparedAnswer } from '../../contract/prepared.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { FOR_A_DAY } from '../answers/answer-caches.ts';
import { preparedCache } from '../answers/prepared-cache.ts';
import { stringifyInSlices } from './yaml.ts';

const JSON_TYPES = ['application/json', 'application/vnd.oai.openapi+json'] as const;
/** The first is registered (RFC 9512); the others predate it. */
const YAML_TYPES = [
  'application/yaml',
  'application/vnd.oai.openapi',
  'application/x-yaml',
  'text/yaml',
] as const;
type JsonType = (typeof JSON_TYPES)[number];
type YamlType = (typeof YAML_TYPES)[number];
const CACHE_BYTES = 16 * 1024 * 1024;

export const OpenApiDocument = z
  .looseObject({
    openapi: z.string().regex(/^3\.1\.\d+$/),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.looseObject({})),
  })
  .meta({ id: 'OpenApiDocument', description: 'OpenAPI Specification 3.1' });

export const DOCUMENT_EXAMPLE = {
  openapi: '3.1.0',
  info: { title: TITLE, version: SERVICE_VERSION, description: ABSTRACT },
  paths: {
    '/healthz': { get: { operationId: 'getHealth', summary: 'Check the health of the service' } },
  },
};

const YAML_EXAMPLE = `openapi: 3.1.0
info:
  title: ${TITLE}
  version: ${SERVICE_VERSION}
  description: ${JSON.stringify(ABSTRACT)}
paths:
  /healthz:
    get:
      operationId: getHealth
      summary: Check the health of the service
`;

/** The OpenAPI document in a media type. */
export interface Documents {
  json(type: JsonType): Promise<PreparedAnswer<z.output<typeof OpenApiDocument>>>;
  yaml(type: YamlType): Promise<PreparedAnswer>;
}

/**
 * @param operations all operations; called when a document is first requested
 * @param webhooks the requests that the service sends
 */
export function contractDocuments(
  operations: () => readonly Operation[],
  roots: () => Roots,
  webhooks: readonly WebhookDeclaration[],
): Documents {
  const caches = new Map(
    [...JSON_TYPES, ...YAML_TYPES].map((type) => [
      type,
      preparedCache({ maxBytes: CACHE_BYTES, type }),
    ]),
  );
  const document = () => openApiDocument(operations(), roots(), webhooks);
  return {
    json: (type) =>
      caches.get(type)!('', async () =>
        assembledJson(OpenApiDocument, JSON.stringify(await document())),
      ),
    yaml: (type) =>
      caches.get(type)!('', async () => {
        const contract = await document();
        const { paths, components } = contract;
        return stringifyInSlices(contract, new Set([paths, components, components.schemas]));
      }),
  };
}

const CONTRACT = { method: 'get', tag: 'Contract', auth: 'none', limit: 'openapi' } as const;

export const contractOperations = (documents: Documents): Operation[] => [
  jsonOrYamlOperation(documents),
  yamlOperation(documents),
];

function jsonOrYamlOperation(documents: Documents): Operation {
  return operation({
    ...CONTRACT,
    id: 'getOpenApi',
    path: '/openapi.json',
    summary: 'Get this contract',
    description:
      'Returns the OpenAPI 3.1 document of the API, as JSON or, if the `Accept` header prefers it, ' +
      'as YAML.',
    answers: {
      200: {
        description: 'The contract',
        schema: OpenApiDocument,
        example: DOCUMENT_EXAMPLE,
        types: [...JSON_TYPES, ...YAML_TYPES],
        cached: true,
      },
    },
    handle: async ({ type }) => ({
      status: 200,
      headers: FOR_A_DAY,
      body: isJsonType(type!) ? await documents.json(type) : await documents.yaml(type as YamlType),
    }),
  });
}

const isJsonType = (type: string): type is JsonType => JSON_TYPES.some((known) => known === type);

function yamlOperation(documents: Documents): Operation {
  return operation({
    ...CONTRACT,
    id: 'getOpenApiYaml',
    path: '/openapi.yaml',
    summary: 'Get this contract as YAML',
    description:
      'Returns the same document as `/openapi.json`, for clients that can’t send headers.',
    answers: {
      200: {
        description: 'The contract',
        type: YAML_TYPES[0],
        example: YAML_EXAMPLE,
        cached: true,
      },
    },
    handle: async () => ({
      status: 200,
      headers: FOR_A_DAY,
      body: await documents.yaml(YAML_TYPES[0]),
    }),
  });
}
