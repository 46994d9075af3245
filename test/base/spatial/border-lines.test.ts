/** The borders of polygons as lines with an area on each side. */
import type { Polygon } from 'geojson';
import { describe, expect, it } from 'vitest';
import { borderLines } from '../../../src/base/spatial/border-lines.ts';

/** A square of one degree with its southwest corner at a position; `clockwise` turns it around. */
function square(x: number, y: number, clockwise = false): Polygon {
  const ring = [
    [x, y],
    [x + 1, y],
    [x + 1, y + 1],
    [x, y + 1],
    [x, y],
  ];
  return { type: 'Polygon', coordinates: [clockwise ? ring.toReversed() : ring] };
}

const lengthOf = (positions: readonly (readonly number[])[]) =>
  positions
    .slice(1)
    .reduce(
      (sum, [x, y], i) => sum + Math.hypot(x! - positions[i]![0]!, y! - positions[i]![1]!),
      0,
    );

describe('The lines of a grid', () => {
  const grid = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x) => square(x, y, (x + y) % 2 === 0)));
  const lines = borderLines(grid);

  it('contain every border once', () => {
    const length = (isOuter: boolean) =>
      lines
        .filter(({ right }) => (right === -1) === isOuter)
        .reduce((sum, { positions }) => sum + lengthOf(positions), 0);
    expect(length(true)).toBe(12);
    expect(length(false)).toBe(12);
  });

  it('have their areas on the stated sides, whichever way the rings run', () => {
    for (const { left, right, positions } of lines) {
      const [[x1, y1], [x2, y2]] = positions as [[number, number], [number, number]];
      // A step to the left of the middle of the first side
      const [x, y] = [(x1 + x2) / 2 - (y2 - y1) / 4, (y1 + y2) / 2 + (x2 - x1) / 4];
      expect(3 * Math.floor(y) + Math.floor(x)).toBe(left);
      const [otherX, otherY] = [(x1 + x2) / 2 + (y2 - y1) / 4, (y1 + y2) / 2 - (x2 - x1) / 4];
      const isInside = otherX > 0 && otherX < 3 && otherY > 0 && otherY < 3;
      expect(isInside ? 3 * Math.floor(otherY) + Math.floor(otherX) : -1).toBe(right);
    }
  });
});

it('A hole that another area fills is a border of both areas', () => {
  const outer = square(0, 0).coordinates[0]!.map(([x, y]) => [3 * x! - 1, 3 * y! - 1]);
  const ring: Polygon = { type: 'Polygon', coordinates: [outer, square(0, 0).coordinates[0]!] };
  const lines = borderLines([ring, square(0, 0)]);
  const between = lines.filter(({ left, right }) => left === 0 && right === 1);
  expect(between.reduce((sum, { positions }) => sum + lengthOf(positions), 0)).toBe(4);
  expect(lines.some(({ left }) => left === 1)).toBe(false);
});
