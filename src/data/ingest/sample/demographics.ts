/**
 * Synthetic demographics of all sample ZIP codes. No figure is a measurement. Each one is a smooth function
 * of location (settlement, region, noise) plus a small random part, so that neighbors are similar and the
 * figures of a ZIP code are consistent.
 */
import { type Demographics, type Signal, BUILT_DECADES } from '../demographics.ts';
import { SCALE_ENDS } from '../acs-tables.ts';
import { loadCities, gazetteer, type ZipPoint } from './gazetteer.ts';
import { seededRandom, type Random } from './random.ts';
import { settlements, type Settlement } from './settlement.ts';
import { createNoise2D } from 'simplex-noise';
import { SAMPLE_YEAR } from './facts.ts';

/** US population with Puerto Rico (2020 Census) */
const NATION = 334_700_000;
/** No ZIP code gets larger, because the post office would split it. */
const CROWDED = 110_000;

/**
 * Returns demographics in the order of `zips`.
 * @throws if a ZIP code isn't in the sample
 */
export function sampleDemographics(zips: readonly string[]): Demographics[] {
  const nation = (cachedNation ??= drawNation());
  return zips.map((zip) => {
    const demographics = nation.get(zip);
    if (!demographics) throw new Error(`The sample has no ZIP code ${zip}.`);
    return demographics;
  });
}

let cachedNation: ReadonlyMap<string, Demographics> | undefined;

/** A ZIP code before its figures are generated. */
interface Draft {
  point: ZipPoint;
  place: Settlement;
  noise: Noise;
  /** Random numbers for this ZIP code, the same in every run */
  random: Random;
  people: number;
}

/** By ZIP code */
function drawNation(): Map<string, Demographics> {
  const zips = gazetteer();
  const places = settlements(zips, loadCities(zips).values());
  const noiseAt = noiseFields();
  const drafts = zips.map((point, i): Draft => {
    const draft = {
      point,
      place: places[i]!,
      noise: noiseAt(point),
      random: seededRandom(point.zip),
    };
    return { ...draft, people: drawPeople(draft) };
  });
  const scale = NATION / drafts.reduce((sum, { people }) => sum + people, 0);
  const figuresOf = (draft: Draft) =>
    drawFigures({ ...draft, people: Math.round(draft.people * scale) });
  return new Map(drafts.map((draft) => [draft.point.zip, figuresOf(draft)]));
}

/** Returns 0 in open country, about 0.5 in suburbs, and 1 in the centers of the largest cities. */
const urbanity = ({ pull }: Settlement) => Math.min(1.1, Math.log1p(pull) / Math.log1p(60));

function drawPeople({ place, noise, random }: Omit<Draft, 'people'>): number {
  // Villages vary more in size than city neighborhoods.
  const spread = 0.8 - 0.4 * Math.min(1, 2 * urbanity(place));
  const expected = place.people * Math.exp(0.3 * noise.crowding + spread * bell(random));
  // Parks, campuses, industrial areas: smaller ZIP codes are more likely to be uninhabited.
  if (random() < 0.004 + 0.3 * Math.exp(-expected / 120)) return 0;
  return expected / (1 + expected / CROWDED);
}

function drawFigures({ point, place, noise, random, people }: Draft): Demographics {
  const region = regionAt(point.lng, point.lat);
  const urban = urbanity(place);
  // Suburbs are wealthier than city centers and open country.
  const wealth = 0.3 + noise.wealth - 3 * (urban - 0.5) ** 2 + 0.45 * bell(random);

  const householdSize = 2.55 - 0.2 * urban + 0.15 * noise.growth + 0.1 * bell(random);
  const households = Math.round((0.975 * people) / householdSize);
  const ownersPct = 78 - 32 * urban ** 1.5 + 9 * wealth + 4.5 * bell(random);
  const owners = Math.round((households * clamp(ownersPct, 3, 98)) / 100);
  const detachedPct = 82 - 60 * urban ** 1.7 + 6 * wealth + 7 * bell(random);
  const age = 42 - 5 * urban + region.age - 2 * noise.growth + 3.5 * bell(random);
  const income = 66_000 * Math.exp(region.income + 0.42 * wealth + 0.09 * Math.max(0, wealth) ** 2);
  const homeValue =
    230_000 *
    (income / 66_000) ** 0.85 *
    Math.exp(region.price + 0.25 * urban + 0.15 * noise.growth + 0.2 * bell(random));

  // Old regions and all city centers were built first. The suburbs of new regions were built last.
  const oldness = (1 - region.newness) * (urban > 0.3 ? 1 : 0.6);
  const suburb = Math.exp(-(((urban - 0.45) / 0.15) ** 2));
  const peakYear =
    1990 -
    22 * oldness +
    14 * region.newness * suburb -
    60 * Math.max(0, urban - 0.6) +
    14 * noise.growth +
    5 * bell(random);
  const homes = homesBuilt(Math.round(households * 1.1), peakYear, 15 + 7 * oldness);

  const census = new Disclosure();
  return {
    zip: point.zip,
    populationTotal: people,
    householdsTotal: households,
    medianHouseholdIncome: census.median(
      'medianHouseholdIncome',
      Math.round(income),
      households,
      SCALE_ENDS.B19013!.highest,
    ),
    ownerOccupiedHouseholds: owners,
    ownerOccupiedPct: households > 0 ? tenths((100 * owners) / households) : null,
    medianHomeValue: census.median(
      'medianHomeValue',
      Math.round(homeValue / 100) * 100,
      owners,
      SCALE_ENDS.B25077!.highest,
    ),
    singleFamilyDetachedPct: households > 0 ? tenths(clamp(detachedPct, 0, 99)) : null,
    medianAge: census.median('medianAge', tenths(clamp(age, 19, 75)), people),
    medianYearBuilt: homes && census.median('medianYearBuilt', homes.medianYearBuilt, households),
    homeAgePre1980Pct: homes && homes.pre1980Pct,
    homeAge19801999Pct: homes && homes.from1980To1999Pct,
    homeAge2000PlusPct: homes && homes.from2000Pct,
    homesByDecadeBuilt: homes && homes.byDecade,
    flags: census.flags,
  };
}

