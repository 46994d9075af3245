/** The visits of members to the overview, which lists what has changed between two of them. */
import type { Tenant } from '../../people/account/tenant.ts';

/** A visit ends when the person hasn't looked for this long. Reloading the page within a visit changes nothing. */
const VISIT_MINUTES = 30;

/**
 * Records that a person looks at the overview.
 * @returns the end of the visit before; null if this is the first
 */
export async function recordVisit(tenant: Tenant, personId: string): Promise<Date | null> {
  const [row] = await tenant.query<{ before: Date | null }>(
    `insert into overview_visits as visit (organization_id, person_id) values ($1, $2)
     on conflict (organization_id, person_id) do update set
       seen_before = case when visit.seen_at < now() - interval '${VISIT_MINUTES} minutes'
         then visit.seen_at else visit.seen_before end,
       seen_at = now()
     returning seen_before as before`,
    [personId],
  );
  return row!.before;
}
