import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { PbfReader } from 'pbf';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { glyphRange } from '../../../src/data/basemap/glyphs.ts';
import { render } from '../../../src/render/render.ts';
import { point, scene, white } from '../../render/pictures.ts';
import { hasChromium, openReference } from '../../support/maplibre.ts';

interface Glyph {
  id: number;
  bitmap: Uint8Array;
  width: number;
  height: number;
  left: number;
  top: number;
  advance: number;
}

/** Reads the font stacks of a `glyphs` message. */
function readStacks(bytes: Uint8Array) {
  const stacks: { name: string; range: string; glyphs: Glyph[] }[] = [];
  new PbfReader(bytes).readFields((tag, _, pbf) => {
    if (tag === 1) {
      stacks.push(pbf.readMessage(readStack, { name: '', range: '', glyphs: [] as Glyph[] }));
    }
  }, null);
  return stacks;
}

function readStack(
  tag: number,
  stack: ReturnType<typeof readStacks>[number],
  pbf: PbfReader,
): void {
  if (tag === 1) stack.name = pbf.readString();
  if (tag === 2) stack.range = pbf.readString();
  if (tag !== 3) return;
  const none = { id: 0, width: 0, height: 0, left: 0, top: 0, advance: 0 };
  stack.glyphs.push(pbf.readMessage(readGlyph, { ...none, bitmap: new Uint8Array() }));
}

function readGlyph(tag: number, glyph: Glyph, pbf: PbfReader): void {
  if (tag === 1) glyph.id = pbf.readVarint();
  if (tag === 2) glyph.bitmap = pbf.readBytes();
  if (tag === 3) glyph.width = pbf.readVarint();
  if (tag === 4) glyph.height = pbf.readVarint();
  if (tag === 5) glyph.left = pbf.readSVarint();
  if (tag === 6) glyph.top = pbf.readSVarint();
  if (tag === 7) glyph.advance = pbf.readVarint();
}

async function glyphsOf(first: number, ...stack: string[]): Promise<Map<string, Glyph>> {
  const [found] = readStacks(await glyphRange(stack, first));
  return new Map(found!.glyphs.map((glyph) => [String.fromCodePoint(glyph.id), glyph]));
}

const MEDIUM = 'Noto Sans Medium';

describe('a range of glyphs', () => {
  it('names its range and the first shipped font of the stack', async () => {
    const [stack] = readStacks(await glyphRange(['Open Sans', MEDIUM, 'Noto Sans Bold'], 256));
    expect(stack).toMatchObject({ name: MEDIUM, range: '256-511' });
  });

  it('has bitmaps with a margin of three pixels, except for a space', async () => {
    const glyphs = await glyphsOf(0, MEDIUM);
    for (const { bitmap, width, height } of glyphs.values()) {
      expect(bitmap).toHaveLength(width === 0 ? 0 : (width + 6) * (height + 6));
    }
    expect(glyphs.get(' ')).toMatchObject({ width: 0, height: 0, advance: 6 });
  });

  it('has letters with a baseline 26 pixels below their origin, dark only inside the outline', async () => {
    const H = (await glyphsOf(0, MEDIUM)).get('H')!;
    // Capitals of Noto Sans are 0.714 em tall; an H of medium weight is 0.748 em wide.
    expect(H).toMatchObject({ height: 17, top: 17 - 26, left: 2, advance: 18 });
    const at = (x: number, y: number) => H.bitmap[(y + 3) * (H.width + 6) + x + 3]!;
    expect(at(1, 9)).toBeGreaterThan(192);
    expect(at(H.width >> 1, 2)).toBeLessThan(191);
    expect(at(-3, -3)).toBeLessThan(120);
    expect((await glyphsOf(0, MEDIUM)).get('p')!.height).toBeGreaterThan(17);
  });

  it('has exactly the glyphs of the shipped fonts, regardless of installed fonts', async () => {
    const latin = await glyphsOf(0, MEDIUM);
    expect([...latin.keys()].join('')).toMatch(/^ !.*~\u{a0}.*ÿ$/su);
    expect(latin.has('\n')).toBe(false);
    expect((await glyphsOf(0x400, MEDIUM)).has('Ж')).toBe(true);
    expect(await glyphsOf(0x4e00, MEDIUM)).toEqual(new Map());
  });

  it('differs between fonts', async () => {
    const widthOf = async (face: string) => (await glyphsOf(0, face)).get('W')!.width;
    expect(await widthOf('Noto Sans Bold')).toBeGreaterThan(await widthOf('Noto Sans Regular'));
  });

  it('is complete under concurrent requests', async () => {
    const alone = await glyphRange([MEDIUM], 0);
    const together = await Promise.all([0, 256, 0].map((first) => glyphRange([MEDIUM], first)));
    expect(together[0]).toEqual(alone);
    expect(together[2]).toEqual(alone);
  });

  it('returns 404 for a font that is not shipped', async () => {
    await expect(glyphRange(['Open Sans Bold', 'Arial'], 0)).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(
        /^There is no font "Open Sans Bold,Arial"\. Use one of: Noto Sans Regular, /,
      ),
    });
  });
});

describe.skipIf(!hasChromium)('maplibre-gl with these glyphs', () => {
  it('places text within half a pixel of the canvas engine', async () => {
    const glyphs = Buffer.from(await glyphRange([MEDIUM], 0));
    const reference = await openReference((path) => (path.endsWith('/0-255.pbf') ? glyphs : null));
    const shifts: number[] = [];
    try {
      for (const size of [11, 16, 24, 40]) {
        const label: LayerSpecification = {
          id: 'label',
          type: 'symbol',
          source: 's',
          layout: { 'text-field': 'HEH', 'text-font': [MEDIUM], 'text-size': size },
        };
        const ours = { ...scene([white, label], [point([50, 50])]), pixelRatio: 3 };
        const style = structuredClone(ours.style);
        style.glyphs = 'local://{fontstack}/{range}.pbf';
        (style.sources.s as { data: unknown }).data = {
          type: 'FeatureCollection',
          features: ours.sources.s,
        };
        const view = ours.view as { center: [number, number]; zoom: number };
        const { png, errors } = await reference.draw({ ...ours, style, ...view });
        expect(errors).toEqual([]);
        const [a, b] = [await inkRows(await render(ours)), await inkRows(png)];
        shifts.push(Math.abs(a.top - b.top) / 3, Math.abs(a.bottom - b.bottom) / 3);
      }
    } finally {
      await reference.close();
    }
    expect(Math.max(...shifts)).toBeLessThanOrEqual(0.5);
  });
});

/** Returns the first and last row with pixels that are more than half dark. */
async function inkRows(png: Buffer): Promise<{ top: number; bottom: number }> {
  const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
  const rows = [...data.entries()].filter(([, gray]) => gray < 128).map(([i]) => i / info.width);
  return { top: Math.floor(Math.min(...rows)), bottom: Math.floor(Math.max(...rows)) };
}