/** Approximately normal with mean 0 and deviation 1: the sum of three uniform random numbers. */
const bell = (random: Random) => 2 * (random() + random() + random() - 1.5);

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(high, value));
const tenths = (value: number) => Math.round(value * 10) / 10;

/** Medians of fewer cases are suppressed. */
const SUPPRESSED_BELOW = 40;
/** Medians of fewer cases are unreliable (coefficient of variation above 40%). */
const UNRELIABLE_BELOW = 90;

/** Publishes the medians of a ZIP code, and records each change in `flags`. */
class Disclosure {
  readonly flags: Demographics['flags'] = {};

  /**
   * @param cases number of people, households, or homes in the median
   * @param topCode published instead of any larger value
   */
  median(signal: Signal, value: number, cases: number, topCode = Infinity): number | null {
    if (cases < SUPPRESSED_BELOW) {
      this.flags[signal] = 'suppressed';
      return null;
    }
    if (value >= topCode) {
      this.flags[signal] = 'top-coded';
      return topCode;
    }
    if (cases < UNRELIABLE_BELOW) this.flags[signal] = 'low-reliability';
    return value;
  }
}

/** About -1 to 1 */
interface Noise {
  wealth: number;
  growth: number;
  crowding: number;
}

interface Place {
  lng: number;
  lat: number;
}

/** Returns the same fields in every run. */
function noiseFields(): (place: Place) => Noise {
  const [wealthNear, wealthFar] = [field('wealth', 25), field('wealth of the region', 200)];
  const [growth, crowding] = [field('growth', 60), field('crowding', 30)];
  return (place) => ({
    wealth: 0.8 * wealthNear(place) + 0.4 * wealthFar(place),
    growth: growth(place),
    crowding: crowding(place),
  });
}

/** @param gridKm distance over which the field changes completely */
function field(seed: string, gridKm: number): (place: Place) => number {
  const noise = createNoise2D(seededRandom(seed));
  const perDegree = 111.2 / gridKm;
  // Degrees of longitude as at latitude 38, the middle of the country.
  return ({ lng, lat }) => noise(lng * 0.788 * perDegree, lat * perDegree);
}

/** Generates the construction decades of homes. */
interface Homes {
  /** Homes by decade, oldest first, as in `BUILT_DECADES` */
  byDecade: number[];
  medianYearBuilt: number;
  pre1980Pct: number;
  from1980To1999Pct: number;
  from2000Pct: number;
}

/**
 * Distributes homes over the decades: a bell curve around the year of strongest growth, plus a
 * minimum of 2% per decade, since some construction never stops.
 * @returns null for no homes
 */
function homesBuilt(homes: number, peakYear: number, spreadYears: number): Homes | null {
  if (homes === 0) return null;
  const weights = BUILT_DECADES.map(({ from, to }) => {
    const share =
      normal((to + 1 - peakYear) / spreadYears) - normal((from - peakYear) / spreadYears);
    const years = Math.min(to, SAMPLE_YEAR) + 1 - from;
    return (share + 0.02) * Math.min(1, years / 10);
  });
  const byDecade = apportion(homes, weights);
  const share = (from: number, to: number) => {
    const built = byDecade.slice(from, to).reduce((sum, n) => sum + n, 0);
    return Math.round((1000 * built) / homes) / 10;
  };
  const [pre1980Pct, from2000Pct] = [share(0, 5), share(7, 10)];
  return {
    byDecade,
    medianYearBuilt: medianYear(byDecade, homes),
    pre1980Pct,
    from1980To1999Pct: Math.round(10 * (100 - pre1980Pct - from2000Pct)) / 10,
    from2000Pct,
  };
}

