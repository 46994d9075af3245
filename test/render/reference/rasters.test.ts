/** Compares raster, image, hillshade, and color-relief layers, and patterns, with maplibre-gl. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScene } from '../read-scene.ts';
import { render } from '../../../src/render/render.ts';
import { comparePictures } from '../../support/compare-pictures.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';
import { spriteFiles } from '../sprite.ts';
import { elevationColor, pngOf, putFile, type Rgba } from '../../support/png-tiles.ts';

/** MapLibre's own limit */
const SHARE = 0.00025;

const SIDE = 64;
const ZOOM = 3;

const tiles = (path: string, more: object = {}) => ({
  type: 'raster',
  tiles: [`local://${path}/{z}-{x}-{y}.png`],
  tileSize: SIDE,
  maxzoom: ZOOM,
  ...more,
});

/** Stripes and a translucent corner, different in each tile */
function imagery(tile: number, x: number, y: number): Rgba {
  const alpha = x + y < 20 ? 120 : 255;
  return [(x * 7 + tile * 40) % 256, (y * 9) % 256, (x * y + tile * 90) % 256, alpha];
}

/**
 * Elevation in meters at fractions of the world's width and height; higher than real hills, to be visible at
 * low zooms
 */
const hills = (x: number, y: number) =>
  60_000 * (Math.sin(40 * x) * Math.cos(33 * y) + 0.3 * Math.sin(120 * x + 90 * y)) + 50_000;

interface View {
  center: [number, number];
  zoom: number;
  bearing?: number;
  pitch?: number;
  width: number;
  height: number;
  pixelRatio: number;
}

const views = {
  sharp: { center: [20, 20], zoom: 0.9, width: 130, height: 110, pixelRatio: 2 },
  turned: { center: [10, 20], zoom: 0.8, bearing: 30, width: 160, height: 130, pixelRatio: 1 },
  pitched: {
    center: [10, 20],
    zoom: 1.2,
    bearing: -20,
    pitch: 55,
    width: 160,
    height: 130,
    pixelRatio: 1,
  },
  north: (({
	center: [80, 58],
	zoom: 1.3,
	bearing: -20,
	pitch: 50,
	width: 160,
	height: 130,
	pixelRatio: 1.5
})), // oxfmt-ignore
  far: { center: [10, 20], zoom: -0.8, width: 200, height: 140, pixelRatio: 1 },
  world: { center: [10, 20], zoom: 0, width: 160, height: 130, pixelRatio: 1 },
  between: { center: [-3, 41], zoom: 0.6, width: 201, height: 151, pixelRatio: 1 },
  dense: { center: [120, -30], zoom: 1.3, width: 120, height: 100, pixelRatio: 2 },
  near: { center: [14, 5], zoom: 3.4, width: 160, height: 160, pixelRatio: 1 },
  antimeridian: { center: [178, 0], zoom: 0.2, width: 190, height: 100, pixelRatio: 1.5 },
} satisfies Record<string, View>;

const raster = (paint: object) => ({
  type: 'raster',
  paint: { 'raster-fade-duration': 0, ...paint },
});
const hillshade = (paint: object) => ({ type: 'hillshade', paint });
const image = (...corners: [number, number][]) => ({
  type: 'image',
  url: 'local://image.png',
  coordinates: corners,
});
const colors = [
  'interpolate',
  ['linear'],
  ['elevation'],
  0,
  '#048',
  40_000,
  '#dd6',
  90_000,
  '#f0ff',
];

