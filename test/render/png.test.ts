import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { projectFile } from '../../src/base/geodata/project-files.ts';
import { encode, type RawPicture } from '../../src/render/canvas/encode.ts';

/** Returns the color of a pixel. `random` returns numbers from 0 to 1. */
type Painter = (x: number, y: number, random: () => number) => number;

const PAINTERS: Record<string, Painter> = {
  flat: () => 0x806040,
  areas: (x, y) => ((x >> 4) * 0x31 + (y >> 3) * 0x5100) & 0xffffff,
  lines: (x, y, random) => (y % 5 === 0 ? 0x102030 : random() < 0.1 ? x : 0xfefefe),
  hatching: (x, y) => ((x + y) % 12 < 3 ? 0xb04020 : (x + y) % 12 === 3 ? 0xd89080 : 0xffffff),
  'few colors': (x, y, random) => (((x * y) % 7) + Math.floor(random() * 3)) * 0x123456,
  hills: (x, y, random) =>
    0x010101 * Math.floor(120 + 80 * Math.sin(x / 17) * Math.cos(y / 11) + 4 * random()),
  gradient: (x, y) => (x + (y << 8) + ((x * y) << 16)) & 0xffffff,
  noise: (_x, _y, random) => Math.floor(random() * 2 ** 24),
};

type Pixels = RawPicture & { bytes: Buffer };

function paint(
  [width, height]: readonly [number, number],
  painter: Painter,
  opaque: boolean,
  seed = 1,
): Pixels {
  let state = seed;
  const random = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const bytes = Buffer.alloc(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const color = painter(i % width, Math.floor(i / width), random);
    const alpha = opaque ? 255 : 85 * Math.floor(4 * random());
    bytes.writeUInt32LE(color + alpha * 2 ** 24, 4 * i);
  }
  return { width, height, bytes, opaque };
}

/** Decodes a picture with libpng, which verifies all checksums. */
async function decode(png: Buffer): Promise<Pixels> {
  const { channels } = await sharp(png).metadata();
  const raw = sharp(png, { failOn: 'warning' }).ensureAlpha().raw();
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, bytes: data, opaque: channels === 3 };
}

async function expectLossless(picture: Pixels): Promise<void> {
  const decoded = await decode(await encode(picture, 'png'));
  const { width, height, opaque } = picture;
  expect(decoded).toMatchObject({ width, height, opaque });
  // `toEqual` compares numbers one by one.
  expect(Buffer.compare(picture.bytes, decoded.bytes), `${width} x ${height}`).toBe(0);
}

/** Returns the size that sharp's encoder, with the setting for the same speed, takes. */
async function sizeBySharp({ width, height, bytes }: Pixels): Promise<number> {
  const image = sharp(bytes, { raw: { width, height, channels: 4 } }).removeAlpha();
  return (await image.png({ compressionLevel: 3 }).toBuffer()).length;
}

describe('PNG pictures', () => {
  it('contain the same pixels', async () => {
    const side = fc.integer({ min: 1, max: 120 });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(side, side),
        fc.constantFrom(...Object.values(PAINTERS)),
        fc.boolean(),
        fc.nat(),
        async (size, painter, opaque, seed) => {
          await expectLossless(paint(size, painter, opaque, seed));
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each([
    ['rows longer than the window', [11_000, 4]],
    ['rows of half the window', [5_461, 6]],
    ['a narrow picture', [1, 2_000]],
    ['many blocks of uncompressed data', [200, 120]],
  ] as const)('contain the same pixels: %s', async (_name, size) => {
    for (const painter of Object.values(PAINTERS)) {
      await expectLossless(paint(size, painter, true));
      await expectLossless(paint(size, painter, false));
    }
  });

  it.each([
    ['several blocks', 'hatching', [1_100, 960]],
    ['several blocks of one row', 'areas', [530_000, 2]],
    ['several blocks of literals', 'noise', [1_100, 480]],
  ] as const)('contain the same pixels: %s', async (_name, painter, size) => {
    await expectLossless(paint(size, PAINTERS[painter]!, true));
    await expectLossless(paint(size, PAINTERS[painter]!, false));
  });

  it('can be encoded from any place in memory', async () => {
    const picture = paint([30, 20], PAINTERS.lines!, true);
    const bytes = Buffer.concat([Buffer.alloc(1), picture.bytes]).subarray(1);
    await expectLossless({ ...picture, bytes });
  });

  it('have the same bytes for the same pixels, regardless of earlier pictures', async () => {
    const picture = paint([200, 100], PAINTERS['few colors']!, true);
    const first = await encode(picture, 'png');
    await encode(paint([300, 300], PAINTERS.noise!, false), 'png');
    expect((await encode(picture, 'png')).equals(first)).toBe(true);
  });

  it('are about as small as sharp’s', async () => {
    const map = await decode(readFileSync(projectFile('fixtures/golden/sample-metro.png')));
    expect((await encode(map, 'png')).length).toBeLessThan(1.02 * (await sizeBySharp(map)));
    for (const texture of ['hills', 'hatching', 'gradient']) {
      const picture = paint([300, 300], PAINTERS[texture]!, true);
      const { length } = await encode(picture, 'png');
      expect({ texture, length: length / (await sizeBySharp(picture)) }).toEqual({
        texture,
        length: expect.toSatisfy((share: number) => share < 1.1),
      });
    }
    const noise = await encode(paint([300, 300], PAINTERS.noise!, true), 'png');
    expect(noise.length).toBeLessThan(1.01 * 3 * 300 * 300);
  });
});
