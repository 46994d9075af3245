import { describe, expect, it } from 'vitest';
import {
  crossing,
  isInside,
  ringArea,
  simpleRings,
  toDegrees,
  toPlane,
  type Point,
} from '../../../../src/data/ingest/sample/plane.ts';

/** `0,0 4,0` */
const path = (text: string) =>
  text.split(' ').map((pair) => pair.split(',').map(Number) as never as Point);

const square = path('0,0 4,0 4,4 0,4');

describe('the plane of microdegrees', () => {
  it('restores degrees exactly, on both sides of the antimeridian', () => {
    expect(toDegrees(toPlane([-96.804437, 32.790012]))).toEqual([-96.804437, 32.790012]);
    expect(toDegrees(toPlane([173.5, 52.9]))).toEqual([173.5, 52.9]);
    expect(toPlane([179.9, 52])[0]).toBeLessThan(toPlane([-179.9, 52])[0]);
  });

  it('distinguishes inside from outside, including holes', () => {
    const hole = path('1,1 1,3 3,3 3,1');
    expect(isInside([2, 2], [square])).toBe(true);
    expect(isInside([2, 2], [square, hole])).toBe(false);
    expect(isInside([5, 2], [square])).toBe(false);
  });

  it('finds where two segments cross', () => {
    expect(crossing([0, 0], [4, 0], [1, -1], [1, 3])).toEqual({ onAB: 0.25, onPQ: 0.25 });
    expect(crossing([0, 0], [4, 0], [5, -1], [5, 3])).toBeNull();
  });

  it('counts a path through a corner as one crossing', () => {
    const across: [Point, Point] = [
      [2, -2],
      [2, 2],
    ];
    const ways: [Point, Point][] = [
      [
        [0, 0],
        [2, 0],
      ],
      [
        [2, 0],
        [4, 0],
      ],
    ];
    expect(ways.filter((way) => crossing(...way, ...across))).toHaveLength(1);
    expect(ways.filter((way) => crossing(...across, ...way))).toHaveLength(1);
  });

  it('splits a path that meets itself', () => {
    const eight = path('0,0 2,0 2,2 0,2 0,0 -2,0 -2,-2 0,0');
    expect(simpleRings(eight).map(ringArea)).toEqual([4, 2]);
  });

  it('drops spikes, repeated points, and flat rings', () => {
    expect(simpleRings(path('0,0 4,0 4,0 4,4 0,4 0,9 0,4 0,0'))).toEqual([square]);
    expect(simpleRings(path('0,0 3,0 0,0'))).toEqual([]);
  });
});
