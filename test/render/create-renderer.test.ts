import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import {
  createRenderer,
  InvalidSceneError,
  UnsupportedStyleError,
  type PictureRequest,
  type RendererOptions,
} from '../../src/render/create-renderer.ts';
import { cutTiles } from './cut-tiles.ts';
import { RED } from './pictures.ts';
import { spriteFiles } from './sprite.ts';
import { GZIP, mbtiles, pmtiles, PNG, ZSTD, type ArchivedTile } from './tile-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'render-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const ring = [[-170, -80], [170, -80], [170, 80], [-170, 80], [-170, -80]]; // oxfmt-ignore
const tileOf = cutTiles(
  { d: [{ type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } }] },
  { maxzoom: 2, buffer: 64 },
);
/** Nine tenths of the world in red, at zooms 1 and 2 */
const TILES: ArchivedTile[] = [1, 2].flatMap((z) =>
  Array.from({ length: 4 ** z }, (_, i) => {
    const tile = { z, x: i % 2 ** z, y: Math.floor(i / 2 ** z) };
    return { ...tile, bytes: tileOf(tile)! };
  }),
);

const STYLE = {
  version: 8,
  sources: { s: { type: 'vector', url: 'https://example.com/elsewhere.json' } },
  layers: [
    { id: 'f', type: 'fill', source: 's', 'source-layer': 'd', paint: { 'fill-color': '#f00' } },
  ],
} as const;
const VIEW: PictureRequest = { center: [45, 40], zoom: 2.3, width: 64, height: 48 };

async function drawPicture(options: Partial<RendererOptions>, view = VIEW): Promise<Buffer> {
  const style = structuredClone(STYLE) as unknown as RendererOptions['style'];
  const renderer = await createRenderer({ style, workers: 0, ...options });
  try {
    return await renderer.render(view);
  } finally {
    await renderer.close();
  }
}

async function middleOf(picture: Buffer): Promise<number[]> {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data.subarray(4 * (24 * info.width + 32)).subarray(0, 4)];
}

