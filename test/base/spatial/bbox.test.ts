import { describe, expect, it } from 'vitest';
import { bboxesMeet, bboxOfGeometry, emptyBbox } from '../../../src/base/spatial/bbox.ts';

describe('bounding boxes', () => {
  it('include every part of a geometry', () => {
    expect(
      bboxOfGeometry({
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [1, 2],
              [3, 2],
              [3, 5],
              [1, 2],
            ],
          ],
          [
            [
              [-7, 0],
              [-6, 0],
              [-6, 1],
              [-7, 0],
            ],
          ],
        ],
      }),
    ).toEqual([-7, 0, 3, 5]);
    expect(
      bboxOfGeometry({
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [4, 4] },
          {
            type: 'LineString',
            coordinates: [
              [0, 9],
              [1, -9],
            ],
          },
        ],
      }),
    ).toEqual([0, -9, 4, 9]);
  });

  it('are empty without positions, and then meet no other box', () => {
    expect(bboxOfGeometry({ type: 'GeometryCollection', geometries: [] })).toEqual(emptyBbox());
    expect(bboxesMeet(emptyBbox(), [-180, -90, 180, 90])).toBe(false);
  });

  it('meet even if they share only an edge', () => {
    expect(bboxesMeet([0, 0, 1, 1], [1, 0, 2, 1])).toBe(true);
    expect(bboxesMeet([0, 0, 1, 1], [1.1, 0, 2, 1])).toBe(false);
    expect(bboxesMeet([0, 0, 1, 1], [0, 1.1, 1, 2])).toBe(false);
    expect(bboxesMeet([0, 1.1, 1, 2], [0, 0, 1, 1])).toBe(false);
    expect(bboxesMeet([1.1, 0, 2, 1], [0, 0, 1, 1])).toBe(false);
  });
});
