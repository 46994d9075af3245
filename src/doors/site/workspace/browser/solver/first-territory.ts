/**
 * A first territory around a home ZIP code. It takes whole neighbors, those with the longest common border first, so
 * that it is compact rather than of an exact size. It is computed at once, so that people can try sizes. Pure.
 */
import { countZips, formatCount } from '../counts.ts';
import type { Draft, DraftTerritory } from '../territories/draft.ts';
import { figuresIn } from '../territories/figures.ts';
import type { Market } from '../market.ts';
import { formatMeasure, scoreOf } from '../measures.ts';
import { distanceMiles } from '../selection/distance.ts';

/** The size to reach. `minutes` are a drive from the home. */
export interface FirstSize {
  amount: number;
  unit: 'households' | 'zips' | 'miles' | 'minutes';
}

/** Usual amounts, the first of which is that of a typical first territory */
export const USUAL_AMOUNTS: Readonly<Record<FirstSize['unit'], number>> = {
  households: 50_000,
  zips: 6,
  miles: 5,
  minutes: 15,
};

export const USUAL_SIZE: FirstSize = { unit: 'households', amount: USUAL_AMOUNTS.households };

/** Returns the empty territory of a brand; null if any brand has ZIP codes or there is no brand. */
export function firstTerritoryIn({ territories }: Draft): DraftTerritory | null {
  if (territories.some(({ zips }) => zips.size > 0)) return null;
  return territories.find(({ brand }) => brand !== null) ?? null;
}

/**
 * Whether a proposal may use the figures of a market. If not, the viewer is asked first
 * (`controls/figures-question.tsx`).
 */
export const canPropose = (market: Pick<Market, 'asksForFigures'> | null): boolean =>
  market !== null && !market.asksForFigures;

type Territory = Pick<Market, 'borders' | 'bridges' | 'perimeterKm' | 'columns' | 'lon' | 'lat'>;

/** So small a part of its border connects a ZIP code badly: it counts as twice as far away as one without. */
const SHORT_BORDER = 0.1;

/**
 * Returns the territory: it grows up to the size if that is an amount, or else as far as it may.
 * @param mayTake whether a ZIP code is in reach and free, and no rule refuses it
 */
export function growFirst(
  market: Territory,
  home: number,
  { unit, amount }: FirstSize,
  mayTake: (zip: number) => boolean,
): Set<number> {
  const territory = new Set([home]);
  const households = market.columns.get('households');
  const amountOf = (zip: number) => (unit === 'households' ? households?.[zip] || 0 : 1);
  const isCounted = unit === 'households' || unit === 'zips';
  let total = amountOf(home);
  for (;;) {
    const next = best(
      bordersAround(market, territory),
      mayTake,
      // The common border counts most, so that no short edge connects a ZIP code while others fill a corner.
      (zip, km) => milesBetween(market, home, zip) / (SHORT_BORDER + km / market.perimeterKm[zip]!),
    );
    if (next === null) return territory;
    const grown = total + amountOf(next);
    // Whole ZIP codes miss the amount. The nearer end is taken.
    if (isCounted && Math.abs(grown - amount) >= Math.abs(total - amount)) return territory;
    territory.add(next);
    total = grown;
  }
}

const milesBetween = ({ lon, lat }: Pick<Market, 'lon' | 'lat'>, a: number, b: number) =>
  distanceMiles([lon[a]!, lat[a]!], [lon[b]!, lat[b]!]);

/** Returns the neighbors of a territory with the lengths of their borders with it, 0 over water or a gap. */
function bordersAround(
  { borders, bridges }: Pick<Market, 'borders' | 'bridges'>,
  territory: ReadonlySet<number>,
): Map<number, number> {
  const around = new Map<number, number>();
  for (const zip of territory) {
    for (let at = borders.starts[zip]!; at < borders.starts[zip + 1]!; at++) {
      const next = borders.neighbors[at]!;
      if (!territory.has(next)) around.set(next, (around.get(next) ?? 0) + borders.km[at]!);
    }
  }
  for (const [a, b] of bridges) {
    if (territory.has(a) !== territory.has(b)) {
      const next = territory.has(a) ? b : a;
      if (!around.has(next)) around.set(next, 0);
    }
  }
  return around;
}

/** Returns the candidate with the lowest cost; null without any. A cost that can't be computed is the highest. */
function best(
  around: ReadonlyMap<number, number>,
  isCandidate: (zip: number) => boolean,
  costOf: (zip: number, km: number) => number,
): number | null {
  let found: number | null = null;
  let least = Infinity;
  for (const [zip, km] of around) {
    if (!isCandidate(zip)) continue;
    const cost = costOf(zip, km);
    const known = Number.isNaN(cost) ? Number.MAX_VALUE : cost;
    if (known < least) [found, least] = [zip, known];
  }
  return found;
}

/** Describes the territory and its size. @param trade label of the vertical */
export function describeFirstTerritory(
  market: Market,
  home: number,
  zips: ReadonlySet<number>,
  size: FirstSize,
  { slug, label: trade }: { slug: string; label: string },
): string[] {
  const { households, ownerHouseholds, averageScore } = figuresIn(market, scoreOf(slug))(zips);
  const distances = Array.from(zips, (zip) => milesBetween(market, home, zip));
  const miles = Math.max(0, ...distances.filter((one) => !Number.isNaN(one)));
  const where =
    zips.size === 1
      ? `${market.zips[home]} alone`
      : `${countZips(zips.size)} up to ${miles.toFixed(1)} miles from ${market.zips[home]}`;
  const owners = formatMeasure((100 * ownerHouseholds) / households, 'percent');
  return [
    `${where}, with ${formatCount(households)} households, of which ${owners} own their home. ` +
      `Their average ${trade} score is ${formatMeasure(averageScore, 'score')} of 100.`,
    sizeSentence(size, size.unit === 'zips' ? zips.size : households),
    'Accept it, then add or remove ZIP codes. Nothing goes live until you send it to review and a reviewer approves it.',
  ];
}

function sizeSentence({ unit, amount }: FirstSize, has: number): string {
  const compact = 'It takes whole neighbors with long common borders, so that it stays compact.';
  if (unit === 'miles' || unit === 'minutes') return compact;
  const asked = unit === 'zips' ? countZips(amount) : `${formatCount(amount)} households`;
  const percent = Math.round((100 * (has - amount)) / amount);
  if (percent === 0) return compact;
  return `${compact} That makes ${Math.abs(percent)}% ${percent > 0 ? 'more' : 'less'} than ${asked}.`;
}
