import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editedTerritories } from '../../../../src/territories/plans/edit.ts';
import type { PlanTerritory } from '../../../../src/territories/plans/plans.ts';
import {
  liveChangesOf,
  planEditOf,
} from '../../../../src/doors/site/workspace/browser/saving/changes.ts';
import type {
  Brand,
  Draft,
} from '../../../../src/doors/site/workspace/browser/territories/draft.ts';
import {
  addTerritory,
  addZips,
  assignBrand,
  deleteTerritory,
  moveZips,
  nextNumber,
  removeZips,
  renameTerritory,
  territoryOf,
} from '../../../../src/doors/site/workspace/browser/territories/edits.ts';
import {
  NO_HISTORY,
  redo,
  takeStep,
  undo,
} from '../../../../src/doors/site/workspace/browser/territories/history.ts';
import { mergeDrafts } from '../../../../src/doors/site/workspace/browser/saving/merge.ts';
import { unsavedZips } from '../../../../src/doors/site/workspace/browser/territories/unsaved.ts';
import { draftOf, gridMarket, territory } from './grid.ts';

const market = gridMarket({ columns: 6, rows: 5 });
const BRANDS = ['Lone Star', 'Blue Sky'].map((name, i): Brand => ({
  id: `id ${i}`,
  slug: `brand-${i}`,
  name,
}));

type Edit = (draft: Draft) => Draft;

const zipSet = fc
  .uniqueArray(fc.nat(market.zips.length - 1), { maxLength: 12 })
  .map((zips) => new Set(zips));

/** Maps any number to one of the draft's territories. */
const territoryAt = ({ territories }: Draft, choice: number) =>
  territories.length === 0 ? undefined : territories[choice % territories.length]!.number;

const withChosen =
  (choice: number, edit: (draft: Draft, number: number) => Draft): Edit =>
  (draft) => {
    const number = territoryAt(draft, choice);
    return number === undefined ? draft : edit(draft, number);
  };

const planEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .tuple(zipSet, fc.nat(9))
    .map(([zips, choice]) => withChosen(choice, (draft, to) => moveZips(draft, zips, to))),
  zipSet.map((zips) => (draft: Draft) => moveZips(draft, zips, null)),
  fc.constant((draft: Draft) => addTerritory(draft, nextNumber(draft))),
  fc.nat(9).map((choice) => withChosen(choice, deleteTerritory)),
  fc
    .tuple(fc.nat(9), fc.constantFrom('North', 'South'))
    .map(([choice, name]) => withChosen(choice, (draft, to) => renameTerritory(draft, to, name))),
  fc
    .tuple(fc.nat(9), fc.constantFrom(null, ...BRANDS))
    .map(([choice, brand]) => withChosen(choice, (draft, to) => assignBrand(draft, to, brand))),
);

const edits = (maxLength: number) => fc.array(planEdit, { maxLength });
const applyAll = (draft: Draft, list: readonly Edit[]) =>
  list.reduce((one, edit) => edit(one), draft);

const plan = edits(8).map((list) => applyAll(draftOf([0, 1, 2], [10, 11], []), list));

/** The draft as the server would have it */
const serverTerritories = ({ territories }: Draft): PlanTerritory[] =>
  territories.map(({ zips, pending: _pending, ...one }) => ({
    ...one,
    zips: [...zips].map((zip) => market.zips[zip]!).sort(),
  }));

/** For comparisons: sets without an order */
const facts = ({ territories }: Draft) =>
  territories.map(({ number, name, brand, zips }) => ({
    number,
    name,
    brand: brand?.id,
    zips: [...zips].sort((a, b) => a - b),
  }));

const assignments = ({ territories }: Draft) =>
  new Map(territories.flatMap(({ number, zips }) => [...zips].map((zip) => [zip, number])));

