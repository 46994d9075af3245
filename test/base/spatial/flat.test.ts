import { expect, it } from 'vitest';
import { polygonsOf } from '../../../src/base/spatial/flat.ts';

it('groups rings into polygons, without rings whose area is zero or not a number', () => {
  const outer = [0, 0, 4, 0, 4, 4, 0, 4];
  const hole = [1, 1, 1, 2, 2, 2, 2, 1];
  const broken = [
    [0, 0, Infinity, 0, 0, 1],
    [0, 0, 1, 1, 2, 2],
  ];
  expect(polygonsOf([...broken, outer, hole, ...broken, outer])).toEqual([[outer, hole], [outer]]);
});
