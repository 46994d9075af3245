/** Drive times from OSRM's table service: one time per ZIP code, because OSRM has no isochrones. */
import type { Point, ZipCenter } from '../market/zip-centers.ts';
import { METERS_PER_MILE } from '../../base/spatial/miles.ts';
import { ServerFailure, ServerRefusal, type AskServer } from '../../base/outside/ask-server.ts';
import { noDriveFrom, noRoad, type RoutingEngine } from './engine.ts';

/** Codes about the places of a request. Other codes are about the server's configuration. */
const ABOUT_DRIVE = new Set<unknown>(['InvalidValue', 'NoTable']);

/** `osrm-routed` takes 100 places per table by default. The origin is one of them. */
const PLACES = 100;
const DESTINATIONS = PLACES - 1;
/** Tables requested at the same time */
const PARALLEL = 4;

/**
 * Longest distance to a road. OSRM snaps a place to the nearest road, however far away it is. At the edge
 * of its map, that road may be in another ZIP code.
 */
const MAX_SNAP_M = 5 * METERS_PER_MILE;

export const osrm: RoutingEngine = async (_db, { origin, minutes, nearby }, ask) => {
  const batches = Array.from({ length: Math.ceil(nearby.length / DESTINATIONS) }, (_, i) =>
    nearby.slice(i * DESTINATIONS, (i + 1) * DESTINATIONS),
  );
  const seconds: (number | null)[][] = [];
  const next = batches.entries();
  const takeTurns = async () => {
    for (const [i, batch] of next) seconds[i] = await secondsTo(batch, origin, ask);
  };
  await Promise.all(Array.from({ length: PARALLEL }, takeTurns));
  const all = seconds.flat();
  return nearby.filter((_, i) => (all[i] ?? Infinity) <= minutes * 60).map(({ zip }) => zip);
};

interface SnappedPoint {
  /** Meters to the road */
  distance?: number;
}

/** Returns null for a ZIP code that can't be reached by road. */
async function secondsTo(
  batch: readonly ZipCenter[],
  origin: Point,
  ask: AskServer,
): Promise<(number | null)[]> {
  const places = [origin, ...batch].map(({ lng, lat }) => `${lng.toFixed(5)},${lat.toFixed(5)}`);
  const path = `/table/v1/driving/${places.join(';')}?sources=0&annotations=duration`;
  const answer = await ask({ path }).catch((error: unknown) => {
    const { code } = error instanceof ServerRefusal ? error.answer : {};
    if (code === 'NoSegment') throw noRoad();
    throw ABOUT_DRIVE.has(code) ? noDriveFrom() : error;
  });
  const { code, durations, sources, destinations } = (answer ?? {}) as {
    code?: unknown;
    durations?: unknown[];
    sources?: SnappedPoint[];
    destinations?: SnappedPoint[];
  };
  const row = durations?.[0];
  // The origin is also a destination.
  if (code !== 'Ok' || !Array.isArray(row) || row.length !== places.length) {
    throw new ServerFailure('the response is not a table of durations');
  }
  if (!isOnRoad(sources?.[0])) throw noRoad();
  return row
    .map((seconds: unknown, i) =>
      typeof seconds === 'number' && isOnRoad(destinations?.[i]) ? seconds : null,
    )
    .slice(1);
}

const isOnRoad = (place: SnappedPoint | undefined) => (place?.distance ?? 0) <= MAX_SNAP_M;
