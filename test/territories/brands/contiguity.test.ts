import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neighborsOf, neighborsOfSet } from '../../../src/territories/brands/shape/adjacency.ts';
import {
  countPieces,
  cutOffBy,
  findGaps,
  findIsolated,
  findPieces,
} from '../../../src/territories/brands/shape/contiguity.ts';
import { zipsDrawn, gridAdjacency, square } from './grid.ts';

const SIZE = 7;
const adjacency = gridAdjacency(SIZE, SIZE);
const everySquare = Array.from({ length: SIZE * SIZE }, (_, i) =>
  square(Math.floor(i / SIZE), i % SIZE),
);
const territory = fc.subarray(everySquare).map((zips) => new Set(zips));

describe('findPieces', () => {
  it('returns the largest piece first, and doesn’t connect ZIP codes that touch at a corner', () => {
    expect(findPieces(zipsDrawn(['##..', '#...', '.##.', '...#']), adjacency)).toEqual([
      ['90000', '90001', '90100'],
      ['90201', '90202'],
      ['90303'],
    ]);
  });

  it('puts each ZIP code into one piece, together with its held neighbors', () => {
    fc.assert(
      fc.property(territory, (held) => {
        const found = findPieces(held, adjacency);
        expect(found.flat().sort()).toEqual([...held].sort());
        expect(countPieces(held, adjacency)).toBe(found.length);
        const alone = found.filter((piece) => piece.length === 1).flat();
        expect(findIsolated(held, adjacency)).toEqual(alone);
        const pieceOf = new Map(found.flatMap((piece, i) => piece.map((zip) => [zip, i])));
        for (const zip of held) {
          const linked = neighborsOf(adjacency, zip).filter((neighbor) => held.has(neighbor));
          expect(linked.map((neighbor) => pieceOf.get(neighbor))).toEqual(
            linked.map(() => pieceOf.get(zip)),
          );
        }
      }),
    );
  });

  it('never finds more pieces after a bordering ZIP code is added', () => {
    fc.assert(
      fc.property(territory, fc.nat(), (held, pick) => {
        const around = neighborsOfSet(adjacency, held);
        fc.pre(around.length > 0);
        const before = findPieces(held, adjacency).length;
        const larger = new Set(held).add(around[pick % around.length]!);
        expect(findPieces(larger, adjacency).length).toBeLessThanOrEqual(before);
      }),
    );
  });
});

describe('cutOffBy', () => {
  const held = zipsDrawn(['###.#', '..#.#', '..###', '..#..']);

  it('returns the smaller side of a bridge', () => {
    expect(cutOffBy(square(1, 2), held, adjacency)).toEqual({
      pieces: 1,
      zips: ['90000', '90001', '90002'],
    });
  });

  it('returns null for an end or a corner of a block', () => {
    expect(cutOffBy(square(0, 0), held, adjacency)).toBeNull();
    expect(cutOffBy(square(0, 0), zipsDrawn(['##', '##']), adjacency)).toBeNull();
  });

  it('returns what findPieces finds without the ZIP code, for any territory', () => {
    fc.assert(
      fc.property(territory, fc.nat(), (held, pick) => {
        fc.pre(held.size > 0);
        const zip = [...held][pick % held.size]!;
        const rest = new Set(held);
        rest.delete(zip);
        const around = new Set(neighborsOf(adjacency, zip));
        const [, ...smaller] = findPieces(rest, adjacency).filter((piece) =>
          piece.some((one) => around.has(one)),
        );
        expect(cutOffBy(zip, held, adjacency)).toEqual(
          smaller.length === 0 ? null : { pieces: smaller.length, zips: smaller.flat().sort() },
        );
      }),
      { numRuns: 500 },
    );
  });

  it('visits only a few ZIP codes of a territory that stays in one piece', () => {
    const visited = new Set<string>();
    class CountedSet extends Set<string> {
      override has(zip: string): boolean {
        visited.add(zip);
        return super.has(zip);
      }
    }
    const all = Array.from({ length: 10_000 }, (_, i) => square(Math.floor(i / 100), i % 100));
    const held = new CountedSet(all);
    expect(cutOffBy(square(50, 50), held, gridAdjacency(100, 100))).toBeNull();
    expect(visited.size).toBeLessThan(50);
  });
});

describe('findGaps', () => {
  it('finds the end of a bay, but no ZIP codes along a straight edge', () => {
    // Three sides of the bay's inner end are held, and two at its mouth; all others lie along
    // straight edges.
    expect(
      findGaps(zipsDrawn(['......', '.####.', '.#.#..', '.#.#..', '......']), adjacency),
    ).toEqual(['90202']);
  });

  it('counts only land borders on a coast', () => {
    // At the edge of the map, 90001 has three neighbors, and two of them are held.
    expect(findGaps(zipsDrawn(['#.#']), adjacency)).toEqual(['90001']);
  });

  it('never returns held ZIP codes', () => {
    fc.assert(
      fc.property(territory, (held) => {
        expect(findGaps(held, adjacency).filter((zip) => held.has(zip))).toEqual([]);
      }),
    );
  });
});
