import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature, Position } from 'geojson';
import { PbfWriter } from 'pbf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paint } from '../../../src/render/canvas/paint.ts';
import { render } from '../../../src/render/render.ts';
import type { Scene } from '../../../src/render/scene.ts';
import { rectsMeet } from '../../../src/base/spatial/flat.ts';
import { comparePictures } from '../../support/compare-pictures.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';
import { cutTiles, tileSet } from '../cut-tiles.ts';

const MAXZOOM = 4;

const feature = (geometry: Feature['geometry'], properties: object): Feature => ({
  type: 'Feature',
  properties: { ...properties },
  geometry,
});

const polygon = (...coordinates: Position[][]) =>
  feature({ type: 'Polygon', coordinates }, { kind: 'area' });

/** Shapes across many tile edges, one of them across the antimeridian */
const FEATURES: Feature[] = [
  polygon(
    [[-60, -40], [70, -30], [60, 50], [-20, 60], [-60, -40]], // oxfmt-ignore
    [[-10, -10], [-10, 10], [10, 10], [10, -10], [-10, -10]], // oxfmt-ignore
  ),
  polygon([[150, -20], [200, -20], [200, 30], [150, 20], [150, -20]]), // oxfmt-ignore
  feature(
    {
      type: 'LineString',
      coordinates: [[-170, -60], [-40, 10], [0, 0], [40, 70], [90, -50], [175, 10]], // oxfmt-ignore
    },
    { kind: 'line' },
  ),
  ...[-150, -90, -30, 0.01, 45, 112.5, 179].flatMap((lng) =>
    [-60, -20, 0.01, 40.98].map((lat) =>
      feature(
        { type: 'Point', coordinates: [lng, lat] },
        { kind: 'place', name: nameOf(lng, lat) },
      ),
    ),
  ),
];

function nameOf(lng: number, lat: number): string {
  return String.fromCharCode(65 + Math.round((lng + 150) / 20), 65 + Math.round((lat + 60) / 10));
}

const tileOf = cutTiles({ shapes: FEATURES }, { maxzoom: MAXZOOM, buffer: 128 });

/** Glyphs of a font in which every letter is the same block, because only positions matter. */
function blockGlyphs(): Uint8Array {
  const side = 18;
  const border = 3;
  const bitmap = new Uint8Array((side + 2 * border) ** 2).fill(255);
  const writer = new PbfWriter();
  writer.writeMessage(1, writeStack, null);
  return writer.finish();

  function writeStack(_: null, pbf: PbfWriter) {
    pbf.writeStringField(1, FONT);
    pbf.writeStringField(2, '0-255');
    for (let id = 32; id < 127; id++) pbf.writeMessage(3, writeGlyph, id);
  }

  function writeGlyph(id: number, pbf: PbfWriter) {
    pbf.writeVarintField(1, id);
    pbf.writeBytesField(2, bitmap);
    pbf.writeVarintField(3, side);
    pbf.writeVarintField(4, side);
    pbf.writeSVarintField(5, 0);
    pbf.writeSVarintField(6, -8);
    pbf.writeVarintField(7, side + 2);
  }
}

const FONT = 'Blocks';
const GLYPHS = blockGlyphs();

function layer(type: string, kind: string, properties: object): LayerSpecification {
  return {
    id: `${type}-${kind}`,
    type,
    source: 's',
    'source-layer': 'shapes',
    filter: ['==', ['get', 'kind'], kind],
    ...properties,
  } as LayerSpecification;
}

const SHAPES = [
  layer('fill', 'area', { paint: { 'fill-color': '#08f', 'fill-opacity': 0.5 } }),
  layer('line', 'line', { paint: { 'line-color': '#a0a', 'line-width': 9, 'line-opacity': 0.5 } }),
  layer('circle', 'place', {
    paint: { 'circle-color': '#f00', 'circle-radius': 12, 'circle-opacity': 0.6 },
  }),
];

/** Dashes start where a tile cuts the line. */
const DASHES = layer('line', 'area', {
  paint: { 'line-color': '#040', 'line-width': 3, 'line-dasharray': [6, 4] },
});

const NAMES = layer('symbol', 'place', {
  layout: { 'text-field': ['get', 'name'], 'text-font': [FONT], 'text-padding': 0 },
});

interface View {
  center: [number, number];
  zoom: number;
  width: number;
  height: number;
  pixelRatio: number;
}

const view = (
  center: [number, number],
  zoom: number,
  width = 512,
  height = 512,
  pixelRatio = 1,
) => ({ center, zoom, width, height, pixelRatio });

