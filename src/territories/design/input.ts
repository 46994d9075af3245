/** The input and the result of the solver. */

export interface Measure {
  name: string;
  /** The amount of each ZIP code, at least 0 */
  values: Float64Array;
  /**
   * Importance, greater than 0. A measure with half the weight of the most important one may deviate by twice
   * as much.
   */
  weight: number;
}

export interface DesignInput {
  zips: readonly string[];
  /** Position of each ZIP code in degrees */
  lng: Float64Array;
  lat: Float64Array;
  /** Pairs of adjacent ZIP codes, as positions in `zips`, each pair once, with their shared border in meters */
  pairs: { a: Int32Array; b: Int32Array; bordersM: Float64Array };
  /** Area and perimeter of each ZIP code, in square meters and meters; 0 without a boundary */
  areasM2: Float64Array;
  perimetersM: Float64Array;
  /** County of each ZIP code; null if unknown */
  counties: readonly (string | null)[];
  measures: readonly Measure[];
  /** Number of territories, or limits of the first measure in each */
  territories: { count: number } | { minimum: number; maximum: number };
  /** Largest deviation from the fair share, as a fraction. Default: see tolerance.ts */
  tolerance?: number;
  /** Amount of the first measure for each territory, instead of a fair share */
  targets?: readonly number[];
  /** Home ZIP codes of the first territories, one each */
  seeds?: readonly string[];
  /** Territory of each locked ZIP code, counted from 0 */
  locked?: Readonly<Record<string, number>>;
  /** Lists of ZIP codes that should be in the same territory */
  together?: readonly (readonly string[])[];
  /** Pairs of ZIP codes that should be in different territories */
  apart?: readonly (readonly [string, string])[];
  /** Whether territories follow county lines where possible */
  wholeCounties?: boolean;
  /** Longest distance or drive of a ZIP code from the seed of its territory */
  reach?:
    | { miles: number }
    | { minutes: number; /** ZIP codes within the drive, by seed */ zips: readonly Set<string>[] };
  /** ZIP codes to leave out, such as those held by others */
  excluded?: readonly string[];
  /** Allows ZIP codes without a territory, at this price each, in kilometers of border */
  leftovers?: { priceKm: number };
  /** The current territory of each ZIP code, or -1 */
  current?: {
    territories: Int32Array;
    /** Price of a moved ZIP code, in kilometers of border */ moveKm: number;
  };
  /** Numbers of the territories in messages. Default: their positions, counted from 0 */
  numbers?: readonly number[];
  /** Random seed. The same seed gives the same result if the search ends as `finished`. Default: 1 */
  seed?: number;
  /** Amount of work, in units of about one second. Default: depends on the number of ZIP codes */
  effort?: number;
}

export interface DesignControls {
  /** Latest end, in milliseconds since 1970. A search that reaches it isn't repeatable. */
  deadline?: number;
  /** @param best returns the best result so far */
  onProgress?: (progress: DesignProgress, best: () => DesignResult) => void;
  isCanceled?: () => boolean;
}

export interface DesignProgress {
  /** Share of the search that is done, 0..1 */
  done: number;
  worstDeviation: number;
  borderKm: number;
}

export interface TerritoryReport {
  zips: string[];
  /** The territory's sum of each measure */
  totals: number[];
  /** Deviation of each measure from the fair share, as a fraction: 0.01 is 1% above it */
  deviations: number[];
  /** Polsby-Popper: 1 is a circle */
  compactness: number;
  /** Miles from the seed, or from the middle without one, to the farthest ZIP code */
  reachMiles: number;
  /** Positions of the adjacent territories */
  neighbors: number[];
}

export interface Violation {
  constraint:
    | 'balance'
    | 'size'
    | 'contiguity'
    | 'seed'
    | 'lock'
    | 'together'
    | 'apart'
    | 'reach'
    | 'leftover'
    | 'count';
  /** The constraint that isn't kept, and the reason */
  message: string;
  zips: string[];
}

export interface DesignResult {
  /** The territory of each ZIP code, counted from 0, or -1 */
  assignment: Int32Array;
  territories: TerritoryReport[];
  /** ZIP codes without a territory that weren't excluded */
  leftovers: string[];
  objective: {
    /** Largest deviation, as a fraction times the measure's weight */
    worstDeviation: number;
    /** Below it, the search prefers short borders to smaller deviations. */
    tolerance: number;
    /** Proven lower bound of the worst deviation; 0 if unknown */
    provenBound: number;
    /** Length of all borders between territories, in kilometers */
    borderKm: number;
    /** Counties in more than one territory */
    splitCounties: number;
    movedZips: number;
  };
  /** Empty if all constraints are kept. Otherwise, the result is the nearest that the search found. */
  violations: Violation[];
  /** Connections across water or gaps between separate parts of the map */
  bridges: { from: string; to: string; miles: number }[];
  /** Why the search ended. `deadline`: the time limit ended it or shortened its phases */
  ended: 'finished' | 'deadline' | 'canceled';
}

/** The input contradicts itself or refers to unknown ZIP codes. */
export class InvalidDesign extends Error {
  override name = 'InvalidDesign';
}
