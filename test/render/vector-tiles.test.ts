import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import * as fc from 'fast-check';
import type { Feature, Position } from 'geojson';
import { PbfWriter } from 'pbf';
import { describe, expect, it } from 'vitest';
import { render } from '../../src/render/render.ts';
import type { Scene } from '../../src/render/scene.ts';
import { DecodedTiles } from '../../src/render/canvas/sources/decoded-tiles.ts';
import { TileStyle } from '../../src/render/canvas/style/style-feature.ts';
import { shownTiles, tilesInView, wrapTile, type TileSet } from '../../src/render/vector-tiles.ts';
import type { Camera } from '../../src/base/spatial/camera.ts';
import { View3 } from '../../src/base/spatial/view.ts';
import { GREEN, picture, RED, white, WHITE } from './pictures.ts';
import { cutTiles, tileSet, type Cut } from './cut-tiles.ts';

const CUT: Cut = { maxzoom: 4, buffer: 64 };

/** The four tiles of zoom 1 meet here, as do four tiles of every higher zoom. */
const CROSSING: Camera = { center: [0, 0], zoom: 3.4 };

const everywhere: Feature = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-170, -80],
        [170, -80],
        [170, 80],
        [-170, 80],
        [-170, -80],
      ],
    ],
  },
};

const pointAt = (lng: number, lat: number): Feature => ({
  type: 'Feature',
  properties: {},
  geometry: { type: 'Point', coordinates: [lng, lat] },
});

function layer(type: string, properties: object = {}): LayerSpecification {
  return { id: type, type, source: 's', 'source-layer': 'd', ...properties } as LayerSpecification;
}

/** A layer `d` with a line whose drawing command, 5, is invalid */
function writeBrokenLayer(_: null, pbf: PbfWriter): void {
  pbf.writeVarintField(15, 2);
  pbf.writeStringField(1, 'd');
  pbf.writeMessage(2, (_: null, feature: PbfWriter) => {
    feature.writeVarintField(3, 2);
    feature.writePackedVarint(4, [(1 << 3) | 5, 0, 0]);
  }, null); // oxfmt-ignore
}

interface TileScene {
  layers: readonly LayerSpecification[];
  features: readonly Feature[];
  view?: Camera;
  width?: number;
  pixelRatio?: number;
  cut?: Cut;
  /** First zoom of the source. Default: 0 */
  minzoom?: number;
}

function tileScene({ layers, features, view = CROSSING, cut = CUT, ...rest }: TileScene): Scene {
  const frame = { view, width: rest.width ?? 100, height: 100, pixelRatio: rest.pixelRatio ?? 1 };
  const style: StyleSpecification = {
    version: 8,
    sources: { s: { type: 'vector', tiles: ['https://example.com/{z}/{x}/{y}'] } },
    layers: [white, ...layers],
  };
  const zooms = { minzoom: rest.minzoom, maxzoom: cut.maxzoom };
  const tiles = tileSet(cutTiles({ d: features }, cut), frame, zooms);
  return { style, sources: { s: tiles }, ...frame };
}

describe('the tiles of a view', () => {
  const cameras = fc.record({
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
    lat: fc.double({ min: -60, max: 60, noNaN: true }),
    zoom: fc.double({ min: 2, max: 14, noNaN: true }),
  });

  it('cover it, each at least partly', () => {
    fc.assert(
      fc.property(cameras, ({ lng, lat, zoom }) => {
        const viewport = new View3({ center: [lng, lat], zoom }, 700, 500);
        const tiles = tilesInView(viewport, { minzoom: 0, maxzoom: 22 });
        let area = 0;
        for (const { z, x, y } of tiles) {
          const left = Math.max(0, viewport.xOfWorld(x / 2 ** z));
          const right = Math.min(700, viewport.xOfWorld((x + 1) / 2 ** z));
          const top = Math.max(0, viewport.yOfWorld(y / 2 ** z));
          const bottom = Math.min(500, viewport.yOfWorld((y + 1) / 2 ** z));
          expect(right - left).toBeGreaterThan(0);
          expect(bottom - top).toBeGreaterThan(0);
          area += (right - left) * (bottom - top);
        }
        expect(area).toBeCloseTo(700 * 500, 1);
      }),
    );
  });

  it('have the integer zoom below, or the last zoom of the source', () => {
    const viewport = new View3({ center: [0, 0], zoom: 5.9 }, 100, 100);
    const zooms = (maxzoom: number) => [
      ...new Set(tilesInView(viewport, { minzoom: 0, maxzoom }).map(({ z }) => z)),
    ];
    expect(zooms(14)).toEqual([5]);
    expect(zooms(3)).toEqual([3]);
  });

  it('are cut from the last zoom of the source, up to zoom 18', () => {
    const zooms = (zoom: number, maxzoom: number) => {
      const viewport = new View3({ center: [0, 0], zoom }, 100, 100);
      const tiles = shownTiles(viewport, { minzoom: 0, maxzoom, tiles: [] });
      return [...new Set(tiles.map(({ z }) => z))];
    };
    expect([zooms(7.4, 4), zooms(20.5, 4), zooms(20.5, 19)]).toEqual([[7], [18], [19]]);
  });

  it('are empty below the first zoom of the source', () => {
    const viewport = new View3({ center: [0, 0], zoom: 5.9 }, 100, 100);
    expect(tilesInView(viewport, { minzoom: 6, maxzoom: 14 })).toEqual([]);
  });

  it('continue around the world', () => {
    const viewport = new View3({ center: [180, 0], zoom: 1 }, 100, 100);
    const tiles = tilesInView(viewport, { minzoom: 0, maxzoom: 14 });
    expect(tiles.map(({ x }) => x)).toEqual([1, 2, 1, 2]);
    expect(tiles.map((tile) => wrapTile(tile).x)).toEqual([1, 0, 1, 0]);
    expect(wrapTile({ z: 1, x: -1, y: 0 }).x).toBe(1);
  });
});

