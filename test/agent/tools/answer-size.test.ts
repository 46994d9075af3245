/** A model reads an answer whole: none may fill its memory, whatever an organisation holds. */
import { beforeAll, describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/agent/tools.ts';
import { createBrand } from '../../../src/territory/brands.ts';
import { applyZips } from '../../../src/territory/apply.ts';
import { zipsOfMetro } from '../../../src/market/zips.ts';
import { mintShare } from '../../../src/share/links.ts';
import { testDatabase } from '../../support/database.ts';
import { hold } from '../../territory/holding.ts';
import { agent, organizationWith } from '../../territory/organization.ts';
import { toolsFor } from './calls.ts';

/** About 20,000 tokens of four characters each. */
const MOST_CHARACTERS = 80_000;

const { db } = await testDatabase('sample');
const { tenant, brands } = await organizationWith(db, 'Star', 'Moon');
const [star, moon] = brands;
const call = await toolsFor(db, tenant);
const chicago = await zipsOfMetro(db, 'chicago-il');
const angeles = await zipsOfMetro(db, 'los-angeles-ca');
const note = 'Calls come in from here every week. '.repeat(13);

beforeAll(async () => {
  await tenant.query('update plans set monthly_units = 1000000 where organization_id = $1');
  // Every other ZIP: all islands and gaps.
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
        ...{ kind: 'brand', title: `Where we roof, map ${i}`, vertical: 'roofing', days: 30 },
        hideBranding: false,
      }),
    );
  }
});

const READS = TOOLS.filter(({ write, name }) => !write && name !== 'service_render_territory_map');

/** What asks for the longest answer. */
function longest(tool: (typeof READS)[number], limit: number): Record<string, unknown> {
  const fields = tool.input.shape;
  const asked: Record<string, unknown> = {
    ...('brand' in fields && { brand: 'star' }),
    ...('vertical' in fields && { vertical: 'roofing' }),
    ...('radiusMiles' in fields && { radiusMiles: 250 }),
    ...('scope' in fields && { scope: 'organization' }),
    ...('limit' in fields && { limit }),
  };
  switch (tool.name) {
    case 'service_score_territory':
      return { ...asked, metro: 'los-angeles-ca' };
    case 'service_list_pending_review':
      return { ...asked, brand: 'moon' };
    case 'service_compare_brand_to_scores':
      return { ...asked, keepFrom: 0, addFrom: 0 };
    case 'service_get_activity':
      return { limit, scope: 'organization' };
    case 'service_get_zip_profile':
      return { zip: '60601' };
    default:
      return asked;
  }
}

describe.each(READS.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
  it('answers what a model can read', async () => {
    const most = [200, 50].find((limit) => tool.input.safeParse(longest(tool, limit)).success);
    const { isError, data, text } = await call(tool, longest(tool, most!));
    expect({ isError, error: data.error }).toEqual({ isError: false, error: undefined });
    expect(JSON.stringify(data).length + text.length).toBeLessThan(MOST_CHARACTERS);
  });
});

it('of brands without number tells the first, and how many there are', async () => {
  const health = TOOLS.find(({ name }) => name === 'service_get_brand_health')!;
  const { data, text } = await call(health, { vertical: 'roofing' });
  expect(data).toMatchObject({ brandCount: 62 });
  expect((data.brands as unknown[]).length).toBe(25);
  expect(text).toContain('37 more brands not shown');
  expect(JSON.stringify(data).length + text.length).toBeLessThan(MOST_CHARACTERS);
});

it('lists in pages that end early lose nothing', async () => {
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
  // Two territories applied for and approved, two applied for, and the links.
  expect(ids).toHaveLength(206);
});
