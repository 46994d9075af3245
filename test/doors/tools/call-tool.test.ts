/** Checks that every tool call passes: input, permissions, and units; and how failures are reported. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mapsWith } from '../../../src/maps/cartography/map-renderer.ts';
import type { Caller } from '../../../src/people/account/caller.ts';
import { callerOfKey } from '../../../src/people/account/callers.ts';
import { callTool, type CallParts } from '../../../src/doors/tools/call-tool.ts';
import { tool, type Tool } from '../../../src/doors/tools/tool.ts';
import { notFound } from '../../../src/errors.ts';
import { makeDemo } from '../../../src/territories/demo/demo.ts';
import { findBrand } from '../../../src/territories/brands/brands.ts';
import { testDatabase } from '../../support/database.ts';
import { unitsUsed } from '../../people/metering/units-used.ts';

const { db } = await testDatabase('sample');
const caller = (await callerOfKey(db, (await makeDemo(db))!.key))!;
const reports: unknown[] = [];

const call = (asked: Tool, input: unknown, by: Caller = caller, more: Partial<CallParts> = {}) =>
  callTool(asked, input, {
    db,
    renderer: mapsWith({ render: async () => Buffer.alloc(0) }),
    caller: by,
    apiRoot: 'http://localhost',
    siteRoot: 'http://localhost',
    signal: new AbortController().signal,
    report: (error) => reports.push(error),
    ...more,
  });

async function unitsOf(work: () => Promise<unknown>) {
  const before = await unitsUsed(caller.tenant);
  await work();
  return (await unitsUsed(caller.tenant)) - before;
}

const common = { title: 'T', summary: 'S', description: 'D', units: 7 } as const;

const reads = (handle: Tool['handle']) =>
  tool({
    ...common,
    name: 'service_test_read',
    write: false,
    input: z.object({
      brand: z.string(),
      limit: z.int().min(1).max(200).optional(),
      zips: z
        .array(z.string().regex(/^\d{5}$/, 'must be five digits'))
        .max(500)
        .optional(),
      style: z.enum(['light', 'dark']).optional(),
    }),
    output: z.object({}),
    example: { brand: 'a' },
    handle: handle as never,
  });

const writes = tool({
  ...common,
  name: 'service_test_write',
  write: true,
  input: z.object({ brand: z.string(), confirm: z.boolean().optional() }),
  output: z.object({ charged: z.boolean() }),
  example: { brand: 'a' },
  async preview({ brand }, { caller: { tenant, brandScope } }) {
    const { slug } = await findBrand(tenant, brandScope, brand);
    return { changes: { brand: slug }, text: `${slug} would be changed.` };
  },
  async handle({ brand }, { caller: { tenant, brandScope }, charge }) {
    await findBrand(tenant, brandScope, brand);
    await tenant.transaction((tx) => charge(tx));
    return { data: { charged: true }, text: 'Done.' };
  },
});

const fine = reads(async () => ({ data: {}, text: 'Fine.' }));
const brand = 'lone-star-roofing';

describe('the input', () => {
  it.each([
    [{}, 'brand is missing'],
    [{ brand: 7 }, 'brand must be a string'],
    [{ brand: 'a', limit: 300 }, 'limit must be at most 200'],
    [{ brand: 'a', limit: 1.5 }, 'limit must be a whole number'],
    [{ brand: 'a', zips: '75201' }, 'zips must be a list'],
    [{ brand: 'a', zips: ['1'] }, 'zips.0: must be five digits'],
    [{ brand: 'a', style: 'loud' }, 'style must be one of light, dark'],
    [
      { brand: 'a', Limit: 3 },
      'unknown field "Limit"; did you mean limit?; fields: brand, limit, zips, style',
    ],
    ['brand', 'it must be an object'],
  ])('is rejected with a sentence: %j', async (input, problem) => {
    const answer = await call(fine, input);
    expect(answer).toMatchObject({ isError: true, data: { code: 'bad_request' } });
    expect(answer.text).toBe(`Invalid input for service_test_read: ${problem}.`);
  });

  it('must not contain characters that the database cannot store', async () => {
    for (const odd of ['a\0', 'half \uD83D', { ['\0']: 1 }, ['\uDC00']]) {
      expect(await call(fine, { brand: odd })).toMatchObject({
        isError: true,
        data: {
          code: 'bad_request',
          error: expect.stringMatching(
            / must not contain (the character U\+0000|half of a surrogate pair)\.$/,
          ),
        },
      });
    }
    expect(await call(fine, { brand: 'Müller 💥' })).toMatchObject({ isError: false });
  });

  it('is rejected with the first of many problems', async () => {
    const { text } = await call(fine, { limit: 0, zips: Array(300).fill('x') });
    expect(text).toMatch(/brand is missing; limit must be at least 1; zips\.0.*; and 294 more\.$/);
  });

  it('is optional if the tool has no fields', async () => {
    const idle: Tool = { ...fine, input: z.object({}) };
    expect(await call(idle, undefined)).toMatchObject({ isError: false });
  });
});

describe('a write', () => {
  const unsubscribed = {
    ...caller,
    subscription: { ...caller.subscription, writeEntitlement: false },
  };
  const readOnly = { ...caller, mayWrite: false };
  const elsewhere = { ...caller, brandScope: new Set<string>() };
  const codeOf = async (input: object, by: Caller) => (await call(writes, input, by)).data['code'];

  it('asks for confirmation first and previews the change', async () => {
    for (const by of [caller, unsubscribed, readOnly]) {
      for (const input of [{ brand }, { brand, confirm: false }]) {
        expect(await call(writes, input, by)).toMatchObject({
          isError: false,
          data: { status: 'preview', preview: { brand } },
        });
      }
    }
    const { data, text } = await call(writes, { brand });
    expect(data['confirmWith']).toEqual({ confirm: true });
    expect(text).toContain(`${brand} would be changed.`);
    expect(text).toContain('call service_test_write again with the same input and confirm: true');
  });

  it('says in the preview why it would fail', async () => {
    expect((await call(writes, { brand }, unsubscribed)).text).toMatch(
      /would fail.*write entitlement/,
    );
    const { data, text } = await call(writes, { brand }, readOnly);
    expect(text).toMatch(/would fail.*is read-only/);
    expect(text).not.toContain('To make the change');
    expect(data).not.toHaveProperty('confirmWith');
  });

  it('checks the subscription, then the key, then the brand scope', async () => {
    const both = { ...unsubscribed, mayWrite: false, brandScope: elsewhere.brandScope };
    const confirmed = { brand, confirm: true };
    const refused = await call(writes, confirmed, both);
    const keyless = await call(writes, confirmed, { ...both, subscription: caller.subscription });
    expect([refused.data['code'], keyless.data['code']]).toEqual(
      Array(2).fill('write_not_entitled'),
    );
    expect(refused.text).toContain('subscription');
    expect(keyless.text).toContain('key "Demo key"');
    expect(await codeOf(confirmed, elsewhere)).toBe('not_found');
    expect((await call(writes, confirmed)).text).toBe('Done.');
  });

  it('reports a brand outside the scope as one that doesn’t exist', async () => {
    for (const confirm of [false, true]) {
      const [there, nowhere] = [
        await call(writes, { brand, confirm }, elsewhere),
        await call(writes, { brand: 'unknown-brand', confirm }, elsewhere),
      ];
      expect(there.text).toBe(nowhere.text.replaceAll('unknown-brand', brand));
      expect(there.data['code']).toBe(nowhere.data['code']);
    }
  });

  it('reports an unknown brand, confirmed or not', async () => {
    expect(await codeOf({ brand: 'unknown-brand' }, caller)).toBe('not_found');
    expect(await codeOf({ brand: 'unknown-brand', confirm: true }, caller)).toBe('not_found');
  });

  it('is charged when it succeeds, but not for a preview or a refusal', async () => {
    expect(await unitsOf(() => call(writes, { brand, confirm: true }))).toBe(7);
    expect(await unitsOf(() => call(writes, { brand }))).toBe(0);
    expect(await unitsOf(() => call(writes, { brand, confirm: true }, readOnly))).toBe(0);
  });

  it('without a charge costs nothing', async () => {
    const repeated = tool({
      ...writes,
      handle: (async () => ({ data: { charged: false }, text: 'Done before.' })) as never,
    });
    expect(await unitsOf(() => call(repeated, { brand, confirm: true }))).toBe(0);
  });

  it('whose transaction fails after the charge costs nothing', async () => {
    const failing = tool({
      ...writes,
      handle: (async (_: unknown, { charge, caller: { tenant } }: Parameters<Tool['handle']>[1]) =>
        tenant.transaction(async (tx) => {
          await charge(tx);
          throw notFound('Gone.');
        })) as never,
    });
    expect(await unitsOf(() => call(failing, { brand, confirm: true }))).toBe(0);
  });
});

describe('an answer', () => {
  it('has only the fields that the tool declares', async () => {
    const talkative = reads(async () => ({ data: { secret: 1 }, text: 'Fine.' }));
    expect(await call(talkative, { brand })).toEqual({ isError: false, data: {}, text: 'Fine.' });
  });
});

describe('a failure', () => {
  it('with a code is returned with its message and costs nothing', async () => {
    const failing = reads(() => Promise.reject(notFound('There is no such thing.')));
    const cost = await unitsOf(async () => {
      expect(await call(failing, { brand })).toEqual({
        isError: true,
        data: { code: 'not_found', error: 'There is no such thing.' },
        text: 'There is no such thing.',
      });
    });
    expect(cost).toBe(0);
    expect(reports).toEqual([]);
  });

  it('that is unexpected is logged, hides its details, and costs nothing', async () => {
    const fault = new Error('relation "secret" does not exist');
    const cost = await unitsOf(async () => {
      const answer = await call(
        reads(() => Promise.reject(fault)),
        { brand },
      );
      expect(answer).toMatchObject({ isError: true, data: { code: 'internal_error' } });
      expect(JSON.stringify(answer)).not.toContain('secret');
    });
    expect(cost).toBe(0);
    expect(reports.splice(0)).toEqual([fault]);
  });

  it('after a client disconnect is not logged', async () => {
    const signal = AbortSignal.abort();
    const broken = reads(() => Promise.reject(signal.reason as Error));
    await call(broken, { brand }, caller, { signal });
    expect(reports).toEqual([]);
  });
});
