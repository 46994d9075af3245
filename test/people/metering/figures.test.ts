/** The monthly limit of ZIP codes whose figures an organization sees. */
import { describe, expect, it } from 'vitest';
import {
  changeSubscription,
  TRIAL,
  subscriptionOf,
} from '../../../src/people/account/subscription.ts';
import type { TenantDatabase } from '../../../src/people/account/tenant.ts';
import { FiguresMeter } from '../../../src/base/contract/figures-meter.ts';
import type { ServiceError } from '../../../src/errors.ts';
import {
  ANY_ZIP,
  countUnseenZips,
  figuresMeterOf,
  recordSeenZips,
} from '../../../src/people/metering/figures.ts';
import { testDatabase } from '../../support/database.ts';
import { newTenant } from './usage.ts';

const { db } = await testDatabase('empty');
const AUGUST = new Date('2026-08-31T23:59:59Z');
const SEPTEMBER = new Date('2026-09-01T00:00:00Z');

/** `count` ZIP codes from a number on */
const zipsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => String(first + i).padStart(5, '0'));

const viewer = (tenant: TenantDatabase, monthlyZips: number | null) => ({
  tenant,
  subscription: { monthlyZips },
});

const meter = (tenant: TenantDatabase, limit: number | null, at = AUGUST) =>
  figuresMeterOf(viewer(tenant, limit), at);

describe('the limit', () => {
  it('counts each ZIP code once a month, from 00000 to 99999', async () => {
    const trial = viewer(await newTenant(db), 100);
    await recordSeenZips(trial, ['00000', '00501', '75201', '99999', '75201'], { at: AUGUST });
    await recordSeenZips(trial, ['75201', '00501', '75202'], { at: AUGUST });
    const used = await figuresMeterOf(trial, AUGUST);
    expect(FiguresMeter.parse(used)).toEqual({
      period: '2026-08',
      zipsIncluded: 100,
      zipsSeen: 5,
      zipsRemaining: 95,
      resetsAt: '2026-09-01T00:00:00.000Z',
    });
    expect(await countUnseenZips(trial, ['00000', '99998', '99999'], AUGUST)).toBe(1);
  });

  it('refuses a call that exceeds it and records none of its ZIP codes', async () => {
    const trial = viewer(await newTenant(db), 10);
    await recordSeenZips(trial, zipsFrom(75201, 8), { at: AUGUST });
    await expect(recordSeenZips(trial, zipsFrom(75206, 6), { at: AUGUST })).rejects.toMatchObject({
      status: 402,
      code: 'zip_limit_exceeded',
      message: expect.stringContaining('10 ZIP codes a month, and only 2 are left'),
      details: { figures: { zipsSeen: 8, zipsRemaining: 2 } },
    });
    expect(await figuresMeterOf(trial, AUGUST)).toMatchObject({ zipsSeen: 8 });
    await recordSeenZips(trial, zipsFrom(75206, 5), { at: AUGUST });
    await expect(recordSeenZips(trial, ['90001'], { at: AUGUST })).rejects.toThrow(
      'all of them are used',
    );
    // ZIP codes that were seen stay visible.
    await recordSeenZips(trial, zipsFrom(75201, 10), { at: AUGUST });
  });

  it('refuses a first call that alone exceeds it', async () => {
    const trial = viewer(await newTenant(db), 10);
    await expect(recordSeenZips(trial, zipsFrom(75201, 11), { at: AUGUST })).rejects.toThrow(
      '10 are left',
    );
    await recordSeenZips(trial, [], { at: AUGUST });
    expect(await figuresMeterOf(trial, AUGUST)).toMatchObject({ zipsSeen: 0 });
  });

  it('refuses selections by figures of new ZIP codes once it is reached', async () => {
    const trial = viewer(await newTenant(db), 5);
    const seen = zipsFrom(75201, 5);
    await recordSeenZips(trial, seen.slice(1), { among: zipsFrom(10_000, 900), at: AUGUST });
    await recordSeenZips(trial, [], { among: zipsFrom(10_000, 900), at: AUGUST });
    await recordSeenZips(trial, seen, { at: AUGUST });
    await recordSeenZips(trial, seen.slice(2), { among: seen, at: AUGUST });
    for (const among of [['10001'], ANY_ZIP] as const) {
      await expect(recordSeenZips(trial, [], { among, at: AUGUST })).rejects.toMatchObject({
        code: 'zip_limit_exceeded',
      });
    }
  });

  it('starts again each month', async () => {
    const tenant = await newTenant(db);
    await recordSeenZips(viewer(tenant, 5), zipsFrom(75201, 5), { at: AUGUST });
    await recordSeenZips(viewer(tenant, 5), zipsFrom(80001, 4), { at: SEPTEMBER });
    expect(await meter(tenant, 5, SEPTEMBER)).toMatchObject({ period: '2026-09', zipsSeen: 4 });
  });

  it('is separate for each organization', async () => {
    const [one, other] = [await newTenant(db), await newTenant(db)];
    await recordSeenZips(viewer(one, 5), zipsFrom(75201, 5), { at: AUGUST });
    await recordSeenZips(viewer(other, 5), zipsFrom(80001, 5), { at: AUGUST });
    expect(await meter(one, 5)).toMatchObject({ zipsRemaining: 0 });
  });

  it('records nothing for a subscription without one', async () => {
    const tenant = await newTenant(db);
    await recordSeenZips(viewer(tenant, null), zipsFrom(0, 40_000), { at: AUGUST });
    expect(await meter(tenant, null)).toMatchObject({
      zipsIncluded: null,
      zipsSeen: 0,
      zipsRemaining: null,
    });
    expect(await meter(tenant, 5)).toMatchObject({ zipsSeen: 0 });
  });

  it('holds when calls run at the same time', async () => {
    const tenant = await newTenant(db);
    // 30 calls of 100 ZIP codes each, half of them shared with the next call
    const calls = Array.from({ length: 30 }, (_, i) => zipsFrom(10_000 + 50 * i, 100));
    const outcomes = await Promise.allSettled(
      calls.map((zips) => recordSeenZips(viewer(tenant, 1000), zips, { at: AUGUST })),
    );
    const seen = calls.filter((_, i) => outcomes[i]!.status === 'fulfilled').flat();
    const { zipsSeen } = await meter(tenant, 1000);
    expect(zipsSeen).toBe(new Set(seen).size);
    expect(zipsSeen).toBeLessThanOrEqual(1000);
    // A refused call needs more ZIP codes than are left.
    expect(zipsSeen).toBeGreaterThan(900);
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as ServiceError).code] : [],
    );
    expect(new Set(refusals)).toEqual(new Set(['zip_limit_exceeded']));
  });
});

describe('a subscription', () => {
  it('includes 2,500 ZIP codes on trial and the whole country otherwise, unless it is set', async () => {
    const tenant = await newTenant(db);
    const limit = async () => (await subscriptionOf(tenant)).monthlyZips;
    expect(await limit()).toBe(2500);
    expect(TRIAL.monthlyZips).toBe(2500);
    expect((await changeSubscription(tenant, { status: 'active' })).monthlyZips).toBeNull();
    await changeSubscription(tenant, { monthlyZips: 10_000 });
    await changeSubscription(tenant, { seats: 9 });
    expect(await limit()).toBe(10_000);
    await changeSubscription(tenant, { status: 'trial' });
    expect(await limit()).toBe(10_000);
    await changeSubscription(tenant, { monthlyZips: null });
    expect(await limit()).toBe(2500);
  });
});
