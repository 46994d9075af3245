import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tenantOf, type TenantDatabase } from '../../../src/people/account/tenant.ts';
import { UsageMeter } from '../../../src/base/contract/usage-meter.ts';
import { meterOf } from '../../../src/people/metering/meter.ts';
import { reserveUnits, type Reservation } from '../../../src/people/metering/units.ts';
import { cuttableDatabase } from '../../support/cuttable-database.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';
import { expectBalanced, expireReservations, newTenant, usageOf } from './usage.ts';

const { db, env } = await testDatabase('empty');
const plan = (monthlyUnits: number) => ({ monthlyUnits });
const AUGUST = new Date('2026-08-15T12:00:00Z');

/** Reserves units; null if too few are left. */
const reserve = (tenant: TenantDatabase, limit: number, units: number, at = AUGUST) =>
  reserveUnits(tenant, plan(limit), 'service_x', units, at).catch((error: unknown) => {
    expect(error).toMatchObject({ status: 402, code: 'usage_quota_exceeded' });
    return null;
  });

describe('a reservation', () => {
  it('is charged by tool and day', async () => {
    const tenant = await newTenant(db);
    for (const [tool, units] of [
      ['service_a', 10],
      ['service_b', 1],
      ['service_a', 10],
    ] as const) {
      await (await reserveUnits(tenant, plan(100), tool, units, AUGUST)).settle();
    }
    const days = await tenant.query(
      `select day::text, tool, calls, units from usage_days
       where organization_id = $1 order by tool`,
    );
    expect(days).toEqual([
      { day: '2026-08-15', tool: 'service_a', calls: 2, units: 20 },
      { day: '2026-08-15', tool: 'service_b', calls: 1, units: 1 },
    ]);
    expect(await expectBalanced(tenant)).toMatchObject({ reserved: {} });
  });

  it('holds its units until it is released', async () => {
    const tenant = await newTenant(db);
    const reservation = (await reserve(tenant, 10, 10))!;
    expect(await meterOf(tenant, plan(10), AUGUST)).toMatchObject({ unitsRemaining: 0 });
    expect(await reserve(tenant, 10, 1)).toBeNull();
    await reservation.release();
    expect(await meterOf(tenant, plan(10), AUGUST)).toMatchObject({ unitsUsed: 0 });
    expect(await usageOf(tenant)).toEqual({ periods: {}, charged: {}, reserved: {} });
  });

  it('releases nothing a second time or after it was charged', async () => {
    const tenant = await newTenant(db);
    const failed = (await reserve(tenant, 10, 3))!;
    await failed.release();
    await failed.release();
    const charged = (await reserve(tenant, 10, 4))!;
    await charged.settle();
    await charged.release();
    expect(await meterOf(tenant, plan(10), AUGUST)).toMatchObject({ unitsUsed: 4 });
    await expectBalanced(tenant);
  });

  it('is charged only if the transaction commits', async () => {
    const tenant = await newTenant(db);
    const reservation = (await reserve(tenant, 10, 5))!;
    const failing = tenant.transaction(async (tx) => {
      await reservation.settle(tx);
      throw new Error('the write fails');
    });
    await expect(failing).rejects.toThrow('the write fails');
    expect(await expectBalanced(tenant)).toMatchObject({
      charged: {},
      reserved: { '2026-08-01': 5 },
    });
    await tenant.transaction((tx) => reservation.settle(tx));
    expect(await expectBalanced(tenant)).toMatchObject({
      charged: { '2026-08-01': 5 },
      reserved: {},
    });
  });

  it('is refused with the meter if too few units are left', async () => {
    const tenant = await newTenant(db);
    await (await reserve(tenant, 1_005, 1_000))!.settle();
    const usage = {
      period: '2026-08',
      unitsIncluded: 1_005,
      unitsUsed: 1_000,
      unitsRemaining: 5,
      resetsAt: '2026-09-01T00:00:00.000Z',
    };
    await expect(reserveUnits(tenant, plan(1_005), 'service_x', 10, AUGUST)).rejects.toMatchObject({
      status: 402,
      code: 'usage_quota_exceeded',
      message: expect.stringMatching(
        /^This call takes 10 units, but only 5 of this month’s 1,005 are left\. .* 2026-09-01/,
      ),
      details: { usage },
    });
    expect(UsageMeter.parse(usage)).toEqual(usage);
    await (await reserve(tenant, 1_005, 5))!.settle();
    await expect(reserveUnits(tenant, plan(1_005), 'service_x', 1, AUGUST)).rejects.toThrow(
      'All 1,005 units of this month are used.',
    );
  });

  it('is refused if the plan has no units or fewer than were used', async () => {
    const tenant = await newTenant(db);
    expect(await reserve(tenant, 0, 1)).toBeNull();
    await (await reserve(tenant, 50, 50))!.settle();
    expect(await reserve(tenant, 20, 1)).toBeNull();
    expect(await meterOf(tenant, plan(20), AUGUST)).toMatchObject({
      unitsUsed: 50,
      unitsRemaining: 0,
    });
  });
});

