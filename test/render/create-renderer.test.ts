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
import { GZIP, mbtiles, pmtiles, PNG, ZSTD, type ArchivedTile } from './tile-archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'render-'));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const ring = [[-170, -80], [170, -80], [170, 80], [-170, 80], [-170, -80]]; // oxfmt-ignore
const tileOf = cutTiles(
  {
    d: [
      {
        type: 'Feature',
        properties: {},
        geometry: { type: 'Polygon', coordinates: [ring] },
      },
    ],
  },
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
    ...[
      { id: 'f', type: 'fill', source: 's', 'source-layer': 'd', paint: { 'fill-color': '#f00' } },
    ],
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
    await expect(drawPicture({})).rejects.toThrow(
      'sources.s.url is "https://example.com/elsewhere.json"',
    );
  });
});
