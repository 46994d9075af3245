import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  Brand,
  Draft,
} from '../../../../src/doors/site/workspace/browser/territories/draft.ts';
import { territoryOf } from '../../../../src/doors/site/workspace/browser/territories/edits.ts';
import {
  acceptedDraft,
  changesByTerritory,
  changesOf,
  decide,
  matchedTo,
  proposedDraft,
  withoutOverlaps,
  type Designed,
  type Proposal,
} from '../../../../src/doors/site/workspace/browser/proposals/proposal.ts';
import { draftOf, gridMarket, territory } from './grid.ts';

const market = gridMarket({ columns: 6, rows: 5 });
const COUNT = market.zips.length;
const brand = (name: string): Brand => ({ id: `id of ${name}`, slug: name.toLowerCase(), name });

const listsOf = (places: readonly number[], most: number) =>
  Array.from({ length: most }, (_, number) =>
    places.flatMap((place, zip) => (place === number ? [zip] : [])),
  );

/** Places of the ZIP codes: the index of a territory, or -1 */
const places = fc.array(fc.integer({ min: -1, max: 3 }), { minLength: COUNT, maxLength: COUNT });
const plan = places.map((all): Draft => draftOf(...listsOf(all, 4)));

/** Brands, each of which also holds the ZIP codes of the next one */
const sharing = plan.map(({ territories }): Draft => ({
  territories: territories.map((one, i) => ({
    ...one,
    brand: brand(one.name),
    zips: new Set([...one.zips, ...(territories[i + 1]?.zips ?? [])]),
  })),
}));

const divideZips = (all: readonly number[]): Designed[] =>
  listsOf(all, 4).map((zips, i) => ({
    number: i + 1,
    name: `City ${i + 1}`,
    zips: zips.map((zip) => market.zips[zip]!),
  }));

const proposalOf = (base: Draft, draft: Draft, declined: Iterable<number> = []): Proposal => ({
  title: 'Divide into 4',
  notes: [],
  kind: 'proposal',
  base,
  draft,
  bridges: [],
  connections: [],
  declined: new Set(declined),
  balance: 'households',
  vertical: 'roofing',
});

const holders = ({ territories }: Draft, zip: number) =>
  territories.filter(({ zips }) => zips.has(zip)).map(({ number }) => number);

