import type { Feature, FeatureCollection, Polygon, Position } from 'geojson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layersInView, mapContextJson } from '../../../src/data/basemap/map-context.ts';
import { MAP_LAYERS, type MapLayer } from '../../../src/data/basemap/features.ts';
import { resolutionFor } from '../../../src/data/basemap/resolution.ts';
import { bboxOfGeometry, type Bbox } from '../../../src/base/spatial/bbox.ts';
import { testDatabase } from '../../support/database.ts';
import { runs } from '../../support/thorough.ts';

interface Context {
  layers: Record<MapLayer, FeatureCollection>;
  meta: { counts: Record<MapLayer, number>; [key: string]: unknown };
}

const { db } = await testDatabase('sample');
const { db: empty } = await testDatabase('empty');
const contextOf = async (bbox: Bbox, zoom: number) =>
  JSON.parse(await mapContextJson(db, bbox, zoom)) as Context;

const WORLD: Bbox = [-180, -90, 180, 90];
const DALLAS: Bbox = [-97.5, 32.5, -96.5, 33.1];

/** Views of the country and its surroundings, from a street to the world. */
const views = fc
  .record({
    lng: fc.double({ min: -179, max: -60, noNaN: true }),
    lat: fc.double({ min: 15, max: 72, noNaN: true }),
    width: fc.integer({ min: -50, max: 22 }),
    zoom: fc.integer({ min: 0, max: 18 }),
  })
  .map(({ lng, lat, width, zoom }) => {
    // Sides from a millionth of a degree to 90 degrees, each order of magnitude equally often.
    const side = Math.max(1.1e-6, 10 ** (width / 10));
    const bbox: Bbox = [
      Math.max(-180, lng - side),
      Math.max(-90, lat - side / 2),
      Math.min(180, lng + side),
      Math.min(90, lat + side / 2),
    ];
    return { bbox, zoom };
  });

const featuresOf = ({ layers }: Context) => Object.values(layers).flatMap((l) => l.features);

function pathsOf({ geometry }: Feature): Position[][] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]];
    case 'LineString':
      return [geometry.coordinates];
    case 'MultiLineString':
    case 'Polygon':
      return geometry.coordinates;
    case 'MultiPolygon':
      return geometry.coordinates.flat();
    default:
      throw new Error(`Unexpected geometry type: ${geometry.type}`);
  }
}

const polygonsOf = ({ geometry }: Feature): Polygon['coordinates'][] => {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
};

/** Positive for a counterclockwise ring. */
const doubledArea = (ring: Position[]) =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0]! * y! - x! * ring[i]![1]!, 0);

