/**
 * Reserves units before a call, so that concurrent calls can't exceed the quota. Charges them if the call succeeds,
 * and releases them if it fails. A process renews the reservations of its calls, so those of a crashed process
 * expire within seconds.
 *
 * For each month, `usage_periods` holds charged plus reserved units, `usage_days` charged units, and
 * `usage_reservations` the difference.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Caller, Subscription } from '../account/caller.ts';
import type { Tenant, TenantDatabase, TenantTransaction } from '../account/tenant.ts';
import type { ExpiringRows } from '../../base/db/expiring-rows.ts';
import { ServiceError, unavailable } from '../../errors.ts';
import { countUnits } from '../../base/observe/tally.ts';
import { dayOf, meterOf, periodAt, type Meter } from './meter.ts';
import { reachesThreshold, recordThresholds, type Use } from './thresholds.ts';

/** Lifetime of a reservation after it was made or renewed */
const RESERVED_SECONDS = 15;
/** Two renewals may fail before the reservation expires. */
const RENEW_MS = 5_000;
/** Longer than the longest call takes, an upload with addresses. Afterwards, a reservation isn't renewed anymore. */
const LONGEST_CALL_MS = 20 * 60_000;
/** Longest time to wait for the release after a failed call. Units not released by then expire. */
const RELEASE_MS = 500;

export interface Reservation {
  /**
   * Charges the units, or adds the charge to a transaction.
   * @throws ServiceError 503 if they can't be charged, or if the reservation expired because the call lasted too
   *   long or renewals failed. The call must then fail. A transaction fails at the latest when it commits.
   */
  settle(tx?: TenantTransaction): Promise<void>;
  /** Releases uncharged units. Never fails: units that can't be released now expire. */
  release(): Promise<void>;
}

/**
 * Reserves units.
 * @param at a time within the charged month
 * @throws ServiceError 402 `usage_quota_exceeded` with the meter as `usage`; 503 if usage can't be
 *   recorded
 */
export async function reserveUnits(
  tenant: TenantDatabase,
  subscription: Pick<Subscription, 'monthlyUnits'>,
  tool: string,
  units: number,
  at = new Date(),
): Promise<Reservation> {
  const { start } = periodAt(at);
  const tryReserve = () => reserve(tenant, start, units, subscription.monthlyUnits);
  const { id, used } = await orRefuse(async () => {
    const reservation = await tryReserve();
    if (reservation !== undefined) return reservation;
    await releaseExpired(tenant);
    const another = await tryReserve();
    if (another === undefined) throw quotaExceeded(await meterOf(tenant, subscription, at), units);
    return another;
  });
  const stopRenewing = keepRenewing(tenant, id);
  const use: Use = { meter: 'units', used, included: subscription.monthlyUnits, at };
  return {
    async settle(tx) {
      stopRenewing();
      const values = [id, dayOf(at), tool];
      const charge = (within: TenantTransaction) => {
        within.defer(CHARGE, values, usageUnavailable);
        recordThresholds(within, use);
      };
      if (tx) charge(tx);
      else if (reachesThreshold(use)) {
        await orRefuse(() => tenant.transaction(async (own) => charge(own)));
      } else await orRefuse(() => tenant.query(CHARGE, values));
      countUnits(tool, units);
    },
    async release() {
      stopRenewing();
      await Promise.race([
        release(tenant, id).catch(() => {}),
        delay(RELEASE_MS, undefined, { ref: false }),
      ]);
    },
  };
}

/** Renews a reservation until it is stopped. @returns a function that stops it */
function keepRenewing(tenant: Tenant, id: string): () => void {
  const start = performance.now();
  const stop = () => clearInterval(timer);
  const timer = setInterval(() => {
    // The next renewal makes up for a failed one.
    if (performance.now() - start < LONGEST_CALL_MS) renew(tenant, id).catch(() => {});
    else stop();
  }, RENEW_MS).unref();
  return stop;
}

async function renew(tenant: Tenant, id: string): Promise<void> {
  await tenant.query(
    `update usage_reservations set expires_at = now() + $3 * interval '1 second'
     where organization_id = $1 and id = $2`,
    [id, RESERVED_SECONDS],
  );
}

/**
 * Runs a read and charges it if it succeeds.
 * @throws ServiceError as `reserveUnits`; errors of the work
 */
export async function runMetered<T>(
  { tenant, subscription }: Pick<Caller, 'tenant' | 'subscription'>,
  { tool, units }: { tool: string; units: number },
  work: () => Promise<T>,
): Promise<T> {
  const reservation = await reserveUnits(tenant, subscription, tool, units);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await reservation.release();
    throw error;
  }
  await reservation.settle();
  return result;
}

