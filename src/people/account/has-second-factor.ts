/** Checks whether a person has a second factor. Separate, so that looking up callers loads no libraries. */
import type { Queryable } from '../../base/db/database.ts';

/** SQL condition: the person in the query's `people` has a second factor */
export const HAS_SECOND_FACTOR = 'has_second_factor(people.id)';

export async function hasSecondFactor(db: Queryable, personId: string): Promise<boolean> {
  const [person] = await db.query<{ has: boolean }>('select has_second_factor($1) as has', [
    personId,
  ]);
  return person!.has;
}
