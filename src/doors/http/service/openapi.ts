/** The contract as an OpenAPI document. */
import { z } from 'zod';
import { ABSTRACT, TITLE, type Roots } from '../../../base/contract/openapi/about.ts';
import type { WebhookDeclaration } from '../../../base/contract/openapi/webhooks.ts';
import { openApiDocument } from '../../../base/contract/openapi.ts';
import { notFound } from '../../../errors.ts';
import { truncateInput } from '../../../base/text/words.ts';
import { operation, type Operation } from '../../../base/contract/operation.ts';
import { assembledJson, type PreparedAnswer } from '../../../base/contract/prepared.ts';
import { SERVICE_VERSION } from '../../../base/contract/version.ts';
import { FOR_A_DAY } from '../answers/answer-caches.ts';
import { preparedCache } from '../answers/prepared-cache.ts';
import { letOthersRun } from '../../../base/workers/let-others-run.ts';

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
export const OpenApiDocument = z
  .looseObject({
    openapi: z.string().regex(/^3\.1\.\d+$/),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.looseObject({})),
  })
  .meta({ id: 'OpenApiDocument', description: 'OpenAPI Specification 3.1' });

const OpenApi30 = OpenApiDocument.extend({ openapi: z.string().regex(/^3\.0\.\d+$/) }).meta({
  id: 'OpenApi30Document',
  description: 'OpenAPI Specification 3.0',
});

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
  /** The operations of a tag, as OpenAPI 3.0. @throws ServiceError 404 for an unknown tag */
  json30(tag: string): Promise<PreparedAnswer<z.output<typeof OpenApi30>>>;
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
    [...JSON_TYPES, ...YAML_TYPES].map((type) => [type, preparedCache({ type })]),
  );
  const cache30 = preparedCache({ type: JSON_TYPES[0] });
  const document = () => openApiDocument(operations(), roots(), webhooks);
  return {
    json: (type) =>
      caches.get(type)!('', async () =>
        assembledJson(OpenApiDocument, JSON.stringify(await document())),
      ),
    json30: (tag) => {
      const tagged = operations().filter((one) => one.tag === tag);
      if (tagged.length === 0) throw unknownTag(tag, operations());
      return cache30(tag, async () =>
        assembledJson(OpenApi30, JSON.stringify(await openApiDocument(tagged, roots(), [], '3.0'))),
      );
    },
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
  json30Operation(documents),
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

function json30Operation(documents: Documents): Operation {
  return operation({
    ...CONTRACT,
    id: 'getOpenApi30',
    path: '/openapi-3.0/{tag}.json',
    summary: 'Get a part of this contract as OpenAPI 3.0',
    description:
      'Returns the operations of one tag as an OpenAPI 3.0 document, for tools that read no later version, such as ' +
      'External Services of Salesforce.',
    params: z.object({
      tag: z.string().meta({ description: 'A tag of the contract', example: 'Lookups' }),
    }),
    answers: {
      200: {
        description: 'The operations of the tag',
        schema: OpenApi30,
        example: { ...DOCUMENT_EXAMPLE, openapi: '3.0.3' },
        cached: true,
      },
    },
    errors: [404],
    handle: async ({ params: { tag } }) => ({
      status: 200,
      headers: FOR_A_DAY,
      body: await documents.json30(tag),
    }),
  });
}

const unknownTag = (tag: string, operations: readonly Operation[]) =>
  notFound(
    `There is no tag "${truncateInput(tag)}". Use one of: ${[...new Set(operations.map((one) => one.tag))].join(', ')}.`,
  );

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

/** Anchors would save a third of the size, but few YAML readers handle them well. */
const OPTIONS = { aliasDuplicateObjects: false };

/**
 * Returns the same text as `stringify`. It writes the entries of the maps in `large` one by one, so that
 * other requests can run in between: a contract takes 60 ms.
 */
async function stringifyInSlices(document: object, large: ReadonlySet<unknown>): Promise<string> {
  // Loaded on demand: it takes 40 ms, and few clients ask for YAML.
  const { stringify } = await import('yaml');
  const slices: string[] = [];
  /** @param parents the keys that lead to the map */
  async function write(map: object, parents: readonly string[]): Promise<void> {
    for (const [key, value] of Object.entries(map)) {
      const keys = [...parents, key];
      if (large.has(value)) {
        slices.push(`${'  '.repeat(parents.length)}${key}:\n`);
        await write(value as object, keys);
      } else {
        // Folding depends on the indentation, so each entry is written with its parents.
        const nested = keys.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
        const lines = stringify(nested, OPTIONS);
        slices.push(withoutLines(lines, parents.length));
        await letOthersRun();
      }
    }
  }
  await write(document, []);
  return slices.join('');
}

function withoutLines(text: string, count: number): string {
  let from = 0;
  for (let line = 0; line < count; line++) from = text.indexOf('\n', from) + 1;
  return text.slice(from);
}
