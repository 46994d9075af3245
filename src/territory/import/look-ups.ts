/**
 * Questions to the database while an import is read. Files are read in a worker thread without a connection, so
 * the service's own thread answers the questions.
 */
import type { Bbox } from '../../spatial/bbox.ts';

export interface ImportLookUps {
  /** @throws ServiceError 400 if the areas are too complex, 503 while others are being matched */
  matchAreas(areas: readonly AreaOutline[]): Promise<AreaMatches>;
  /** @param zips at most as many as one change may have; in order, without duplicates */
  readZipStates(zips: readonly string[]): Promise<ZipStates>;
}

export interface AreaOutline {
  /** Number of its feature, from 1 */
  at: number;
  possibleZip: string | null;
  bbox: Bbox;
  positions: number;
  /** The area as a MultiPolygon */
  geoJson: string;
}

export interface AreaMatches {
  /** Numbers of the features whose code is a ZIP code at their location */
  named: ReadonlySet<number>;
  /** Numbers of the features whose area isn't a valid polygon */
  invalid: ReadonlySet<number>;
  /** The ZIP codes mostly inside the other areas, by feature */
  zips: readonly { zip: string; /** Share of its area, 0 to 1 */ share: number; at: number }[];
}

/** Repairing and finding self-intersections take quadratic time in the number of corners. */
const MAX_REPAIRABLE_POSITIONS = 1_000;

export const isRepairable = ({ positions }: Pick<AreaOutline, 'positions'>) =>
  positions <= MAX_REPAIRABLE_POSITIONS;

export interface ZipStates {
  stateOf: ReadonlyMap<string, 'free' | 'live' | 'pending' | 'unknown'>;
  /** Why the unknown ones can't be added, as a phrase */
  unknownReasons: ReadonlyMap<string, string>;
  /** ZIP codes that another brand of the organization holds too */
  shared: readonly string[];
}
