/** A kind of routing server. */
import type { Queryable } from '../../base/db/database.ts';
import type { Point, ZipCenter } from '../market/zip-centers.ts';
import type { AskServer } from '../../base/outside/ask-server.ts';

interface Drive {
  origin: Point;
  minutes: number;
  /** ZIP codes that are close enough to be reached at a legal speed, in order */
  nearby: readonly ZipCenter[];
}

/**
 * Returns the nearby ZIP codes whose center can be reached by car.
 * @throws NoDrive if it can't be computed from the origin; ServerFailure
 */
export type RoutingEngine = (db: Queryable, drive: Drive, ask: AskServer) => Promise<string[]>;

/** The server works but can't compute this drive. The message is for callers. */
export class NoDrive extends Error {
  override name = 'NoDrive';
  /** A sentence */
  readonly nextStep: string;

  constructor(message: string, nextStep: string) {
    super(message);
    this.nextStep = nextStep;
  }
}

export const noDriveFrom = () =>
  new NoDrive('The routing server refuses to compute this drive.', 'Choose another place or time.');

export const noRoad = () =>
  new NoDrive('The routing server’s map has no road at this place.', 'Start from another place.');