function styleOf(source: StyleSpecification['sources'][string], layers: LayerSpecification[]) {
  const white: LayerSpecification = {
    id: 'white',
    type: 'background',
    paint: { 'background-color': '#fff' },
  };
  return {
    version: 8,
    glyphs: 'local://glyphs/{fontstack}/{range}.pbf',
    sources: { s: source },
    layers: [white, ...layers],
  } as StyleSpecification;
}

function tileScene(layers: LayerSpecification[], { center, zoom, ...frame }: View): Scene {
  const source = { type: 'vector' as const, tiles: ['local://{z}/{x}/{y}.mvt'], maxzoom: MAXZOOM };
  const scene = { view: { center, zoom }, ...frame };
  return {
    ...scene,
    style: styleOf(source, layers),
    sources: { s: tileSet(tileOf, scene, { maxzoom: MAXZOOM }) },
    glyphs: { [`${FONT}/0-255`]: GLYPHS },
  };
}

function geojsonScene(layers: LayerSpecification[], { center, zoom, ...frame }: View): Scene {
  const data = { type: 'FeatureCollection' as const, features: FEATURES };
  const plain = layers.map(
    ({ 'source-layer': _, ...rest }: LayerSpecification & { 'source-layer'?: string }) => rest,
  );
  const style = styleOf({ type: 'geojson', data }, plain as LayerSpecification[]);
  const glyphs = { [`${FONT}/0-255`]: GLYPHS };
  return { style, sources: {}, view: { center, zoom }, ...frame, glyphs };
}

describe.skipIf(!hasChromium)('tiles match maplibre-gl', () => {
  let reference: Reference;

  beforeAll(async () => {
    reference = await openReference((path) => {
      if (path === `glyphs/${FONT}/0-255.pbf`) return Buffer.from(GLYPHS);
      const [z, x, y] = (/^(\d+)\/(\d+)\/(\d+)\.mvt$/.exec(path) ?? []).slice(1).map(Number);
      const tile = z === undefined ? null : tileOf({ z, x: x!, y: y! });
      return tile === null ? null : Buffer.from(tile);
    });
  });
  afterAll(() => reference.close());

  async function difference(scene: Scene, { center, zoom }: View): Promise<number> {
    const { style, width, height, pixelRatio } = scene;
    const { png } = await reference.draw({ style, width, height, pixelRatio, center, zoom });
    return (await comparePictures(png, await render(scene))).share;
  }

  /** Fraction of pixels that may differ: the same as in MapLibre’s own render tests */
  const ALLOWED = 0.00025;

  const views: [string, View][] = [
    ['the world', view([0, 0], 0)],
    ['an integer zoom', view([0, 0], 1)],
    ['a fractional zoom', view([10, 20], 1.6, 500, 400)],
    ['pixel ratio 2', view([3, 1], 2.37, 512, 512, 2)],
    ['pixel ratio 1.5', view([-10, -5], 3.5, 512, 300, 1.5)],
    ['enlarged tiles', view([-10.1, 9.9], 7.4, 300, 300)],
    ['a label in enlarged tiles', view([0.1, 0], 7.4, 300, 300)],
    ['extremely enlarged tiles', view([-9.9976, 9.5], 19.3, 300, 300)],
    ['the antimeridian', view([170, 10], 1)],
    ['copies of the world', view([100, 0], 0.3, 1200, 400)],
    ['a picture taller than the world', view([0, 0], 0, 512, 700)],
    ['a center near the pole', view([0, 80], 0.5)],
  ];

  it.each(views)('for vector tiles with %s', async (_, tested) => {
    expect(await difference(tileScene([...SHAPES, DASHES], tested), tested)).toBeLessThan(ALLOWED);
  });

  it.each(views)('for GeoJSON with %s', async (_, tested) => {
    // Clipped and simplified differently than by MapLibre’s GeoJSON tiles
    expect(await difference(geojsonScene(SHAPES, tested), tested)).toBeLessThan(2 * ALLOWED);
  });

  it.each(views)('for labels in tiles with %s', async (_, tested) => {
    const scene = tileScene([NAMES], tested);
    const { style, center, zoom, ...frame } = { style: scene.style, ...tested };
    const { labels } = await reference.draw({ style, center, zoom, ...frame });
    const expected = labels.map(({ properties }) => String(properties['name']));
    const picture = { minX: 0, minY: 0, maxX: tested.width, maxY: tested.height };
    const placed = paint(scene)
      .labels.filter(({ box }) => rectsMeet(box, picture))
      .map(({ text }) => text);
    expect(placed.toSorted()).toEqual(expected.toSorted());
  });
});
