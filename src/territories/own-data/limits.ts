/** How many data sets and places an organization may have, and how many rows it may upload in a month. */
import type { Subscription } from '../../people/account/caller.ts';
import type { Tenant } from '../../people/account/tenant.ts';
import { ServiceError } from '../../errors.ts';
import { periodAt } from '../../people/metering/meter.ts';
import { formatCount } from '../../base/text/words.ts';

export interface DataLimits {
  dataSets: number;
  /** Offices, stores, competitors: see `places/` */
  places: number;
  monthlyRows: number;
}

/** Enough for the customers of a large brand, several times */
const TRIAL_LIMITS: DataLimits = { dataSets: 10, places: 1_000, monthlyRows: 250_000 };
const LIMITS: DataLimits = { dataSets: 50, places: 20_000, monthlyRows: 20_000_000 };

/** Largest number of rows of one upload */
export const MAX_ROWS = 1_000_000;

/** An overdue subscription is usually paid within days. */
export const dataLimitsOf = ({ status }: Pick<Subscription, 'status'>): DataLimits =>
  status === 'trial' || status === 'cancelled' ? TRIAL_LIMITS : LIMITS;

/** Returns the number of rows that were uploaded in the month. */
export async function rowsUsed(tenant: Tenant, at = new Date()): Promise<number> {
  const [row] = await tenant.query<{ rows: number }>(
    'select rows from data_set_rows where organization_id = $1 and period = $2',
    [periodAt(at).start],
  );
  return row?.rows ?? 0;
}

/** @throws ServiceError 402 if fewer rows are left this month */
export async function requireRows(
  tenant: Tenant,
  subscription: Pick<Subscription, 'status'>,
  rows: number,
): Promise<void> {
  const now = new Date();
  const { monthlyRows } = dataLimitsOf(subscription);
  const left = monthlyRows - (await rowsUsed(tenant, now));
  if (left < rows) throw rowLimitExceeded(monthlyRows, left, now);
}

/**
 * Counts the rows of an upload. One statement does it, so that uploads at the same time can't exceed the limit. The
 * next one waits until the transaction ends.
 * @throws ServiceError 402 if fewer are left
 */
export async function countRows(
  tx: Tenant,
  subscription: Pick<Subscription, 'status'>,
  rows: number,
): Promise<void> {
  const now = new Date();
  const { monthlyRows } = dataLimitsOf(subscription);
  const counted = await tx.query(
    `insert into data_set_rows as month (organization_id, period, rows)
     select $1, $2, $3 where $3::int <= $4::int
     on conflict (organization_id, period) do update set rows = month.rows + excluded.rows
       where month.rows + excluded.rows <= $4
     returning rows`,
    [periodAt(now).start, rows, monthlyRows],
  );
  if (counted.length > 0) return;
  throw rowLimitExceeded(monthlyRows, monthlyRows - (await rowsUsed(tx, now)), now);
}

const rowLimitExceeded = (limit: number, left: number, at: Date) =>
  new ServiceError(
    402,
    'row_limit_exceeded',
    `The subscription includes ${formatCount(limit)} uploaded rows a month, and ` +
      `${left > 0 ? `only ${formatCount(left)} ${left === 1 ? 'is' : 'are'} left` : 'all of them are used'}. Upload fewer rows, for example ` +
      `one per ZIP code, wait until ${periodAt(at).end} (UTC), or choose a larger subscription.`,
  );
