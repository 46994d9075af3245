/** Limits how far ZIP codes may be from the home of their territory, by distance or by car. */
import pLimit from 'p-limit';
import type { Queryable } from '../../base/db/database.ts';
import type { DesignInput } from '../design/input.ts';
import { badRequest, ServiceError } from '../../errors.ts';
import { noDriveTimes, type DriveTimes } from '../../data/routing/drive-times.ts';
import { NoDrive } from '../../data/routing/engine.ts';
import { pointOf } from '../brands/zips-in-radius.ts';
import { formatCount } from '../../base/text/words.ts';

export type Reach = { miles: number } | { minutes: number };

/** Largest number of drives in one solve. A routing server takes about a second for each. */
const MAX_DRIVES = 100;

/** All solves of the process share this limit, so that they don't flood the routing server. */
const limit = pLimit(4);

const INSTEAD = 'Use maxMiles instead of maxMinutes.';

interface DriveOptions {
  driveTimes?: DriveTimes | undefined;
  /** Time limit, in milliseconds */
  timeMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Computes the ZIP codes within a drive of each home, for the solver. After the first failure, the time limit, or
 * the signal, no further drive starts.
 * @throws ServiceError 400 for too many homes, a home without a drive, and drives that take too long; as
 *   `DriveTimes`; the reason of the signal
 */
export async function loadReach(
  db: Queryable,
  { minutes }: { minutes: number },
  homes: readonly string[],
  { driveTimes = noDriveTimes, timeMs, signal }: DriveOptions,
): Promise<NonNullable<DesignInput['reach']>> {
  if (homes.length > MAX_DRIVES) {
    throw badRequest(
      `maxMinutes: drives can be computed from ${MAX_DRIVES} seeds, and there are ${formatCount(homes.length)}. ${INSTEAD}`,
    );
  }
  const deadline = Date.now() + timeMs;
  let hasFailed = false;
  const drive = async (home: string) => {
    signal?.throwIfAborted();
    // The caller receives only the first failure.
    if (hasFailed) throw new Error('Another drive failed.');
    if (Date.now() >= deadline) throw tooSlow();
    const point = await pointOf(db, { zip: home });
    return new Set([home, ...(await driveTimes.zipsWithin(db, point, minutes, INSTEAD))]);
  };
  const zips = await Promise.all(
    homes.map((home) =>
      limit(() =>
        drive(home).catch((error: unknown) => {
          hasFailed = true;
          throw explain(error, home);
        }),
      ),
    ),
  );
  if (Date.now() >= deadline) throw tooSlow();
  return { minutes, zips };
}

const tooSlow = () =>
  badRequest(
    'Computing drive times from the seeds used up the time limit. Try again (finished drive times are kept), raise seconds, or use maxMiles.',
  );

function explain(error: unknown, home: string): unknown {
  if (!(error instanceof ServiceError && error.cause instanceof NoDrive)) return error;
  return badRequest(
    `There is no drive from the seed ${home}. ${error.cause.message} Choose another seed, or use maxMiles instead of maxMinutes.`,
    { cause: error },
  );
}
