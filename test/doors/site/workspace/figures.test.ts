import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../../src/doors/site/workspace/browser/territories/draft.ts';
import { moveZips } from '../../../../src/doors/site/workspace/browser/territories/edits.ts';
import {
  balancedFigure,
  balanceIn,
  labelOfBalance,
  balancesIn,
  countSeparate,
  coverage,
  deviations,
  effectOf,
  figuresIn,
  piecesOf,
} from '../../../../src/doors/site/workspace/browser/territories/figures.ts';
import { balanceOf } from '../../../../src/territories/brands/balance.ts';
import { sumsOf, totalsOf, type ZipFacts } from '../../../../src/territories/brands/zip-facts.ts';
import { draftOf, gridMarket } from './grid.ts';

const SIZE = 6;
const SCORES = 'score:roofing';
const sometimesUnknown = (value: number) => (value % 7 === 0 ? null : value);
const figuresOfZips = {
  households: Array.from({ length: SIZE * SIZE }, (_, i) => sometimesUnknown(100 * i + 50)),
  ownerOccupiedHouseholds: Array.from({ length: SIZE * SIZE }, (_, i) => sometimesUnknown(60 * i)),
  population: Array.from({ length: SIZE * SIZE }, (_, i) => sometimesUnknown(270 * i)),
  [SCORES]: Array.from({ length: SIZE * SIZE }, (_, i) => sometimesUnknown((i * 37) % 101)),
};
const market = gridMarket({ columns: SIZE, rows: SIZE, figures: figuresOfZips });
const figures = figuresIn(market, SCORES);
const JOBS = {
  slug: 'jobs-open',
  name: 'Jobs: open',
  addsUp: 'sum',
  unit: 'count',
  period: null,
} as const;
const zipSet = fc.subarray([...market.zips.keys()]).map((zips) => new Set(zips));

it('connects the pieces of a territory over water or gaps', () => {
  fc.assert(
    fc.property(zipSet, fc.gen(), (zips, any) => {
      const pieces = piecesOf(market, zips);
      const member = (piece: number[]) => any(fc.constantFrom, ...piece);
      const bridges = pieces.slice(1).map((to, i) => [member(pieces[i]!), member(to)] as const);
      const used = any(fc.subarray, bridges);
      const bridged = { ...market, bridges: [...used, ...used, [0, 0] as const] };
      expect(figuresIn(bridged, SCORES)(zips)).toMatchObject({
        pieces: pieces.length,
        separatePieces: pieces.length - used.length,
      });
      const rest = bridges.filter((bridge) => !used.includes(bridge));
      expect(countSeparate(pieces, zips, [...bridged.bridges, ...rest])).toBe(
        Math.min(1, zips.size),
      );
    }),
  );
});

it('connects pieces through a ZIP code without a boundary', () => {
  const [a, undrawn, b] = [0, 1, 2];
  const areaKm2 = market.areaKm2.map((area, zip) => (zip === undrawn ? 0 : area));
  const borders = { ...market.borders, starts: market.borders.starts.map(() => 0) };
  const separateIn = (bridges: [number, number][]) => {
    const islands = { ...market, areaKm2, borders, bridges };
    return figuresIn(islands, SCORES)(new Set([a, undrawn, b])).separatePieces;
  };
  expect(separateIn([])).toBe(2);
  expect(separateIn([[a, undrawn]])).toBe(2);
  for (const bridges of [
    [
      [a, undrawn],
      [undrawn, b],
    ],
    [
      [undrawn, b],
      [a, undrawn],
    ],
  ] as const)
    expect(separateIn(bridges.map(([from, to]) => [from, to]))).toBe(1);
});

