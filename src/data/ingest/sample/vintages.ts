/**
 * Two synthetic vintages of the sample, five years apart. The later one has the sample's figures. The earlier one follows
 * from them: places whose homes are new had fewer households. Margins of error are about as large as those of the survey.
 */
import { inflation } from '../../statistics/prices.ts';
import { ACS_TABLES } from '../acs-tables.ts';
import type { Demographics } from '../demographics.ts';
import { builtLines, LINES, NO_LINES, type Line, type LineValues } from '../vintages/lines.ts';
import type { Vintage, VintageRow } from '../vintages/store.ts';
import { EARLIER_SAMPLE_YEAR, SAMPLE_YEAR } from './facts.ts';
import { seededRandom, type Random } from './random.ts';

/**
 * Yields the earlier vintage, then the later one, because both at once would take 70 MB more. Both have the rows of
 * `zips`, in their order.
 */
export function* sampleVintages(
  zips: readonly Demographics[],
): Generator<Vintage & { rows: VintageRow[] }> {
  const vintage = { synthetic: true, tables: Object.keys(ACS_TABLES) };
  const rows = (figuresOf: (zip: Demographics) => Figures) =>
    zips.map((one) => ({ zip: one.zip, lines: withMargins(figuresOf(one)) }));
  yield {
    ...vintage,
    year: EARLIER_SAMPLE_YEAR,
    rows: rows((one) => earlierFigures(one.zip, latestFigures(one))),
  };
  yield { ...vintage, year: SAMPLE_YEAR, rows: rows(latestFigures) };
}

/** Null means unknown */
type Figures = Record<Line, number | null>;

const BUILT = builtLines(0, 10);

/** Copies of it are made several times as fast as objects from entries. */
const UNKNOWN = Object.fromEntries(LINES.map((line) => [line, null])) as Figures;

/** Returns figures with the numbers of homes by decade. */
function withDecades(homes: readonly (number | null)[]): Figures {
  const figures = { ...UNKNOWN };
  for (const [decade, line] of BUILT.entries()) figures[line] = homes[decade] ?? null;
  return figures;
}

/** A median at an end of its scale is unknown: see `acs-lines.ts`. */
function latestFigures(zip: Demographics): Figures {
  const homes = zip.homesByDecadeBuilt?.reduce((sum, built) => sum + built, 0) ?? null;
  const isCoded = (signal: keyof Demographics['flags']) => zip.flags[signal]?.endsWith('-coded');
  const share = zip.singleFamilyDetachedPct;
  return Object.assign(withDecades(zip.homesByDecadeBuilt ?? []), {
    population: zip.populationTotal,
    medianAge: zip.medianAge,
    medianIncome: isCoded('medianHouseholdIncome') ? null : zip.medianHouseholdIncome,
    households: zip.householdsTotal,
    owners: zip.ownerOccupiedHouseholds,
    medianHomeValue: isCoded('medianHomeValue') ? null : zip.medianHomeValue,
    homes,
    detached: homes === null || share === null ? null : Math.round((homes * share) / 100),
    medianYearBuilt: zip.medianYearBuilt === 1939 ? null : zip.medianYearBuilt,
    homesBuilt: homes,
  });
}

function earlierFigures(zip: string, later: Figures): Figures {
  const here = seededRandom(`${zip}, earlier`);
  const region = seededRandom(`${zip.slice(0, 3)}, earlier`);
  // Half of the homes of the 2010s are newer than the middle of the earlier period.
  const homes = later.homesBuilt ?? 0;
  const recent = (later.built9 ?? 0) + 0.5 * (later.built8 ?? 0);
  const growth =
    homes === 0 ? 0 : (0.9 * recent) / homes - 0.02 + 0.02 * around(region) + 0.02 * around(here);
  const before = (value: number | null, by = growth) =>
    value === null ? null : Math.round(value / (1 + by));
  const households = before(later.households);
  const ownersBefore = before(later.owners, growth + 0.02 + 0.04 * around(here));
  const dollars = inflation(EARLIER_SAMPLE_YEAR, SAMPLE_YEAR)!;
  const income = 0.04 + 0.05 * around(region) + 0.05 * around(here);
  const value = 0.16 + 0.1 * around(region) + 0.06 * around(here);
  const homesBefore = before(later.homes);
  const builtBefore = (decade: number, built: number) =>
    decade === 9 ? 0 : Math.round(decade === 8 ? built / 2 : built * (1.01 + 0.01 * around(here)));
  const built = BUILT.map((line, decade) => {
    const now = later[line];
    return now === null ? null : builtBefore(decade, now);
  });
  const builtTotal = built.reduce<number | null>(
    (sum, one) => (sum === null || one === null ? null : sum + one),
    0,
  );
  return Object.assign(withDecades(built), {
    population: before(later.population, growth - 0.01 + 0.015 * around(here)),
    medianAge: later.medianAge === null ? null : tenths(later.medianAge - 0.5 - 0.8 * around(here)),
    medianIncome: before(later.medianIncome, (1 + income) * dollars - 1),
    households,
    owners:
      households === null || ownersBefore === null ? null : Math.min(households, ownersBefore),
    medianHomeValue: before(later.medianHomeValue, (1 + value) * dollars - 1),
    homes: homesBefore,
    detached:
      later.detached === null || homesBefore === null
        ? null
        : Math.min(homesBefore, before(later.detached, growth - 0.01 + 0.02 * around(here))!),
    medianYearBuilt:
      later.medianYearBuilt === null
        ? null
        : Math.max(1940, later.medianYearBuilt - Math.round(2 + 2 * here())),
    homesBuilt: builtTotal,
  });
}

/** About -1 to 1, with mean 0 */
const around = (random: Random) => random() + random() - 1;

const tenths = (value: number) => Math.round(10 * value) / 10;

/**
 * Adds margins like those of five years of the survey: 1.645 standard errors of a count whose sample is one in eight
 * households, with the variance of a part smaller than that of a whole.
 */
function withMargins(figures: Figures): LineValues {
  const { households, homes, population } = figures;
  const ofWhole = (count: number) => Math.max(12, Math.round(1.645 * Math.sqrt(2.5 * count)));
  const ofPart = (count: number, whole: number) =>
    Math.max(
      12,
      Math.round(1.645 * Math.sqrt(8 * count * (1 - Math.min(0.95, count / Math.max(1, whole))))),
    );
  const sampled = (count: number | null) => Math.sqrt(0.12 * Math.max(1, count ?? 1));
  const marginOf = (line: Line, value: number): number => {
    switch (line) {
      case 'population':
        return ofWhole(2 * value);
      case 'households':
      case 'homes':
      case 'homesBuilt':
        return ofWhole(value);
      case 'owners':
        return ofPart(value, households ?? value);
      case 'medianIncome':
        return Math.round((1.9 * value) / sampled(households));
      case 'medianHomeValue':
        return Math.round((1.6 * value) / sampled(households));
      case 'medianAge':
        return tenths(Math.max(0.3, 40 / sampled(population)));
      case 'medianYearBuilt':
        return Math.max(1, Math.round(60 / sampled(homes)));
      default:
        return ofPart(value, homes ?? value);
    }
  };
  const lines = { ...NO_LINES };
  for (const line of LINES) {
    const value = figures[line];
    if (value !== null) lines[line] = { value, margin: marginOf(line, value) };
  }
  return lines;
}
