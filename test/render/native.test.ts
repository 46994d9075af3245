/** The maplibre-native engine, on a stand-in for the library: what is ours on either side of it. */
import type { SourceSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { nativeRenderer } from '../../src/render/engines.ts';
import { InvalidSceneError } from '../../src/render/errors.ts';
import { unpremultiply } from '../../src/render/native/pixels.ts';
import type { AskGlyphs } from '../../src/render/native/resources.ts';
import { CrashError } from '../../src/render/pool/errors.ts';
import type { Renderer } from '../../src/render/renderer.ts';
import type { Scene } from '../../src/render/scene.ts';
import { camera, point, scene, white } from './pictures.ts';

const binding = fileURLToPath(new URL('workers/native-binding.cjs', import.meta.url));

const renderers: Renderer[] = [];
afterEach(() => Promise.all(renderers.splice(0).map((renderer) => renderer.close())));

const noGlyphs: AskGlyphs = () => Promise.reject(new Error('no glyphs were expected'));

function native({ glyphs = noGlyphs, deadlineMs = 20_000 } = {}): Renderer {
  const renderer = nativeRenderer({ workers: 1, queue: 8, deadlineMs }, glyphs, binding);
  renderers.push(renderer);
  return renderer;
}

/** A scene of 100 x 100 pixels, and what the stand-in does with it. */
function told(metadata: Record<string, unknown>, changes: Partial<Scene> = {}): Scene {
  const drawn = scene([white], [], changes);
  return { ...drawn, style: { ...drawn.style, metadata } };
}

async function pixelsOf(picture: Buffer) {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => [...data.subarray(4 * (y * info.width + x)).subarray(0, 4)];
  return { width: info.width, height: info.height, at };
}

const empty: SourceSpecification = {
  type: 'geojson',
  data: { type: 'FeatureCollection', features: [] },
};

/** What reaches the library when a scene is drawn. */
async function arrival(renderer: Renderer, of: Scene) {
  const telling = { ...of, style: { ...of.style, metadata: { does: 'tell' } } };
  const error = await renderer.render(telling).catch((failure: Error) => failure);
  return JSON.parse((error as Error).message) as {
    style: StyleSpecification;
    options: unknown;
    ratio: number;
    made: number;
    released: number;
  };
}

describe('the maplibre-native engine', () => {
  it('gives the library the style with the features in it, the camera, the size, the ratio', async () => {
    const { style, options, ratio } = await arrival(
      native(),
      scene([white], [point([50, 50], { name: 'Dallas' })], { pixelRatio: 2 }),
    );
    expect(style.layers).toEqual([white]);
    expect(style.sources['s']).toMatchObject({
      type: 'geojson',
      data: { type: 'FeatureCollection', features: [{ properties: { name: 'Dallas' } }] },
    });
    expect(options).toEqual({ ...camera, width: 100, height: 100 });
    expect(ratio).toBe(2);
  });

  it('makes the pixels a picture of the scene’s size, colours divided by alpha', async () => {
    const of = told({ color: [64, 32, 0, 128] }, { pixelRatio: 1.5 });
    const { width, height, at } = await pixelsOf(await native().render(of));
    expect([width, height]).toEqual([150, 150]);
    const [red, green, blue, alpha] = at(149, 149);
    expect(Math.abs(red! - 128)).toBeLessThanOrEqual(1);
    expect(Math.abs(green! - 64)).toBeLessThanOrEqual(1);
    expect([blue, alpha]).toEqual([0, 128]);
  });

  it('draws the furniture over the map', async () => {
    const renderer = native();
    const furniture = { title: 'A title to be read' };
    const blue = { color: [0, 0, 255, 255] };
    const bare = await pixelsOf(await renderer.render(told(blue)));
    const wide = { width: 600, height: 400 };
    const titled = await pixelsOf(await renderer.render(told(blue, { ...wide, furniture })));
    expect(bare.at(30, 30)).toEqual([0, 0, 255, 255]);
    expect(titled.at(30, 30)).not.toEqual([0, 0, 255, 255]);
    expect(titled.at(599, 200)).toEqual([0, 0, 255, 255]);
  });

  it('encodes as the scene asks', async () => {
    const picture = await native().render(told({}, { format: 'webp' }));
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 100 });
  });

  it('gives the same bytes for the same scene', async () => {
    const renderer = native();
    const of = told({ color: [10, 20, 30, 255] }, { furniture: { title: 'Title' } });
    const first = await renderer.render(of);
    await renderer.render(told({ color: [1, 1, 1, 1] }));
    expect(first.equals(await renderer.render(of))).toBe(true);
  });

  it('keeps its map from picture to picture, and releases it for another pixel ratio', async () => {
    const renderer = native();
    for (const pixelRatio of [1, 1, 2, 2]) await renderer.render(told({}, { pixelRatio }));
    expect(await arrival(renderer, told({}, { pixelRatio: 2 }))).toMatchObject({
      made: 2,
      released: 1,
    });
  });

  it('asks the pool’s process for glyphs', async () => {
    const asked: unknown[] = [];
    const glyphs: AskGlyphs = async (question) => {
      asked.push(question);
      return new Uint8Array([11, 22, 33]);
    };
    const of = told({ fetches: [{ glyphs: 'Noto Sans Regular,Arial' }] });
    const { at } = await pixelsOf(await native({ glyphs }).render(of));
    expect(asked).toEqual([{ fontstack: 'Noto Sans Regular,Arial', range: '0-255' }]);
    expect([0, 1, 2, 3].map((x) => at(x, 0)[0])).toEqual([11, 22, 33, 255]);
  });

  it('takes the glyphs that the scene brings along, and no others', async () => {
    const glyphs = { 'Noto Sans Regular/0-255': new Uint8Array([44, 55]) };
    const fetches = [{ glyphs: 'Noto Sans Regular' }, { glyphs: 'Other' }];
    const { at } = await pixelsOf(await native().render(told({ fetches }, { glyphs })));
    expect([at(0, 0)[0], at(1, 0)[0]]).toEqual([44, 55]);
    expect(at(0, 1)).toEqual([255, 255, 255, 255]);
  });

  it('gives the tiles that the scene brings along, in all copies of the world, else nothing', async () => {
    const tile = (x: number, byte: number) => ({ z: 2, x, y: 1, bytes: new Uint8Array([byte]) });
    const addresses = ['2/1/1', '2/3/1', '2/2/2'];
    const of = told({ fetches: addresses.map((at) => ({ tile: 'a/b', at })) });
    const source = { type: 'vector', url: 'https://example.com/tiles.json' } as const;
    const { at } = await pixelsOf(
      await native().render({
        ...of,
        style: { ...of.style, sources: { 'a/b': source } },
        sources: { 'a/b': { minzoom: 0, maxzoom: 2, tiles: [tile(1, 66), tile(-1, 77)] } },
      }),
    );
    expect([0, 1, 2].map((row) => at(0, row)[0])).toEqual([66, 77, 255]);
  });

  it('fails when the library asks for what no scene has, though it would wait for ever', async () => {
    const renderer = native();
    const of = told({ fetches: [{ url: 'https://example.com/elsewhere' }] });
    await expect(renderer.render(of)).rejects.toThrow(
      /asked for https:\/\/example\.com\/elsewhere/,
    );
    expect(await renderer.render(told({}))).toBeInstanceOf(Buffer);
  });

  it('fails with the reason when glyphs cannot be had, though the map would wait for ever', async () => {
    const glyphs: AskGlyphs = () => Promise.reject(new Error('the font is not there'));
    const renderer = native({ glyphs });
    const of = told({ fetches: [{ glyphs: 'Noto Sans Regular' }] });
    await expect(renderer.render(of)).rejects.toThrow('the font is not there');
    expect(await renderer.render(told({}))).toBeInstanceOf(Buffer);
  });

  it.each<[string, Partial<Scene>, RegExp]>([
    ['a size that would abort the library', { width: 0 }, /width must be/],
    ['a source that the style does not have', { sources: { x: [] } }, /no source "x"/],
    [
      'a style that is not valid',
      {
        style: { version: 8, sources: {}, layers: [{ id: 'x' }] } as unknown as StyleSpecification,
      },
      /layers\[0\]/,
    ],
    [
      'a style whose tiles are elsewhere',
      {
        style: { version: 8, sources: { far: { type: 'vector', url: 'https://x' } }, layers: [] },
        sources: {},
      },
      /needs the source "far"/,
    ],
    [
      'a style with a sprite',
      { style: { version: 8, sprite: 'https://example.com/x', sources: { s: empty }, layers: [] } },
      /needs a sprite/,
    ],
    [
      'tiles for a source of features',
      { sources: { s: { minzoom: 0, maxzoom: 0, tiles: [] } } },
      /"s" is of type geojson, not vector tiles/,
    ],
  ])('refuses %s before the library sees it', async (_name, change, why) => {
    const renderer = native();
    const refused = renderer.render(told({ does: 'abort' }, change));
    await expect(refused).rejects.toThrow(InvalidSceneError);
    await expect(refused).rejects.toThrow(why);
    expect(renderer.stats).toMatchObject({ failed: 1, lost: 0 });
  });

  it('throws the map away with its process when it failed', async () => {
    const renderer = native();
    await renderer.render(told({}));
    await expect(renderer.render(told({ does: 'fail' }))).rejects.toThrow('the map failed');
    expect(await arrival(renderer, told({}))).toMatchObject({ made: 1, released: 0 });
  });

  it('survives a scene that aborts its process, and repeats its last words', async () => {
    const renderer = native();
    const poison = renderer.render(told({ does: 'abort' }));
    await expect(poison).rejects.toThrow(CrashError);
    await expect(poison).rejects.toThrow(/SIGABRT.*terminate called after throwing/);
    expect(await renderer.render(told({}))).toBeInstanceOf(Buffer);
    expect(renderer.stats).toMatchObject({ done: 1, failed: 1, lost: 2 });
  });

  it('gives up a map that is silent, and goes on with another', async () => {
    const renderer = native({ deadlineMs: 3_000 });
    await expect(renderer.render(told({ does: 'hang' }))).rejects.toMatchObject({ status: 503 });
    expect(await renderer.render(told({}))).toBeInstanceOf(Buffer);
  });
});

describe('premultiplied pixels', () => {
  it('are divided by their alpha, never beyond white', () => {
    const pixels = new Uint8Array([64, 0, 129, 128, 9, 9, 9, 0, 1, 2, 3, 255]);
    expect(unpremultiply(pixels)).toBe(false);
    expect([...pixels]).toEqual([128, 0, 255, 128, 9, 9, 9, 0, 1, 2, 3, 255]);
  });

  it('that are all opaque are told so', () => {
    expect(unpremultiply(new Uint8Array([1, 2, 3, 255, 4, 5, 6, 255]))).toBe(true);
  });
});