describe('edits of a draft', () => {
  it('keep each ZIP code of a plan in one territory, and each brand with one', () => {
    fc.assert(
      fc.property(plan, ({ territories }) => {
        const zips = territories.flatMap((one) => [...one.zips]);
        expect(new Set(zips).size).toBe(zips.length);
        const brands = territories.flatMap(({ brand }) => brand?.id ?? []);
        expect(new Set(brands).size).toBe(brands.length);
        const numbers = territories.map(({ number }) => number);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      }),
    );
  });

  it('leave other territories unchanged', () => {
    fc.assert(
      fc.property(plan, zipSet, fc.nat(9), (draft, zips, choice) => {
        const to = territoryAt(draft, choice);
        fc.pre(to !== undefined);
        const moved = moveZips(draft, zips, to);
        for (const one of zips) expect(territoryOf(moved, to)!.zips.has(one)).toBe(true);
        const untouched = draft.territories.filter(
          ({ number, zips: before }) => number !== to && ![...zips].some((zip) => before.has(zip)),
        );
        for (const one of untouched) expect(territoryOf(moved, one.number)).toBe(one);
        expect(moveZips(moved, zips, to)).toBe(moved);
      }),
    );
  });

  it('let brands share a ZIP code that is added, and take it from one of them', () => {
    const draft = addZips(draftOf([0, 1], [5]), new Set([1, 2]), 2);
    expect(facts(draft).map(({ zips }) => zips)).toEqual([
      [0, 1],
      [1, 2, 5],
    ]);
    expect(facts(removeZips(draft, new Set([1, 5]), 2)).map(({ zips }) => zips)).toEqual([
      [0, 1],
      [2],
    ]);
  });

  it('don’t leave a removed ZIP code pending', () => {
    const draft = { territories: [territory(1, [0, 1], { pending: new Set([0, 1]) })] };
    const [left] = moveZips(draft, new Set([0]), null).territories;
    expect(left!.pending).toEqual(new Set([1]));
  });
});

describe('the history', () => {
  it('undoes and redoes any number of steps', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { maxLength: 300 }), (values) => {
        let timeline = { present: 0, history: NO_HISTORY };
        const shown = [0];
        for (const value of values) {
          const next = takeStep(timeline, value, `to ${value}`);
          if (next === timeline) continue;
          expect(next.history.past.at(-1)).toEqual({
            value: timeline.present,
            label: `to ${value}`,
          });
          timeline = next as typeof timeline;
          shown.push(value);
        }
        for (const value of shown.slice(0, -1).reverse()) {
          timeline = undo(timeline) as typeof timeline;
          expect(timeline.present).toBe(value);
        }
        expect(undo(timeline)).toBe(timeline);
        for (const value of shown.slice(1)) {
          const label = timeline.history.future.at(-1) as { label: string } | undefined;
          expect(label?.label).toBe(`to ${value}`);
          timeline = redo(timeline) as typeof timeline;
          expect(timeline.present).toBe(value);
        }
        expect(redo(timeline)).toBe(timeline);
      }),
    );
  });

  it('forgets what was undone with the next step', () => {
    const start = takeStep({ present: 'a', history: NO_HISTORY }, 'b', 'to b');
    const other = takeStep(undo(start), 'c', 'to c');
    expect(redo(other)).toBe(other);
    expect(undo(other).present).toBe('a');
  });
});

describe('saving a plan', () => {
  it('sends an edit with which the server arrives at the draft', () => {
    fc.assert(
      fc.property(plan, edits(10), (saved, list) => {
        const draft = applyAll(saved, list);
        const edit = planEditOf(market, saved, draft);
        const bySlug = new Map(BRANDS.map((brand) => [brand.slug, brand]));
        const stored = { zips: market.zips, territories: serverTerritories(saved) };
        expect(editedTerritories(stored, edit, bySlug)).toEqual(serverTerritories(draft));
      }),
    );
  });

  it('sends nothing for an unchanged draft, and long moves in parts', () => {
    const saved = draftOf([0, 1], [2]);
    expect(planEditOf(market, saved, saved)).toEqual({ deletions: [], territories: [], moves: [] });
    const large = gridMarket({ columns: 100, rows: 60 });
    const all = new Set(large.zips.keys());
    const { moves } = planEditOf(large, draftOf([]), moveZips(draftOf([]), all, 1));
    expect(moves.map(({ zips, to }) => [zips.length, to])).toEqual([
      [5_000, 1],
      [1_000, 1],
    ]);
  });

  it('lists what each brand requests and gives up', () => {
    const [a, b] = BRANDS;
    const saved: Draft = {
      territories: [territory(1, [0, 1], { brand: a! }), territory(2, [7], { brand: b! })],
    };
    const draft = addZips(moveZips(saved, new Set([1]), 2), new Set([8]), 2);
    expect(liveChangesOf(market, saved, draft)).toEqual([
      { brand: a, added: [], removed: ['75001'] },
      { brand: b, added: ['75001', '75008'], removed: [] },
    ]);
    expect(liveChangesOf(market, saved, saved)).toEqual([]);
  });
});