describe('at tile edges', () => {
  it.each([
    [3.4, 1],
    [3.77, 1],
    [3.77, 2],
    [3.1, 1.5],
  ])('a translucent area has no seam (zoom %d, ratio %d)', async (zoom, pixelRatio) => {
    const fill = layer('fill', { paint: { 'fill-color': 'rgba(255, 0, 0, 0.5)' } });
    // The center is off the crossing, so the edges lie between pixels.
    const view: Camera = { center: [0.123, 0.077], zoom };
    const result = await picture(
      tileScene({ layers: [fill], features: [everywhere], view, pixelRatio }),
    );
    const colors = new Set<string>();
    for (let i = 0; i < result.width; i++) {
      for (let j = 0; j < result.height; j++) colors.add(result.at(i, j).join());
    }
    expect([...colors]).toHaveLength(1);
    expect([...colors]).not.toContain(WHITE.join());
  });

  it('a translucent line is not drawn twice', async () => {
    const line = layer('line', {
      paint: { 'line-color': 'rgba(255, 0, 0, 0.5)', 'line-width': 9 },
    });
    const across: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'LineString', coordinates: [[-30, 2], [30, 2]] }, // oxfmt-ignore
    };
    const result = await picture(tileScene({ layers: [line], features: [across] }));
    const y = Math.round(new View3(CROSSING, 100, 100).y(2));
    const colors = new Set(Array.from({ length: 100 }, (_, x) => result.at(x, y).join()));
    expect([...colors]).toHaveLength(1);
    expect(result.at(50, y)).not.toEqual(WHITE);
  });

  it('an outline does not follow the tile edge', async () => {
    const outline = layer('fill', {
      paint: { 'fill-color': 'transparent', 'fill-outline-color': '#f00' },
    });
    const casing = layer('line', { paint: { 'line-color': '#f00', 'line-width': 3 } });
    const result = await picture(tileScene({ layers: [outline, casing], features: [everywhere] }));
    for (let i = 0; i < 100; i++) {
      expect(result.at(i, 50)).toEqual(WHITE);
      expect(result.at(50, i)).toEqual(WHITE);
    }
  });

  it.each(['a point', 'a line'])('the circle of %s is drawn once and in full', async (kind) => {
    const circle = layer('circle', {
      paint: { 'circle-radius': 20, 'circle-color': '#f00', 'circle-opacity': 0.5 },
    });
    const cornered: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'LineString', coordinates: [[40, 40], [0.1, 0.1], [-40, 40]] }, // oxfmt-ignore
    };
    const features = [kind === 'a line' ? cornered : pointAt(0.1, 0.1)];
    const result = await picture(tileScene({ layers: [circle], features }));
    const quarters = [result.at(40, 40), result.at(60, 40), result.at(40, 60), result.at(60, 60)];
    expect(new Set(quarters.map((color) => color.join()))).toEqual(new Set(['255,128,128,255']));
  });
});

