import { MAX_ZIPS_PER_CHANGE } from '../validate-zips.ts';

/** Splits ZIP codes into batches of the maximum size of one change. */
export function batchesOf(zips: readonly string[]): string[][] {
  const ordered = [...new Set(zips)].sort();
  return Array.from({ length: Math.ceil(ordered.length / MAX_ZIPS_PER_CHANGE) }, (_, i) =>
    ordered.slice(i * MAX_ZIPS_PER_CHANGE, (i + 1) * MAX_ZIPS_PER_CHANGE),
  );
}
