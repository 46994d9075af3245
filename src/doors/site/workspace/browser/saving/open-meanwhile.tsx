/** Says which ZIP codes no brand has live between a removal, which is immediate, and a review. */
import { countZips, namedZips } from '../counts.ts';

export function OpenMeanwhile({ zips }: { zips: readonly string[] }) {
  if (zips.length === 0) return null;
  return (
    <p class="notice">
      {countZips(zips.length)} {zips.length === 1 ? 'changes' : 'change'} brands: {namedZips(zips)}.
      No brand has {zips.length === 1 ? 'it' : 'them'} live until a reviewer approves{' '}
      {zips.length === 1 ? 'it' : 'them'}.
    </p>
  );
}
