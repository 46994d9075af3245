import { describe, expect, it } from 'vitest';
import { labelFeatures, labelsFittingAt } from '../../../src/data/basemap/label-features.ts';
import { camera, corners, polygon, square } from '../../render/pictures.ts';

describe('label points', () => {
  it('are in the largest part of an area and have its properties', () => {
    const parts = [square(10, 20), square(40, 80)].map(({ geometry }) => geometry.coordinates);
    const [label] = labelFeatures(
      [
        {
          type: 'Feature',
          id: 7,
          properties: { zip: '75201' },
          geometry: { type: 'MultiPolygon', coordinates: parts },
        },
      ],
      20,
    );
    const middle = polygon([corners(60, 60)]).geometry;
    expect(label?.geometry.coordinates[0]).toBeCloseTo(middle.coordinates[0]![0]![0]!, 3);
    expect(label?.geometry.coordinates[1]).toBeCloseTo(middle.coordinates[0]![0]![1]!, 3);
    expect(label).toMatchObject({ id: 7, properties: { zip: '75201' } });
    // A square of 40 px holds a circle with a radius of 20 px at exactly this zoom.
    expect(label?.properties!.labelZoom).toBeCloseTo(camera.zoom, 2);
  });

  it('are in a picture only if the label fits', () => {
    const labels = labelFeatures([square(40, 80), square(10, 20)], 19);
    const fitting = labelsFittingAt(camera.zoom, labels);
    expect(fitting).toHaveLength(1);
    expect(fitting[0]?.properties!.labelZoom).toBe(9);
  });
});