describe('a month', () => {
  it('ends at midnight UTC', async () => {
    const tenant = await newTenant(db);
    const last = new Date('2026-12-31T23:59:59.999Z');
    const first = new Date('2027-01-01T00:00:00Z');
    const before = (await reserve(tenant, 10, 10, last))!;
    expect(await reserve(tenant, 10, 1, last)).toBeNull();
    const after = (await reserve(tenant, 10, 7, first))!;
    await after.settle();
    // The call began before midnight, so it is charged to the old month.
    await before.settle();
    expect(await expectBalanced(tenant)).toMatchObject({
      charged: { '2026-12-01': 10, '2027-01-01': 7 },
    });
    expect(await meterOf(tenant, plan(10), first)).toEqual({
      period: '2027-01',
      unitsIncluded: 10,
      unitsUsed: 7,
      unitsRemaining: 3,
      resetsAt: '2027-02-01T00:00:00.000Z',
    });
  });

  it('gets its own units back from calls that crashed around midnight', async () => {
    const tenant = await newTenant(db);
    const [july, august] = ['2026-07-31T23:59:59Z', '2026-08-01T00:00:01Z'].map((t) => new Date(t));
    await reserve(tenant, 10, 4, july);
    await reserve(tenant, 10, 5, august);
    await reserve(tenant, 10, 1, august);
    await expireReservations(tenant);
    expect(await reserve(tenant, 10, 10, august)).not.toBeNull();
    expect(await expectBalanced(tenant)).toMatchObject({ periods: { '2026-08-01': 10 } });
  });
});

describe('an expired reservation', () => {
  it('does not count, and is released by a call that needs its units', async () => {
    const tenant = await newTenant(db);
    await reserve(tenant, 10, 10);
    await expireReservations(tenant);
    expect(await meterOf(tenant, plan(10), AUGUST)).toMatchObject({
      unitsUsed: 0,
      unitsRemaining: 10,
    });
    expect(await reserve(tenant, 10, 10)).not.toBeNull();
  });

  it('cannot be charged', async () => {
    const tenant = await newTenant(db);
    const slow = (await reserve(tenant, 10, 10))!;
    await expireReservations(tenant);
    const next = (await reserve(tenant, 10, 10))!;
    await expect(slow.settle()).rejects.toMatchObject({ status: 503, code: 'unavailable' });
    await expect(tenant.transaction((tx) => slow.settle(tx))).rejects.toMatchObject({
      status: 503,
    });
    await next.settle();
    expect(await expectBalanced(tenant)).toMatchObject({ charged: { '2026-08-01': 10 } });
  });

  it('is not released while it is being charged', async () => {
    const tenant = await newTenant(db);
    const slow = (await reserve(tenant, 10, 4))!;
    await expireReservations(tenant);
    let meanwhile: Promise<Reservation | null> | undefined;
    await tenant.transaction(async (tx) => {
      await slow.settle(tx);
      await tx.query('select $1'); // sends it
      // The embedded database runs one transaction at a time, so there the reservation runs afterwards.
      meanwhile = reserve(tenant, 10, 7);
      await delay(100);
    });
    expect(await meanwhile).toBeNull();
    expect(await expectBalanced(tenant)).toMatchObject({ charged: { '2026-08-01': 4 } });
  });
});

