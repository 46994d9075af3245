import * as fc from 'fast-check';
import type { MultiPolygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { subdivide } from '../../../src/base/spatial/subdivide.ts';

/** A star with holes and, in each hole, an island, on the grid of imported positions */
const lake = fc
  .record({
    radii: fc.array(fc.double({ min: 0.5, max: 1, noNaN: true }), { minLength: 20, maxLength: 60 }),
    turn: fc.double({ min: 0, max: 6, noNaN: true }),
    holes: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ radii, turn, holes }): MultiPolygon => {
    const star: Position[] = closeRing(
      radii.map((radius, i) =>
        pointOnCircle([-90, 30], radius, turn + (2 * Math.PI * i) / radii.length),
      ),
    );
    const rings = Array.from({ length: holes }, (_, i) => {
      const middle = pointOnCircle([-90, 30], 0.3, turn + (2 * Math.PI * i) / holes);
      return [0.1, 0.05].map((size) =>
        closeRing(corners.map((angle) => pointOnCircle(middle, size, angle - turn))),
      );
    });
    return {
      type: 'MultiPolygon',
      coordinates: [
        [star, ...rings.map(([hole]) => hole!)],
        ...rings.map(([, island]) => [island!]),
      ],
    };
  });
const corners = [0, 1, 2, 3, 4].map((i) => (2 * Math.PI * i) / 5);
const pointOnCircle = ([x, y]: Position, radius: number, angle: number) =>
  [x! + radius * Math.cos(angle), y! + radius * Math.sin(angle)].map(
    (c) => Math.round(c * 1e6) / 1e6,
  );
const closeRing = (ring: Position[]) => [...ring, ring[0]!];

const isInRing = ([x, y]: Position, ring: Position[]) =>
  ring.slice(1).reduce((isInside, [x2, y2], i) => {
    const [x1, y1] = ring[i] as [number, number];
    const crosses = y1 > y! !== y2! > y! && x! < x1 + ((y! - y1) / (y2! - y1)) * (x2! - x1);
    return crosses ? !isInside : isInside;
  }, false);
const isInside = (point: Position, { coordinates }: MultiPolygon) =>
  coordinates.some(
    ([outer, ...holes]) => isInRing(point, outer!) && !holes.some((hole) => isInRing(point, hole)),
  );
const doubleArea = (ring: Position[]) =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0]! * y! - x! * ring[i]![1]!, 0);
const areaOf = ({ coordinates }: MultiPolygon) =>
  coordinates.flatMap(([outer, ...holes]) => [
    Math.abs(doubleArea(outer!)),
    ...holes.map((hole) => -Math.abs(doubleArea(hole))),
  ]);
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
const verticesOf = ({ coordinates }: MultiPolygon) =>
  sum(coordinates.flat().map((ring) => ring.length - 1));

describe('subdivide', () => {
  it('splits an area into small pieces that cover each of its points once', () => {
    const offset = fc.double({ min: -1.2, max: 1.2, noNaN: true });
    fc.assert(
      fc.property(
        lake,
        fc.integer({ min: 8, max: 30 }),
        fc.array(fc.tuple(offset, offset)),
        (area, max, offsets) => {
          const pieces = [...subdivide(area, max)];
          expect(Math.max(...pieces.map(verticesOf))).toBeLessThanOrEqual(max);
          expect(sum(pieces.flatMap(areaOf))).toBeCloseTo(sum(areaOf(area)), 9);
          for (const [dx, dy] of offsets) {
            const point = [-90 + dx, 30 + dy];
            const found = pieces.filter((piece) => isInside(point, piece)).length;
            expect(found).toBe(isInside(point, area) ? 1 : 0);
          }
        },
      ),
    );
  });

  it('keeps a small area whole', () => {
    const square = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    expect([...subdivide({ type: 'Polygon', coordinates: [square] }, 4)]).toEqual([
      { type: 'MultiPolygon', coordinates: [[square]] },
    ]);
  });
});
