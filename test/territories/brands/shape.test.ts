import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neighborsOf } from '../../../src/territories/brands/shape/adjacency.ts';
import { findPieces } from '../../../src/territories/brands/shape/contiguity.ts';
import { shapeOfZips } from '../../../src/territories/brands/shape/shape.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';
import { drawGrid, zipsDrawn, gridAdjacency, square } from './grid.ts';

const SIZE = 7;
const { db } = await testDatabase('empty');
await drawGrid(db, SIZE, SIZE);
const adjacency = gridAdjacency(SIZE, SIZE);
const everySquare = Array.from({ length: SIZE * SIZE }, (_, i) =>
  square(Math.floor(i / SIZE), i % SIZE),
);

const shapeOfDrawing = (rows: string[]) => shapeOfZips(db, zipsDrawn(rows), zipsDrawn(rows, /#/));

describe('the shape of a territory', () => {
  it('is null for ZIP codes that are not on the map', async () => {
    expect(await shapeOfZips(db, new Set(), new Set())).toBeNull();
    expect(await shapeOfZips(db, new Set(['00501']), new Set())).toBeNull();
  });

  it('lists islands, holes, and gaps of a hand-drawn map', async () => {
    expect(
      await shapeOfDrawing([
        '####..#', // an island of two in the corner
        '#..#..#',
        '####...', // the hole of two above
        '.......',
        '.###...',
        '.#.....', // not a gap: only two of its four sides are held
        '.......',
      ]),
    ).toMatchObject({
      pieces: 3,
      islands: [
        ['90401', '90402', '90403', '90501'],
        ['90006', '90106'],
      ],
      holes: [['90101', '90102']],
      gaps: [],
    });
  });

  it('includes the pieces of the live ZIP codes', async () => {
    // p: pending, the bridge between two blocks
    const shape = await shapeOfDrawing(['##p##']);
    expect(shape).toMatchObject({ pieces: 1, livePieces: 2 });
  });

  it('counts ZIP codes enclosed only by corners as a hole', async () => {
    expect((await shapeOfDrawing(['.#.', '#.#', '.#.']))!.holes).toEqual([['90101']]);
  });

  it('doesn’t count a ZIP code as a hole if only its centroid is inside, as with a crescent', async () => {
    const move = (to: string) =>
      db.query(
        `update zips set centroid = (select st_centroid(bbox) from zips where zip = $1)
         where zip = '90606'`,
        [to],
      );
    await move('90000');
    expect((await shapeOfDrawing(['##', '##']))!.holes).toEqual([]);
    await move('90606');
  });

  it('counts a bay as a gap, not as a hole', async () => {
    expect(await shapeOfDrawing(['.......', '.###...', '.#.#...', '.......'])).toMatchObject({
      holes: [],
      gaps: ['90202'],
    });
  });

  it('has the compactness of the formulas: a square π/4, a plus and its hull', async () => {
    const square = (await shapeOfDrawing(['##', '##']))!;
    expect(square.polsbyPopper).toBeCloseTo(Math.PI / 4, 2);
    expect(square.hullRatio).toBeCloseTo(1, 6);
    // 5 squares with 12 outer sides; the hull adds 4 half squares
    const plus = (await shapeOfDrawing(['.#.', '###', '.#.']))!;
    expect(plus.polsbyPopper).toBeCloseTo((4 * Math.PI * 5) / 12 ** 2, 2);
    expect(plus.hullRatio).toBeCloseTo(5 / 7, 3);
    // The perimeter includes the hole: 8 squares, 12 + 4 sides.
    const ring = (await shapeOfDrawing(['###', '#.#', '###']))!;
    expect(ring.polsbyPopper).toBeCloseTo((4 * Math.PI * 8) / 16 ** 2, 2);
    // Pieces count by area: a square of four and one of one, both π/4, far apart.
    const apart = (await shapeOfDrawing(['##....#', '##.....']))!;
    expect(apart.polsbyPopper).toBeCloseTo(Math.PI / 4, 2);
    expect(apart.hullRatio).toBeCloseTo(1, 6);
    const weighted = (await shapeOfDrawing(['###...#', '#.#....', '###....']))!;
    expect(weighted.hullRatio).toBeCloseTo((8 * (8 / 9) + 1) / 9, 3);
  });

  it('finds a hole exactly where no path leads to the edge of the map', async () => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(everySquare, { minLength: 12 }), async (zips) => {
        const held = new Set(zips);
        const { holes, gaps } = (await shapeOfZips(db, held, held))!;
        const reachable = reachableFromEdge(held);
        const enclosed = everySquare.filter((zip) => !held.has(zip) && !reachable.has(zip));
        expect(holes).toEqual(findPieces(new Set(enclosed), adjacency));
        expect(gaps.filter((zip) => held.has(zip) || enclosed.includes(zip))).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });
});

function reachableFromEdge(held: ReadonlySet<string>): Set<string> {
  const onEdge = (zip: string) => neighborCount(zip) < 4 && !held.has(zip);
  const reached = new Set(everySquare.filter(onEdge));
  for (const zip of reached) {
    for (const neighbor of neighborsOf(adjacency, zip)) {
      if (!held.has(neighbor)) reached.add(neighbor);
    }
  }
  return reached;
}

const neighborCount = (zip: string) => neighborsOf(adjacency, zip).length;
