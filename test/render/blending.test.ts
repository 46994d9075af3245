/** Colors are blended as 32-bit words, with the same results as blending each channel exactly. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Pixels, tintOf } from '../../src/render/canvas/raster/pixels.ts';
import { Color } from '../../src/render/style-spec.ts';

const byte = fc.integer({ min: 0, max: 255 });
const color = fc.tuple(byte, byte, byte);
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** As a canvas rounds */
const rounded = (value: number) => new Uint8ClampedArray([value])[0]!;

const tintOfBytes = ([r, g, b]: readonly number[], opacity = 1) =>
  tintOf(new Color(r! / 255, g! / 255, b! / 255, 1), opacity);

/** One pixel, premultiplied */
function pixelOf([r, g, b]: readonly number[], alpha: number): Pixels {
  const pixels = new Pixels(1, 1);
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
          const allowed = isHalf ? [Math.floor(exact), Math.ceil(exact)] : [rounded(exact)];
          expect(allowed).toContain(pixels.bytes[i]);
        }
      }),
    );
  });

  it('under a mask gets the same color as from its share', () => {
    fc.assert(
      fc.property(color, color, byte, byte, (above, below, alpha, covered) => {
        const [masked, blended] = [pixelOf(below, alpha), pixelOf(below, alpha)];
        const coverage = new Uint8Array([covered]);
        const mask = { left: 0, top: 0, width: 1, height: 1, coverage };
        masked.blendMask(mask, 0, 0, tintOfBytes(above), 1);
        blended.blend(0, tintOfBytes(above), covered / 255);
        expect([...masked.bytes]).toEqual([...blended.bytes]);
      }),
      { numRuns: 1000 },
    );
  });
});