describe('reapplying edits to a version that someone else saved', () => {
  it('changes nothing else where only one of the two edited', () => {
    fc.assert(
      fc.property(plan, edits(8), (base, list) => {
        const edited = applyAll(base, list);
        for (const { draft, contested, restored } of [
          mergeDrafts(base, edited, base),
          mergeDrafts(base, base, edited),
        ]) {
          expect(facts(draft)).toEqual(facts(edited));
          expect(contested.size + restored.length).toBe(0);
        }
      }),
    );
  });

  it('keeps every own move, and every other move of the other person', () => {
    const moves = fc.array(
      fc
        .tuple(zipSet, fc.nat(9))
        .map(([zips, choice]) => withChosen(choice, (draft, to) => moveZips(draft, zips, to))),
      { maxLength: 5 },
    );
    fc.assert(
      fc.property(plan, moves, moves, (base, ownMoves, otherMoves) => {
        const [mine, theirs] = [applyAll(base, ownMoves), applyAll(base, otherMoves)];
        const merged = mergeDrafts(base, mine, theirs);
        const [was, own, other, now] = [base, mine, theirs, merged.draft].map(assignments);
        for (const zip of market.zips.keys()) {
          const isOwn = own!.get(zip) !== was!.get(zip);
          expect(now!.get(zip)).toBe((isOwn ? own : other)!.get(zip));
          const isContested =
            isOwn && other!.get(zip) !== was!.get(zip) && other!.get(zip) !== own!.get(zip);
          expect(merged.contested.has(zip)).toBe(isContested);
        }
      }),
    );
  });

  it('keeps ZIP codes, brands, and numbers unique, whatever both did', () => {
    fc.assert(
      fc.property(plan, edits(8), edits(8), (base, one, two) => {
        const { draft } = mergeDrafts(base, applyAll(base, one), applyAll(base, two));
        const zips = draft.territories.flatMap((each) => [...each.zips]);
        expect(new Set(zips).size).toBe(zips.length);
        const brands = draft.territories.flatMap(({ brand }) => brand?.id ?? []);
        expect(new Set(brands).size).toBe(brands.length);
        const numbers = draft.territories.map(({ number }) => number);
        expect(new Set(numbers).size).toBe(numbers.length);
      }),
    );
  });

  it('keeps both of two added territories, under different numbers', () => {
    const base = draftOf([0]);
    const mine = moveZips(addTerritory(base, 2, 'Mine'), new Set([5]), 2);
    const theirs = moveZips(addTerritory(base, 2, 'Theirs'), new Set([6]), 2);
    expect(facts(mergeDrafts(base, mine, theirs).draft)).toMatchObject([
      { number: 1, zips: [0] },
      { number: 2, name: 'Theirs', zips: [6] },
      { number: 3, name: 'Mine', zips: [5] },
    ]);
  });

  it('restores a deleted territory that the edits need', () => {
    const base = draftOf([0], [1]);
    const mine = moveZips(base, new Set([9]), 2);
    const { draft, restored } = mergeDrafts(base, mine, deleteTerritory(base, 2));
    expect(facts(draft)).toMatchObject([{ number: 1 }, { number: 2, zips: [9] }]);
    expect(restored.map(({ number }) => number)).toEqual([2]);
  });
});

describe('unsaved changes', () => {
  const saved = draftOf([0, 1], [2, 3]);

  it('are empty at first, and again after an edit is undone by hand', () => {
    const none = { added: new Set(), removed: new Set() };
    expect(unsavedZips(saved, saved)).toEqual(none);
    const there = moveZips(saved, new Set([1, 7]), 2);
    const back = moveZips(moveZips(there, new Set([1]), 1), new Set([7]), null);
    expect(unsavedZips(saved, back)).toEqual(none);
  });

  it('count ZIP codes that a territory receives as added, and only those left in no territory as removed', () => {
    const moved = moveZips(saved, new Set([1, 7]), 2);
    const draft = moveZips(moved, new Set([3]), null);
    expect(unsavedZips(saved, draft)).toEqual({ added: new Set([1, 7]), removed: new Set([3]) });
  });

  it('count a ZIP code that one of two brands gives up as removed', () => {
    const shared = addZips(saved, new Set([1]), 2);
    expect(unsavedZips(saved, shared)).toEqual({ added: new Set([1]), removed: new Set() });
    const left = removeZips(shared, new Set([1]), 1);
    expect(unsavedZips(shared, left)).toEqual({ added: new Set(), removed: new Set([1]) });
  });

  it('cover new and deleted territories', () => {
    const fewer = draftOf([0, 1]);
    expect(unsavedZips(saved, fewer).removed).toEqual(new Set([2, 3]));
    expect(unsavedZips(fewer, saved).added).toEqual(new Set([2, 3]));
  });
});
