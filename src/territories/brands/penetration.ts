/**
 * How well an organization serves ZIP codes by one of its data sets: the amount per 1,000 owner households, next to the
 * median of the ZIP codes with an amount in the same metro, or in the same state outside of metros.
 */
import { rollup } from 'd3-array';
import type { Queryable } from '../../base/db/database.ts';
import { formatAmount, formatRate } from '../own-data/amount-text.ts';
import { readDataField } from '../own-data/data-fields.ts';
import { medianRate } from '../own-data/white-space.ts';
import type { DataViewer } from './targeting/own-ranks.ts';

export interface Penetration {
  /** Whether the rate is at least the median, or null if it is unknown */
  isServed: boolean | null;
  /** `Jobs 2025: 78, 2.1 per 1,000 owner households; the metro’s median is 0.4` */
  words: string;
}

interface Penetrations {
  /** Returns the penetration of each of the ZIP codes. */
  of(zips: readonly string[]): Promise<Map<string, Penetration>>;
  /** ZIP codes that are served */
  served: string[];
  /** Those with an amount, which the medians summarize */
  zips: readonly string[];
}

/**
 * Compares rates of a data set.
 * @param ref slug, name, or id of the data set
 * @throws ServiceError 400 as `readDataField`
 */
export async function readPenetration(viewer: DataViewer, ref: string): Promise<Penetrations> {
  const { common } = viewer.tenant;
  const { set, valueAt } = await readDataField(viewer, `rate:${ref}`);
  const zips = [...set.amounts.keys()];
  const rateAt = ({ zip, owners }: ZipOwners) => valueAt(zip, owners);
  const places = await placesOf(common, zips);
  const medians = rollup(places, (some) => medianRate(some.map(rateAt)), areaOf);
  const penetrationAt = (place: ZipOwners): Penetration => {
    const rate = rateAt(place);
    if (rate === null) return { isServed: null, words: `${set.name}: no known rate` };
    const median = medians.get(areaOf(place)) ?? null;
    const amount = set.amounts.get(place.zip) ?? 0;
    const area = place.metro ? 'metro' : 'state outside of metros';
    const compared =
      median === null
        ? `no ZIP code in the ${area} has any`
        : place.metro
          ? `the metro’s median is ${formatAmount(set, median)}`
          : `the median in the ${area} is ${formatAmount(set, median)}`;
    return {
      isServed: rate > 0 && median !== null && rate >= median,
      words: `${set.name}: ${formatAmount(set, amount)}, ${formatRate(set, rate)}; ${compared}`,
    };
  };
  return {
    async of(some) {
      const found = await placesOf(common, some);
      return new Map(found.map((place) => [place.zip, penetrationAt(place)]));
    },
    served: places.filter((place) => penetrationAt(place).isServed).map(({ zip }) => zip),
    zips,
  };
}

const placesOf = (db: Queryable, zips: readonly string[]) =>
  db.query<ZipOwners>(
    `select zip, metro_slug as metro, state, owner_occupied_households as owners
     from zips left join metro_counties using (county_fips) left join zip_demographics using (zip)
     where zip = any($1)`,
    [zips],
  );

const areaOf = ({ metro, state }: ZipOwners) => metro ?? state;

interface ZipOwners {
  zip: string;
  metro: string | null;
  /** USPS code */
  state: string | null;
  owners: number | null;
}
