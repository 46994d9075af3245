import { area } from '@turf/area';
import fc from 'fast-check';
import type { MultiPolygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { dissolve } from '../../../src/base/spatial/dissolve.ts';

const SIDE = 6;
const STEP = 0.1;
const lngAt = (i: number) => Number((-97 + i * STEP).toFixed(6));
const latAt = (i: number) => Number((32 + i * STEP).toFixed(6));

/** A cell of a grid, whose ring starts anywhere and goes either way, as in real files */
function cell(x: number, y: number, turn: number, isReversed: boolean): MultiPolygon {
  const corners: Position[] = [
    [lngAt(x), latAt(y)],
    [lngAt(x + 1), latAt(y)],
    [lngAt(x + 1), latAt(y + 1)],
    [lngAt(x), latAt(y + 1)],
  ];
  const ring = [...corners.slice(turn), ...corners.slice(0, turn)];
  if (isReversed) ring.reverse();
  return { type: 'MultiPolygon', coordinates: [[[...ring, ring[0]!]]] };
}

const grids = fc.array(
  fc.record({
    group: fc.integer({ min: 0, max: 2 }),
    turn: fc.integer({ min: 0, max: 3 }),
    isReversed: fc.boolean(),
  }),
  { minLength: SIDE * SIDE, maxLength: SIDE * SIDE },
);

describe('merged areas', () => {
  it('cover what their parts cover, with the borders between groups only', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const areas = grid.map(({ group, turn, isReversed }, i) => ({
          group,
          geometry: cell(i % SIDE, Math.floor(i / SIDE), turn, isReversed),
        }));
        const merged = dissolve(areas, 3);
        for (const [i, { group }] of grid.entries()) {
          const center: Position = [lngAt((i % SIDE) + 0.5), latAt(Math.floor(i / SIDE) + 0.5)];
          const holders = merged.flatMap((one, g) => (one && covers(one, center) ? [g] : []));
          expect(holders).toEqual([group]);
        }
        const parts = [0, 1, 2].map((group) =>
          areas.reduce((sum, one) => sum + (one.group === group ? area(one.geometry) : 0), 0),
        );
        for (const [group, one] of merged.entries()) {
          expect((one ? area(one) : 0) / 1e6).toBeCloseTo(parts[group]! / 1e6, 3);
        }
        // Each edge of the grid is drawn once for each group that ends there.
        const segments = merged.reduce(
          (sum, one) =>
            sum + (one?.coordinates.flat().reduce((n, ring) => n + ring.length - 1, 0) ?? 0),
          0,
        );
        expect(segments).toBe(bordersOf(grid.map(({ group }) => group)));
      }),
      { numRuns: 60 },
    );
  });

  it('have holes, and are null without any part', () => {
    const ring = Array.from({ length: 9 }, (_, i) => i).filter((i) => i !== 4);
    const areas = ring.map((i) => ({
      group: 1,
      geometry: cell(i % 3, Math.floor(i / 3), 0, false),
    }));
    const [none, frame] = dissolve(areas, 2);
    expect(none).toBe(null);
    expect(frame!.coordinates.map((rings) => rings.length)).toEqual([2]);
  });
});

/** Whether an odd number of edges is to the right of a point */
function covers({ coordinates }: MultiPolygon, [x, y]: Position): boolean {
  const crossed = coordinates.flat().flatMap((ring) =>
    ring.slice(1).filter(([bx, by], i) => {
      const [ax, ay] = ring[i]!;
      return ay! > y! !== by! > y! && Math.max(ax!, bx!) > x!;
    }),
  );
  return crossed.length % 2 === 1;
}

function bordersOf(groups: readonly number[]): number {
  const groupAt = (x: number, y: number) =>
    x < 0 || y < 0 || x >= SIDE || y >= SIDE ? -1 : groups[y * SIDE + x]!;
  let borders = 0;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const around = [groupAt(x - 1, y), groupAt(x + 1, y), groupAt(x, y - 1), groupAt(x, y + 1)];
      borders += around.filter((group) => group !== groupAt(x, y)).length;
    }
  }
  return borders;
}
