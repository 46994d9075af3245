import { describe, expect, it } from 'vitest';
import { resolveMarket } from '../../../src/data/market/market.ts';
import { balanceBrands, healthOfBrands } from '../../../src/territories/brands/health.ts';
import { listOverlaps } from '../../../src/territories/brands/overlaps.ts';
import { testDatabase } from '../../support/database.ts';
import { hold } from './holding.ts';
import { organizationWith, unlimitedViewer } from './organization.ts';

const { db } = await testDatabase('sample');
const { zips: dallas } = await resolveMarket(db, { metro: 'dallas-tx' });
const { zips: wyoming } = await resolveMarket(db, { state: 'WY' });

const { tenant, brands } = await organizationWith(db, 'Alpha', 'Beta', 'Empty');
const [alpha, beta] = brands;
await hold(tenant, alpha, dallas.slice(0, 40));
await hold(tenant, alpha, [wyoming[0]!, dallas[50]!], 'pending');
await hold(tenant, beta, dallas.slice(38, 42));

describe('healthOfBrands', () => {
  it('counts live, pending, shared, and isolated ZIP codes', async () => {
    const [first, second, empty] = await healthOfBrands(unlimitedViewer(tenant), 'all', null);
    expect(first).toMatchObject({ brand: alpha, live: 40, pending: 2, shared: 2 });
    expect(second).toMatchObject({ brand: beta, live: 4, pending: 0, shared: 2 });
    expect(empty).toMatchObject({ live: 0, pending: 0, shared: 0, isolated: 0, markets: [] });
    const held = [...dallas.slice(0, 40), dallas[50]!, wyoming[0]!];
    const linked = await db.query<{ zip: string }>(
      'select distinct zip from zip_neighbors where zip = any($1) and neighbor = any($1)',
      [held],
    );
    expect(first!.isolated).toBe(held.length - linked.length);
    expect(first!.isolated).toBeGreaterThan(0);
  });

  it('returns the size of each metro and the brand’s share of it', async () => {
    const [{ markets, zipsOutsideMetros, totals }] = (await healthOfBrands(
      unlimitedViewer(tenant),
      new Set([alpha.id]),
      'roofing',
    )) as [Awaited<ReturnType<typeof healthOfBrands>>[number]];
    const [metro] = await db.query<{ households: number; held: number; population: number }>(
      `select sum(households_total) as households,
         sum(households_total) filter (where zip = any($2)) as held
       from zip_demographics where zip = any($1)`,
      [dallas, [...dallas.slice(0, 40), dallas[50]!]],
    );
    expect(markets).toEqual([
      {
        metro: 'dallas-tx',
        zips: dallas.length,
        households: metro!.households,
        heldZips: 41,
        heldHouseholds: metro!.held,
        heldPct: Math.round((1000 * metro!.held) / metro!.households) / 10,
      },
    ]);
    expect(zipsOutsideMetros).toBe(1);
    expect(totals.zips).toBe(42);
    expect(totals.averageScore).not.toBeNull();
  });

  it('balances the brands by households, and by opportunity if a vertical is given', async () => {
    const plain = balanceBrands(await healthOfBrands(unlimitedViewer(tenant), 'all', null));
    expect(plain.opportunity).toBeNull();
    expect(plain.households.territories.map(({ id }) => id)).toEqual(['alpha', 'beta', 'empty']);
    expect(plain.households.territories[2]).toMatchObject({ total: 0, deviationPct: -100 });
    const scored = balanceBrands(await healthOfBrands(unlimitedViewer(tenant), 'all', 'roofing'));
    for (const [i, { total }] of scored.opportunity!.territories.entries()) {
      expect(total).toBeLessThanOrEqual(scored.households.territories[i]!.total);
    }
  });

  it('excludes brands of other organizations', async () => {
    const { tenant: other, brands } = await organizationWith(db, 'Alpha');
    await hold(other, brands[0], dallas.slice(0, 5));
    expect(await listOverlaps(other, 'all')).toEqual([]);
    const [mine, ...rest] = await healthOfBrands(unlimitedViewer(other), 'all', null);
    expect(rest).toEqual([]);
    expect(mine).toMatchObject({ live: 5, shared: 0 });
  });
});

describe('listOverlaps', () => {
  it('returns the ZIP codes that several brands hold, with those brands', async () => {
    expect(await listOverlaps(tenant, 'all')).toEqual([
      { zip: dallas[38], brands: [alpha, beta], others: 0 },
      { zip: dallas[39], brands: [alpha, beta], others: 0 },
    ]);
  });

  it('counts brands outside the scope without naming them', async () => {
    expect((await listOverlaps(tenant, new Set([beta.id])))[0]).toEqual({
      zip: dallas[38],
      brands: [beta],
      others: 1,
    });
    expect(await listOverlaps(tenant, 'all', brands[2])).toEqual([]);
  });
});
