/**
 * The ACS 5-Year signals of a ZIP code, in the form that imports store, scoring reads, and the contract
 * defines.
 */

/**
 * Counts are integers, money is in dollars, and shares (`…Pct`) are 0..100 with one decimal. `null`
 * means unknown (suppressed, or the table wasn't imported), never zero.
 */
export interface Demographics {
  zip: string;
  /** B01003 */
  populationTotal: number | null;
  /** B25003_001: occupied housing units, which the ACS counts as households */
  householdsTotal: number | null;
  /** B19013, dollars of the vintage's last year; 250001 is top-coded and 2499 bottom-coded (see `flags`) */
  medianHouseholdIncome: number | null;
  /** B25003_002 */
  ownerOccupiedHouseholds: number | null;
  ownerOccupiedPct: number | null;
  /** B25077; 2000001 is top-coded and 9999 bottom-coded (see `flags`) */
  medianHomeValue: number | null;
  /** B25024_002 / B25024_001 */
  singleFamilyDetachedPct: number | null;
  /** B01002 */
  medianAge: number | null;
  /** B25035; 1939 is bottom-coded (see `flags`) */
  medianYearBuilt: number | null;
  homeAgePre1980Pct: number | null;
  homeAge19801999Pct: number | null;
  homeAge2000PlusPct: number | null;
  /** B25034: homes by decade built, oldest first, as in `BUILT_DECADES`; length 10 */
  homesByDecadeBuilt: number[] | null;
  /** Reliability by signal, such as `{ medianHomeValue: 'top-coded' }` */
  flags: Partial<Record<Signal, ReliabilityFlag>>;
}

/** The input of scores */
export type Figures = Omit<Demographics, 'flags'>;

/** The fields of `Demographics` with a value. */
export type Signal = Exclude<keyof Demographics, 'zip' | 'flags'>;

/** The signals in the contract, with its names and in its order. */
export const CENSUS_FIGURES = [
  'populationTotal',
  'householdsTotal',
  'medianHouseholdIncome',
  'ownerOccupiedHouseholds',
  'ownerOccupiedPct',
  'medianHomeValue',
  'singleFamilyDetachedPct',
  'medianAge',
  'medianYearBuilt',
  'homeAgePre1980Pct',
  'homeAge19801999Pct',
  'homeAge2000PlusPct',
] as const satisfies readonly Signal[];
export type CensusFigure = (typeof CENSUS_FIGURES)[number];

/** The figures of the contract. All are null without a census row. */
export const censusFigures = (census: Demographics | null | undefined) =>
  Object.fromEntries(CENSUS_FIGURES.map((field) => [field, census?.[field] ?? null])) as Pick<
    Demographics,
    CensusFigure
  >;

/**
 * `suppressed`: the file has a Census sentinel instead of a number. `top-coded`: the true value is at least
 * the given one. `bottom-coded`: it is at most the given one. `low-reliability`: the coefficient of variation is above
 * 40%.
 */
export type ReliabilityFlag = 'suppressed' | 'top-coded' | 'bottom-coded' | 'low-reliability';

/**
 * First and last year of each band of `homesByDecadeBuilt`, with plausible years for the open ends.
 */
export const BUILT_DECADES: readonly { from: number; to: number }[] = [
  { from: 1900, to: 1939 },
  ...[1940, 1950, 1960, 1970, 1980, 1990, 2000, 2010, 2020].map((from) => ({ from, to: from + 9 })),
];
