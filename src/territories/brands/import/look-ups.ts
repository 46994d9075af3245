/**
 * Questions to the database during an import. A worker thread without a database connection reads files, so the
 * service's thread answers its questions.
 */
import type { Bbox } from '../../../base/spatial/bbox.ts';
import type { ZipsInRanges } from '../../../base/lists/ranges.ts';

export interface ImportLookUps {
  /** @throws ServiceError 400 if the areas are too complex; 503 while other imports match areas */
  matchAreas(areas: readonly AreaOutline[]): Promise<AreaMatches>;
  /** @param zips sorted ZIP codes without duplicates, at most as many as one change may have */
  readZipStates(zips: readonly string[]): Promise<ZipStates>;
  zipsInRanges: ZipsInRanges;
}

export interface AreaOutline {
  /** Number of the feature, counted from 1 */
  at: number;
  possibleZip: string | null;
  bbox: Bbox;
  positions: number;
  /** The area as a MultiPolygon */
  geoJson: string;
}

export interface AreaMatches {
  /** Numbers of the features whose code is a ZIP code at the same location */
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
  /** Unknown ones can’t be added: they aren’t known, or a rule of a group refuses them. */
  stateOf: ReadonlyMap<string, 'free' | 'live' | 'pending' | 'unknown'>;
  /** Reasons why the unknown ZIP codes can't be added, as phrases */
  unknownReasons: ReadonlyMap<string, string>;
  /** ZIP codes that another brand of the organization holds too */
  shared: readonly string[];
}
