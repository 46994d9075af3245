/** The maplibre-native engine, with a stand-in for the library. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { inProcessRenderer, nativeRenderer } from '../../src/render/engines.ts';
import { InvalidSceneError, UnsupportedStyleError } from '../../src/render/errors.ts';
import { unpremultiply } from '../../src/render/native/unpremultiply.ts';
import {
  sceneResources,
  withSceneAddresses,
  type RequestGlyphs,
} from '../../src/render/native/resources.ts';
import { CrashError, UnavailableError } from '../../src/base/workers/errors.ts';
import type { Renderer } from '../../src/render/renderer.ts';
import type { Scene } from '../../src/render/scene.ts';
import { camera, point, scene, white } from './pictures.ts';

const binding = fileURLToPath(new URL('workers/native-binding.cjs', import.meta.url));

const renderers: Renderer[] = [];
afterEach(() => Promise.all(renderers.splice(0).map((renderer) => renderer.close())));

const noGlyphs: RequestGlyphs = () =>
  Promise.reject(new Error('The scene must not request glyphs'));

const open = ({ glyphs = noGlyphs, deadlineMs = 20_000 }) =>
  nativeRenderer({ workers: 1, queue: 8, deadlineMs }, glyphs, binding);

function native(options: Parameters<typeof open>[0] = {}): Renderer {
  const renderer = open(options);
  renderers.push(renderer);
  return renderer;
}

/** Returns a scene of 100 x 100 pixels whose metadata instructs the stand-in. */
function sceneFor(metadata: Record<string, unknown>, changes: Partial<Scene> = {}): Scene {
  const input = scene([white], [], changes);
  return { ...input, style: { ...input.style, metadata } };
}

async function pixelsOf(picture: Buffer) {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray(4 * (y * info.width + x)).subarray(0, 4)];
  return { width: info.width, height: info.height, at };
}

const fill = (source: string, sourceLayer?: string): LayerSpecification => ({
  id: 'x',
  type: 'fill',
  source,
  ...(sourceLayer === undefined ? {} : { 'source-layer': sourceLayer }),
});

const symbol = (layout: object) =>
  ({ id: 'x', type: 'symbol', source: 's', layout }) as LayerSpecification;

/** Returns the data that the library receives for a scene. */
async function dataSentBy(renderer: Renderer, input: Scene) {
  const reporting = { ...input, style: { ...input.style, metadata: { does: 'report' } } };
  const error = await renderer.render(reporting).catch((failure: Error) => failure);
  return JSON.parse((error as Error).message) as {
    style: StyleSpecification;
    options: unknown;
    ratio: number;
    created: number;
    released: number;
  };
}

