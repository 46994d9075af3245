/** The plans of the organization, for dialogs that list them. */
import { useEffect, useState } from 'preact/hooks';
import { listPlans, type PlanSummary } from './plan-requests.ts';
import { messageOf } from './requests.ts';

/** Loads all plans; `reload` loads them again. */
export function usePlans() {
  const [plans, setPlans] = useState<PlanSummary[] | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const reload = () =>
    listPlans().then(
      (all) => setPlans(all),
      (error) => setRefusal(messageOf(error)),
    );
  useEffect(() => void reload(), []);
  return { plans, refusal, setRefusal, reload };
}
