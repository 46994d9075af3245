/** Replaces ranges and prefixes of ZIP codes by the ZIP codes that exist in them. Pure. */
import { badRequest } from '../../errors.ts';
import { formatCount } from '../text/words.ts';
import type { Reading } from './finding.ts';
import type { ZipRange } from './read-zip.ts';
import { MAX_LINES } from '../files/rows.ts';

/** Returns the existing ZIP codes in any of the ranges, sorted. */
export type ZipsInRanges = (ranges: readonly ZipRange[]) => Promise<readonly string[]>;

export type PlainReading = Exclude<Reading, { outcome: 'range' }>;

/** More than the number of three-digit prefixes */
const MAX_RANGES = 1_000;

/** @throws ServiceError 400 for too many ranges, or too many ZIP codes in them */
export async function expandRanges(
  readings: readonly Reading[],
  zipsInRanges: ZipsInRanges,
): Promise<PlainReading[]> {
  const ranges = readings.flatMap((one) => (one.outcome === 'range' ? one.range : []));
  if (ranges.length === 0) return readings as PlainReading[];
  if (ranges.length > MAX_RANGES) throw tooMany(`${formatCount(MAX_RANGES)} ranges and prefixes`);
  const existing = await zipsInRanges(ranges);
  const expanded: PlainReading[] = [];
  for (const one of readings) {
    if (one.outcome === 'range') expanded.push(...zipsOf(one, existing));
    else expanded.push(one);
    if (expanded.length > MAX_LINES) throw tooMany(`${formatCount(MAX_LINES)} entries`);
  }
  return expanded;
}

function zipsOf(
  { range: { from, to }, ...one }: Extract<Reading, { outcome: 'range' }>,
  existing: readonly string[],
): PlainReading[] {
  const zips = existing.filter((zip) => zip >= from && zip <= to);
  if (zips.length === 0) {
    return [
      { ...one, outcome: 'not_understood', reason: `No ZIP code found from ${from} to ${to}.` },
    ];
  }
  return zips.map((zip) => ({ ...one, zip, outcome: 'guessed' }));
}

const tooMany = (what: string) =>
  badRequest(`The list has more than ${what}, the maximum for one import. Split it up.`);