/** Turns database failures into a refusal of the call, since calls without a record would be free. */
async function orRefuse<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ServiceError && error.status === 402 ? error : usageUnavailable(error);
  }
}

const usageUnavailable = (cause: unknown) =>
  unavailable('Usage can’t be recorded right now, so the call was refused. Try again.', { cause });

/**
 * Reserves all units or none. One statement does it, so that concurrent calls see each other's changes.
 * @returns the reservation's id and the units of the month with it, or undefined if too few units are left
 */
async function reserve(
  tenant: Tenant,
  period: string,
  units: number,
  limit: number,
): Promise<{ id: string; used: number } | undefined> {
  const [reservation] = await tenant.query<{ id: string; used: number }>(
    `with taken as (
       insert into usage_periods as month (organization_id, period, units)
       select $1, $2, $3 where $3::int <= $4::int
       on conflict (organization_id, period) do update set units = month.units + excluded.units
         where month.units + excluded.units <= $4
       returning period, units
     )
     insert into usage_reservations (organization_id, period, units, expires_at)
     select $1, period, $3, now() + $5 * interval '1 second' from taken returning id, (select units from taken) as used`,
    [period, units, limit, RESERVED_SECONDS],
  );
  return reservation;
}

/** Fails if the reservation has expired: `units` is then null. */
const CHARGE = `with settled as (
    delete from usage_reservations where organization_id = $1 and id = $2 returning units
  )
  insert into usage_days as so_far (organization_id, day, tool, calls, units)
  values ($1, $3, $4, 1, (select units from settled))
  on conflict (organization_id, day, tool) do update
    set calls = so_far.calls + 1, units = so_far.units + excluded.units`;

async function release(tenant: Tenant, id: string): Promise<void> {
  await tenant.query(
    `with unused as (
       delete from usage_reservations where organization_id = $1 and id = $2
       returning period, units
     )
     update usage_periods set units = usage_periods.units - unused.units
     from unused where organization_id = $1 and usage_periods.period = unused.period`,
    [id],
  );
}

/**
 * Releases expired reservations, except those that another call is releasing or charging. Locks months in order,
 * because calls around the end of a month could deadlock otherwise.
 */
async function releaseExpired(tenant: Tenant): Promise<void> {
  await tenant.query(
    `with expired as (
       delete from usage_reservations where id in (
         select id from usage_reservations
         where organization_id = $1 and expires_at <= now() for update skip locked
       ) returning period, units
     ), unused as (
       select month.period, lost.units
       from usage_periods as month
         join (select period, sum(units) as units from expired group by period) as lost
           using (period)
       where organization_id = $1 order by month.period for update of month
     )
     update usage_periods set units = usage_periods.units - unused.units
     from unused where organization_id = $1 and usage_periods.period = unused.period`,
  );
}

/**
 * Expired reservations that no later call of their organization has released. Deleting them returns their units to
 * the month. It locks the month first, while a call that releases its reservation locks the month last. That can't
 * deadlock, because this statement skips locked rows.
 */
export const ABANDONED_RESERVATIONS: ExpiringRows = {
  table: 'usage_reservations',
  batch: 1_000,
  async deleteSome(db, limit) {
    const [result] = await db.query<{ deleted: number }>(
      `with months as materialized (
         select organization_id, period from usage_periods
         where (organization_id, period) in (
           select organization_id, period from usage_reservations where ${IS_ABANDONED}
           order by expires_at limit $1
         ) for update skip locked
       ), gone as (
         delete from usage_reservations where id in (
           select id from usage_reservations join months using (organization_id, period)
           where ${IS_ABANDONED} limit $1 for update of usage_reservations skip locked
         ) returning organization_id, period, units
       ), released as (
         update usage_periods as month set units = month.units - lost.units
         from (
           select organization_id, period, sum(units) as units from gone group by organization_id, period
         ) as lost
         where month.organization_id = lost.organization_id and month.period = lost.period
       )
       select count(*) as deleted from gone`,
      [limit],
    );
    return { deleted: result!.deleted };
  },
};

const IS_ABANDONED = `expires_at < now() - interval '1 minute'`;

function quotaExceeded(usage: Meter, units: number): ServiceError {
  const { unitsIncluded, unitsRemaining, resetsAt } = usage;
  const included = unitsIncluded.toLocaleString('en');
  const left =
    unitsRemaining === 0
      ? `All ${included} units of this month are used`
      : `This call takes ${units} units, but only ${unitsRemaining} of this month’s ${included} are left`;
  return new ServiceError(
    402,
    'usage_quota_exceeded',
    `${left}. Wait for new units on ${resetsAt.slice(0, 10)} (UTC), or choose a larger subscription.`,
    { details: { usage } },
  );
}