describe('a source of vector tiles', () => {
  const circle = layer('circle', { paint: { 'circle-radius': 20, 'circle-color': '#f00' } });

  it('shows nothing where a tile has no bytes', async () => {
    const scene = tileScene({ layers: [circle], features: [] });
    const tiles = [{ z: 3, x: 4, y: 4, bytes: new Uint8Array(0) }];
    const result = await picture({ ...scene, sources: { s: { minzoom: 0, maxzoom: 4, tiles } } });
    expect(result.at(70, 70)).toEqual(WHITE);
  });

  it('enlarges its last tiles at higher zooms', async () => {
    const point = pointAt(10.01, 10.01);
    const view: Camera = { center: [10.01, 10.01], zoom: 9 };
    const result = await picture(tileScene({ layers: [circle], features: [point], view }));
    expect(result.at(50, 50)).toEqual(RED);
  });

  it('shows nothing below its first zoom', async () => {
    const features = [pointAt(0, 0)];
    const result = await picture(tileScene({ layers: [circle], features, minzoom: 4 }));
    expect(result.at(50, 50)).toEqual(WHITE);
  });

  it('shows all parts of a feature, except their holes', async () => {
    const box = (degrees: number, lng = 0): Position[] => {
      const [west, east] = [lng - degrees, lng + degrees];
      return [[west, -degrees], [east, -degrees], [east, degrees], [west, degrees], [west, -degrees]]; // oxfmt-ignore
    };
    const parts: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'MultiPolygon', coordinates: [[box(4, -2)], [box(4, 2), box(1, 3).reverse()]] }, // oxfmt-ignore
    };
    const fill = layer('fill', { paint: { 'fill-color': '#f00' } });
    const result = await picture(tileScene({ layers: [fill], features: [parts] }));
    const viewport = new View3(CROSSING, 100, 100);
    expect(result.at(50, 50)).toEqual(RED);
    expect(result.at(Math.round(viewport.x(3)), Math.round(viewport.y(0)))).toEqual(WHITE);
  });

  it('shows only the requested source layer', async () => {
    const scene = tileScene({ layers: [circle], features: [] });
    const tileOf = cutTiles({ other: [pointAt(0, 0)] }, CUT);
    const sources = { s: tileSet(tileOf, scene, { maxzoom: 4 }) };
    expect((await picture({ ...scene, sources })).at(50, 50)).toEqual(WHITE);
    const style = structuredClone(scene.style);
    (style.layers[1] as { 'source-layer': string })['source-layer'] = 'other';
    expect((await picture({ ...scene, sources, style })).at(50, 50)).toEqual(RED);
  });

  it('repeats if the picture is wider than the world', async () => {
    // The world is 128 px wide. As in MapLibre, it has three copies on each side.
    const view: Camera = { center: [0, 0], zoom: -2 };
    const small = layer('circle', { paint: { 'circle-radius': 10, 'circle-color': '#f00' } });
    const features = [pointAt(-90, 0)];
    const result = await picture(tileScene({ layers: [small], features, view, width: 1200 }));
    const shown = [-4, -3, -2, -1, 0, 1, 2, 3, 4].filter(
      (world) => result.at(600 - 32 + 128 * world, 50)[1] === 0,
    );
    expect(shown).toEqual([-3, -2, -1, 0, 1, 2, 3]);
  });

  it('is refused if a tile is invalid, naming its address', async () => {
    const scene = tileScene({ layers: [circle], features: [everywhere] });
    const tiles = [{ z: 3, x: 4, y: 4, bytes: new Uint8Array([0x1a, 0xff, 0xff, 0xff]) }];
    const broken = { ...scene, sources: { s: { minzoom: 0, maxzoom: 4, tiles } } };
    await expect(render(broken)).rejects.toThrow(
      'the tile 3/4/4 is not a valid Mapbox Vector Tile',
    );
  });

  it('is refused each time if a shape is invalid, naming the tile’s address', async () => {
    const writer = new PbfWriter();
    writer.writeMessage(3, writeBrokenLayer, null);
    const tiles = [{ z: 3, x: 4, y: 4, bytes: writer.finish() }];
    const scene = tileScene({ layers: [circle], features: [] });
    const broken = { ...scene, sources: { s: { minzoom: 0, maxzoom: 4, tiles } } };
    for (let times = 0; times < 2; times++) {
      await expect(render(broken)).rejects.toThrow(
        'the tile 3/4/4 is not a valid Mapbox Vector Tile',
      );
    }
  });

  it('is refused without its tiles', async () => {
    const scene = tileScene({ layers: [circle], features: [everywhere] });
    await expect(render({ ...scene, sources: {} })).rejects.toThrow(
      'the scene has no vector tiles for the source "s"',
    );
  });
});

