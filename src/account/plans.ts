/** What an organisation has paid for. */
import { badRequest, ServiceError } from '../errors.ts';
import type { Plan } from './caller.ts';
import type { Tenant, TenantDatabase } from './tenant.ts';

export const PLAN_STATUSES = ['trial', 'active', 'past_due', 'cancelled'] as const;

/** What an organisation begins with: all of the service for 14 days. */
export const TRIAL = { days: 14, seats: 5, monthlyUnits: 1000, writeEntitlement: true };

export interface PlanRow {
  status: Plan['status'];
  trialEndsAt: Date | null;
  seats: number;
  monthlyUnits: number;
  writeEntitlement: boolean;
}

/** Of the table `plans`, as a `PlanRow` */
export const PLAN_COLUMNS = `plans.status, plans.trial_ends_at as "trialEndsAt", plans.seats,
  plans.monthly_units as "monthlyUnits", plans.write_entitlement as "writeEntitlement"`;

export const planOfRow = (row: PlanRow): Plan => ({
  status: row.status,
  trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
  seats: row.seats,
  monthlyUnits: row.monthlyUnits,
  writeEntitlement: row.writeEntitlement,
});

export async function planOf(tenant: Tenant): Promise<Plan> {
  const [row] = await tenant.query<PlanRow>(
    `select ${PLAN_COLUMNS} from plans where organization_id = $1`,
  );
  return planOfRow(row!);
}

export interface PlanChanges {
  /** To `trial`: 14 days from now, unless it is on trial already */
  status?: Plan['status'];
  /** Puts it on trial until then */
  trialEndsAt?: Date;
  seats?: number;
  monthlyUnits?: number;
  writeEntitlement?: boolean;
}

/** @throws ServiceError 400 for no seat at all, 402 where it has more people than seats are asked for */
export async function setPlan(tenant: TenantDatabase, changes: PlanChanges): Promise<Plan> {
  if (changes.seats !== undefined && changes.seats < 1) {
    throw badRequest('A plan has one seat at least.');
  }
  return tenant.transaction(async (tx) => {
    const { taken } = await lockSeats(tx);
    if (changes.seats !== undefined && changes.seats < taken) {
      throw seatLimitExceeded(
        `${taken} people belong to the organisation: it needs as many seats, not ${changes.seats}. ` +
          'Remove people first.',
      );
    }
    const [row] = await tx.query<PlanRow>(
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
         changed_at = now()
       from given where organization_id = $1 returning ${PLAN_COLUMNS}`,
      [
        changes.trialEndsAt ? 'trial' : changes.status,
        changes.trialEndsAt,
        TRIAL.days,
        changes.seats,
        changes.monthlyUnits,
        changes.writeEntitlement,
      ],
    );
    return planOfRow(row!);
  });
}

/** Until the transaction ends, nobody else changes who belongs to the organisation, or its seats. */
export async function lockSeats(tx: Tenant): Promise<{ seats: number; taken: number }> {
  const [plan] = await tx.query<{ seats: number }>(
    'select seats from plans where organization_id = $1 for update',
  );
  // A statement of its own: one that waits for a lock sees the rest as it was before.
  const [people] = await tx.query<{ taken: number }>(
    'select count(*) as taken from memberships where organization_id = $1',
  );
  return { seats: plan!.seats, taken: people!.taken };
}

/**
 * 402, like the two codes that the contract lists beside it: asking again will not help, a larger
 * plan will.
 */
export const seatLimitExceeded = (message: string) =>
  new ServiceError(402, 'seat_limit_exceeded', message);
