/**
 * Finds the ZIP codes within a drive, with a routing server. As with a radius, the center of a ZIP code
 * decides. The server's times don't include traffic.
 */
import { cacheOf } from '../../base/cache/cache.ts';
import type { Queryable } from '../../base/db/database.ts';
import { datasetsStamp } from '../../base/db/datasets.ts';
import { badRequest, unavailable } from '../../errors.ts';
import { zipCentersAround, type Point } from '../market/zip-centers.ts';
import { tally } from '../../base/observe/tally.ts';
import { METERS_PER_MILE } from '../../base/spatial/miles.ts';
import { askServerAt, ServerFailure } from '../../base/outside/ask-server.ts';
import { breaker, BreakerOpen } from '../../base/outside/breaker.ts';
import { NoDrive, type RoutingEngine } from './engine.ts';
import { osrm } from './osrm.ts';
import { valhalla } from './valhalla.ts';
import { formatCount } from '../../base/text/words.ts';

export const MIN_MINUTES = 1;
/** The limit of Valhalla's isochrones, by default */
export const MAX_MINUTES = 120;

/** The highest speed limit in the US is 85 mph. */
const MAX_MILES_PER_MINUTE = 85 / 60;

export interface DriveTimes {
  /**
   * Returns the ZIP codes in order.
   * @param minutes from `MIN_MINUTES` to `MAX_MINUTES`
   * @throws ServiceError 400 for other minutes, without a routing server, or if its map has no road at the
   *   origin (the cause is a `NoDrive`); 503 while the server doesn't respond
   * @param instead alternative that messages suggest. Default: a radius
   */
  zipsWithin(
    db: Queryable,
    origin: Point,
    minutes: number,
    instead?: string,
  ): Promise<readonly string[]>;
}

const ENGINES = { valhalla, osrm } as const satisfies Record<string, RoutingEngine>;

export interface RoutingServer {
  url: string;
  engine: keyof typeof ENGINES;
  /** Time limit for all requests of one drive */
  timeoutMs: number;
}

/** Refuses drive times on a service without a routing server. */
export const noDriveTimes: DriveTimes = {
  async zipsWithin(_db, _origin, minutes, instead = suggestRadius(minutes)) {
    checkMinutes(minutes);
    throw badRequest(
      `This service has no routing server, so it can’t compute drive times. ${instead}`,
    );
  },
};

const ZIP_BYTES = 20;
/** Updates of the routing server's map take effect after this time. */
const CACHE_MS = 24 * 3_600_000;

/**
 * @param report called with the last error when the server stops responding, and without one when it
 *   recovers
 */
export function driveTimesFrom(
  server: RoutingServer,
  report: (down: unknown) => void = () => {},
): DriveTimes {
  const { run } = breaker((error) => error instanceof ServerFailure, report);
  const drives = cacheOf<string[]>((zips) => ZIP_BYTES * zips.length, { ttl: CACHE_MS });

  async function compute(db: Queryable, origin: Point, minutes: number): Promise<string[]> {
    try {
      const zips = await run(() => askServer(db, server, origin, minutes));
      tally.drives.computed++;
      return zips;
    } catch (error) {
      if (error instanceof NoDrive || error instanceof BreakerOpen) tally.drives.refused++;
      else if (error instanceof ServerFailure) tally.drives.failed++;
      throw error;
    }
  }

  return {
    async zipsWithin(db, origin, minutes, instead = suggestRadius(minutes)) {
      checkMinutes(minutes);
      const stamp = await datasetsStamp(db, ['boundaries']);
      const key = `${stamp} ${origin.lng.toFixed(5)} ${origin.lat.toFixed(5)} ${minutes}`;
      let isCached = true;
      try {
        return await drives.find(key, () => {
          isCached = false;
          return compute(db, origin, minutes);
        });
      } catch (error) {
        throw explain(error, instead);
      } finally {
        if (isCached) tally.drives.cached++;
      }
    },
  };
}

/** Asks the server. @throws NoDrive; ServerFailure */
export async function askServer(
  db: Queryable,
  { url, engine, timeoutMs }: RoutingServer,
  origin: Point,
  minutes: number,
): Promise<string[]> {
  const nearby = await zipCentersAround(
    db,
    origin,
    minutes * MAX_MILES_PER_MINUTE * METERS_PER_MILE,
  );
  if (nearby.length === 0) return [];
  return ENGINES[engine](db, { origin, minutes, nearby }, askServerAt(url, timeoutMs));
}

function checkMinutes(minutes: number): void {
  if (minutes >= MIN_MINUTES && minutes <= MAX_MINUTES) return;
  throw badRequest(`A drive must be from ${MIN_MINUTES} to ${MAX_MINUTES} minutes.`);
}

function explain(error: unknown, instead: string): unknown {
  if (error instanceof NoDrive) {
    return badRequest(`${error.message} ${error.nextStep} ${instead}`, { cause: error });
  }
  if (!(error instanceof BreakerOpen || error instanceof ServerFailure)) return error;
  return unavailable(
    `Drive times aren’t available at the moment, because the routing server doesn’t respond. ${instead}`,
    { cause: error },
  );
}

/**
 * Average speeds along the straight line, in miles per minute: 25 and 45 mph. On the road, this is a third
 * more, because US roads are about 1.3 times as long as the straight line.
 */
const IN_A_CITY = 25 / 60;
const IN_THE_COUNTRY = 45 / 60;

/** "Use a radius instead: a 20-minute drive covers about 8 miles in a city and 15 miles in the country." */
function suggestRadius(minutes: number): string {
  const miles = (speed: number) => formatCount(Math.max(Math.round(minutes * speed), 1));
  return (
    `Use a radius instead: a ${minutes}-minute drive covers about ${miles(IN_A_CITY)} miles in a city ` +
    `and ${miles(IN_THE_COUNTRY)} miles in the country.`
  );
}
