/** Subscriptions of organizations: status, seats, units, and the write entitlement. */
import { badRequest, ServiceError } from '../../errors.ts';
import type { Subscription } from './caller.ts';
import type { Tenant, TenantDatabase } from './tenant.ts';

export const SUBSCRIPTION_STATUSES = ['trial', 'active', 'past_due', 'cancelled'] as const;

/** The subscription of a new organization */
export const TRIAL = {
  days: 14,
  seats: 5,
  monthlyUnits: 1000,
  /** Enough to try a large metro, but far less than the whole country */
  monthlyZips: 2500,
  writeEntitlement: true,
};

export interface SubscriptionRow {
  status: Subscription['status'];
  trialEndsAt: Date | null;
  seats: number;
  monthlyUnits: number;
  /** Null: the default for the status */
  monthlyZips: number | null;
  writeEntitlement: boolean;
}

/** SQL for the columns of a `PlanRow` */
export const SUBSCRIPTION_COLUMNS = `plans.status, plans.trial_ends_at as "trialEndsAt", plans.seats,
  plans.monthly_units as "monthlyUnits", plans.monthly_zips as "monthlyZips",
  plans.write_entitlement as "writeEntitlement"`;

/** An overdue subscription is usually paid within days. */
const isUnpaid = (status: Subscription['status']) => status === 'trial' || status === 'cancelled';

export const subscriptionOfRow = (row: SubscriptionRow): Subscription => ({
  status: row.status,
  trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
  seats: row.seats,
  monthlyUnits: row.monthlyUnits,
  monthlyZips: row.monthlyZips ?? (isUnpaid(row.status) ? TRIAL.monthlyZips : null),
  writeEntitlement: row.writeEntitlement,
});

export async function subscriptionOf(tenant: Tenant): Promise<Subscription> {
  const [row] = await tenant.query<SubscriptionRow>(
    `select ${SUBSCRIPTION_COLUMNS} from plans where organization_id = $1`,
  );
  return subscriptionOfRow(row!);
}

interface SubscriptionChanges {
  /** `trial` starts a trial of 14 days. A running trial stays as it is. */
  status?: Subscription['status'];
  /** Sets the status to `trial`, which then ends at this time */
  trialEndsAt?: Date;
  seats?: number;
  monthlyUnits?: number;
  /** Null restores the default: `TRIAL.monthlyZips` for a trial or canceled subscription, else the whole country */
  monthlyZips?: number | null;
  writeEntitlement?: boolean;
}

/** Changes a subscription. @throws ServiceError 400 for less than one seat; 402 for fewer seats than members */
export async function changeSubscription(
  tenant: TenantDatabase,
  changes: SubscriptionChanges,
): Promise<Subscription> {
  if (changes.seats !== undefined && changes.seats < 1) {
    throw badRequest('A subscription needs at least one seat. Give a number from 1.');
  }
  return tenant.transaction(async (tx) => {
    const { taken } = await lockSeats(tx);
    if (changes.seats !== undefined && changes.seats < taken) {
      throw seatLimitExceeded(
        `The organization has ${taken} members, so its subscription can’t have ${changes.seats} seats. ` +
          `Remove members first, or choose at least ${taken} seats.`,
      );
    }
    const [row] = await tx.query<SubscriptionRow>(
      `with given as (
         select coalesce($2, status) as status from plans where organization_id = $1
       )
       update plans set
         status = given.status,
         trial_ends_at = case when given.status = 'trial'
           then coalesce($3, trial_ends_at, now() + $4::int * interval '1 day') end,
         seats = coalesce($5, seats),
         monthly_units = coalesce($6, monthly_units),
         write_entitlement = coalesce($7, write_entitlement),
         monthly_zips = case when $8 then $9 else monthly_zips end,
         changed_at = now()
       from given where organization_id = $1 returning ${SUBSCRIPTION_COLUMNS}`,
      [
        changes.trialEndsAt ? 'trial' : changes.status,
        changes.trialEndsAt,
        TRIAL.days,
        changes.seats,
        changes.monthlyUnits,
        changes.writeEntitlement,
        changes.monthlyZips !== undefined,
        changes.monthlyZips,
      ],
    );
    return subscriptionOfRow(row!);
  });
}

/** Locks members and seats until the transaction ends, and counts the members. */
export async function lockSeats(tx: Tenant): Promise<{ seats: number; taken: number }> {
  const [subscription] = await tx.query<{ seats: number }>(
    'select seats from plans where organization_id = $1 for update',
  );
  // A separate statement counts, because a statement that waits for a lock would count the rows at its start.
  const [people] = await tx.query<{ taken: number }>(
    'select count(*) as taken from memberships where organization_id = $1',
  );
  return { seats: subscription!.seats, taken: people!.taken };
}

const seatLimitExceeded = (message: string) =>
  new ServiceError(402, 'seat_limit_exceeded', message);

export const allSeatsTaken = (seats: number) =>
  seatLimitExceeded(
    `All ${seats} seats of the organization are taken. Remove a member, or add seats to the subscription.`,
  );
