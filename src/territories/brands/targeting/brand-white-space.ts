/** White space in and around a brand's territory: where demand is high and the organization sells little. */
import type { Caller } from '../../../people/account/caller.ts';
import { recordSeenZips } from '../../../people/metering/figures.ts';
import { readDataField, type DataValues } from '../../own-data/data-fields.ts';
import { listDataSets, type DataSet } from '../../own-data/data-sets.ts';
import { placeDistances, type PlaceDistances } from '../../own-data/place-distances.ts';
import {
  isLocalShare,
  LOCAL_MILES,
  medianRate,
  STRONG_FROM,
  WHITE_SPACE_CLASSES,
  whiteSpaceClass,
  type WhiteSpaceClass,
  type WhiteSpaceLimits,
} from '../../own-data/white-space.ts';
import { heldZipStatuses } from '../brand-zips.ts';
import type { Brand } from '../brands.ts';
import { holdersOf } from '../holders.ts';
import { zipsNear } from '../zips-in-radius.ts';
import { neighborsOfSet, readAdjacency } from '../shape/adjacency.ts';
import { zipFacts, type ZipFacts } from '../zip-facts.ts';

export interface BrandWhiteSpace {
  /** The compared data set, and those that could be compared instead */
  set: ComparableSet;
  sets: ComparableSet[];
  limits: WhiteSpaceLimits;
  /** Median rate of these ZIP codes with an amount; null if none has one */
  median: number | null;
  /** Numbers of ZIP codes in the territory, and of those that border it */
  counts: Record<WhiteSpaceClass, HeldAndAround>;
  /** Numbers of those whose score, owner households, or amount is unknown to the caller, or far from local amounts */
  unknown: HeldAndAround;
  /** ZIP codes in white space: the highest scores first, then the lowest rates */
  best: WhiteSpaceZip[];
  /** All ZIP codes in white space that border the territory, best first */
  additions: string[];
}

interface HeldAndAround {
  held: number;
  around: number;
}

type ComparableSet = Pick<DataSet, 'slug' | 'name' | 'unit'>;

export interface WhiteSpaceZip extends Pick<ZipFacts, 'zip' | 'city' | 'state'>, PlaceDistances {
  score: number;
  rate: number;
  isHeld: boolean;
  /** Other brands within the caller's scope that hold it */
  heldBy: Brand[];
}

interface BrandWhiteSpaceOptions {
  /** Slug */
  vertical: string;
  /** Short name of a data set; default: the first one */
  data: string | null;
  /** Maximum length of `best` */
  limit: number;
}

/**
 * Returns null if no data set is named and none has a sum in or around the territory.
 * @throws ServiceError 402 as `recordSeenZips`
 */
export async function brandWhiteSpace(
  caller: Pick<Caller, 'tenant' | 'subscription' | 'brandScope'>,
  brand: Brand,
  { vertical, data, limit }: BrandWhiteSpaceOptions,
): Promise<BrandWhiteSpace | null> {
  const { tenant, brandScope } = caller;
  const held = new Set((await heldZipStatuses(tenant, brand)).keys());
  const around = neighborsOfSet(await readAdjacency(tenant.common, held), held);
  const zips = [...held, ...around].sort();
  const sets = (await listDataSets(tenant)).filter(({ addsUp }) => addsUp === 'sum');
  const named = sets.find(({ slug }) => slug === data);
  const chosen = named ? await rateOf(caller, named) : await firstWithAmounts(caller, sets, zips);
  if (!chosen) return null;
  const { set, valueAt } = chosen;
  const facts = await zipFacts(tenant.common, zips, vertical);
  const rates = facts.map(({ zip, ownerOccupiedHouseholds: owners }) => valueAt(zip, owners));
  const median = medianRate(rates);
  const limits = { strongFrom: STRONG_FROM, servedFrom: median === null ? 0 : threeDigits(median) };
  // Local amounts, such as jobs in one metro, say nothing about a territory far away.
  const sold = [...set.amounts].flatMap(([zip, amount]) => (amount > 0 ? [zip] : []));
  const near = await zipsNear(tenant.common, sold, LOCAL_MILES, zips);
  const isLocal = sold.length > 0 && isLocalShare(near.size, zips.length);
  const isCompared = isLocal ? (zip: string) => near.has(zip) : () => true;
  const classes = facts.map(({ zip, score }, i) =>
    isCompared(zip) ? whiteSpaceClass(score, rates[i]!, limits) : null,
  );
  const countOf = (name: WhiteSpaceClass | null): HeldAndAround => {
    const inClass = facts.filter((_, i) => classes[i] === name);
    const own = inClass.filter(({ zip }) => held.has(zip)).length;
    return { held: own, around: inClass.length - own };
  };
  const counts = Object.fromEntries(
    WHITE_SPACE_CLASSES.map((name) => [name, countOf(name)]),
  ) as BrandWhiteSpace['counts'];
  const ranked = facts
    .map((zip, i) => ({ ...zip, score: zip.score!, rate: rates[i]!, name: classes[i] }))
    .filter(({ name }) => name === 'white')
    .sort((a, b) => b.score - a.score || a.rate - b.rate);
  const listed = ranked.slice(0, limit);
  const shown = listed.map(({ zip }) => zip);
  // Numbers of ZIP codes aren't figures.
  await recordSeenZips(caller, shown, { among: zips });
  const [holders, distances] = await Promise.all([
    holdersOf(tenant, brandScope, shown),
    placeDistances(tenant, shown, brand.id),
  ]);
  return {
    set,
    sets,
    limits,
    median,
    counts,
    unknown: countOf(null),
    best: listed.map(({ zip, city, state, score, rate }) => ({
      zip,
      city,
      state,
      score,
      rate,
      isHeld: held.has(zip),
      heldBy: (holders.get(zip) ?? []).filter(({ id }) => id !== brand.id),
      ...distances(zip),
    })),
    additions: ranked.map(({ zip }) => zip).filter((zip) => !held.has(zip)),
  };
}

const rateOf = (caller: Pick<Caller, 'tenant' | 'brandScope'>, { slug }: DataSet) =>
  readDataField(caller, `rate:${slug}`);

/** Returns the first data set with an amount in these ZIP codes. Usually, that is the first one read. */
async function firstWithAmounts(
  caller: Pick<Caller, 'tenant' | 'brandScope'>,
  sets: readonly DataSet[],
  zips: readonly string[],
): Promise<DataValues | null> {
  for (const set of sets) {
    const values = await rateOf(caller, set);
    if (zips.some((zip) => values.set.amounts.has(zip))) return values;
  }
  return null;
}

/** Rounds down to three digits, because links have the limit in their address. The median still counts as served. */
function threeDigits(rate: number): number {
  const unit = 10 ** (Math.floor(Math.log10(rate)) - 2);
  return Number((Math.floor(rate / unit) * unit).toPrecision(3));
}
