/** The unsaved ZIP codes of a draft. Pure. */
import { territoryOf } from './edits.ts';
import type { Draft } from './draft.ts';
import { difference, union } from '../selection/sets.ts';

interface Unsaved {
  /** ZIP codes with a new territory, including moved ones */
  added: ReadonlySet<number>;
  /** ZIP codes that leave a territory without a new one */
  removed: ReadonlySet<number>;
}

const NO_ZIPS: ReadonlySet<number> = new Set();

export function unsavedZips(saved: Draft, draft: Draft): Unsaved {
  const numbers = new Set([...saved.territories, ...draft.territories].map(({ number }) => number));
  let added = new Set<number>();
  let left = new Set<number>();
  for (const number of numbers) {
    const [before, after] = [saved, draft].map((one) => territoryOf(one, number)?.zips ?? NO_ZIPS);
    // Edits keep the sets that they don't change.
    if (before === after) continue;
    added = union(added, difference(after!, before!));
    left = union(left, difference(before!, after!));
  }
  return { added, removed: difference(left, added) };
}
