/** Checks the OpenAPI document of the whole API. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { errorStatuses } from '../../../src/base/contract/check.ts';
import { openApiDocument } from '../../../src/base/contract/openapi.ts';
import { ErrorBody, QuotaError } from '../../../src/base/contract/schemas.ts';
import { SERVICE_VERSION } from '../../../src/base/contract/version.ts';
import { EVENT_WEBHOOKS } from '../../../src/people/events/webhook-declarations.ts';
import type { Database } from '../../../src/base/db/database.ts';
import { projectFile } from '../../../src/base/geodata/project-files.ts';
import { render } from '../../../src/render/render.ts';
import { testLog } from '../../support/log.ts';
import { bareOperations } from '../../support/bare-app.ts';

// The linter refuses localhost.
const root = 'https://territory.test';
const all = bareOperations({
  db: {} as Database,
  renderer: mapsWith({ render }),
  log: testLog(),
  apiRoot: () => root,
});
const document = (await openApiDocument(
  all,
  { api: root, site: root },
  EVENT_WEBHOOKS,
)) as unknown as {
  info: { version: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, DescribedOperation>>;
};

interface DescribedOperation {
  operationId: string;
  deprecated?: boolean;
  security: object[];
  requestBody?: { content: Record<string, { examples?: object }> };
  responses: Record<string, DescribedResponse>;
}
interface DescribedResponse {
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema?: object; example?: unknown }>;
}

const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const byId = new Map(described.map((op) => [op.operationId, op]));
const responses = described.flatMap(({ operationId, responses: ofOperation }) =>
  Object.entries(ofOperation).map(([status, response]) => ({ operationId, status, response })),
);

const folder = mkdtempSync(join(tmpdir(), 'contract-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the contract', () => {
  it('passes every recommended rule of Redocly’s linter, warnings included', async () => {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const cli = projectFile('node_modules/@redocly/cli/bin/cli.js');
    const options = ['--extends=recommended', '--format=json'];
    const env = {
      PATH: process.env.PATH,
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    };
    // In an empty folder, it finds no configuration that could disable rules.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [cli, 'lint', file, ...options],
      { cwd: folder, env },
    ).catch((error: { stdout: string }) => error);
    const { totals, problems } = JSON.parse(stdout);
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  it('has the version of the Service-Version header', () => {
    expect(document.info.version).toBe(SERVICE_VERSION);
  });

  it('describes every operation once, under a unique id', () => {
    expect([...byId.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
    expect(described).toHaveLength(all.length);
  });

  it('describes every tag', () => {
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
  });

  it('declares the limit and version headers of every response', () => {
    for (const { response } of responses) {
      expect(Object.keys(response.headers)).toEqual(
        expect.arrayContaining([
          'RateLimit',
          'RateLimit-Policy',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'X-RateLimit-Reset',
          'Service-Version',
        ]),
      );
    }
    const limited = responses.filter(({ status }) => status === '429');
    expect(limited).toHaveLength(all.length);
    for (const { response } of limited) expect(response.headers).toHaveProperty('Retry-After');
  });

  it('has an example of every text response and every error', () => {
    const bare = responses.flatMap(({ operationId, status, response }) =>
      Object.entries(response.content ?? {})
        .filter(([type]) => /json|yaml|csv/.test(type))
        .filter(([, { example }]) => example === undefined)
        .map(([type]) => `${operationId} ${status} ${type}`),
    );
    expect(bare).toEqual([]);
  });

  it('has examples that match their schemas', () => {
    for (const op of all) {
      for (const answer of Object.values(op.answers)) {
        if (!('schema' in answer)) continue;
        expect(answer.schema.safeParse(answer.example).error).toBeUndefined();
      }
      for (const status of errorStatuses(op)) {
        const { content } = byId.get(op.id)!.responses[status]!;
        if (status in op.answers) continue;
        const schema = op.failures?.schema ?? ErrorBody;
        expect(schema.safeParse(content!['application/json']!.example).success).toBe(true);
      }
    }
  });

  it('shows the actual messages of the operations for invalid input', () => {
    const { example } = byId.get('getMapContext')!.responses[400]!.content!['application/json']!;
    expect(example).toMatchObject({
      error: expect.stringMatching(/^bbox: .*; zoom: must be a whole number from 0 to 18$/),
      code: 'bad_request',
    });
  });

  it('has valid examples of every request body', () => {
    const withBody = all.filter(({ body }) => body !== undefined);
    expect(withBody.map(({ id }) => id)).toContain('planTerritory');
    for (const { id, body, bodyExamples = {} } of withBody) {
      const { content } = byId.get(id)!.requestBody!;
      expect(content['application/json']!.examples).toEqual(bodyExamples);
      const examples = Object.values(bodyExamples);
      expect(examples).not.toHaveLength(0);
      for (const { value } of examples) expect(body!.safeParse(value).error).toBeUndefined();
    }
  });

  it('includes the usage meter in 402 responses', () => {
    const { schema, example } =
      byId.get('planTerritory')!.responses[402]!.content!['application/json']!;
    expect(schema).toEqual({ $ref: '#/components/schemas/QuotaError' });
    expect(QuotaError.strict().parse(example)).toMatchObject({
      code: 'usage_quota_exceeded',
      usage: { unitsRemaining: 0 },
    });
  });

  it('allows new fields in responses', () => {
    expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
  });

  it('marks deprecated operations and declares their headers', () => {
    const manifest = byId.get('getMcpManifest')!;
    expect(manifest.deprecated).toBe(true);
    expect(Object.keys(manifest.responses[200]!.headers)).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    );
    expect(described.filter(({ deprecated }) => deprecated)).toEqual([manifest]);
  });

  it('declares the credentials that operations accept', () => {
    const schemesOf = (id: string) => byId.get(id)!.security.flatMap(Object.keys);
    expect(schemesOf('getAgentOpenApi')).toEqual(['bearer', 'accessToken', 'session']);
    expect(schemesOf('createSignedUrl')).toEqual(['bearer', 'session']);
    expect(schemesOf('postMcp')).toEqual(['bearer', 'connector', 'accessToken']);
    expect(byId.get('getOpenApi')!.security).toEqual([]);
    const guarded = described.filter(({ security }) => security.length > 0);
    for (const { responses: of } of guarded) {
      expect(of[401]!.headers).toHaveProperty('WWW-Authenticate');
    }
  });

  it('declares 304 exactly for responses with an ETag', () => {
    for (const { responses: of } of described) {
      const tagged = Object.values(of).some(({ headers }) => 'ETag' in headers);
      expect('304' in of).toBe(tagged);
    }
    expect(byId.get('getHealth')!.responses).not.toHaveProperty('304');
  });
});
