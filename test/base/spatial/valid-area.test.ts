import type { MultiPolygon, Polygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { validArea } from '../../../src/base/spatial/valid-area.ts';

/** A ring around a point, with a distance in microdegrees for each of its corners */
const ringAround = ([lng, lat]: Position, distances: readonly number[]): Position[] => {
  const corners = distances.map((distance, i) => {
    const angle = (2 * Math.PI * i) / distances.length;
    return [
      Math.round(lng! * 1e6 + distance * Math.cos(angle)) / 1e6,
      Math.round(lat! * 1e6 + distance * Math.sin(angle)) / 1e6,
    ];
  });
  return [...corners, corners[0]!];
};
const circle = (middle: Position, distance: number, corners = 8) =>
  ringAround(middle, Array<number>(corners).fill(distance));

/** A continent's sea with 400 islands, more than are compared one by one */
const SEA = circle([-120, 40], 20e6, 5_000);
const ISLANDS = Array.from({ length: 400 }, (_, i): Position[] =>
  circle([-125 + (i % 20) / 2, 35 + Math.floor(i / 20) / 2], 90_000).toReversed(),
);

describe('a valid area', () => {
  it('is the area itself if no outline meets another one', () => {
    const area: Polygon = { type: 'Polygon', coordinates: [SEA, ...ISLANDS] };
    expect(validArea(area)).toBe(area);
  });

  it('has islands as holes, even if they are listed as areas', () => {
    const [first, second, ...others] = ISLANDS as [Position[], Position[], ...Position[][]];
    const lake = circle([-125, 35], 10_000);
    const area: MultiPolygon = {
      type: 'MultiPolygon',
      // Of the listed islands, the first one contains a lake.
      coordinates: [[first.toReversed()], [SEA, ...others], [second.toReversed()], [lake]],
    };
    const { coordinates } = validArea(area) as MultiPolygon;
    expect(coordinates.map((rings) => rings.length).toSorted((a, b) => a - b)).toEqual([1, 401]);
    expect(coordinates.find((rings) => rings.length === 1)).toEqual([lake]);
  });

  it('ends where outlines cross or touch, far from the equator and the meridian', () => {
    const overlapping = [circle([-170, 60], 300, 40), circle([-170.0003, 60], 300, 40)];
    const bowTie = [
      [-165, 60],
      [-164.9997, 60.0003],
      [-164.9997, 60],
      [-165, 60.0003],
      [-165, 60],
    ];
    const area: MultiPolygon = {
      type: 'MultiPolygon',
      coordinates: [...overlapping, bowTie].map((ring) => [ring]),
    };
    const repaired = validArea(area) as MultiPolygon;
    // Two triangles, and two crescents: the common part of the circles is enclosed twice, so it is outside.
    expect(repaired.coordinates.map((rings) => rings.length)).toEqual([1, 1, 1, 1]);
    expect(validArea(repaired)).toEqual(repaired);
  });

  it('lacks islands that are smaller than a microdegree', () => {
    const [island] = ISLANDS as [Position[]];
    const point = [0, 1e-7, 2e-7, 0].map((lng) => [-120 + lng, 40]);
    const area: Polygon = { type: 'Polygon', coordinates: [SEA, point, island] };
    const { coordinates } = validArea(area) as MultiPolygon;
    expect(coordinates).toEqual([[SEA, island]]);
    expect(validArea({ type: 'Polygon', coordinates: [point] })).toBeNull();
  });

  it('is missing if nothing is left of it', () => {
    const line = [
      [-90, 30],
      [-89, 31],
      [-90, 30],
    ];
    expect(validArea({ type: 'Polygon', coordinates: [[...line, line[0]!]] })).toBeNull();
  });
});