describe('the layers of a view', () => {
  it('are inside the box and valid in RFC 7946 and PostGIS, in any view', async () => {
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(views, async ({ bbox, zoom }) => {
        const features = featuresOf(await contextOf(bbox, zoom));
        seen += features.length;
        const [west, south, east, north] = bbox;
        for (const feature of features) {
          for (const [lng, lat] of pathsOf(feature).flat() as [number, number][]) {
            if (!(lng >= west && lng <= east && lat >= south && lat <= north)) {
              throw new Error(`${lng},${lat} is outside the box ${bbox.join()}`);
            }
          }
          for (const [outer, ...holes] of polygonsOf(feature)) {
            const rings = [outer!, ...holes];
            // A world has thousands of rings, and `expect` takes longer than these checks.
            const isWrong = (ring: Position[]) =>
              ring.length < 4 ||
              ring[0]!.join() !== ring.at(-1)!.join() ||
              doubledArea(ring) > 0 !== (ring === outer) ||
              doubledArea(ring) === 0;
            expect(rings.filter(isWrong)).toEqual([]);
          }
        }
        const [{ invalid }] = (await db.query(
          `select count(*)::int as invalid from jsonb_array_elements($1::jsonb) as geometry
           where not st_isvalid(st_geomfromgeojson(geometry))`,
          [JSON.stringify(features.map((f) => f.geometry))],
        )) as [{ invalid: number }];
        expect(invalid).toBe(0);
      }),
      {
        numRuns: runs(60),
        examples: [
          // Puerto Rico, a hole in the ocean, once collapsed to a line.
          [{ bbox: [-79.952623, 5.023688, -40.047377, 24.976312], zoom: 0 }],
          // The coarse border of Texas had a part outside of the box of the finest one.
          [{ bbox: [-133.745246, 11.837377, -93.85, 31.79], zoom: 2 }],
        ],
      },
    );
    expect(seen).toBeGreaterThan(0);
  });

  it('keep their geometry type: clipped areas leave no lines or points', async () => {
    const { layers } = await contextOf([-98, 31, -93, 34], 8);
    for (const layer of ['states', 'counties'] as const) {
      expect(layers[layer].features.length).toBeGreaterThan(0);
      for (const { geometry } of layers[layer].features) expect(geometry.type).toMatch(/Polygon$/);
    }
    for (const { geometry } of layers.roads.features) expect(geometry.type).toMatch(/LineString$/);
    for (const { geometry } of layers.places.features) expect(geometry.type).toBe('Point');
  });

  it('fill a box that is all land', async () => {
    // A county of the Texas Panhandle is far larger than this box.
    const { layers } = await contextOf([-101.5, 35, -101.25, 35.25], 12);
    expect(doubledArea(polygonsOf(layers.states.features[0]!)[0]![0]!) / 2).toBeCloseTo(1 / 16, 6);
  });

  it('are all present, and empty if the zoom shows none of their features', async () => {
    const { layers } = await contextOf(DALLAS, 0);
    expect(Object.keys(layers)).toEqual(MAP_LAYERS);
    expect(layers.counties).toEqual({ type: 'FeatureCollection', features: [] });
    expect(layers.states.features).toHaveLength(1);
  });

  it('are limited to the most important ones of each layer', async () => {
    const of = async (maxFeatures?: number) => {
      const rows = await layersInView(db, DALLAS, 11, maxFeatures);
      const { features } = rows.find(({ layer }) => layer === 'places')!;
      return (JSON.parse(`[${features}]`) as Feature[]).map(
        ({ properties }) => properties!['name'],
      );
    };
    const all = await of();
    expect(all.length).toBeGreaterThan(3);
    expect(await of(3)).toEqual(all.slice(0, 3));
  });

  it('show more at higher zooms', async () => {
    const places = async (zoom: number) => (await contextOf(DALLAS, zoom)).layers.places.features;
    const near = await places(11);
    const far = await places(7);
    expect(far.length).toBeGreaterThan(0);
    expect(near.length).toBeGreaterThan(far.length);
    for (const { properties } of far) expect(properties!['minZoom']).toBeLessThanOrEqual(7);
    const ranks = near.map(({ properties }) => properties!['rank'] as number);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  it('contain only the ocean over the open sea, on both sides of the antimeridian', async () => {
    for (const bbox of [
      [170, 40, 180, 45],
      [-180, 40, -170, 45],
    ] as Bbox[]) {
      const { layers, meta } = await contextOf(bbox, 5);
      const none = Object.fromEntries(MAP_LAYERS.map((layer) => [layer, 0]));
      expect(meta.counts).toEqual({ ...none, water: 1 });
      const [west, south, east, north] = bbox;
      expect(bboxOfGeometry(layers.water.features[0].geometry)).toEqual([west, south, east, north]);
    }
  });
});

describe('the level of detail', () => {
  it('is half a pixel, for vertices and for decimals', async () => {
    const bbox: Bbox = [-125, 24, -66, 50];
    const { toleranceDeg, decimals } = resolutionFor(bbox, 4);
    expect(toleranceDeg).toBeCloseTo(360 / 512 / 2 / 2 ** 4, 10);
    const { layers } = await contextOf(bbox, 4);
    const texts = JSON.stringify(layers).match(/-?\d+\.\d+(?=[,\]])/g)!;
    expect(Math.max(...texts.map((text) => text.split('.')[1]!.length))).toBeLessThanOrEqual(
      Math.max(decimals, 2),
    );
    // Simplifying the roads again removes almost nothing.
    const [{ before, after }] = (await db.query(
      `select sum(st_npoints(g))::int as before, sum(st_npoints(st_simplify(g, $2)))::int as after
       from jsonb_array_elements($1::jsonb) as feature, st_geomfromgeojson(feature->'geometry') g`,
      [JSON.stringify(layers.roads.features), toleranceDeg],
    )) as [{ before: number; after: number }];
    expect(after).toBeGreaterThan(0.95 * before);
  });

  it('grows with the zoom', () => {
    const block: Bbox = [-96.81, 32.77, -96.8, 32.78];
    const decimals = [0, 4, 10].map((zoom) => resolutionFor(DALLAS, zoom).decimals);
    decimals.push(resolutionFor(block, 18).decimals);
    expect(decimals).toEqual([1, 2, 4, 6]);
  });

  it('keeps a box whose edges are on coordinate steps', () => {
    const bbox: Bbox = [-97.123, 1.1, -96.7, 1.9];
    expect(resolutionFor(bbox, 10).clip).toEqual(bbox);
  });

  it('is limited for a view that is wider than any screen', () => {
    expect(resolutionFor(WORLD, 5)).toEqual(resolutionFor(WORLD, 3));
  });

  it('keeps shapes visible in a box of a few millionths of a degree', async () => {
    const { layers } = await contextOf([-101.5, 35, -101.499998, 35.000002], 0);
    expect(layers.states.features).toHaveLength(1);
  });
});

describe('the metadata', () => {
  it('has bounds, zoom, counts, sources, and the palette of each style', async () => {
    const { layers, meta } = await contextOf(DALLAS, 10);
    expect(meta).toMatchObject({
      bounds: DALLAS,
      zoom: 10,
      attribution: expect.stringContaining('schematic interstates'),
      vintage: { places: 'Sample data (synthetic; not ACS)' },
      synthetic: ['roads', 'places'],
      palettes: { light: { land: '#fbfaf8' }, dark: {}, muted: {} },
    });
    for (const layer of MAP_LAYERS) {
      expect(meta.counts[layer]).toBe(layers[layer].features.length);
    }
    expect(meta.counts.places).toBeGreaterThan(0);
  });
});

it('returns 503 before the first import instead of an empty map', async () => {
  await expect(mapContextJson(empty, [-97, 32, -96, 33], 8)).rejects.toMatchObject({
    status: 503,
    message: 'The basemap has not been imported yet. Try again after the operator has imported it.',
  });
});
