/** Compares raster, image, hillshade, and color-relief layers with maplibre-gl. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScene } from '../../../src/render/document/style-file.ts';
import { render } from '../../../src/render/render.ts';
import { comparePictures } from '../../support/compare-pictures.ts';
import { hasChromium, openReference, type Reference } from '../../support/maplibre.ts';
import { elevationColor, pngOf, putFile, type Rgba } from '../../support/png-tiles.ts';

/** MapLibre's own limit */
const SHARE = 0.00025;

const SIDE = 64;
const ZOOM = 3;

const tiles = (path: string, more: object = {}) => ({
  type: 'raster',
  tiles: [`local://${path}/{z}-{x}-{y}.png`],
  ...{ tileSize: SIDE, maxzoom: ZOOM },
  ...more,
});

/** Stripes and a translucent corner, different in each tile */
function imagery(tile: number, x: number, y: number): Rgba {
  const alpha = x + y < 20 ? 120 : 255;
  return [(x * 7 + tile * 40) % 256, (y * 9) % 256, (x * y + tile * 90) % 256, alpha];
}

/** Hills in meters, from fractions of the world's side; higher than real ones, to be seen from afar */
const hills = (x: number, y: number) =>
  60_000 * (Math.sin(40 * x) * Math.cos(33 * y) + 0.3 * Math.sin(120 * x + 90 * y)) + 50_000;

const views = {
  far: { center: [10, 20], zoom: -0.8, width: 200, height: 140, pixelRatio: 1 },
  world: { center: [10, 20], zoom: 0, width: 160, height: 130, pixelRatio: 1 },
  between: { center: [-3, 41], zoom: 0.6, width: 201, height: 151, pixelRatio: 1 },
  dense: { center: [120, -30], zoom: 1.3, width: 120, height: 100, pixelRatio: 2 },
  near: { center: [14, 5], zoom: 3.4, width: 160, height: 160, pixelRatio: 1 },
  antimeridian: { center: [178, 0], zoom: 0.2, width: 190, height: 100, pixelRatio: 1.5 },
} as const;

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
  ['tiles across the antimeridian', 'antimeridian', tiles('imagery'), raster({})],
  ['larger tiles for missing ones', 'dense', tiles('sparse'), raster({})],
  [
    'adjusted colors',
    'between',
    tiles('imagery'),
    raster({
      ...{ 'raster-hue-rotate': 70, 'raster-saturation': 0.4, 'raster-contrast': 0.3 },
      ...{ 'raster-brightness-min': 0.1, 'raster-brightness-max': 0.8, 'raster-opacity': 0.6 },
    }),
  ],
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

describe.skipIf(!hasChromium)('rasters match maplibre-gl', () => {
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
    putFile(folder, 'image.png', await pngOf(40, 30, (i, j) => imagery(1, i, j)));
    reference = await openReference((path) => {
      const file = join(folder, path);
      return existsSync(file) ? readFileSync(file) : null;
    });
  }, 60_000);
  afterAll(async () => {
    await reference.close();
    rmSync(folder, { recursive: true });
  });

  it.each(scenes)('%s', async (_, view, source, layer) => {
    const { center, zoom, ...frame } = views[view];
    const backdrop = { id: 'b', type: 'background', paint: { 'background-color': '#dec' } };
    const style = {
      ...{ version: 8, center, zoom },
      sources: { s: source },
      layers: [backdrop, { id: 'l', source: 's', ...layer }] as LayerSpecification[],
    } as unknown as StyleSpecification;
    const file = join(folder, 'style.json');
    writeFileSync(file, JSON.stringify(style));
    const ours = await render(await readScene({ file, assets: folder, ...frame }));
    const { png } = await reference.draw({ style, center: [...center], zoom, ...frame });
    expect((await comparePictures(ours, png)).share).toBeLessThanOrEqual(SHARE);
  });
});