describe('concurrent calls', () => {
  it('share exactly the last 50 units among 200', async () => {
    const tenant = await newTenant(db);
    await (await reserve(tenant, 1_000, 950))!.settle();
    const reservations = await Promise.all(
      Array.from({ length: 200 }, () => reserve(tenant, 1_000, 1)),
    );
    const served = reservations.filter((reservation) => reservation !== null);
    expect(served).toHaveLength(50);
    await Promise.all(served.map((reservation) => reservation.settle()));
    expect(await expectBalanced(tenant)).toMatchObject({ charged: { '2026-08-01': 1_000 } });
  });

  it('neither lose nor double units when some fail, write, or crash', async () => {
    const tenant = await newTenant(db);
    await Promise.all(Array.from({ length: 8 }, () => reserve(tenant, 100, 5)));
    await expireReservations(tenant);
    let charged = 0;
    const call = async (n: number) => {
      const units = 1 + (n % 3);
      const reservation = await reserve(tenant, 100, units);
      if (!reservation) return;
      if (n % 4 === 0) return reservation.release();
      charged += units;
      if (n % 4 === 1) await tenant.transaction((tx) => reservation.settle(tx));
      else await reservation.settle();
    };
    await Promise.all(Array.from({ length: 120 }, (_, n) => call(n)));
    expect(await expectBalanced(tenant)).toEqual({
      periods: { '2026-08-01': charged },
      charged: { '2026-08-01': charged },
      reserved: {},
    });
    expect(charged).toBeLessThanOrEqual(100);
    // The units of failed and crashed calls are available again.
    expect(await reserve(tenant, 100, 101 - charged)).toBeNull();
    expect(await reserve(tenant, 100, 100 - charged)).not.toBeNull();
  });

  it('of two organizations do not affect each other', async () => {
    const [one, other] = [await newTenant(db), await newTenant(db)];
    const theirs = (await reserve(other, 10, 10))!;
    expect(await reserve(one, 10, 10)).not.toBeNull();
    await tenantCannotSettle(one, theirs);
    await theirs.settle();
    expect((await usageOf(one)).reserved).toEqual({ '2026-08-01': 10 });
    expect((await usageOf(other)).charged).toEqual({ '2026-08-01': 10 });
  });
});

async function tenantCannotSettle(tenant: TenantDatabase, theirs: Reservation): Promise<void> {
  await expect(tenant.transaction((tx) => theirs.settle(tx))).rejects.toMatchObject({
    status: 503,
  });
}

/** The expected behavior as a simple model. */
class Model {
  static readonly LIMIT = 30;
  readonly #charged = [0, 0];
  #open: { units: number; month: number; expired: boolean; reservation: Reservation }[] = [];

