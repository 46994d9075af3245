/** The price of exports. */
import { describe, expect, it } from 'vitest';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { chargeExport, quoteExport } from '../../../src/people/metering/exports.ts';
import { figuresMeterOf } from '../../../src/people/metering/figures.ts';
import { testDatabase } from '../../support/database.ts';
import { expectBalanced, newTenant } from './usage.ts';

const { db } = await testDatabase('empty');
const AUGUST = new Date('2026-08-15T12:00:00Z');
const SEPTEMBER = new Date('2026-09-15T12:00:00Z');

const zipsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => String(first + i));

interface Limits {
  monthlyUnits?: number;
  monthlyZips?: number | null;
}

const charge = (
  tenant: TenantDatabase,
  zips: string[],
  accepted: number,
  { monthlyUnits = 1000, monthlyZips = null }: Limits = {},
  at = AUGUST,
) => chargeExport({ tenant, subscription: { monthlyUnits, monthlyZips } }, zips, accepted, at);

const chargedUnits = async (tenant: TenantDatabase) =>
  (await expectBalanced(tenant)).charged['2026-08-01'] ?? 0;

describe('an export', () => {
  it.each([
    [0, 0],
    [1, 1],
    [100, 1],
    [101, 2],
    [5000, 50],
  ])('of %i rows with figures costs %i units', async (rows, units) => {
    const tenant = await newTenant(db);
    expect(await quoteExport(tenant, zipsFrom(10_000, rows), AUGUST)).toEqual({
      newRows: rows,
      units,
    });
    await charge(tenant, zipsFrom(10_000, rows), units);
    expect(await chargedUnits(tenant)).toBe(units);
  });

  it('charges a ZIP code once a month', async () => {
    const tenant = await newTenant(db);
    await charge(tenant, zipsFrom(10_000, 250), 3);
    await charge(tenant, zipsFrom(10_000, 250), 3);
    await charge(tenant, zipsFrom(10_100, 100), 0);
    expect(await chargedUnits(tenant)).toBe(3);
    await charge(tenant, zipsFrom(10_000, 251), 1);
    expect(await chargedUnits(tenant)).toBe(4);
    expect(await quoteExport(tenant, zipsFrom(10_000, 250), SEPTEMBER)).toMatchObject({ units: 3 });
  });

  it('never costs more than the price that was shown', async () => {
    const tenant = await newTenant(db);
    await expect(charge(tenant, zipsFrom(10_000, 101), 1)).rejects.toMatchObject({
      status: 409,
      message: expect.stringMatching(
        /costs 2 units, more than your maximum of 1.*Nothing was charged/,
      ),
    });
    expect(await chargedUnits(tenant)).toBe(0);
  });

  it('is refused without enough units or ZIP codes', async () => {
    const tenant = await newTenant(db);
    const zips = zipsFrom(10_000, 101);
    await expect(charge(tenant, zips, 2, { monthlyUnits: 1 })).rejects.toMatchObject({
      code: 'usage_quota_exceeded',
    });
    await expect(charge(tenant, zips, 2, { monthlyZips: 100 })).rejects.toMatchObject({
      code: 'zip_limit_exceeded',
    });
    expect(await chargedUnits(tenant)).toBe(0);
    expect(await quoteExport(tenant, zips, AUGUST)).toMatchObject({ newRows: 101 });
    await charge(tenant, zips, 2, { monthlyZips: 101 });
    const subscription = { monthlyZips: 101 };
    expect(await figuresMeterOf({ tenant, subscription }, AUGUST)).toMatchObject({
      zipsRemaining: 0,
    });
  });

  it('is charged once if it is downloaded several times at once', async () => {
    const tenant = await newTenant(db);
    const first = zipsFrom(10_000, 1000);
    const more = zipsFrom(10_500, 1000);
    await Promise.all(
      Array.from({ length: 12 }, (_, i) => charge(tenant, i % 3 === 0 ? more : first, 10)),
    );
    const { reserved } = await expectBalanced(tenant);
    expect(reserved).toEqual({});
    // 1,500 ZIP codes: ten hundreds, then the remaining five
    expect(await chargedUnits(tenant)).toBe(15);
  });
});
