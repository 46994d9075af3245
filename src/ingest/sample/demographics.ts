/**
 * Synthetic demographics of all sample ZIP codes. No figure is a measurement. Each one is a smooth function
 * of location (settlement, region, noise) plus a small random part, so that neighbors are similar and the
 * figures of a ZIP code are consistent.
 */
import type { Demographics } from '../demographics.ts';
import { SCALE_ENDS } from '../acs-tables.ts';
import { loadCities } from './cities.ts';
import { Disclosure } from './disclosure.ts';
import { gazetteer, type ZipPoint } from './gazetteer.ts';
import { homesBuilt } from './homes.ts';
import { noiseFields, type Noise } from './noise.ts';
import { seededRandom, type Random } from './random.ts';
import { regionAt } from './regions.ts';
import { settlements, type Settlement } from './settlement.ts';

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