describe('the figures of a territory', () => {
  it('are those that the server computes', () => {
    const factOf = (zip: number): ZipFacts => ({
      zip: market.zips[zip]!,
      city: null,
      state: null,
      metro: null,
      landAreaM2: null,
      population: figuresOfZips.population![zip]!,
      households: figuresOfZips.households![zip]!,
      ownerOccupiedHouseholds: figuresOfZips.ownerOccupiedHouseholds![zip]!,
      score: figuresOfZips[SCORES]![zip]!,
    });
    const known = (value: number) => (Number.isNaN(value) ? 0 : value);
    fc.assert(
      fc.property(zipSet, (zips) => {
        const own = figures(zips);
        const server = totalsOf(sumsOf([...zips].map(factOf)));
        expect(own.zips).toBe(server.zips);
        expect(known(own.households)).toBe(server.households);
        expect(known(own.ownerHouseholds)).toBe(server.ownerOccupiedHouseholds);
        expect(known(own.population)).toBe(server.population);
        expect(known(own.averageScore)).toBeCloseTo(server.averageScore ?? 0, 0);
        expect(Math.round(known(own.opportunity))).toBe(server.opportunity ?? 0);
      }),
    );
  });

  it('have own data sets: sums, which can be balanced, and means, weighted by rows', () => {
    const amounts = Array.from({ length: SIZE * SIZE }, (_, i) => (i < 3 ? i + 1 : null));
    const own = gridMarket({
      columns: SIZE,
      rows: SIZE,
      figures: figuresOfZips,
      dataSets: [
        { ...JOBS, amounts, rows: null },
        {
          ...JOBS,
          slug: 'ticket',
          name: 'Ticket',
          addsUp: 'mean' as const,
          amounts,
          rows: amounts.map((_, i) => Math.max(0, 3 - 2 * i)),
        },
      ],
    });
    expect(balancesIn(own)).toEqual([...balancesIn(market), 'Jobs: open']);
    const measured = figuresIn(own, SCORES);
    const balanced = (zips: number[]) => balancedFigure(measured(new Set(zips)), 'Jobs: open');
    expect([[0, 1, 2], [2, 3], [4], []].map(balanced)).toEqual([6, 3, 0, 0]);
    const ticketOf = (zips: number[]) => measured(new Set(zips)).data.get('Ticket');
    expect([[0, 1], [1, 4], [4]].map(ticketOf)).toEqual([1.25, 2, NaN]);
    expect(balanceIn(own, 'jobs-open')).toBe('Jobs: open');
    expect(balanceIn(own, 'Ticket')).toBe('households');
    expect(balancedFigure(measured(new Set([1])), 'households')).toBe(150);
    expect(balancedFigure(measured(new Set([1])), 'gone')).toBeNaN();
    // Every object inherits a member of this name.
    expect(balancedFigure(measured(new Set([1])), 'constructor')).toBeNaN();
    expect(labelOfBalance('constructor')).toBe('constructor');
    const [effect] = effectOf(own, measured, 'Jobs: open', draftOf([0], [1]), draftOf([0, 2], [1]));
    expect([effect!.before, effect!.after].map((one) => Math.round(one!.deviationPct))).toEqual([
      -33, 33,
    ]);
  });

  it('are cached for a territory that an edit doesn’t change', () => {
    const draft = draftOf([0, 1], [5]);
    const before = figures(draft.territories[0]!.zips);
    const after = moveZips(draft, new Set([10]), 2);
    expect(figures(after.territories[0]!.zips)).toBe(before);
    expect(figures(after.territories[1]!.zips).zips).toBe(2);
  });

  it('measure compactness on the outline, weighted by the pieces’ areas', () => {
    expect(figures(new Set([0])).compactness).toBeCloseTo(Math.PI / 4);
    expect(figures(new Set([0, 1, 6, 7])).compactness).toBeCloseTo(Math.PI / 4);
    const row = (4 * Math.PI * 6) / 14 ** 2;
    expect(figures(new Set([0, 1, 2, 3, 4, 5])).compactness).toBeCloseTo(row);
    const [far, near] = [new Set([0, 1, 2, 3, 4, 5, 35]), (6 * row + Math.PI / 4) / 7];
    expect(figures(far)).toMatchObject({ pieces: 2, compactness: expect.closeTo(near) });
    expect(figures(new Set()).compactness).toBeNaN();
    const undrawn = { ...market, areaKm2: market.areaKm2.with(35, 0) };
    expect(figuresIn(undrawn, SCORES)(far)).toMatchObject({ pieces: 1, separatePieces: 1 });
  });

  it('put each ZIP code in one piece with its neighbors, largest first', () => {
    fc.assert(
      fc.property(zipSet, (zips) => {
        const pieces = piecesOf(market, zips);
        expect(pieces.flat().sort((a, b) => a - b)).toEqual([...zips].sort((a, b) => a - b));
        const pieceOf = new Map(pieces.flatMap((piece, i) => piece.map((zip) => [zip, i])));
        const sizes = pieces.map(({ length }) => length);
        expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
        for (const zip of zips) {
          const { starts, neighbors } = market.borders;
          const linked = [...neighbors.subarray(starts[zip], starts[zip + 1])].filter((one) =>
            zips.has(one),
          );
          for (const neighbor of linked) expect(pieceOf.get(neighbor)).toBe(pieceOf.get(zip));
        }
        expect(figures(zips).pieces).toBe(pieces.length);
      }),
    );
  });

  it('compare with the mean as the server does', () => {
    const totals = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(totals, (list) => {
        const server = balanceOf(list.map((total, id) => ({ id, total }))).territories;
        for (const [i, one] of deviations(list).entries()) {
          expect(one).toBeCloseTo(server[i]!.deviationPct, 0);
        }
      }),
    );
  });
});

