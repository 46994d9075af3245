/** A picture with the counts of its ZIP codes in one piece, so that caches keep them together. */
import type { ZipCounts } from '../../base/contract/zip-counts.ts';
import type { ZipMap } from './zip-map.ts';

type CountedPicture = Pick<ZipMap, 'picture' | 'zips' | 'unlabeled' | 'missing' | 'elsewhere'>;

export const zipCounts = ({ zips, unlabeled, missing, elsewhere }: CountedPicture): ZipCounts => ({
  drawn: zips,
  unlabeled: unlabeled.length,
  missing: missing.length,
  elsewhere: elsewhere.length,
});

/** The counts as a line of JSON, then the picture */
export const packPicture = (map: CountedPicture): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(zipCounts(map))}\n`), map.picture]);

export function unpackPicture(packed: Uint8Array): { counts: ZipCounts; picture: Uint8Array } {
  const end = packed.indexOf('\n'.charCodeAt(0));
  const counts = JSON.parse(Buffer.from(packed.subarray(0, end)).toString()) as ZipCounts;
  return { counts, picture: packed.subarray(end + 1) };
}