describe('a renderer of a style', () => {
  it('draws vector tiles from PMTiles and MBTiles alike, compressed or not', async () => {
    const packed = TILES.map((tile) => ({ ...tile, bytes: gzipSync(tile.bytes) }));
    const files = [
      put('plain', pmtiles(TILES)),
      put('packed.pmtiles', pmtiles(TILES, { compression: GZIP!, pack: (b) => gzipSync(b) })),
      put('plain.mbtiles', await mbtiles(TILES)),
      put('packed.mbtiles', await mbtiles(packed, { format: 'pbf', bounds: '-180,-85,180,85' })),
    ];
    const [first, ...others] = await Promise.all(files.map((tiles) => drawPicture({ tiles })));
    expect(await middleOf(first!)).toEqual(RED);
    for (const picture of others) expect(picture.equals(first!)).toBe(true);
    // Beyond the last zoom of the archive, parts of its tiles are drawn.
    const near = await drawPicture({ tiles: { s: files[0]! } }, { ...VIEW, zoom: 6 });
    expect(await middleOf(near)).toEqual(RED);
  });

  it('draws raster tiles from an archive', async () => {
    const channels = { width: 4, height: 4, channels: 3, background: '#f00' } as const;
    const bytes = await sharp({ create: channels }).png().toBuffer();
    const tiles = [{ z: 0, x: 0, y: 0, bytes }];
    const style = {
      version: 8,
      sources: { r: { type: 'raster', tiles: ['https://example.com/{z}/{x}/{y}'] } },
      layers: [{ id: 'r', type: 'raster', source: 'r' }],
    } as const;
    const unnamed = await mbtiles(tiles, { name: 'A program that writes no format' });
    for (const archive of [pmtiles(tiles, { type: PNG }), unnamed]) {
      const file = put('raster', archive);
      const picture = await drawPicture({ style: structuredClone(style) as never, tiles: file });
      expect(await middleOf(picture)).toEqual(RED);
    }
  });

  it('draws the same pictures in threads as in the caller’s thread, every time', async () => {
    const tiles = put('threads', pmtiles(TILES));
    const style = put('style.json', JSON.stringify(STYLE));
    const renderer = await createRenderer({ style, tiles, workers: 2 });
    const request = { ...VIEW, furniture: { title: 'Title' }, format: 'webp' } as const;
    const [one, two] = await Promise.all([1, 2].map(() => renderer.render(request)));
    const again = await renderer.render(request);
    await renderer.close();
    expect(one!.equals(two!) && one!.equals(again)).toBe(true);
    expect(one!.equals(await drawPicture({ style, tiles }, request))).toBe(true);
  });

  it.each<[string, () => Uint8Array | Promise<Uint8Array>, RegExp]>([
    ['a foreign file', () => Buffer.from('PK zip'), /is neither PMTiles nor MBTiles: convert it/],
    ['a cut header', () => pmtiles(TILES).subarray(0, 100), /damaged PMTiles file: its header cannot be read/], // oxfmt-ignore
    ['a cut directory', () => pmtiles(TILES).subarray(0, 140), /damaged PMTiles file: its header/],
    ['a cut tile', () => pmtiles(TILES).subarray(0, 220), /the tile 2\/\d\/\d cannot be read: the file ends before it/], // oxfmt-ignore
    ['an unknown compression', () => pmtiles(TILES, { compression: ZSTD! }), /its compression is not supported: write the archive with gzip/], // oxfmt-ignore
    ['damaged gzip', () => pmtiles(TILES, { compression: GZIP! }), /damaged PMTiles file: .*incorrect header check/], // oxfmt-ignore
    ['pictures for a vector source', () => pmtiles(TILES, { type: PNG }), /has tiles in png, for which the style has no source: it has no such source/], // oxfmt-ignore
    ['another database', async () => { const bytes = await mbtiles(TILES); bytes.fill(0, 4096); return bytes; }, /is not a valid MBTiles file: database disk image is malformed/], // oxfmt-ignore
    ['broken tiles', () => pmtiles(TILES.map((tile) => ({ ...tile, bytes: new Uint8Array([255, 255, 255]) }))), /the tile 2\/\d\/\d is not a valid Mapbox Vector Tile/], // oxfmt-ignore
  ])('refuses %s', async (_name, content, why) => {
    const drawing = drawPicture({ tiles: put('refused', await content()) });
    await expect(drawing).rejects.toThrow(InvalidSceneError);
    await expect(drawing).rejects.toThrow(why);
  });

  it('refuses unsupported styles, missing files, and unknown sources before the first picture', async () => {
    const terrain = { ...STYLE, terrain: { source: 's' } } as unknown as RendererOptions['style'];
    await expect(createRenderer({ style: terrain })).rejects.toThrow(UnsupportedStyleError);
    await expect(drawPicture({ tiles: join(folder, 'none') })).rejects.toThrow(
      'cannot be read: ENOENT',
    );
    const tiles = { other: put('known', pmtiles(TILES)) };
    await expect(drawPicture({ tiles })).rejects.toThrow(
      'has tiles in mvt, for which the style has no source "other": use s',
    );
    await expect(createRenderer({ style: structuredClone(STYLE) as never })).rejects.toThrow(
      'sources.s.url is "https://example.com/elsewhere.json"',
    );
  });

  it('refuses a style with all problems of its files together', async () => {
    const remote = 'https://example.com';
    const sources = {
      tiles: { type: 'vector', tiles: [`${remote}/{z}/{x}/{y}`], minzoom: 5 },
      url: { type: 'vector', url: `${remote}/tiles.json` },
      photos: { type: 'raster', tiles: [`${remote}/{z}/{x}/{y}.png`], minzoom: 5 },
      dem: { type: 'raster-dem', url: `${remote}/dem.json` },
      data: { type: 'geojson', data: `${remote}/data.geojson` },
      lost: { type: 'geojson', data: 'lost.geojson' },
      photo: {
        type: 'image',
        url: `${remote}/photo.png`,
        coordinates: [
          [0, 1],
          [1, 1],
          [1, 0],
          [0, 0],
        ],
      },
      unused: { type: 'vector', url: `${remote}/unused.json` },
    };
    const layer = (id: string, type: string, source: string, properties = {}) => ({
      id,
      type,
      source,
      ...properties,
    });
    const inTiles = { 'source-layer': 'd' };
    const style = {
      ...STYLE,
      sources,
      sprite: [
        { id: 'default', url: `${remote}/icons` },
        { id: 'more', url: `${remote}/more` },
      ],
      layers: [
        layer('a', 'fill', 'tiles', { ...inTiles, paint: { 'fill-pattern': 'a' } }),
        layer('b', 'line', 'url', inTiles),
        layer('c', 'raster', 'photos'),
        layer('d', 'hillshade', 'dem'),
        layer('e', 'circle', 'data'),
        layer('f', 'circle', 'lost'),
        layer('g', 'raster', 'photo'),
      ],
    };
    const refusalOf = (document: object) =>
      createRenderer({ style: document as never, assets: folder }).catch((error) => error);
    const error = await refusalOf(style);
    expect(error).toBeInstanceOf(InvalidSceneError);
    const named = [
      'sprite[0].url',
      'sprite[1].url',
      'sources.tiles.tiles',
      'sources.url.url',
      'sources.photos.tiles',
      'sources.dem.url',
      'sources.data.data',
      'sources.lost.data',
      'sources.photo.url',
    ];
    const propertiesOf = ({ problems }: InvalidSceneError) =>
      problems.map((problem) => problem.split(' ')[0]);
    expect(propertiesOf(error)).toEqual(named);

    const unsupported = await refusalOf({ ...style, centerAltitude: 5 });
    expect(unsupported).toBeInstanceOf(UnsupportedStyleError);
    expect(unsupported.properties).toEqual(['centerAltitude']);
    expect(propertiesOf(unsupported)).toEqual(['centerAltitude', ...named]);
  });

  it('refuses all constant fonts that neither the glyph files nor the project have', async () => {
    const label = (id: string, font: unknown) => ({
      id,
      type: 'symbol',
      source: 's',
      'source-layer': 'd',
      layout: { 'text-field': 'a', ...(font === undefined ? {} : { 'text-font': font }) },
    });
    const layers = [
      label('a', ['Open Sans Bold']),
      label('b', ['Open Sans Bold', 'Noto Sans Bold']),
      label('c', undefined),
      label('d', ['step', ['zoom'], ['literal', ['Other']], 3, ['literal', ['Another']]]),
    ];
    const glyphs = 'https://example.com/{fontstack}/{range}.pbf';
    const style = { ...STYLE, layers, glyphs } as never;
    const tiles = put('fonts.pmtiles', pmtiles(TILES));
    const error = await createRenderer({ style, tiles }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(UnsupportedStyleError);
    expect(error.properties).toEqual(['layers[0].layout.text-font', 'layers[2].layout.text-font']);
  });

  it('accepts a sprite for one pixel ratio only', async () => {
    const { index, sheet } = await spriteFiles(2);
    put('icons@2x.json', JSON.stringify(index));
    put('icons@2x.png', sheet);
    const style = { ...STYLE, sources: {}, sprite: 'icons', layers: [] };
    const layers = [{ id: 'b', type: 'background', paint: { 'background-pattern': 'flag' } }];
    const options = { style: { ...style, layers } as never, assets: folder };
    const picture = await drawPicture(options, { ...VIEW, pixelRatio: 2 });
    expect(picture).toBeInstanceOf(Buffer);
  });
});
