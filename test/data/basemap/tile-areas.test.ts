import { VectorTile } from '@mapbox/vector-tile';
import type { Feature } from 'geojson';
import { PbfReader } from 'pbf';
import { expect, it } from 'vitest';
import { encodeTile } from '../../../src/data/basemap/tiles.ts';
import { ringOf, type Bbox } from '../../../src/base/spatial/bbox.ts';

const area = (...boxes: Bbox[]): Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'MultiPolygon', coordinates: boxes.map((box) => [ringOf(box)]) },
});
const ringsIn = (feature: Feature) => {
  const bytes = encodeTile({ z: 3, x: 4, y: 3 }, { zips: [feature] });
  const layer = new VectorTile(new PbfReader(bytes)).layers['zips'];
  return layer?.feature(0).loadGeometry() ?? [];
};

it('keeps an area that is smaller than a unit of the tile, as a square', () => {
  const [ring, ...others] = ringsIn(area([1, 1, 1.0001, 1.0001], [1.1, 1, 1.1001, 1.0001]));
  expect(others).toEqual([]);
  expect(ring!.map(({ x, y }) => [x - ring![0]!.x, y - ring![0]!.y])).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ]);
});

it('drops rings without an area', () => {
  expect(ringsIn(area([1, 1, 5, 5], [6, 1, 6.0001, 1.0001]))).toHaveLength(1);
});
