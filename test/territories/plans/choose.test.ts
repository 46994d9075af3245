import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growTerritory } from '../../../src/territories/plans/choose.ts';
import { findPieces } from '../../../src/territories/brands/shape/contiguity.ts';
import { adjacencyOfBorders } from '../brands/grid.ts';

/** ZIP codes with their scores, best first */
const rankByScore = (scores: Record<string, number>) =>
  Object.entries(scores)
    .map(([zip, score]) => ({ zip, score }))
    .sort((a, b) => b.score - a.score);
const adjacencyOf = (...pairs: [string, string][]) =>
  adjacencyOfBorders(
    pairs.flatMap(([zip, neighbor]) => [
      { zip, neighbor, sharedBorderM: 1 },
      { zip: neighbor, neighbor: zip, sharedBorderM: 1 },
    ]),
  );
const names = (grown: { zip: string }[]) => grown.map(({ zip }) => zip);

describe('a connected territory', () => {
  it('adds the best neighbor each time and lists the best ZIP code first', () => {
    const zips = rankByScore({ 90001: 100, 90002: 90, 90003: 80, 90004: 10 });
    const borders = adjacencyOf(['90001', '90004'], ['90001', '90003'], ['90001', '90002']);
    expect(names(growTerritory(zips, borders, 3))).toEqual(['90001', '90002', '90003']);
  });

  it('omits the best ZIP code if it has no neighbors', () => {
    const zips = rankByScore({ 90001: 99, 90002: 60, 90003: 50 });
    const grown = growTerritory(zips, adjacencyOf(['90002', '90003']), 2);
    expect(names(grown)).toEqual(['90002', '90003']);
  });

  it('has the highest sum of scores among equally large ones', () => {
    const zips = rankByScore({ 90001: 99, 90002: 10, 90003: 90, 90004: 89 });
    const borders = adjacencyOf(['90001', '90002'], ['90003', '90004']);
    expect(names(growTerritory(zips, borders, 2))).toEqual(['90003', '90004']);
  });

  it('is empty without candidates', () => {
    expect(growTerritory([], adjacencyOf(), 5)).toEqual([]);
  });

  it('is connected and as large as possible on any map', () => {
    const zips = Array.from({ length: 12 }, (_, i) => String(90_001 + i));
    const pair = fc.tuple(fc.constantFrom(...zips), fc.constantFrom(...zips));
    const map = fc.array(pair, { maxLength: 30 });
    const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(map, scores, fc.integer({ min: 1, max: 12 }), (pairs, score, size) => {
        const borders = adjacencyOf(...pairs.filter(([a, b]) => a !== b));
        const all = rankByScore(Object.fromEntries(zips.map((zip, i) => [zip, score[i]!])));
        const grown = names(growTerritory(all, borders, size));
        const largest = findPieces(new Set(zips), borders)[0]!.length;
        expect(grown).toHaveLength(Math.min(size, largest));
        expect(findPieces(new Set(grown), borders)).toHaveLength(1);
        const order = names(all);
        expect(grown).toEqual(order.filter((zip) => grown.includes(zip)));
      }),
    );
  });
});
