/**
 * Sends random requests with a valid key to every operation for agents. Bodies are generated from the
 * declarations, so new operations are covered.
 */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import { render } from '../../../src/render/render.ts';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { errorBodyOf } from '../../../src/base/contract/schemas.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { bareOperations } from '../../support/bare-app.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { fields, NASTY, nearExample, type JsonSchema } from '../../support/json-inputs.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { runs } from '../../support/thorough.ts';
import { hold } from '../../territories/brands/holding.ts';
import { nameIn } from './file-name.ts';

const REQUESTS_EACH = runs(60);
/** Their answers take 0.3 s of CPU and more. */
const FEW_REQUESTS = runs(20);
const COSTLY = ['/agent/design', '/agent/territory-exhibit'];

const { db } = await testDatabase('sample');
const app = await serveKeyed(db, { renderer: mapsWith({ render }) });
/** Returns the key of an organization with the brands in examples, the first of which holds `zips`. */
async function keyOfHolder(zips: readonly string[]): Promise<string> {
  const { key, caller } = await newKey(db);
  await changeSubscription(caller.tenant, { status: 'active', monthlyUnits: 2_000_000_000 });
  const brand = await createBrand(caller.tenant, { name: 'Lone Star Roofing' });
  await createBrand(caller.tenant, { name: 'Desert Air HVAC' });
  if (zips.length > 0) await hold(caller.tenant, brand, zips);
  return key;
}
const key = await keyOfHolder(['75201', '75204']);
const keyWithoutZips = await keyOfHolder([]);

/** Of a type that isn't accepted, and not JSON */
const WRONG = [
  ['text/json', '{}'],
  ['application/json', '{'],
] as const;

/** A PDF takes a second of CPU, so only examples get one. */
const EXHIBIT = '/agent/territory-exhibit';

/** Queries without which a GET is refused */
const NEEDED: Readonly<Record<string, string>> = {
  '/agent/serving': '?zip=75201',
  '/agent/boundary-changes': '?brand=lone-star-roofing',
  '/agent/census-changes': '?zips=75201',
  '/agent/census-changes.csv': '?zips=75201',
  '/agent/serving.csv': '?zip=75201',
};

/** Resets the key's limit of 60 calls per minute. */
const resetLimits = () => db.query('delete from limit_counters');

afterEach(() => {
  if (app.log().includes('request failed'))
    throw new Error(`unexpected failure in the log: ${app.log()}`);
});

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

async function expectValidAnswer(
  { method, path, headers, body }: Sent,
  from = key,
): Promise<number> {
  await resetLimits();
  const answer = await fetch(app.api + path, {
    method,
    headers: { ...bearer(from), ...newClient(), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  expect(answer.status).toBeLessThan(500);
  expect(answer.headers.get('RateLimit')).not.toBeNull();
  expect(answer.headers.get('Cache-Control') ?? '').not.toContain('public');
  if (answer.status < 400) return answer.status;
  expect(text).not.toMatch(/\n\s+at |\.[jt]s:\d|node_modules|syntax error|invalid byte|violates/);
  expect(errorBodyOf(answer.status).strict().safeParse(JSON.parse(text)).error).toBeUndefined();
  return answer.status;
}

/** Those of one plan are in test/territories/plans. */
const guarded = bareOperations().filter(({ path }) => /^\/agent\/[^{]+$/.test(path));

describe.each(guarded.map((op) => [op.path, op] as const))('%s', (path, op) => {
  const method = op.method.toUpperCase();
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom('text/json', 'application/json; charset=utf-16', '') },
  );
  const needed = (method === 'GET' && NEEDED[path]) || '';
  const query = fc.constantFrom(
    ...['', '?', '?vertical=roofing', '?%00', '?__proto__=1'].map((query) =>
      needed === ''
        ? query
        : query.replace(/^\??(.?)/, (_, next) => `${needed}${next && `&${next}`}`),
    ),
  );

  it('returns a declared answer or error for any body, type, and query', async () => {
    const schema = op.body && (z.toJSONSchema(op.body, { io: 'input' }) as JsonSchema);
    const examples = Object.values(op.bodyExamples ?? {}).map(({ value }) => value as object);
    const input = schema
      ? fc.oneof(fields(schema), nearExample(examples[0]!, schema), NASTY)
      : fc.jsonValue();
    const body = fc.oneof(
      { weight: 12, arbitrary: input.map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }) },
    );
    const statuses = new Set<number>();
    for (const example of examples) {
      const headers = { 'Content-Type': 'application/json' };
      const sent = { method, path, headers, body: JSON.stringify(example) };
      statuses.add(await expectValidAnswer(sent));
    }
    if (op.file) {
      const headers = { 'Content-Type': 'text/csv' };
      const sent = { method, path: path + nameIn(op), headers, body: op.file.types['text/csv']! };
      statuses.add(await expectValidAnswer(sent));
    }
    expect([...statuses]).toEqual(schema || op.file ? [200] : []);
    for (const [type, body] of schema ? WRONG : []) {
      statuses.add(
        await expectValidAnswer({ method, path, headers: { 'Content-Type': type }, body }),
      );
    }
    await fc.assert(
      fc.asyncProperty(fc.record({ body, type, query }), async ({ body, type, query }) => {
        const headers = method === 'POST' ? { 'Content-Type': type } : undefined;
        statuses.add(
          await expectValidAnswer(
            { method, path: path + query, headers: headers ?? {}, ...(headers && { body }) },
            path === EXHIBIT ? keyWithoutZips : key,
          ),
        );
      }),
      { numRuns: COSTLY.includes(path) ? FEW_REQUESTS : REQUESTS_EACH },
    );
    expect([...statuses]).toEqual(
      expect.arrayContaining(schema ? [200, 400, 415] : op.file ? [200, 400] : [200]),
    );
  });

  it('returns 200, 204, or 405 for any method', async () => {
    for (const other of ['HEAD', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      expect(await isMethodAnswered(other, path)).toBe(true);
    }
  });
});

async function isMethodAnswered(method: string, path: string): Promise<boolean> {
  await resetLimits();
  const needed = ['GET', 'HEAD'].includes(method) ? (NEEDED[path] ?? '') : '';
  const { status, headers } = await fetch(app.api + path + needed, {
    method,
    headers: { ...bearer(key), ...newClient() },
  });
  // Reads a place of that name, which doesn't exist.
  const named = path === '/agent/places/import' && ['GET', 'HEAD'].includes(method) ? [404] : [];
  return [200, 204, 405, ...named].includes(status) && headers.has('RateLimit');
}
