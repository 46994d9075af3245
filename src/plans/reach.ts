/** How far ZIP codes may be from the home of their territory: by distance, or by car. */
import pLimit from 'p-limit';
import type { Queryable } from '../db/database.ts';
import type { DesignInput } from '../design/input.ts';
import { badRequest } from '../errors.ts';
import { noDriveTimes, type DriveTimes } from '../routing/drive-times.ts';
import { pointOf } from '../territory/zips-in-radius.ts';
import { formatCount } from '../words.ts';

export type Reach = { miles: number } | { minutes: number };

/** A routing server takes a second for each. */
const MAX_DRIVES = 100;
/** Drives that are computed at a time */
const AT_ONCE = 4;

/**
 * Returns the limit as the solver takes it.
 * @throws ServiceError 400 for too many homes; as `DriveTimes`
 */
export async function loadReach(
  db: Queryable,
  reach: Reach,
  homes: readonly string[],
  driveTimes: DriveTimes = noDriveTimes,
): Promise<NonNullable<DesignInput['reach']>> {
  if ('miles' in reach) return reach;
  if (homes.length > MAX_DRIVES) {
    throw badRequest(
      `maxMinutes: drives can be computed from ${MAX_DRIVES} seeds, and there are ${formatCount(homes.length)}. Use maxMiles instead.`,
    );
  }
  const { minutes } = reach;
  const limit = pLimit(AT_ONCE);
  const reached = await Promise.all(
    homes.map((home) =>
      limit(async () => {
        const point = await pointOf(db, { zip: home });
        return new Set([home, ...(await driveTimes.zipsWithin(db, point, minutes))]);
      }),
    ),
  );
  return { minutes, zips: reached };
}
