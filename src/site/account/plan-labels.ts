/** Labels of the states of a plan. */
import type { Plan } from '../../account/caller.ts';

export const PLAN_LABELS: Readonly<Record<Plan['status'], string>> = {
  trial: 'Trial',
  active: 'Active',
  past_due: 'Past due',
  cancelled: 'Canceled',
};