describe('a proposal', () => {
  it('puts every ZIP code where the solver put it, in territories with different numbers', () => {
    fc.assert(
      fc.property(fc.oneof(plan, sharing), places, (base, solved) => {
        const draft = proposedDraft(market, base, divideZips(solved));
        const shown = draft.territories.map(({ zips }) => [...zips].sort((a, b) => a - b).join());
        expect(shown.filter(Boolean).sort()).toEqual(
          listsOf(solved, 4)
            .map((zips) => zips.join())
            .filter(Boolean)
            .sort(),
        );
        const numbers = draft.territories.map(({ number }) => number);
        expect(new Set(numbers).size).toBe(numbers.length);
        expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
      }),
    );
  });

  it('is accepted ZIP code by ZIP code', () => {
    fc.assert(
      fc.property(plan, places, fc.uniqueArray(fc.nat(COUNT - 1)), (base, solved, declined) => {
        const draft = proposedDraft(market, base, divideZips(solved));
        const accepted = acceptedDraft(proposalOf(base, draft, declined));
        for (let zip = 0; zip < COUNT; zip++) {
          const from = declined.includes(zip) ? base : draft;
          expect(holders(accepted, zip)).toEqual(holders(from, zip));
        }
      }),
    );
  });

  it('changes nothing if everything is declined', () => {
    fc.assert(
      fc.property(plan, places, (base, solved) => {
        const draft = proposedDraft(market, base, divideZips(solved));
        const proposal = decide(
          proposalOf(base, draft),
          changesOf(base, draft).map(({ zip }) => zip),
          false,
        );
        // Territories without ZIP codes that the solver drops aren't worth keeping.
        const rest = acceptedDraft(proposal).territories.filter(({ zips }) => zips.size > 0);
        expect(rest).toEqual(base.territories.filter(({ zips }) => zips.size > 0));
        const none = decide(proposal, proposal.declined, true);
        expect(acceptedDraft(none)).toBe(draft);
      }),
    );
  });

  it('lists each ZIP code that changes territories once, under both territories', () => {
    fc.assert(
      fc.property(plan, places, (base, solved) => {
        const draft = proposedDraft(market, base, divideZips(solved));
        const groups = changesByTerritory(base, draft);
        const gained = groups.flatMap((group) => group.gained);
        expect(gained.toSorted((a, b) => a.zip - b.zip)).toEqual(changesOf(base, draft));
        for (const { territory: one, lost } of groups) {
          for (const { zip } of lost)
            expect(territoryOf(base, one!.number)!.zips.has(zip)).toBe(true);
        }
      }),
    );
  });

  it('keeps the number, name, and brand of each territory that keeps most of its ZIP codes', () => {
    const acme = brand('Acme');
    const base: Draft = {
      territories: [
        territory(1, [0, 1, 2], { name: 'West', brand: acme }),
        territory(2, [3, 4, 5, 6]),
      ],
    };
    const designed = [
      { number: 1, name: 'Dallas', zips: ['75003', '75004', '75005'] },
      { number: 2, name: 'Plano', zips: ['75000', '75001'] },
      { number: 3, name: 'Dallas 2', zips: ['75002', '75006'] },
    ];
    expect(proposedDraft(market, base, designed).territories).toEqual([
      territory(1, [0, 1], { name: 'West', brand: acme }),
      territory(2, [3, 4, 5]),
      territory(3, [2, 6], { name: 'Dallas' }),
    ]);
  });

  it('leaves shared ZIP codes with both kept brands, and keeps brands that get none', () => {
    const [a, b, c] = ['A', 'B', 'C'].map(brand);
    const base: Draft = {
      territories: [
        territory(1, [0, 1, 2], { brand: a!, pending: new Set([2]) }),
        territory(2, [2, 3, 4], { brand: b! }),
        territory(3, [5], { brand: c! }),
      ],
    };
    expect(withoutOverlaps(base).map(({ zips }) => [...zips])).toEqual([[0, 1, 2], [3, 4], [5]]);
    const designed = [
      { number: 1, name: null, zips: ['75000', '75001', '75003'] },
      { number: 2, name: null, zips: ['75002', '75004', '75005'] },
    ];
    const draft = proposedDraft(market, base, designed);
    expect(draft.territories).toEqual([
      territory(1, [0, 1, 3], { brand: a! }),
      territory(2, [2, 4, 5], { brand: b! }),
      territory(3, [], { brand: c! }),
    ]);
    expect(changesOf(base, draft)).toEqual([
      { zip: 2, from: 1, to: null },
      { zip: 3, from: 2, to: 1 },
      { zip: 5, from: 3, to: 2 },
    ]);
  });
});

describe('a comparison', () => {
  it('pairs territories by brand, then by common ZIP codes, and shows nothing if they are equal', () => {
    const acme = brand('Acme');
    const draft: Draft = {
      territories: [
        territory(4, [0, 1, 2], { name: 'North', brand: acme }),
        territory(7, [3, 4], { name: 'South' }),
      ],
    };
    const other: Draft = {
      territories: [
        territory(1, [3, 4, 5], { name: 'Lower' }),
        territory(2, [0], { name: 'Acme', brand: acme }),
        territory(3, [9], { name: 'Far' }),
      ],
    };
    const matched = matchedTo(draft, other);
    expect(matched.territories.map(({ number, name }) => [number, name])).toEqual([
      [1, 'Far'],
      [4, 'Acme'],
      [7, 'Lower'],
    ]);
    expect(changesByTerritory(matched, draft)).toMatchObject([
      { territory: { name: 'North' }, gained: [{ zip: 1, from: null }, { zip: 2 }], lost: [] },
      { territory: { name: 'South' }, gained: [], lost: [{ zip: 5 }] },
      { territory: { name: 'Far' }, status: 'removed', lost: [{ zip: 9, to: null }] },
      { territory: null, gained: [{ zip: 5 }, { zip: 9 }] },
    ]);
    fc.assert(
      fc.property(plan, (same) => {
        expect(changesOf(matchedTo(same, same), same)).toEqual([]);
      }),
    );
  });
});
