/**
 * Finds the ZIP codes within a drive, with a routing server. As with a radius, the center of a ZIP code
 * decides. The server's times don't include traffic.
 */
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../db/database.ts';
import { datasetsStamp } from '../../db/datasets.ts';
import { badRequest, unavailable } from '../../errors.ts';
import { zipCentersAround, type Point } from '../../market/zip-centers.ts';
import { tally } from '../../observe/tally.ts';
import { METERS_PER_MILE } from '../../spatial/miles.ts';
import { suggestRadius } from './approximate-radius.ts';
import { askServerAt, ServerFailure } from '../ask-server.ts';
import { breaker, BreakerOpen } from '../breaker.ts';
import { NoDrive, type RoutingEngine } from './engine.ts';
import { osrm } from './osrm.ts';
import { valhalla } from './valhalla.ts';

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

/** Limits the cache to a few MB. A drive of two hours from New York reaches 4,000 ZIP codes. */
const CACHED_ZIPS = 200_000;
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
  const running = new Map<string, Promise<string[]>>();
  const computed = new LRUCache<string, string[]>({
    maxSize: CACHED_ZIPS,
    sizeCalculation: (zips) => zips.length + 1,
    ttl: CACHE_MS,
  });

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
      const known = computed.get(key) ?? running.get(key);
      if (known) tally.drives.cached++;
      try {
        return await (known ?? start());
      } catch (error) {
        throw explain(error, instead);
      }

      async function start(): Promise<string[]> {
        const drive = compute(db, origin, minutes).finally(() => running.delete(key));
        running.set(key, drive);
        const zips = await drive;
        computed.set(key, zips);
        return zips;
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
  const ask = askServerAt(url, AbortSignal.timeout(timeoutMs));
  return ENGINES[engine](db, { origin, minutes, nearby }, ask);
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
