import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growTerritory } from '../../src/agent/grow.ts';
import { adjacencyOf } from '../../src/territory/adjacency.ts';
import { findPieces } from '../../src/territory/contiguity.ts';

/** ZIP codes with their scores, best first */
const ranked = (scores: Record<string, number>) =>
  Object.entries(scores)
    .map(([zip, score]) => ({ zip, score }))
    .sort((a, b) => b.score - a.score);
const bordering = (...pairs: [string, string][]) =>
  adjacencyOf(
    pairs.flatMap(([zip, neighbor]) => [
      { zip, neighbor, sharedBorderM: 1 },
      { zip: neighbor, neighbor: zip, sharedBorderM: 1 },
    ]),
  );
const names = (grown: { zip: string }[]) => grown.map(({ zip }) => zip);

describe('a connected territory', () => {
  it('adds the best neighbor each time and lists the best ZIP code first', () => {
    const zips = ranked({ A: 100, B: 90, C: 80, D: 10 });
    const borders = bordering(['A', 'D'], ['A', 'C'], ['A', 'B']);
    expect(names(growTerritory(zips, borders, 3))).toEqual(['A', 'B', 'C']);
  });

  it('omits the best ZIP code if it has no neighbors', () => {
    const zips = ranked({ A: 99, B: 60, C: 50 });
    expect(names(growTerritory(zips, bordering(['B', 'C']), 2))).toEqual(['B', 'C']);
  });

  it('has the highest sum of scores among equally large ones', () => {
    const zips = ranked({ A: 99, B: 10, C: 90, D: 89 });
    expect(names(growTerritory(zips, bordering(['A', 'B'], ['C', 'D']), 2))).toEqual(['C', 'D']);
  });

  it('is empty without candidates', () => {
    expect(growTerritory([], bordering(), 5)).toEqual([]);
  });

  it('is connected and as large as possible on any map', () => {
    const zips = Array.from({ length: 12 }, (_, i) => `Z${i}`);
    const pair = fc.tuple(fc.constantFrom(...zips), fc.constantFrom(...zips));
    const map = fc.array(pair, { maxLength: 30 });
    const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(map, scores, fc.integer({ min: 1, max: 12 }), (pairs, score, size) => {
        const borders = bordering(...pairs.filter(([a, b]) => a !== b));
        const all = ranked(Object.fromEntries(zips.map((zip, i) => [zip, score[i]!])));
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
