/** Colors are blended as 32-bit words, with the same results as blending each channel exactly. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pixels } from '../../src/render/canvas/raster/pixels.ts';
import { tintOf } from '../../src/render/canvas/raster/ink.ts';
import { Color } from '../../src/render/style-spec.ts';

const byte = fc.integer({ min: 0, max: 255 });
const color = fc.tuple(byte, byte, byte);
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** As a canvas rounds */
const clampToByte = (value: number) => new Uint8ClampedArray([value])[0]!;

const tintOfBytes = ([r, g, b]: readonly number[], opacity = 1) =>
  tintOf(new Color(r! / 255, g! / 255, b! / 255, 1), opacity);

const pixels = new Pixels(1, 1);

/** One pixel, premultiplied. Each call changes the same one. */
function pixelOf([r, g, b]: readonly number[], alpha: number): Pixels {
  pixels.bytes.set([r!, g!, b!].map((channel) => Math.floor((channel * alpha) / 255)));
  pixels.bytes[3] = alpha;
  return pixels;
}

describe('a pixel', () => {
  it('gets a share of a color', () => {
    fc.assert(
      fc.property(color, color, byte, share, share, (above, below, alpha, opacity, part) => {
        const pixels = pixelOf(below, alpha);
        const before = [...pixels.bytes];
        const rest = 1 - opacity * part;
        pixels.blend(0, tintOfBytes(above, opacity), part);
        for (const [i, channel] of [...above, 255].entries()) {
          // The last digits depend on the order of the multiplications.
          const exact = channel * opacity * part + before[i]! * rest;
          const isHalf = Math.abs(exact - Math.floor(exact) - 0.5) < 1e-9;
          const allowed = isHalf ? [Math.floor(exact), Math.ceil(exact)] : [clampToByte(exact)];
          expect(allowed).toContain(pixels.bytes[i]);
        }
      }),
    );
  });

  it('under a mask gets the same color as from its share', () => {
    fc.assert(
      fc.property(color, color, byte, byte, (above, below, alpha, covered) => {
        const coverage = new Uint8Array([covered]);
        const mask = { left: 0, top: 0, width: 1, height: 1, coverage };
        const masked = pixelOf(below, alpha);
        masked.blendMask(mask, 0, 0, tintOfBytes(above), 1);
        const result = [...masked.bytes];
        const blended = pixelOf(below, alpha);
        blended.blend(0, tintOfBytes(above), covered / 255);
        expect(result).toEqual([...blended.bytes]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a mask', () => {
  const [width, height] = [9, 7];
  const picture = new Pixels(width, height);
  const position = fc.integer({ min: -12, max: 12 });
  const side = fc.integer({ min: 1, max: 11 });

  it('changes the pixels that it covers, wherever it lies', () => {
    const someMask = fc
      .tuple(side, side)
      .chain(([columns, rows]) =>
        fc.record({
          columns: fc.constant(columns),
          rows: fc.constant(rows),
          coverage: fc.uint8Array({ minLength: columns * rows, maxLength: columns * rows }),
        }),
      );
    fc.assert(
      fc.property(someMask, position, position, color, share, (of, x, y, above, opacity) => {
        const { columns, rows, coverage } = of;
        const mask = { left: 0, top: 0, width: columns, height: rows, coverage };
        for (const [tint, part] of [
          [tintOfBytes(above), 1],
          [tintOfBytes(above, opacity), 0.5],
        ] as const) {
          picture.bytes.fill(100);
          for (let i = 0; i < width * height; i++) {
            const [column, row] = [(i % width) - x, Math.floor(i / width) - y];
            const isBeside = column < 0 || row < 0 || column >= columns || row >= rows;
            const covered = isBeside ? 0 : coverage[row * columns + column]!;
            if (covered > 0) picture.blend(i, tint, (covered * part) / 255);
          }
          const expected = [...picture.bytes];
          picture.bytes.fill(100);
          picture.blendMask(mask, x, y, tint, part);
          // Opaque colors are blended in whole numbers.
          const differences = expected.map((byte, j) => Math.abs(byte - picture.bytes[j]!));
          expect(Math.max(...differences)).toBeLessThanOrEqual(part === 1 ? 0 : 1);
        }
      }),
    );
  });

  it('may be larger than the memory for masks', () => {
    const tall = new Pixels(1, 1200);
    const coverage = new Uint8Array(1000 * 1200).fill(255);
    const tint = tintOfBytes([1, 2, 3]);
    tall.blendMask({ left: -500, top: 0, width: 1000, height: 1200, coverage }, 0, 0, tint, 1);
    expect(tall.bytes.every((byte, i) => byte === [1, 2, 3, 255][i % 4])).toBe(true);
  });
});
