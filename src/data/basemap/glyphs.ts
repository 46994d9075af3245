/**
 * Glyphs for MapLibre GL: signed distance fields of the project's fonts, drawn on request, in the
 * format of glyph servers (glyphs.proto of `fontnik`).
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import TinySDF from '@mapbox/tiny-sdf';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PbfWriter } from 'pbf';
import { notFound } from '../../errors.ts';
import { cssFont, drawableText, SHIPPED_FACES, shippedFace } from '../../render/canvas/fonts.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from '../../render/canvas/text/units.ts';

export const GLYPHS_PER_RANGE = 256;

/** After drawing this many, other requests get a turn. */
const GLYPHS_PER_TURN = 32;

/**
 * Draws the glyphs of 256 code points, starting at `first`. Skips code points that the fonts lack.
 *
 * @param stack font names in order of preference; the first shipped font is used
 * @returns a `glyphs` message, possibly without glyphs
 * @throws ServiceError 404 if no font of the stack is shipped
 */
export async function glyphRange(stack: readonly string[], first: number): Promise<Uint8Array> {
  const face = shippedFace(stack);
  if (face === null) {
    throw notFound(
      `There is no font "${stack.join(',')}". Use one of: ${SHIPPED_FACES.join(', ')}.`,
    );
  }
  const pen = penOf(face);
  const glyphs: Glyph[] = [];
  for (const code of availableCodes(first)) {
    glyphs.push(pen.glyph(code));
    if (glyphs.length % GLYPHS_PER_TURN === 0) await nextTurn();
  }
  const range = `${first}-${first + GLYPHS_PER_RANGE - 1}`;
  const pbf = new PbfWriter();
  pbf.writeMessage(1, writeFontstack, { name: face, range, glyphs });
  return pbf.finish();
}

/** The code points of a range that the fonts contain, without control characters. */
function availableCodes(first: number): number[] {
  return Array.from({ length: GLYPHS_PER_RANGE }, (_, i) => first + i).filter((code) => {
    const char = String.fromCodePoint(code);
    return char !== '\n' && drawableText(char) === char;
  });
}

/** Measures are in pixels of a 24-pixel em. */
interface Glyph {
  id: number;
  /** One byte per pixel of the box plus a 3-pixel margin: 191 on the outline, more inside */
  bitmap: Uint8ClampedArray;
  width: number;
  height: number;
  /** From the pen to the left edge of the box */
  left: number;
  /** From the glyph's origin, an ascender above the baseline, up to the top of the box */
  top: number;
  advance: number;
}

class GlyphPen extends TinySDF {
  declare private readonly ctx: SKRSContext2D;

  constructor(face: string) {
    super({ fontSize: UNITS_PER_EM, buffer: 3, radius: 8, cutoff: 0.25, lang: 'en' });
    this.ctx.font = cssFont(face, UNITS_PER_EM);
  }

  /** Creates a canvas. TinySDF's own method needs a browser. */
  protected _createCanvas(sidePx: number) {
    return createCanvas(sidePx, sidePx);
  }

  glyph(code: number): Glyph {
    const sdf = this.draw(String.fromCodePoint(code));
    return {
      id: code,
      bitmap: sdf.data,
      width: sdf.glyphWidth,
      height: sdf.glyphHeight,
      left: sdf.glyphLeft,
      top: sdf.glyphTop - BASELINE_UNITS,
      // The format has integer pixels only.
      advance: Math.round(sdf.glyphAdvance),
    };
  }
}

const pens = new Map<string, GlyphPen>();

function penOf(face: string): GlyphPen {
  let pen = pens.get(face);
  if (pen === undefined) {
    pen = new GlyphPen(face);
    pens.set(face, pen);
  }
  return pen;
}

interface Fontstack {
  name: string;
  range: string;
  glyphs: readonly Glyph[];
}

function writeFontstack({ name, range, glyphs }: Fontstack, pbf: PbfWriter): void {
  pbf.writeStringField(1, name);
  pbf.writeStringField(2, range);
  for (const glyph of glyphs) pbf.writeMessage(3, writeGlyph, glyph);
}

function writeGlyph(glyph: Glyph, pbf: PbfWriter): void {
  pbf.writeVarintField(1, glyph.id);
  // A space has no bitmap.
  if (glyph.width > 0) pbf.writeBytesField(2, new Uint8Array(glyph.bitmap.buffer));
  pbf.writeVarintField(3, glyph.width);
  pbf.writeVarintField(4, glyph.height);
  pbf.writeSVarintField(5, glyph.left);
  pbf.writeSVarintField(6, glyph.top);
  pbf.writeVarintField(7, glyph.advance);
}
