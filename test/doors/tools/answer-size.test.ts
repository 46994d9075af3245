/** Models read answers whole, so answers stay small even for large organizations. */
import { beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/doors/tools/tools.ts';
import { createBrand } from '../../../src/territories/brands/brands.ts';
import { applyZips } from '../../../src/territories/brands/apply.ts';
import { zipsOfMetro } from '../../../src/data/market/zips.ts';
import { mintShare } from '../../../src/territories/share/links.ts';
import { testDatabase } from '../../support/database.ts';
import { hold } from '../../territories/brands/holding.ts';
import { agent, organizationWith } from '../../territories/brands/organization.ts';
import { toolsFor } from './calls.ts';

/** About 20,000 tokens of four characters */
const MAX_CHARACTERS = 80_000;

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'Moon');
const [star, moon] = brands;
const call = await toolsFor(db, tenant);
const chicago = await zipsOfMetro(db, 'chicago-il');
const angeles = await zipsOfMetro(db, 'los-angeles-ca');
const note = 'Calls come in from here every week. '.repeat(13);

beforeAll(async () => {
  await tenant.query('update plans set monthly_units = 1000000 where organization_id = $1');
  // Every other ZIP code, for many islands and gaps
  await hold(
    tenant,
    star,
    chicago.filter((_, i) => i % 2 === 0),
  );
  await hold(tenant, star, angeles);
  for (const zips of [chicago, angeles]) {
    await tenant.transaction((tx) => applyZips(tx, agent, moon, { zips, note }));
  }
  for (let i = 0; i < 60; i++) await createBrand(tenant, { name: `Brand ${i} of a franchise` });
  for (let i = 0; i < 200; i++) {
    await tenant.transaction((tx) =>
      mintShare(tx, agent, star, {
        kind: 'brand',
        title: `Where we roof, map ${i}`,
        vertical: 'roofing',
        days: 30,
        hideBranding: false,
      }),
    );
  }
});

const READS = TOOLS.filter(({ write, name }) => !write && name !== 'service_render_territory_map');

/** The input with the longest answer */
function inputForLongest(tool: (typeof READS)[number], limit: number): Record<string, unknown> {
  const fields = tool.input.shape;
  const input: Record<string, unknown> = {
    ...('brand' in fields && { brand: 'star' }),
    ...('vertical' in fields && { vertical: 'roofing' }),
    ...('radiusMiles' in fields && { radiusMiles: 250 }),
    ...('scope' in fields && { scope: 'organization' }),
    ...('limit' in fields && { limit }),
  };
  switch (tool.name) {
    case 'service_score_territory':
      return { ...input, metro: 'los-angeles-ca' };
    case 'service_list_pending_review':
      return { ...input, brand: 'moon' };
    case 'service_compare_brand_to_scores':
      return { ...input, keepFrom: 0, addFrom: 0 };
    case 'service_get_activity':
      return { limit, scope: 'organization' };
    case 'service_get_zip_profile':
      return { zip: '60601' };
    default:
      return input;
  }
}

describe.each(READS.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  it('fits a model’s context', async () => {
    const limit = [200, 50].find(
      (rows) => tool.input.safeParse(inputForLongest(tool, rows)).success,
    );
    const { isError, data, text } = await call(tool, inputForLongest(tool, limit!));
    expect({ isError, error: data.error }).toEqual({ isError: false, error: undefined });
    expect(JSON.stringify(data).length + text.length).toBeLessThan(MAX_CHARACTERS);
  });
});

it('brand health lists the first 25 of many brands and counts all', async () => {
  const health = TOOLS.find(({ name }) => name === 'service_get_brand_health')!;
  const { data, text } = await call(health, { vertical: 'roofing' });
  expect(data).toMatchObject({ brandCount: 62 });
  expect((data.brands as unknown[]).length).toBe(25);
  expect(text).toContain('37 more brands not shown');
  expect(JSON.stringify(data).length + text.length).toBeLessThan(MAX_CHARACTERS);
});

it('pages shortened by size contain all rows', async () => {
  const activity = TOOLS.find(({ name }) => name === 'service_get_activity')!;
  const ids: number[] = [];
  let cursor: unknown;
  let pages = 0;
  do {
    const input = { scope: 'organization', limit: 200, ...(cursor ? { cursor } : {}) };
    const { data } = await call(activity, input);
    ids.push(...(data.entries as { id: number }[]).map(({ id }) => id));
    cursor = data.nextCursor;
    pages++;
  } while (cursor);
  expect(pages).toBeGreaterThan(2);
  expect(new Set(ids).size).toBe(ids.length);
  // Requests and approvals of two territories, two more requests, and 200 links
  expect(ids).toHaveLength(206);
});
