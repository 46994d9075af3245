/**
 * Made-up jobs of the demo: many near the middle of its home markets, fewer with distance, and more to the north than to
 * the south, so that newcomers find white space. Pure.
 */
import type { ZipCenter } from './areas.ts';

export interface Neighborhood extends ZipCenter {
  ownerHouseholds: number;
}

/** Jobs per 1,000 owner households at the base */
const BEST_RATE = 6;
/** Distance at which the rate falls to a third, in km */
const REACH_KM = 13;
const KM_PER_DEGREE = 111.2;
/** Average price of a job, in dollars */
const TICKET = 9_400;

interface SampleJobs {
  /** ZIP codes with at least one job, sorted */
  zips: string[];
  jobs: number[];
  /** In dollars */
  revenue: number[];
}

/** @param bases the middle of each home market */
export function sampleJobs(
  neighborhoods: readonly Neighborhood[],
  bases: readonly Omit<ZipCenter, 'zip'>[],
): SampleJobs {
  const rows = neighborhoods
    .map((one) => {
      const rate = Math.max(...bases.map((base) => rateAt(one, base)));
      const jobs = Math.round((one.ownerHouseholds / 1000) * rate * (0.6 + 0.8 * noise(one.zip)));
      return {
        zip: one.zip,
        jobs,
        revenue: Math.round(jobs * TICKET * (0.85 + 0.3 * noise(`${one.zip}$`))),
      };
    })
    .filter(({ jobs }) => jobs > 0)
    .sort((a, b) => (a.zip < b.zip ? -1 : 1));
  return {
    zips: rows.map(({ zip }) => zip),
    jobs: rows.map(({ jobs }) => jobs),
    revenue: rows.map(({ revenue }) => revenue),
  };
}

function rateAt({ lng, lat }: ZipCenter, base: Omit<ZipCenter, 'zip'>): number {
  const north = (lat - base.lat) * KM_PER_DEGREE;
  const east = (lng - base.lng) * KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  const km = Math.hypot(north, east);
  const towardNorth = km === 0 ? 1 : (1 + north / km) / 2;
  return BEST_RATE * Math.exp(-km / REACH_KM) * (0.3 + 0.7 * towardNorth);
}

/** Returns a number from 0 to 1 that depends only on the text: FNV-1a. */
function noise(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  // The last bits of similar texts are similar, the mixed ones aren't.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
