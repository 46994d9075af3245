/** The input and the result of the solver. */

export interface Measure {
  name: string;
  /** By ZIP code; at least 0 */
  values: Float64Array;
  /**
   * Importance, greater than 0. A measure with half the weight of the most important one may deviate
   * twice as far.
   */
  weight: number;
}

export interface DesignInput {
  zips: readonly string[];
  /** Position of each ZIP code in degrees */
  lng: Float64Array;
  lat: Float64Array;
  /** Pairs of adjacent ZIP codes, by position in `zips`, each pair once, with their common border in meters */
  pairs: { a: Int32Array; b: Int32Array; bordersM: Float64Array };
  /** Size and perimeter of each ZIP code, in square meters and meters; 0 without a boundary */
  areasM2: Float64Array;
  perimetersM: Float64Array;
  /** County of each ZIP code; null if unknown */
  counties: readonly (string | null)[];
  measures: readonly Measure[];
  /** Number of territories, or limits of the first measure in each */
  territories: { count: number } | { minimum: number; maximum: number };
  /** Largest deviation from the fair share, as a fraction. Default: what the number of ZIP codes allows */
  tolerance?: number;
  /** Amount of the first measure for each territory, instead of a fair share */
  targets?: readonly number[];
  /** Home ZIP codes of the first territories, one each */
  seeds?: readonly string[];
  /** Number of the territory of each locked ZIP code, from 0 */
  locked?: Readonly<Record<string, number>>;
  /** ZIP codes that belong into the same territory */
  together?: readonly (readonly string[])[];
  /** Pairs of ZIP codes that belong into two territories */
  apart?: readonly (readonly [string, string])[];
  /** Whether territories follow county lines where possible */
  wholeCounties?: boolean;
  /** Farthest that a ZIP code may be from the seed of its territory, by distance or by a drive */
  reach?:
    | { miles: number }
    | { minutes: number; /** ZIP codes within the drive, by seed */ zips: readonly Set<string>[] };
  /** ZIP codes that no territory gets, such as those held by others */
  excluded?: readonly string[];
  /** Whether ZIP codes may stay without a territory, and at which price each, in kilometers of border */
  leftovers?: { priceKm: number };
  /** Territories to begin with: the number of each ZIP code's territory, or -1 */
  current?: {
    territories: Int32Array;
    /** Price of a moved ZIP code, in kilometers of border */ moveKm: number;
  };
  /** Names of the territories in messages. Default: their positions, from 0 */
  numbers?: readonly number[];
  /** The same seed gives the same result, if the search ends as `finished`. Default: 1 */
  seed?: number;
  /** Work to do, about one second each. Default: by the number of ZIP codes */
  effort?: number;
}

export interface DesignControls {
  /** Latest end, in milliseconds since 1970. A result that ends by time isn't repeatable. */
  deadline?: number;
  /** @param best returns the result of a solve that is canceled now */
  onProgress?: (progress: DesignProgress, best: () => DesignResult) => void;
  isCanceled?: () => boolean;
}

export interface DesignProgress {
  /** 0..1 */
  done: number;
  worstDeviation: number;
  borderKm: number;
}

export interface TerritoryReport {
  zips: string[];
  /** Sum of each measure */
  totals: number[];
  /** Of each measure from the fair share, as fractions: 0.01 is 1% above it */
  deviations: number[];
  /** Polsby-Popper: 1 is a circle */
  compactness: number;
  /** Distance from the seed, or from the middle, to the farthest ZIP code in miles */
  reachMiles: number;
  /** Numbers of the adjacent territories */
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
  /** The impossible part and the reason */
  message: string;
  zips: string[];
}

export interface DesignResult {
  /** Territory of each ZIP code, from 0; -1: none */
  assignment: Int32Array;
  territories: TerritoryReport[];
  /** Without territory though they weren't excluded */
  leftovers: string[];
  objective: {
    /** Largest deviation, as a fraction times the measure's weight */
    worstDeviation: number;
    /** The target: the search doesn't stop at it, but prefers short borders below */
    tolerance: number;
    /** No assignment has a smaller worst deviation than this; 0 if unknown */
    provenBound: number;
    /** Length of all borders between territories, in kilometers */
    borderKm: number;
    /** Counties in more than one territory */
    splitCounties: number;
    movedZips: number;
  };
  /** Empty if everything asked for is kept. The result is the nearest that was found otherwise. */
  violations: Violation[];
  /** Connections over water or gaps, which make separate parts of the map one */
  bridges: { from: string; to: string; miles: number }[];
  /** Why the search ended. `deadline`: the time limit ended it, or shortened its phases. */
  ended: 'finished' | 'deadline' | 'canceled';
}

/** The input contradicts itself or refers to unknown ZIP codes. */
export class InvalidDesign extends Error {
  override name = 'InvalidDesign';
}