const scenes: [name: string, view: keyof typeof views, source: object, layer: object][] = [
  ['tiles as large as their pixels', 'world', tiles('imagery'), raster({})],
  ['tiles between zooms', 'between', tiles('imagery'), raster({ 'raster-opacity': 0.7 })],
  ['shrunk tiles', 'far', tiles('imagery', { tileSize: 32 }), raster({})],
  ['enlarged tiles', 'near', tiles('imagery'), raster({ 'raster-resampling': 'nearest' })],
  ['turned tiles', 'turned', tiles('imagery'), raster({})],
  ['pitched tiles', 'pitched', tiles('imagery'), raster({})],
  ['pitched hills', 'pitched', tiles('dem', { type: 'raster-dem' }), hillshade({})],
  ['tiles across the antimeridian', 'antimeridian', tiles('imagery'), raster({})],
  ['larger tiles for missing ones', 'dense', tiles('sparse'), raster({})],
  [
    'adjusted colors',
    'between',
    tiles('imagery'),
    raster({
      'raster-hue-rotate': 70,
      'raster-saturation': 0.4,
      'raster-contrast': 0.3,
      'raster-brightness-min': 0.1,
      'raster-brightness-max': 0.8,
      'raster-opacity': 0.6,
    }),
  ],
  ['the highest contrast', 'between', tiles('imagery'), raster({ 'raster-contrast': 1, 'raster-hue-rotate': 20, 'raster-brightness-min': 0.2 })], // oxfmt-ignore
  [
    'an image in perspective',
    'between',
    image([-60, 60], [50, 50], [70, 0], [-80, -20]),
    raster({}),
  ],
  ['a folded image', 'between', image([-60, 60], [70, 0], [50, 50], [-80, -20]), raster({})],
  [
    'an image far foreshortened',
    'between',
    image([-60, 60], [-55, 60], [70, 0], [-80, -20]),
    raster({}),
  ],
  [
    'an image across the antimeridian',
    'antimeridian',
    image([140, 30], [200, 30], [200, -20], [140, -20]),
    raster({}),
  ],
  ...['standard', 'basic', 'combined', 'igor', 'multidirectional'].map(
    (method): (typeof scenes)[number] => [
      `hills shaded by the method ${method}`,
      method === 'igor' ? 'dense' : 'between',
      tiles('dem', { type: 'raster-dem' }),
      hillshade({
        'hillshade-method': method,
        'hillshade-illumination-direction': [300, 60],
        'hillshade-illumination-altitude': [40, 20],
        'hillshade-shadow-color': ['#223', '#400'],
        'hillshade-highlight-color': ['#ffe', '#cef'],
        'hillshade-accent-color': '#5a3',
        'hillshade-exaggeration': 0.3,
      }),
    ],
  ),
  ['elevations in colors', 'between', tiles('dem', { type: 'raster-dem' }), { type: 'color-relief', paint: { 'color-relief-color': colors, 'color-relief-opacity': 0.8 } }], // oxfmt-ignore
];

/** A polygon with a hole, an overlapping one, and a line, with names of images */
const shapes = {
  type: 'geojson',
  data: {
    type: 'FeatureCollection',
    features: [
      ['Polygon', [[[-70, -20], [60, 0], [20, 70], [-60, 50], [-70, -20]], [[-20, 10], [20, 20], [0, 45], [-20, 10]]], 'frame'], // oxfmt-ignore
      [
        'Polygon',
        [
          [
            [30, -10],
            [80, 0],
            [60, 50],
            [30, -10],
          ],
        ],
        'disk.sdf',
      ],
      [
        'LineString',
        [
          [-75, 60],
          [-10, 55],
          [40, 20],
          [-30, -10],
        ],
        'flag',
      ],
    ].map(([type, coordinates, image]) => ({
      type: 'Feature',
      properties: { image },
      geometry: { type, coordinates },
    })),
  },
};

/** Inside one tile: where walls of two tiles coincide, rounding decides which one is seen. */
const block = {
  type: 'geojson',
  data: {
    type: 'Feature',
    properties: {},
    geometry: { type: 'Polygon', coordinates: [[[60, 50], [100, 48], [95, 66], [62, 68], [60, 50]]] }, // oxfmt-ignore
  },
};