describe('the effect of an edit', () => {
  it('names the territories that differ, with figures before and after', () => {
    const before = draftOf([0, 1, 2], [3, 4, 5], [30]);
    const after = moveZips(before, new Set([1]), 2);
    const [first, second, ...others] = effectOf(market, figures, 'households', before, after);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ number: 1, added: new Set(), removed: new Set([1]) });
    expect([first!.before!.pieces, first!.after!.pieces]).toEqual([1, 2]);
    expect(first!.cutOff).toEqual(new Set([2]));
    expect(second).toMatchObject({ number: 2, added: new Set([1]), cutOff: new Set() });
    expect(second!.after!.households).toBe(second!.before!.households + 150);
    const sum = effectOf(market, figures, 'households', draftOf(), after);
    const all = sum.reduce((total, one) => total + one.after!.deviationPct, 0);
    expect(all).toBeCloseTo(0);
  });

  it('measures deviations from the mean of the territories that have ZIP codes', () => {
    const deviationsOf = (before: Draft, after: Draft) =>
      effectOf(market, figures, 'households', before, after).map((one) => one.after!.deviationPct);
    expect(deviationsOf(draftOf([0]), draftOf([0, 1]))).toEqual([NaN]);
    expect(deviationsOf(draftOf([0], []), draftOf([0, 1], []))).toEqual([NaN]);
    const withEmpty = deviationsOf(draftOf([0], [3], []), draftOf([0, 1], [3, 4], []));
    expect(withEmpty).toEqual(deviationsOf(draftOf([0], [3]), draftOf([0, 1], [3, 4])));
    expect(withEmpty.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0);
  });

  it('is nothing for the same draft, and covers new and deleted territories', () => {
    const draft = draftOf([0], [1]);
    expect(effectOf(market, figures, 'population', draft, draft)).toEqual([]);
    const [gone] = effectOf(market, figures, 'population', draft, draftOf([0]));
    expect(gone).toMatchObject({ number: 2, after: null, removed: new Set([1]) });
    const [added] = effectOf(market, figures, 'population', draftOf([0]), draft);
    expect(added).toMatchObject({ number: 2, before: null, added: new Set([1]) });
  });

  it('counts free and shared ZIP codes', () => {
    expect(coverage(market, draftOf([0, 1], [1, 2]))).toEqual({ free: 33, shared: new Set([1]) });
  });
});