/**
 * Interpolates within the median's band, as the Census Bureau does; at least 1939, its lowest
 * value.
 */
function medianYear(byDecade: readonly number[], homes: number): number {
  let older = 0;
  for (const [i, { from, to }] of BUILT_DECADES.entries()) {
    const built = byDecade[i]!;
    if (older + built >= homes / 2) {
      const year = from + ((homes / 2 - older) / built) * (to + 1 - from);
      return Math.max(1939, Math.min(Math.floor(year), to, SAMPLE_YEAR));
    }
    older += built;
  }
  throw new Error('homes by decade do not add up to the homes');
}

/** Splits a total into integers in proportion to the weights (largest remainders). */
function apportion(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((weight) => (total * weight) / sum);
  const counts = exact.map(Math.floor);
  const rest = total - counts.reduce((a, b) => a + b, 0);
  const byRemainder = exact.map((_, i) => i).sort((a, b) => (exact[b]! % 1) - (exact[a]! % 1));
  for (const i of byRemainder.slice(0, rest)) counts[i]!++;
  return counts;
}

/** Normal distribution function (logistic approximation, within 0.01). */
const normal = (z: number) => 1 / (1 + Math.exp(-1.702 * z));

/**
 * `reachKm`: distance at which the anchor's pull has dropped to 61% (one standard deviation). `income`
 * and `price` are added to the logarithm of household income and of home value, `age` to the median age.
 */
type Anchor = readonly [
  place: string,
  ...[lng: number, lat: number, reachKm: number],
  ...[income: number, price: number, age: number],
];

/** The figures follow rough common knowledge: the coasts are expensive, the South is cheap, and retirees move to Florida. */
const ANCHORS: readonly Anchor[] = [
  ['San Francisco Bay', -122.2, 37.6, 70, 0.5, 1.2, 0],
  ['Los Angeles', -118.0, 33.9, 110, 0.15, 1.0, -1],
  ['San Diego', -117.1, 32.9, 50, 0.2, 0.6, 0],
  ['Central Valley', -119.8, 36.7, 150, -0.1, 0.25, -3],
  ['Seattle', -122.2, 47.6, 70, 0.35, 0.9, 0],
  ['Portland', -122.6, 45.5, 80, 0.12, 0.6, 0],
  ['Denver', -105.0, 39.8, 100, 0.2, 0.7, -1],
  ['Wasatch Front', -111.9, 40.6, 100, 0.1, 0.5, -6],
  ['Phoenix', -112.0, 33.5, 100, 0.05, 0.35, 0],
  ['Austin', -97.7, 30.3, 60, 0.2, 0.5, -2],
  ['Rio Grande', -98.5, 26.5, 150, -0.4, -0.5, -5],
  ['Mississippi Delta', -90.8, 33.0, 200, -0.35, -0.5, -1],
  ['Appalachia', -82.5, 37.6, 150, -0.35, -0.5, 2],
  ['Great Plains', -99.0, 40.0, 400, -0.05, -0.25, 1],
  ['Industrial Midwest', -84.0, 41.0, 300, -0.05, -0.2, 0],
  ['Southeast Florida', -80.3, 26.2, 80, 0, 0.5, 3],
  ['Gulf coast of Florida', -82.2, 27.2, 100, 0, 0.25, 8],
  ['Washington', -77.1, 38.9, 80, 0.45, 0.7, 0],
  ['New York', -74.0, 40.8, 90, 0.3, 0.85, 0],
  ['Boston', -71.2, 42.3, 70, 0.35, 0.8, 0],
  ['Northern New England', -70.0, 45.0, 200, -0.05, 0.1, 5],
  ['Hawaii', -157.5, 21.0, 300, 0.2, 1.1, 1],
  ['Puerto Rico', -66.4, 18.2, 200, -1.1, -0.6, 2],
];

interface Region {
  income: number;
  price: number;
  age: number;
  /** 0 in the old Northeast and Midwest, 1 where most growth came after 1970 */
  newness: number;
}

function regionAt(lng: number, lat: number): Region {
  const region = { income: 0, price: 0, age: 0, newness: newnessAt(lng, lat) };
  for (const [, anchorLng, anchorLat, reachKm, income, price, age] of ANCHORS) {
    const shrink = Math.cos((anchorLat * Math.PI) / 180);
    const distanceKm = 111.2 * Math.hypot((lng - anchorLng) * shrink, lat - anchorLat);
    const pull = Math.exp(-((distanceKm / reachKm) ** 2) / 2);
    region.income += income * pull;
    region.price += price * pull;
    region.age += age * pull;
  }
  return region;
}

/** Increases southward across the Virginia-Kansas line and westward across the Rocky Mountains. */
function newnessAt(lng: number, lat: number): number {
  const south = logistic((37 - lat) / 1.5);
  const west = 0.8 * logistic((-104 - lng) / 3);
  return Math.max(south, west);
}

const logistic = (x: number) => 1 / (1 + Math.exp(-x));
