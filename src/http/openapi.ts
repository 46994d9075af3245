/** The contract itself, as a document for programs. */
import { stringify } from 'yaml';
import { z } from 'zod';
import { ABSTRACT, TITLE, type Roots } from '../contract/openapi/about.ts';
import { openApiDocument } from '../contract/openapi.ts';
import { operation, type Operation } from '../contract/operation.ts';
import { PreparedAnswer } from '../contract/prepared.ts';
import { SERVICE_VERSION } from '../contract/version.ts';
import { unauthorized } from '../errors.ts';
import { FOR_A_DAY, preparedCache } from './prepared-cache.ts';

const JSON_TYPES = ['application/json', 'application/vnd.oai.openapi+json'];
/** The first is registered (RFC 9512), the others were in use before it. */
const YAML_TYPES = [
  'application/yaml',
  'application/vnd.oai.openapi',
  'application/x-yaml',
  'text/yaml',
];
const CACHE_BYTES = 16 * 1024 * 1024;

const Document = z
  .looseObject({
    openapi: z.string().regex(/^3\.1\.\d+$/),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.looseObject({})),
  })
  .meta({ id: 'OpenApiDocument', description: 'OpenAPI Specification 3.1' });

const EXAMPLE = {
  openapi: '3.1.0',
  info: { title: TITLE, version: SERVICE_VERSION, description: ABSTRACT },
  paths: { '/healthz': { get: { operationId: 'getHealth', summary: 'Health of the service' } } },
};

const Manifest = z.looseObject({}).meta({ id: 'McpManifest', description: 'Free-form manifest' });

const NO_CREDENTIAL =
  'This needs a valid API key, sent as "Authorization: Bearer svc_live_…", or a signed-in session.';

/** The operations that tell the contract, theirs and the others'. */
export function contractOperations(
  described: readonly Operation[],
  roots: () => Roots,
): Operation[] {
  const document = (): object => openApiDocument([...described, ...own], roots());
  const own = [
    jsonOrYamlOperation(documentCache(document)),
    yamlOperation(documentCache(document)),
    aliasOperation(),
    manifestOperation(),
  ];
  return own;
}

type Documents = (type: string) => Promise<PreparedAnswer>;

/** The document by media type. */
function documentCache(document: () => object): Documents {
  const caches = new Map(
    [...JSON_TYPES, ...YAML_TYPES].map((type) => [
      type,
      preparedCache({ maxBytes: CACHE_BYTES, type }),
    ]),
  );
  const write = (type: string) =>
    JSON_TYPES.includes(type)
      ? JSON.stringify(document())
      : // Anchors would save a third, and no reader of YAML likes them.
        stringify(document(), { aliasDuplicateObjects: false });
  return (type) => caches.get(type)!('', async () => write(type));
}

function jsonOrYamlOperation(documents: Documents): Operation {
  return operation({
    id: 'getOpenApi',
    method: 'get',
    path: '/openapi.json',
    tag: 'Contract',
    summary: 'This contract, as JSON or YAML',
    description:
      'The OpenAPI 3.1 document of the whole interface: JSON, or YAML for those whose `Accept` ' +
      'header prefers it.',
    auth: 'none',
    limit: 'openapi',
    answers: {
      200: {
        description: 'The contract',
        schema: Document,
        example: EXAMPLE,
        types: [...JSON_TYPES, ...YAML_TYPES],
        cached: true,
      },
    },
    handle: async ({ type }) => ({ status: 200, headers: FOR_A_DAY, body: await documents(type!) }),
  });
}

function yamlOperation(documents: Documents): Operation {
  return operation({
    id: 'getOpenApiYaml',
    method: 'get',
    path: '/openapi.yaml',
    tag: 'Contract',
    summary: 'This contract, as YAML',
    description: 'The same document as `/openapi.json`, for those who cannot send headers.',
    auth: 'none',
    limit: 'openapi',
    answers: {
      200: {
        description: 'The contract',
        type: YAML_TYPES[0]!,
        example: stringify(EXAMPLE),
        cached: true,
      },
    },
    handle: async () => ({
      status: 200,
      headers: FOR_A_DAY,
      body: await documents(YAML_TYPES[0]!),
    }),
  });
}

function aliasOperation(): Operation {
  return operation({
    id: 'getAgentOpenApi',
    method: 'get',
    path: '/agent/openapi.json',
    tag: 'Agents',
    summary: 'This contract, at its older address',
    description: 'The same document as `/openapi.json`; an alias kept for older clients.',
    auth: 'bearer-or-session',
    limit: 'agent',
    answers: { 200: { description: 'The contract', schema: Document, example: EXAMPLE } },
    handle: refuse,
  });
}

function manifestOperation(): Operation {
  return operation({
    id: 'getMcpManifest',
    method: 'get',
    path: '/agent/mcp-manifest.json',
    tag: 'Agents',
    summary: 'Manifest of the MCP server',
    description: 'Superseded by `/mcp/info` and `/.well-known/mcp.json`, which say more.',
    auth: 'bearer-or-session',
    limit: 'agent',
    deprecated: {
      since: '2026-08-22',
      sunset: '2027-08-22',
      successors: ['/mcp/info', '/.well-known/mcp.json'],
    },
    answers: {
      200: {
        description: 'The manifest',
        schema: Manifest,
        example: { name: 'territory-intelligence', version: SERVICE_VERSION },
      },
    },
    handle: refuse,
  });
}

/** No key has been issued and nobody can sign in yet, so every credential is an invalid one. */
async function refuse(): Promise<never> {
  throw unauthorized(NO_CREDENTIAL);
}
