/** Each operation states what its caller needs, and refuses all other callers before it does anything. */
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { changeSubscription } from '../../../src/people/account/subscription.ts';
import { mintKey } from '../../../src/people/account/keys.ts';
import type { Operation } from '../../../src/base/contract/operation.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { bareOperations } from '../../support/bare-app.ts';
import { newClient } from '../../support/clients.ts';
import { testDatabase } from '../../support/database.ts';
import { bearer, newKey, serveKeyed } from '../../support/keyed-app.ts';
import { nameIn } from './file-name.ts';

const { db } = await testDatabase('sample');
const app = await serveKeyed(db);

const all = bareOperations();
const guarded = all.filter(({ needs }) => needs);
/** They don't change what an organization holds. Some cost units, which their calls charge. */
const READS_BY_POST = [
  'createSignedUrl',
  'designTerritories',
  'makeTerritoryExhibit',
  'exportTerritory',
  'lookUpServing',
  'routeLeads',
  'planTerritory',
];
/** The service's description of itself, and the tools, which `write` guards one by one */
const FOR_ANY_CALLER = ['getAgentCapabilities', 'getAgentOpenApi', 'getMcpManifest', 'postMcp'];

const subscribed = await newKey(db);
const lapsed = await newKey(db);
await changeSubscription(lapsed.caller.tenant, { status: 'cancelled' });
const readOnly = await newKey(db, { mayWrite: false });
const brand = await createBrand(subscribed.caller.tenant, { name: 'Lone Star Roofing' });
const { key: limited } = await mintKey(subscribed.caller.tenant, {
  name: 'one brand',
  brands: [brand.id],
  mayWrite: true,
});

const exampleOf = (schema: z.ZodType) =>
  String((schema.meta() as { example?: unknown })?.example ?? crypto.randomUUID());

async function call(op: Operation, key: string): Promise<{ status: number; code?: string }> {
  const shape = op.params?.shape ?? {};
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(exampleOf(shape[name] as z.ZodType)),
  );
  const [example] = Object.values(op.bodyExamples ?? {});
  const [type, file] = Object.entries(op.file?.types ?? {})[0] ?? [];
  const body = op.file ? file : op.body && JSON.stringify(example!.value);
  const response = await fetch(app.api + path + nameIn(op), {
    method: op.method.toUpperCase(),
    headers: {
      ...bearer(key),
      ...newClient(),
      ...(body !== undefined && { 'Content-Type': type ?? 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, ...(response.ok ? {} : (JSON.parse(text) as object)) };
}

it('is declared for each operation with a credential, and changes need a writer', () => {
  const undeclared = all.filter(({ auth, needs }) => auth !== 'none' && !needs);
  const names = undeclared.filter(({ auth }) => auth !== 'bearer-if-private').map(({ id }) => id);
  expect(names.sort()).toEqual([...FOR_ANY_CALLER].sort());
  const readers = guarded.filter(({ method, needs }) => method === 'post' && needs === 'reader');
  expect(readers.map(({ id }) => id).sort()).toEqual([...READS_BY_POST].sort());
});

const cases = (which: (op: Operation) => boolean) =>
  guarded.filter(which).map((op) => [op.id, op] as const);

describe('an operation needs', () => {
  it.each(cases(() => true))('a subscription: %s', async (_, op) => {
    expect(await call(op, lapsed.key)).toMatchObject({
      status: 402,
      code: 'subscription_required',
      usage: expect.anything(),
    });
  });

  it.each(cases(({ needs }) => needs !== 'reader'))('the right to write: %s', async (_, op) => {
    expect(await call(op, readOnly.key)).toMatchObject({ status: 403, code: 'write_not_entitled' });
  });

  it.each(cases(({ allBrands }) => allBrands === true))('all brands: %s', async (_, op) => {
    expect(await call(op, limited)).toMatchObject({ status: 403, code: 'brand_out_of_scope' });
  });
});