describe('the maplibre-native engine', () => {
  it('passes the style with its features, camera, size, and pixel ratio to the library', async () => {
    const { style, options, ratio } = await dataSentBy(
      native(),
      scene([fill('s')], [point([50, 50], { name: 'Dallas' })], { pixelRatio: 2 }),
    );
    expect(style.layers).toEqual([fill('s')]);
    expect(style.sources['s']).toMatchObject({
      type: 'geojson',
      data: { type: 'FeatureCollection', features: [{ properties: { name: 'Dallas' } }] },
    });
    expect(options).toEqual({ ...camera, width: 100, height: 100 });
    expect(ratio).toBe(2);
  });

  it('returns a picture of the scene’s size, with colors divided by alpha', async () => {
    const input = sceneFor({ color: [64, 32, 0, 128] }, { pixelRatio: 1.5 });
    const { width, height, at } = await pixelsOf(await native().render(input));
    expect([width, height]).toEqual([150, 150]);
    const [red, green, blue, alpha] = at(149, 149);
    expect(Math.abs(red! - 128)).toBeLessThanOrEqual(1);
    expect(Math.abs(green! - 64)).toBeLessThanOrEqual(1);
    expect([blue, alpha]).toEqual([0, 128]);
  });

  it('draws the furniture over the map', async () => {
    const renderer = native();
    const furniture = { title: 'A title' };
    const blue = { color: [0, 0, 255, 255] };
    const bare = await pixelsOf(await renderer.render(sceneFor(blue)));
    const wide = { width: 600, height: 400 };
    const titled = await pixelsOf(await renderer.render(sceneFor(blue, { ...wide, furniture })));
    expect(bare.at(30, 30)).toEqual([0, 0, 255, 255]);
    expect(titled.at(30, 30)).not.toEqual([0, 0, 255, 255]);
    expect(titled.at(599, 200)).toEqual([0, 0, 255, 255]);
  });

  it('draws panels over the furniture, in the places where the canvas engine draws them', async () => {
    const frame = { minX: 10.3, minY: 20, maxX: 60.3, maxY: 50 };
    const size = { width: 50, height: 30, pixelRatio: 1.5 };
    const panels = [{ frame, scene: sceneFor({ color: [0, 255, 0, 255] }, size) }];
    const around = sceneFor({ color: [0, 0, 255, 255] }, { pixelRatio: 1.5, panels });
    const { width, at } = await pixelsOf(await native().render(around));
    expect(width).toBe(150);
    for (const [x, y] of [[15, 30], [89, 74]] as const) expect(at(x, y)).toEqual([0, 255, 0, 255]); // oxfmt-ignore
    for (const [x, y] of [
      [14, 30],
      [15, 29],
      [90, 74],
      [89, 75],
    ] as const) {
      expect(at(x, y), `${x}, ${y}`).toEqual([0, 0, 255, 255]);
    }
  });

  it('encodes in the format of the scene', async () => {
    const picture = await native().render(sceneFor({}, { format: 'webp' }));
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 100 });
  });

  it('returns the same bytes for the same scene', async () => {
    const renderer = native();
    const input = sceneFor({ color: [10, 20, 30, 255] }, { furniture: { title: 'Title' } });
    const first = await renderer.render(input);
    await renderer.render(sceneFor({ color: [1, 1, 1, 1] }));
    expect(first.equals(await renderer.render(input))).toBe(true);
  });

  it('reuses its map between pictures, and releases it when the pixel ratio changes', async () => {
    const renderer = native();
    for (const pixelRatio of [1, 1, 2, 2]) await renderer.render(sceneFor({}, { pixelRatio }));
    expect(await dataSentBy(renderer, sceneFor({}, { pixelRatio: 2 }))).toMatchObject({
      created: 2,
      released: 1,
    });
  });

  it('requests glyphs from the pool’s process', async () => {
    const requests: unknown[] = [];
    const glyphs: RequestGlyphs = async (request) => {
      requests.push(request);
      return new Uint8Array([11, 22, 33]);
    };
    const input = sceneFor({ fetches: [{ glyphs: 'Noto Sans Regular,Arial' }] });
    const { at } = await pixelsOf(await native({ glyphs }).render(input));
    expect(requests).toEqual([{ fontstack: 'Noto Sans Regular,Arial', range: '0-255' }]);
    expect([0, 1, 2, 3].map((x) => at(x, 0)[0])).toEqual([11, 22, 33, 255]);
  });

  it('requests no glyphs for a scene with its own', async () => {
    const glyphs = { 'Noto Sans Regular/0-255': new Uint8Array([44, 55]) };
    const fetches = [{ glyphs: 'Noto Sans Regular' }];
    const { at } = await pixelsOf(await native().render(sceneFor({ fetches }, { glyphs })));
    expect([at(0, 0)[0], at(1, 0)[0]]).toEqual([44, 55]);
  });

  it('serves the tiles of the scene in all copies of the world, and nothing elsewhere', async () => {
    const tile = (x: number, byte: number) => ({ z: 2, x, y: 1, bytes: new Uint8Array([byte]) });
    const addresses = ['2/1/1', '2/3/1', '2/2/2'];
    const input = sceneFor({ fetches: addresses.map((at) => ({ tile: 'a/b', at })) });
    const source = { type: 'vector', url: 'https://example.com/tiles.json' } as const;
    const { at } = await pixelsOf(
      await native().render({
        ...input,
        style: { ...input.style, sources: { 'a/b': source }, layers: [fill('a/b', 'd')] },
        sources: { 'a/b': { minzoom: 0, maxzoom: 2, tiles: [tile(1, 66), tile(-1, 77)] } },
      }),
    );
    expect([0, 1, 2].map((row) => at(0, row)[0])).toEqual([66, 77, 255]);
  });

  it('fails when the library requests a resource that the scene lacks, instead of waiting forever', async () => {
    const renderer = native();
    const input = sceneFor({ fetches: [{ url: 'https://example.com/elsewhere' }] });
    await expect(renderer.render(input)).rejects.toThrow(
      /requested https:\/\/example\.com\/elsewhere/,
    );
    expect(await renderer.render(sceneFor({}))).toBeInstanceOf(Buffer);
  });

  it('fails with the reason when glyphs are unavailable, instead of waiting forever', async () => {
    const glyphs: RequestGlyphs = () => Promise.reject(new Error('the font is missing'));
    const renderer = native({ glyphs });
    const input = sceneFor({ fetches: [{ glyphs: 'Noto Sans Regular' }] });
    await expect(renderer.render(input)).rejects.toThrow('the font is missing');
    expect(await renderer.render(sceneFor({}))).toBeInstanceOf(Buffer);
  });

  it.each<[string, LayerSpecification]>([
    ['layers[1].layout.text-overlap', symbol({ 'text-field': 'Dallas', 'text-overlap': 'always' })],
    ['layers[1].layout.icon-overlap', symbol({ 'icon-image': 'a', 'icon-overlap': 'always' })],
    [
      'layers[1].layout.text-field',
      symbol({ 'text-field': ['concat', ['global-state', 'language'], ''] }),
    ],
    [
      'layers[1].paint.circle-color',
      {
        id: 'x',
        type: 'circle',
        source: 's',
        paint: { 'circle-color': ['interpolate-lab', ['linear'], ['zoom'], 0, '#fff', 9, '#000'] },
      } as LayerSpecification,
    ],
  ])('refuses what the library would leave out: %s', async (property, layer) => {
    const renderer = native();
    const input = scene([white, layer], [point([50, 50])]);
    const refused = renderer.render({
      ...input,
      style: { ...input.style, metadata: { does: 'abort' } },
    });
    await expect(refused).rejects.toThrow(UnsupportedStyleError);
    await expect(refused).rejects.toMatchObject({ properties: [property] });
    expect(renderer.stats).toMatchObject({ failed: 1, lost: 0 });
  });

  it.each([{ roll: 10 }, { pitch: 70 }])('refuses a camera that it ignores: %o', async (turn) => {
    const refused = native().render(sceneFor({ does: 'abort' }, { view: { ...camera, ...turn } }));
    await expect(refused).rejects.toThrow(UnsupportedStyleError);
    await expect(refused).rejects.toMatchObject({ properties: Object.keys(turn) });
  });

  it('refuses a style of which the library could not parse a part', async () => {
    const renderer = native();
    const text = 'layer doesn’t parse: hsl(120deg 100% 25%)';
    const refused = renderer.render(sceneFor({ logs: [text, text] }));
    await expect(refused).rejects.toThrow(UnsupportedStyleError);
    await expect(refused).rejects.toThrow(`the style contains something that MapLibre Native`);
    await expect(refused).rejects.toThrow(text);
    expect(await renderer.render(sceneFor({}))).toBeInstanceOf(Buffer);
    expect(renderer.stats).toMatchObject({ lost: 0 });
  });

  it('discards the map with its process after a failure', async () => {
    const renderer = native();
    await renderer.render(sceneFor({}));
    await expect(renderer.render(sceneFor({ does: 'fail' }))).rejects.toThrow('the map failed');
    expect(await dataSentBy(renderer, sceneFor({}))).toMatchObject({ created: 1, released: 0 });
  });

  it('survives a scene that aborts its process, and reports the process’s last output', async () => {
    const renderer = native();
    const crash = renderer.render(sceneFor({ does: 'abort' }));
    await expect(crash).rejects.toThrow(CrashError);
    await expect(crash).rejects.toThrow(/SIGABRT.*terminate called after throwing/);
    expect(await renderer.render(sceneFor({}))).toBeInstanceOf(Buffer);
    expect(renderer.stats).toMatchObject({ done: 1, failed: 1, lost: 2 });
  });

  it('gives up on a map that does not answer, and continues with another', async () => {
    const renderer = native({ deadlineMs: 3_000 });
    await expect(renderer.render(sceneFor({ does: 'hang' }))).rejects.toThrow(UnavailableError);
    expect(await renderer.render(sceneFor({}))).toBeInstanceOf(Buffer);
  });
});

