/**
 * Whatever a holder of a key asks of an operation for agents, it answers soundly. Bodies are made of
 * the operations' own declarations: a new operation is tried by being declared.
 */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { setPlan } from '../../src/account/plans.ts';
import { operations } from '../../src/app.ts';
import { errorBodyOf } from '../../src/contract/schemas.ts';
import { bareParts } from '../support/bare-app.ts';
import { testDatabase } from '../support/database.ts';
import { fields, NASTY, nearExample, type JsonSchema } from '../support/json-inputs.ts';
import { bearer, newClient, newKey, serveKeyed } from '../support/keyed-app.ts';

const REQUESTS_EACH = 120;

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);
const { key, caller } = await newKey(db);
await setPlan(caller.tenant, { monthlyUnits: 2_000_000_000 });

/** A key has 60 calls a minute: here each is its first. */
const forgetCalls = () => db.query('delete from limit_counters');

afterEach(() => {
  if (app.log().includes('request failed')) throw new Error(`the log is not clean: ${app.log()}`);
});

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

async function expectSoundAnswer({ method, path, headers, body }: Sent): Promise<number> {
  await forgetCalls();
  const answer = await fetch(app.api + path, {
    method,
    headers: { ...bearer(key), ...newClient(), ...headers },
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

const guarded = operations(bareParts()).filter(({ path }) => path.startsWith('/agent/'));

describe.each(guarded.map((op) => [op.path, op] as const))('%s', (path, op) => {
  const method = op.method.toUpperCase();
  const type = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom('text/json', 'application/json; charset=utf-16', '') },
  );
  const query = fc.constantFrom('', '?', '?vertical=roofing', '?%00', '?__proto__=1');

  it('answers every request soundly', async () => {
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
    await fc.assert(
      fc.asyncProperty(fc.record({ body, type, query }), async ({ body, type, query }) => {
        const headers = method === 'POST' ? { 'Content-Type': type } : undefined;
        statuses.add(
          await expectSoundAnswer({
            method,
            path: path + query,
            headers: headers ?? {},
            ...(headers && { body }),
          }),
        );
      }),
      { numRuns: REQUESTS_EACH },
    );
    // The inputs were good enough to come through, and odd enough not to.
    expect([...statuses]).toEqual(expect.arrayContaining(schema ? [200, 400, 415] : [200]));
  });

  it('answers whatever method soundly', async () => {
    for (const other of ['HEAD', 'GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      expect(await expectSoundMethod(other, path)).toBe(true);
    }
  });
});

/** HEAD has no body to look at. */
async function expectSoundMethod(method: string, path: string): Promise<boolean> {
  await forgetCalls();
  const { status, headers } = await fetch(app.api + path, {
    method,
    headers: { ...bearer(key), ...newClient() },
  });
  return [200, 204, 405].includes(status) && headers.has('RateLimit');
}