describe('decoded tiles', () => {
  const diagonal: Feature = {
    type: 'Feature',
    properties: { name: 'Way' },
    geometry: { type: 'LineString', coordinates: [[-2, -3], [4, 5], [9, 1]] },
  }; // oxfmt-ignore
  const layers = [
    layer('fill', { filter: ['!', ['has', 'name']], paint: { 'fill-color': '#ff0000' } }),
    layer('line', { filter: ['has', 'name'] }),
    layer('symbol', {
      layout: {
        'text-field': ['get', 'name'],
        'text-font': ['Noto Sans Regular'],
        'symbol-placement': 'line',
      },
    }),
  ];

  /** The same scene with tiles that were never drawn */
  function withNewTiles(scene: Scene): Scene {
    const { tiles, ...zooms } = scene.sources['s'] as TileSet;
    const copies = tiles.map((tile) => ({ ...tile, bytes: tile.bytes.slice() }));
    return { ...scene, sources: { s: { ...zooms, tiles: copies } } };
  }

  it('give the same picture as tiles that are decoded for it', async () => {
    const [at3, at6] = [CROSSING, { center: [0.5, 0.5] as const, zoom: 6.2 }].map((view) =>
      tileScene({ layers, features: [everywhere, diagonal], view: view as Camera }),
    );
    for (const scene of [at3!, at6!]) {
      const first = await render(scene);
      expect((await render(scene)).equals(first)).toBe(true);
      expect((await render(withNewTiles(scene))).equals(first)).toBe(true);
    }
  });

  it('have their own place at each address that has the same bytes', async () => {
    const east = { type: 'Polygon', coordinates: [[[0, 0], [90, 0], [90, 60], [0, 60], [0, 0]]] }; // oxfmt-ignore
    const color = ['case', ['within', east], '#ff0000', '#00ff00'];
    const dot = layer('circle', { paint: { 'circle-radius': 20, 'circle-color': color } });
    const view: Camera = { center: [0, 20], zoom: 3 };
    const scene = tileScene({ layers: [dot], features: [pointAt(10, 20)], view, width: 1200 });
    const { tiles, ...zooms } = scene.sources['s'] as TileSet;
    const [{ bytes }, y] = [tiles[0]!, tiles[0]!.y];
    const sources = { s: { ...zooms, tiles: [3, 4].map((x) => ({ z: 3, x, y, bytes })) } };
    const result = await picture({ ...scene, sources });
    expect(result.at(714, 50)).toEqual(RED);
    expect(result.at(202, 50)).toEqual(GREEN);
  });

  it('are filtered by each style and at each zoom', async () => {
    const filters = [true, false, ['>=', ['zoom'], 19]].map((filter) =>
      layer('fill', { filter, paint: { 'fill-color': '#ff0000' } }),
    );
    const view: Camera = { center: [5, 5], zoom: 18.5 };
    const scene = tileScene({ layers: [], features: [everywhere], view });
    const colors: number[][] = [];
    for (const fill of filters) {
      for (const zoom of [18.5, 19.5, 18.5]) {
        const style = { ...scene.style, layers: [white, fill] };
        const result = await picture({ ...scene, style, view: { ...view, zoom } });
        colors.push(result.at(50, 50));
      }
    }
    expect(colors).toEqual([RED, RED, RED, WHITE, WHITE, WHITE, WHITE, RED, WHITE]);
  });

  it('have other features in each part of an enlarged tile', async () => {
    const west: Feature = {
      type: 'Feature',
      properties: {},
      geometry: { type: 'Polygon', coordinates: [[[0, 0], [5.625, 0], [5.625, 9], [0, 9], [0, 0]]] },
    }; // oxfmt-ignore
    // Four parts of one tile meet here.
    const view: Camera = { center: [5.625, 5.616], zoom: 6.2 };
    const result = await picture(tileScene({ layers, features: [west], view }));
    expect(result.at(20, 20)).toEqual(RED);
    expect(result.at(20, 80)).toEqual(RED);
    expect(result.at(80, 20)).toEqual(WHITE);
    expect(result.at(80, 80)).toEqual(WHITE);
  });

  it('are forgotten when they take more than the limit', () => {
    const limit = 10_000;
    const cache = new DecodedTiles(limit);
    const decoded: string[] = [];
    const use = (bytes: Uint8Array, key: string) =>
      cache.featuresOf(bytes, key, () => {
        decoded.push(key);
        const style = new TileStyle('Point', 1, {}, { z: 0, x: 0, y: 0 }, []);
        return [{ style, parts: [Array.from({ length: 300 }, () => 0)] }];
      });
    const tiles = Array.from({ length: 5 }, () => new Uint8Array(10));
    for (const [i, bytes] of tiles.entries()) {
      use(bytes, `${i} streets`);
      use(bytes, `${i} water`);
      expect(cache.size).toBeGreaterThan(0);
      expect(cache.size).toBeLessThanOrEqual(limit);
    }
    expect(decoded).toHaveLength(10);
    use(tiles[4]!, '4 streets');
    expect(decoded).toHaveLength(10);
    use(tiles[3]!, '3 streets');
    expect(decoded).toHaveLength(11);
  });

  it('are decoded each time if a single one takes more than the limit', () => {
    const cache = new DecodedTiles(1000);
    let times = 0;
    const bytes = new Uint8Array(2000);
    for (let i = 0; i < 2; i++) {
      cache.featuresOf(bytes, 'streets', () => {
        times++;
        return [];
      });
    }
    expect(times).toBe(2);
    expect(cache.size).toBe(0);
  });
});