/** Styles and data that both engines refuse, with the same error, since exit codes depend on it. */
describe.each(['canvas', 'maplibre-native'] as const)('the contract of engines: %s', (engine) => {
  const style = (changes: object) => ({ style: { ...scene([white]).style, ...changes } });
  const layers = (layer: object) => style({ layers: [{ id: 'x', source: 's', ...layer }] });
  const renderer = engine === 'canvas' ? inProcessRenderer() : open({});
  afterAll(() => renderer.close());

  it.each<[string, object, typeof InvalidSceneError | typeof UnsupportedStyleError, RegExp]>([
    ['an impossible size', { width: 0 }, InvalidSceneError, /width must be/],
    ['data for an unknown source', { sources: { x: [] } }, InvalidSceneError, /source "x", which the style does not declare/], // oxfmt-ignore
    ['an invalid style', layers({ type: 'no' }), InvalidSceneError, /layers\[0\]/],
    [
      'a source without tiles',
      {
        sources: {},
        ...style({
          sources: { far: { type: 'vector', url: 'https://x' } },
          layers: [{ id: 'x', type: 'fill', source: 'far', 'source-layer': 'y' }],
        }),
      },
      InvalidSceneError,
      /no vector tiles for the source "far": add them to the scene/,
    ],
    [
      'tiles for GeoJSON',
      { sources: { s: { minzoom: 0, maxzoom: 0, tiles: [] } }, ...layers({ type: 'fill' }) },
      InvalidSceneError,
      /vector tiles for the GeoJSON source "s"/,
    ],
    [
      'an address as data',
      {
        sources: {},
        ...style({
          sources: { s: { type: 'geojson', data: 'https://x' } },
          layers: [{ id: 'x', type: 'fill', source: 's' }],
        }),
      },
      UnsupportedStyleError,
      /^sources\.s\.data is an address/,
    ],
    [
      'a missing font',
      {
        ...style({
          layers: [
            {
              id: 'x',
              type: 'symbol',
              source: 's',
              layout: { 'text-field': 'a', 'text-font': ['Elsewhere'] },
            },
          ],
          metadata: { fetches: [{ glyphs: 'Elsewhere' }] },
        }),
        sources: { s: [point([50, 50])] },
      },
      UnsupportedStyleError,
      /^layers\[0\]\.layout\.text-font names no available font: Elsewhere\. Use one of: Noto/,
    ],
    [
      'terrain',
      style({ terrain: { source: 's' } }),
      UnsupportedStyleError,
      /^terrain is not drawn/,
    ],
  ])('refuses %s', async (_name, change, kind, why) => {
    const refused = renderer.render({ ...scene([white]), ...change } as Scene);
    await expect(refused).rejects.toThrow(kind);
    await expect(refused).rejects.toThrow(why);
  });

  it('gets the images of a scene as a sprite', async () => {
    const pixels = new Uint8ClampedArray([128, 0, 0, 128, 0, 0, 255, 255]);
    const images = { flag: { width: 2, height: 1, pixels, pixelRatio: 2, sdf: false } };
    const input = scene([white], [], { images });
    expect(withSceneAddresses(input).sprite).toBe('scene://sprite');
    const resource = sceneResources(input, noGlyphs);
    const index = JSON.parse(String(await resource('scene://sprite@2x.json')));
    expect(index).toEqual({ flag: { x: 1, y: 0, width: 2, height: 1, pixelRatio: 2, sdf: false } });
    const { at } = await pixelsOf(Buffer.from((await resource('scene://sprite@2x.png'))!));
    expect([1, 2].map((x) => at(x, 0))).toEqual([
      [255, 0, 0, 128],
      [0, 0, 255, 255],
    ]);
  });

  it('ignores sources without a visible layer, sprites without images, and missing glyphs', async () => {
    const { glyphs: _glyphs, ...bare } = scene([white]).style;
    const input = scene([white], [], {
      style: {
        ...bare,
        sprite: 'https://example.com/sprite',
        sources: { ...bare.sources, far: { type: 'vector', url: 'https://x' } },
      },
    });
    expect(await renderer.render(input)).toBeInstanceOf(Buffer);
  });
});

describe('premultiplied pixels', () => {
  it('are divided by their alpha and clamped to white', () => {
    const pixels = new Uint8Array([64, 0, 129, 128, 9, 9, 9, 0, 1, 2, 3, 255]);
    expect(unpremultiply(pixels)).toBe(false);
    expect([...pixels]).toEqual([128, 0, 255, 128, 9, 9, 9, 0, 1, 2, 3, 255]);
  });

  it('are recognized as opaque', () => {
    expect(unpremultiply(new Uint8Array([1, 2, 3, 255, 4, 5, 6, 255]))).toBe(true);
  });
});