const patternScenes: typeof scenes = [
  ['patterned roofs and walls', 'north', block, { type: 'fill-extrusion', paint: { 'fill-extrusion-pattern': 'frame', 'fill-extrusion-height': 2e6, 'fill-extrusion-base': 4e5, 'fill-extrusion-opacity': 0.8, 'fill-extrusion-translate': [6, 4] } }], // oxfmt-ignore
  ['a background pattern', 'between', shapes, { type: 'background', source: undefined, paint: { 'background-pattern': 'flag', 'background-opacity': 0.7 } }], // oxfmt-ignore
  ['patterned areas with outlines', 'between', shapes, { type: 'fill', paint: { 'fill-pattern': 'frame', 'fill-opacity': 0.8, 'fill-translate': [5, 3] } }], // oxfmt-ignore
  ['patterns for dense screens', 'sharp', shapes, { type: 'fill', paint: { 'fill-pattern': 'frame', 'fill-outline-color': '#c00' } }], // oxfmt-ignore
  ['patterns of distance fields', 'between', shapes, { type: 'fill', paint: { 'fill-pattern': 'disk.sdf', 'fill-color': '#08a' } }], // oxfmt-ignore
  ['patterned lines', 'between', shapes, { type: 'line', paint: { 'line-pattern': 'frame', 'line-width': 14, 'line-opacity': 0.8 }, layout: { 'line-cap': 'round', 'line-join': 'round' } }], // oxfmt-ignore
  ['patterned lines without their dashes', 'between', shapes, { type: 'line', paint: { 'line-pattern': 'flag', 'line-width': 14, 'line-dasharray': [0, 2] } }], // oxfmt-ignore
  ['patterned lines beyond the last zoom of their source', 'near', { ...shapes, maxzoom: 1 }, { type: 'line', paint: { 'line-pattern': 'flag', 'line-width': 14 } }], // oxfmt-ignore
  ['patterned lines cut without a margin', 'near', { ...shapes, buffer: 0 }, { type: 'line', paint: { 'line-pattern': 'flag', 'line-width': 14 } }], // oxfmt-ignore
];

describe.skipIf(!hasChromium)('rasters and patterns match maplibre-gl', () => {
  let folder: string;
  let reference: Reference;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rasters-'));
    for (let z = 0; z <= ZOOM; z++) {
      const count = 2 ** z;
      for (let x = 0; x < count; x++) {
        for (let y = 0; y < count; y++) {
          const name = `${z}-${x}-${y}.png`;
          const picture = await pngOf(SIDE, SIDE, (i, j) => imagery(x + 3 * y + z, i, j));
          putFile(folder, `imagery/${name}`, picture);
          if (z < 2 || (x + y) % 3 > 0) putFile(folder, `sparse/${name}`, picture);
          const dem = await pngOf(SIDE, SIDE, (i, j) =>
            elevationColor(hills((x + (i + 0.5) / SIDE) / count, (y + (j + 0.5) / SIDE) / count)),
          );
          putFile(folder, `dem/${name}`, dem);
        }
      }
    }
    for (const ratio of [1, 2]) {
      const { index, sheet } = await spriteFiles(ratio);
      const name = ratio === 1 ? 'sprites/small' : 'sprites/small@2x';
      putFile(folder, `${name}.json`, Buffer.from(JSON.stringify(index)));
      putFile(folder, `${name}.png`, sheet);
    }
    putFile(folder, 'image.png', await pngOf(40, 30, (i, j) => imagery(1, i, j)));
    reference = await openReference((path) => {
      const file = join(folder, path);
      return existsSync(file) ? readFileSync(file) : null;
    });
  });
  afterAll(async () => {
    await reference.close();
    rmSync(folder, { recursive: true });
  });

  it.each([...scenes, ...patternScenes])('%s', async (_, view, source, layer) => {
    const { center, zoom, bearing = 0, pitch = 0, ...frame } = views[view] as View;
    const backdrop = { id: 'b', type: 'background', paint: { 'background-color': '#dec' } };
    const style = {
      version: 8,
      center,
      zoom,
      bearing,
      pitch,
      sprite: 'local://sprites/small',
      sources: { s: source },
      layers: [backdrop, { id: 'l', source: 's', ...layer }] as LayerSpecification[],
    } as unknown as StyleSpecification;
    const file = join(folder, 'style.json');
    writeFileSync(file, JSON.stringify(style));
    const ours = await render(await readScene({ file, assets: folder, ...frame }));
    const { png } = await reference.draw({ style, center, zoom, ...frame });
    expect((await comparePictures(ours, png)).share).toBeLessThanOrEqual(SHARE);
  });
});
