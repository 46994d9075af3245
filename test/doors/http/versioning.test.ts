import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkDeprecation, deprecationHeaders } from '../../../src/base/contract/deprecation.ts';
import { openApiDocument } from '../../../src/base/contract/openapi.ts';
import { operation, type Deprecation } from '../../../src/base/contract/operation.ts';
import { SERVICE_VERSION } from '../../../src/base/contract/version.ts';
import { badRequest } from '../../../src/errors.ts';
import { setDeprecationHeaders } from '../../../src/doors/http/answers/deprecation.ts';
import { answerErrors } from '../../../src/doors/http/answers/error-answers.ts';
import { findOperation } from '../../../src/doors/http/requests/find-operation.ts';
import { runSteps } from '../../../src/doors/http/requests/steps.ts';
import { contractRoutes } from '../../../src/doors/http/routes.ts';
import { listen } from '../../../src/doors/http/requests/server.ts';
import { serveBare } from '../../support/bare-app.ts';
import { testLog } from '../../support/log.ts';
import { head, sendRaw } from '../../support/raw-http.ts';

const roots = { api: 'https://example.com/api', site: 'https://example.com' };

const manifest = (deprecated: Deprecation) =>
  operation({
    id: 'getManifest',
    method: 'get',
    path: '/manifest.json',
    tag: 'Old',
    summary: 'Old manifest',
    description: 'The old manifest.',
    auth: 'none',
    deprecated,
    query: z.object({ broken: z.string().optional() }),
    answers: { 200: { description: 'It', schema: z.object({}), example: {} } },
    handle: async ({ query }) => {
      if (query.broken) throw badRequest('The manifest is broken.');
      return { status: 200, body: {} };
    },
  });

const deprecated = {
  since: '2026-08-22',
  sunset: '2027-08-22',
  successors: ['/mcp/info', '/.well-known/mcp.json'],
};

describe('the version', () => {
  it('is the same in the OpenAPI document and in every answer', async () => {
    const port = await serveBare();
    const { info } = (await openApiDocument([], roots)) as unknown as { info: { version: string } };
    expect(info.version).toBe(SERVICE_VERSION);
    for (const [method, path] of [
      ['GET', '/api/healthz'],
      ['OPTIONS', '/api/healthz'],
      ['DELETE', '/api/healthz'],
      ['GET', '/nothing'],
      ['GET', '/%'],
      ['GET', 'http://['],
      ['GET', '/ no http'],
      ['GET', `/${'x'.repeat(9_000)}`],
      ['GET', `/${'x'.repeat(20_000)}`],
    ] as const) {
      const { headers } = await sendRaw(port, head(method, path));
      expect(headers['service-version']).toBe(info.version);
    }
  });
});

describe('a deprecated operation', async () => {
  const app = new Koa();
  const operations = [manifest(deprecated)];
  app
    .use(answerErrors(testLog()))
    .use(
      runSteps(
        findOperation(operations, '/api'),
        setDeprecationHeaders(() => roots.api),
      ),
    )
    .use(contractRoutes(operations, { basePath: '/api', checkAnswers: true }));
  const server = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
  afterAll(() => server.stop(0));

  it.each(['/api/manifest.json', '/api/manifest.json?broken=1'])(
    'sends its dates and successors, even with errors: %s',
    async (path) => {
      const { headers } = await sendRaw(server.port, head('GET', path));
      expect(headers).toMatchObject({
        deprecation: `@${Date.UTC(2026, 7, 22) / 1000}`,
        sunset: 'Sun, 22 Aug 2027 00:00:00 GMT',
        link:
          '<https://example.com/api/mcp/info>; rel="successor-version", ' +
          '<https://example.com/api/.well-known/mcp.json>; rel="successor-version"',
      });
    },
  );

  it('is marked in the OpenAPI document', async () => {
    const { paths } = (await openApiDocument(operations, roots)) as {
      paths: Record<string, Record<string, { deprecated?: boolean }>>;
    };
    expect(paths['/manifest.json']!['get']!.deprecated).toBe(true);
  });
});

describe('a deprecation', () => {
  it('must last at least a year', () => {
    const tooShort = { ...deprecated, sunset: '2027-08-21' };
    expect(() => checkDeprecation(tooShort)).toThrow(
      'The sunset 2027-08-21 is too early: an operation deprecated on 2026-08-22 must remain until 2027-08-22.',
    );
    expect(() => contractRoutes([manifest(tooShort)], { basePath: '' })).toThrow(RangeError);
    expect(() => checkDeprecation(deprecated)).not.toThrow();
  });

  it('must have valid dates and a successor', () => {
    expect(() => checkDeprecation({ ...deprecated, sunset: '2027-13-01' })).toThrow(RangeError);
    expect(() => checkDeprecation({ ...deprecated, since: '22 August 2026' })).toThrow(RangeError);
    expect(() => checkDeprecation({ ...deprecated, successors: [] })).toThrow(RangeError);
  });

  it('sends its date as a structured field in seconds', () => {
    expect(deprecationHeaders(deprecated, '')['Deprecation']).toMatch(/^@\d+$/);
  });
});
