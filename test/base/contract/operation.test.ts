import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkAnswer } from '../../../src/base/contract/check.ts';
import { openApiDocument } from '../../../src/base/contract/openapi.ts';
import { operation } from '../../../src/base/contract/operation.ts';
import { unavailable } from '../../../src/errors.ts';
import { PreparedAnswer } from '../../../src/base/contract/prepared.ts';
import { answerErrors } from '../../../src/doors/http/answers/error-answers.ts';
import { contractRoutes } from '../../../src/doors/http/routes.ts';
import { listen } from '../../../src/doors/http/requests/server.ts';
import { testLog } from '../../support/log.ts';

const Shop = z
  .object({ id: z.string(), size: z.number().int(), near: z.array(z.string()) })
  .meta({ id: 'Shop' });
const example = { id: 'a', size: 2, near: [] };

/** Returns fields to add to an answer, undeclared ones for `secret`. Throws an undeclared error for `nowhere`. */
function extraFields(near: string | undefined): object {
  if (near === 'secret') return { owner: { name: 'Ann' } };
  if (near === 'nowhere') throw unavailable('Unknown.');
  return near === undefined ? {} : { near: [near] };
}

const shop = operation({
  id: 'getShop',
  method: 'get',
  path: '/town/{town}/shop',
  tag: 'Shops',
  summary: 'A shop',
  description: 'The shop of a town.',
  auth: 'none',
  params: z.object({
    town: z.string().regex(/^[a-z]+$/, 'must be lowercase letters, such as dallas'),
  }),
  query: z.object({
    size: z.coerce.number().int('must be a whole number').default(2),
    near: z.string().optional().meta({ description: 'Near this place' }),
  }),
  answers: { 200: { description: 'The shop', schema: Shop, example } },
  errors: [404],
  handle: async ({ params, query }) => ({
    status: 200,
    headers: { 'X-Town': params.town },
    body:
      query.near === 'wrong'
        ? ({ id: params.town } as typeof example)
        : { ...example, id: params.town, size: query.size, ...extraFields(query.near) },
  }),
});

const log = testLog();
const app = new Koa();
app.use(answerErrors(log)).use(contractRoutes([shop], { basePath: '/v', checkAnswers: true }));
const server = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
afterAll(() => server.stop(0));
const get = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);

describe('a declared operation', () => {
  it('is served under the base path and receives its declared input', async () => {
    const response = await get('/v/town/dallas/shop?size=7&near=park&unknown=1');
    expect(response.headers.get('X-Town')).toBe('dallas');
    expect(await response.json()).toEqual({ id: 'dallas', size: 7, near: ['park'] });
  });

  it('refuses invalid input and names each invalid field', async () => {
    const response = await get('/v/town/D4/shop?size=2.5');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'town: must be lowercase letters, such as dallas; size: must be a whole number',
      code: 'bad_request',
    });
  });

  it('refuses a path with an invalid % sequence', async () => {
    expect((await get('/v/town/%E0%A4%A/shop')).status).toBe(400);
  });

  it('fails in tests if its answer lacks declared fields', async () => {
    expect((await get('/v/town/dallas/shop?near=wrong')).status).toBe(500);
  });

  it('fails in tests if its answer has undeclared fields', async () => {
    expect((await get('/v/town/dallas/shop?near=secret')).status).toBe(500);
  });

  it('fails in tests if it throws an undeclared error', async () => {
    expect((await get('/v/town/dallas/shop?near=nowhere')).status).toBe(500);
  });
});

describe('checkAnswer', () => {
  const status = 200;

  it('names undeclared fields', () => {
    const body = { ...example, owner: { name: 'Ann' } };
    expect(() => checkAnswer(shop, { status, body })).toThrow('undeclared fields: /owner');
  });

  it('refuses undeclared statuses, media types, and caching', () => {
    expect(() => checkAnswer(shop, { status: 201, body: example })).toThrow('the status 201');
    const prepared = new PreparedAnswer(JSON.stringify(example));
    expect(() => checkAnswer(shop, { status, body: prepared })).toThrow(
      'without declaring it cached',
    );
    const cached = { ...shop, answers: { 200: { ...shop.answers[200]!, cached: true } } };
    expect(() => checkAnswer(cached, { status, body: prepared })).not.toThrow();
    const csv = new PreparedAnswer('a,b', 'text/csv; charset=utf-8');
    expect(() => checkAnswer(cached, { status, body: csv })).toThrow('answered text/csv');
  });
});

describe('the OpenAPI document', async () => {
  const document = await openApiDocument([shop], {
    api: 'https://example.com',
    site: 'https://example.com',
  });

  it('describes the operation with its parameters, answers, and errors', () => {
    const described = (document['paths'] as never)['/town/{town}/shop']['get'];
    expect(described).toMatchObject({
      operationId: 'getShop',
      tags: ['Shops'],
      security: [],
      parameters: [
        { name: 'town', in: 'path', required: true },
        { name: 'size', in: 'query', required: false, schema: { default: 2, type: 'integer' } },
        { name: 'near', in: 'query', required: false, description: 'Near this place' },
      ],
      responses: {
        200: {
          content: {
            'application/json': { schema: { $ref: '#/components/schemas/Shop' }, example },
          },
        },
        400: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
        404: {},
      },
    });
  });

  it('contains every referenced schema, including fields named id', () => {
    const { schemas } = document['components'] as { schemas: Record<string, object> };
    const referred = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)];
    expect(new Set(referred.map((m) => m[1]))).toEqual(new Set(Object.keys(schemas)));
    expect(schemas['Shop']).toMatchObject({ required: ['id', 'size', 'near'] });
  });
});
