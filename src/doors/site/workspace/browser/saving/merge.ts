/**
 * Reapplies the edits of a plan's draft to a version that someone else has saved in the meantime, as in a
 * three-way merge. If both changed the same ZIP code differently, the person's own edit counts. Pure.
 */
import { territoriesByZip, type Draft, type DraftTerritory } from '../territories/draft.ts';
import {
  addTerritory,
  assignBrand,
  deleteTerritory,
  moveZips,
  nextNumber,
} from '../territories/edits.ts';
import { renameTerritory, territoryOf } from '../territories/edits.ts';
import { groupBy } from '../selection/sets.ts';

export interface Merged {
  draft: Draft;
  /** ZIP codes that the other person assigned to a different territory than the draft */
  contested: ReadonlySet<number>;
  /** Territories that the other person deleted but the edits need */
  restored: readonly DraftTerritory[];
}

/**
 * @param base the draft before the edits
 * @param mine the draft with the edits
 * @param theirs the saved version of the other person
 */
export function mergeDrafts(base: Draft, mine: Draft, theirs: Draft): Merged {
  const [before, own, other] = [numbersByZip(base), numbersByZip(mine), numbersByZip(theirs)];
  const moved = [...new Set([...before.keys(), ...own.keys()])].filter(
    (zip) => before.get(zip) !== own.get(zip),
  );
  const contested = new Set(
    moved.filter((zip) => other.get(zip) !== before.get(zip) && other.get(zip) !== own.get(zip)),
  );
  const needed = new Set(moved.map((zip) => own.get(zip)));
  const restored: DraftTerritory[] = [];
  /** Numbers in the result by those in `mine` */
  const renumbered = new Map<number, number>();

  let draft = theirs;
  for (const { number } of base.territories) {
    if (!territoryOf(mine, number) && territoryOf(draft, number)) {
      draft = deleteTerritory(draft, number);
    }
  }
  for (const territory of mine.territories) {
    const { number, name, brand } = territory;
    const was = territoryOf(base, number);
    const isThere = territoryOf(theirs, number) !== undefined;
    const isEdited = was && (was.name !== name || was.brand?.id !== brand?.id);
    if (was && !isThere && !needed.has(number) && !isEdited) continue;
    if (was && !isThere) restored.push(territory);
    // Both may have added a territory with the same number.
    const free = was || !territoryOf(draft, number) ? number : nextNumber(both(draft, mine));
    renumbered.set(number, free);
    if (!territoryOf(draft, free)) draft = addTerritory(draft, free, name);
    if (was?.name !== name) draft = renameTerritory(draft, free, name);
    if (!isThere || was?.brand?.id !== brand?.id) draft = assignBrand(draft, free, brand);
  }
  for (const [to, zips] of groupBy(moved, (zip) => own.get(zip))) {
    draft = moveZips(draft, new Set(zips), to === undefined ? null : renumbered.get(to)!);
  }
  return { draft, contested, restored };
}

/** The territories of two drafts, for finding a number that neither uses */
const both = (a: Draft, b: Draft): Draft => ({ territories: [...a.territories, ...b.territories] });

function numbersByZip(draft: Draft): Map<number, number> {
  const numbers = new Map<number, number>();
  for (const [zip, [territory]] of territoriesByZip(draft)) numbers.set(zip, territory!.number);
  return numbers;
}
