import type { Feature } from 'geojson';
import { describe, expect, it } from 'vitest';
import { packScene, unpackScene } from '../../src/render/packed-scene.ts';
import type { Scene } from '../../src/render/scene.ts';
import { FlatGeometry } from '../../src/base/spatial/flat-geometry.ts';
import { line, point, polygon, corners, scene, white } from './pictures.ts';

const feature = (geometry: unknown) =>
  ({ type: 'Feature', id: 7, properties: { name: 'x' }, geometry }) as Feature;

/** Replaces flat geometries by those of GeoJSON. */
function asGeoJson(scene: Scene): Scene {
  const sources = Object.entries(scene.sources).map(([id, data]) => [
    id,
    Array.isArray(data) ? data.map(plain) : data,
  ]);
  const panels = scene.panels?.map((panel) => ({ ...panel, scene: asGeoJson(panel.scene) }));
  return { ...scene, sources: Object.fromEntries(sources), ...(panels && { panels }) };
}

const plain = (each: Feature | null) =>
  each?.geometry instanceof FlatGeometry ? { ...each, geometry: each.geometry.toJSON() } : each;

describe('a packed scene', () => {
  it('is unchanged after unpacking', () => {
    const wave = Array.from({ length: 40_000 }, (_, i) => [i / 7, -0]);
    const features = [
      point([1, 2]),
      line([[1, 2], [3, 4]], { width: 3 }), // oxfmt-ignore
      polygon([corners(10, 90), corners(20, 30)]),
      feature({ type: 'MultiLineString', coordinates: [wave, [], [[1, 2]]] }),
      feature({ type: 'MultiPolygon', coordinates: [[wave, [[1, 2]]], [], [wave]] }),
      feature({ type: 'MultiPoint', coordinates: [[1, 2], [3, 4]] }), // oxfmt-ignore
      feature({ type: 'MultiLineString', coordinates: [wave], bbox: [1, 2, 3, 4] }),
      feature({ type: 'LineString', coordinates: [[1, 2, 0.5], [3, 4, 1e-9]] }), // oxfmt-ignore
      feature({ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [1, 2] }] }),
      feature({ type: 'Point', coordinates: [] }),
      feature(null),
      null as never,
      // Malformed, for the engine to refuse or to skip
      feature({ type: 'Point', coordinates: [1, null] }),
      feature({ type: 'LineString', coordinates: [[1, 2], 'x'] }),
      feature({ type: 'LineString', coordinates: null }),
      { ...point([5, 6]), properties: JSON.parse('{"__proto__": 1, "a": {"b": [2]}}') },
      { ...point([5, 6]), properties: null },
      { ...point([5, 6]), properties: ['x'] as never, bbox: [1, 2, 3, 4] as never },
      // Every feature has other property names.
      ...Array.from({ length: 40 }, (_, i) => point([i, 6], { [`p${i}`]: undefined })),
      point([5, 6]),
    ];
    const tiles = [{ z: 0, x: 0, y: 0, bytes: new Uint8Array([1, 2]) }];
    const sources = {
      s: features,
      t: { minzoom: 0, maxzoom: 2, tiles },
      none: [],
      ['__proto__']: [point([1, 2])],
    };
    const frame = { minX: 1, minY: 2, maxX: 101, maxY: 102 };
    const panels = [{ frame, scene: scene([white], [point([1, 2])]) }];
    const input = scene([white], [], { sources, territory: [[1, 2, 3, 4]], panels });
    const packed = structuredClone(packScene(input));
    expect(JSON.stringify(packed.scene).length).toBeLessThan(4000);
    const unpacked = unpackScene(packed);
    expect(asGeoJson(unpacked)).toStrictEqual(input);
    expect((unpacked.sources.s as Feature[])[0]!.geometry).toBeInstanceOf(FlatGeometry);
  });
});
