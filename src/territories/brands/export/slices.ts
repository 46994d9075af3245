/** Number of ZIP codes that take a few milliseconds to write. Other requests run between the slices. */
const SLICE_ZIPS = 50;

export function* slicesOf<T>(zips: readonly T[]): Generator<T[]> {
  for (let i = 0; i < zips.length; i += SLICE_ZIPS) yield zips.slice(i, i + SLICE_ZIPS);
}