  /** Charged and reserved units of each month */
  get sums() {
    const reserved = [0, 0];
    for (const { month, units } of this.#open) reserved[month]! += units;
    return { charged: this.#charged, reserved };
  }

  /** Releases expired reservations if that is needed. @returns whether the units fit the limit */
  makeRoom(month: number, units: number): boolean {
    const fits = () =>
      this.sums.charged[month]! + this.sums.reserved[month]! + units <= Model.LIMIT;
    if (fits()) return true;
    this.#open = this.#open.filter(({ expired }) => !expired);
    return fits();
  }

  reserved(month: number, units: number, reservation: Reservation): void {
    this.#open.push({ month, units, expired: false, reservation });
  }

  expireAll(): void {
    for (const call of this.#open) call.expired = true;
  }

  find(which: number): Reservation | undefined {
    return this.#open[which]?.reservation;
  }

  settled(which: number): void {
    const { month, units } = this.#open[which]!;
    this.#charged[month]! += units;
    this.#open.splice(which, 1);
  }

  released(which: number): void {
    this.#open.splice(which, 1);
  }
}

type Step = (tenant: TenantDatabase, model: Model) => Promise<void>;

const MONTHS = ['2026-08-15T00:00:00Z', '2026-09-15T00:00:00Z'].map((time) => new Date(time));

const reserving = fc
  .record({ month: fc.nat(1), units: fc.integer({ min: 1, max: 12 }) })
  .map(({ month, units }): Step => async (tenant, model) => {
    const fits = model.makeRoom(month, units);
    const reservation = await reserve(tenant, Model.LIMIT, units, MONTHS[month]);
    if ((reservation !== null) !== fits) throw new Error(`${units} units: the model says ${fits}`);
    if (reservation) model.reserved(month, units, reservation);
  });

const settling = fc
  .record({ which: fc.nat(5), inTransaction: fc.boolean() })
  .map(({ which, inTransaction }): Step => async (tenant, model) => {
    const reservation = model.find(which);
    if (!reservation) return;
    if (inTransaction) await tenant.transaction((tx) => reservation.settle(tx));
    else await reservation.settle();
    model.settled(which);
  });

const rollingBack = fc.nat(5).map((which): Step => async (tenant, model) => {
  const settled = tenant.transaction(async (tx) => {
    await model.find(which)?.settle(tx);
    throw new Error('rolled back');
  });
  await settled.catch(() => {});
});

const releasing = fc.nat(5).map((which): Step => async (_tenant, model) => {
  const reservation = model.find(which);
  if (!reservation) return;
  await reservation.release();
  model.released(which);
});

const expiring = fc.constant<Step>(async (tenant, model) => {
  await expireReservations(tenant);
  model.expireAll();
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: reserving },
  { weight: 2, arbitrary: settling },
  { weight: 1, arbitrary: rollingBack },
  { weight: 1, arbitrary: releasing },
  { weight: 1, arbitrary: expiring },
);

it('behaves like the model for any sequence of steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const tenant = await newTenant(db);
      const model = new Model();
      for (const take of steps) await take(tenant, model);
      const { charged, reserved } = await expectBalanced(tenant);
      const ofMonths = (units: Record<string, number>) =>
        ['2026-08-01', '2026-09-01'].map((month) => units[month] ?? 0);
      expect({ charged: ofMonths(charged), reserved: ofMonths(reserved) }).toEqual(model.sums);
    }),
    { numRuns: runs(40) },
  );
});

describe('while the database is unavailable', () => {
  const unavailable = {
    status: 503,
    code: 'unavailable',
    message: 'Usage can’t be recorded right now, so the call was refused. Try again.',
  };

  it('refuses calls and charges nothing', async () => {
    const { db: cut, proxy } = await cuttableDatabase(env);
    const { organizationId } = await newTenant(db);
    const tenant = tenantOf(cut, organizationId);
    const underWay = (await reserve(tenant, 10, 4))!;
    const failing = (await reserve(tenant, 10, 6))!;
    await proxy.cut();
    await expect(underWay.settle()).rejects.toMatchObject(unavailable);
    await failing.release();
    await expect(reserveUnits(tenant, plan(10), 'service_x', 1)).rejects.toMatchObject(unavailable);
    await proxy.mend();
    expect(await expectBalanced(tenant)).toMatchObject({ charged: {} });
    await expireReservations(tenant);
    expect(await reserve(tenant, 10, 10)).not.toBeNull();
  });
});
