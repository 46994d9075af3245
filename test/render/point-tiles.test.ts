/**
 * Label points must be in the same tiles, at the same positions, and in the same order as those that cutting
 * makes.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tileGeoJson } from '../../src/render/canvas/sources/geojson-tiles.ts';
import type { GeoJsonTiling } from '../../src/render/canvas/style/compiled-style.ts';
import { tilePoints } from '../../src/render/canvas/sources/point-tiles.ts';
import type { TileFeature } from '../../src/render/canvas/sources/tiled-source.ts';
import { TILE_EXTENT } from '../../src/render/canvas/style/style-feature.ts';

const TILING = {
  maxZoom: 18,
  extent: TILE_EXTENT,
  buffer: 2048,
  tolerance: 6,
  lineMetrics: false,
  indexMaxZoom: 0,
  indexMaxPoints: 0,
  cluster: false,
} as GeoJsonTiling;

const point = (coordinates: [number, number], n: number) =>
  ({
    type: 'Feature',
    id: n,
    properties: { n },
    geometry: { type: 'Point', coordinates },
  }) as const;

const lng = fc.double({ min: -179, max: 179, noNaN: true });
const lat = fc.double({ min: -85, max: 85, noNaN: true });

/** Without the margin, which only cutting has */
const isInTile = ({ parts }: TileFeature) =>
  parts[0]!.every((value) => value >= 0 && value < TILE_EXTENT);
/** Cutting rounds to -0 too. */
const positive = (zero: number) => zero + 0;
const describeInTile = (features: readonly TileFeature[]) =>
  features
    .filter(isInTile)
    .map(({ style: { id, properties, tile }, parts }) => ({
      id,
      properties,
      tile,
      position: parts[0]!.map(positive),
    }));

it('tiles of points equal those made by cutting', () => {
  const places = fc.array(fc.tuple(lng, lat), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(places, fc.integer({ min: 0, max: 12 }), (coordinates, z) => {
      const features = coordinates.map(point);
      const pointsIn = tilePoints(features)!;
      const cut = tileGeoJson(features, TILING);
      const count = 2 ** z;
      for (const [lngHere, latHere] of coordinates) {
        const sine = Math.sin((latHere * Math.PI) / 180);
        const fromTop = 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
        const x = Math.floor((lngHere / 360 + 0.5) * count);
        const y = Math.min(count - 1, Math.max(0, Math.floor(fromTop * count)));
        expect(describeInTile(pointsIn({ z, x, y }))).toEqual(
          describeInTile(cut.featuresIn({ z, x, y }, null)),
        );
      }
    }),
  );
});

it('lines, areas, and points at the antimeridian are cut', () => {
  expect(tilePoints([point([0, 0], 1), point([179.95, 0], 2)])).toBeNull();
  const line = {
    type: 'LineString' as const,
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  };
  expect(tilePoints([{ type: 'Feature', properties: {}, geometry: line }])).toBeNull();
});
