/**
 * Glyphs for MapLibre GL: signed distance fields of the project's fonts, made when first asked for,
 * in the format of glyph servers (`fontnik`'s glyphs.proto).
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import TinySDF from '@mapbox/tiny-sdf';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PbfWriter } from 'pbf';
import { notFound } from '../errors.ts';
import { cssFont, drawableText, SHIPPED_FACES, shippedFace } from '../render/canvas/fonts.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from '../render/canvas/text/units.ts';

export const GLYPHS_PER_RANGE = 256;

/** A glyph takes about a tenth of a millisecond: after so many, other requests get their turn. */
const GLYPHS_PER_TURN = 32;

/**
 * The glyphs of 256 code points from `first` on, as far as the fonts hold them.
 * @param stack names of faces; the first that is shipped is drawn
 * @returns a `glyphs` message, also where it holds none
 * @throws ServiceError 404 where no face of the stack is shipped
 */
export async function glyphRange(stack: readonly string[], first: number): Promise<Uint8Array> {
  const face = shippedFace(stack);
  if (face === null) {
    throw notFound(
      `There is no font "${stack.join(',')}". There are: ${SHIPPED_FACES.join(', ')}.`,
    );
  }
  const pen = penOf(face);
  const glyphs: Glyph[] = [];
  for (const code of heldCodes(first)) {
    glyphs.push(pen.glyph(code));
    if (glyphs.length % GLYPHS_PER_TURN === 0) await nextTurn();
  }
  const range = `${first}-${first + GLYPHS_PER_RANGE - 1}`;
  const pbf = new PbfWriter();
  pbf.writeMessage(1, writeFontstack, { name: face, range, glyphs });
  return pbf.finish();
}

/** Code points of a range that the font files hold, control characters aside. */
function heldCodes(first: number): number[] {
  return Array.from({ length: GLYPHS_PER_RANGE }, (_, i) => first + i).filter((code) => {
    const char = String.fromCodePoint(code);
    return char !== '\n' && drawableText(char) === char;
  });
}

/** Lengths in pixels of a 24-pixel em. */
interface Glyph {
  id: number;
  /** A byte for each pixel of the box and three around it: 191 on the outline, more inside */
  bitmap: Uint8ClampedArray;
  width: number;
  height: number;
  /** From the pen to the box's left */
  left: number;
  /** From the glyph's origin, an ascender above the baseline, up to the box's top */
  top: number;
  advance: number;
}

class GlyphPen extends TinySDF {
  declare private readonly ctx: SKRSContext2D;

  constructor(face: string) {
    super({ fontSize: UNITS_PER_EM, buffer: 3, radius: 8, cutoff: 0.25, lang: 'en' });
    this.ctx.font = cssFont(face, UNITS_PER_EM);
  }

  /** TinySDF calls it for its canvas, which it would take from a browser. */
  protected _createCanvas(sidePx: number) {
    return createCanvas(sidePx, sidePx);
  }

  glyph(code: number): Glyph {
    const drawn = this.draw(String.fromCodePoint(code));
    return {
      id: code,
      bitmap: drawn.data,
      width: drawn.glyphWidth,
      height: drawn.glyphHeight,
      left: drawn.glyphLeft,
      top: drawn.glyphTop - BASELINE_UNITS,
      // The format has whole pixels only.
      advance: Math.round(drawn.glyphAdvance),
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
  // A space has no pixels to send.
  if (glyph.width > 0) pbf.writeBytesField(2, new Uint8Array(glyph.bitmap.buffer));
  pbf.writeVarintField(3, glyph.width);
  pbf.writeVarintField(4, glyph.height);
  pbf.writeSVarintField(5, glyph.left);
  pbf.writeSVarintField(6, glyph.top);
  pbf.writeVarintField(7, glyph.advance);
}
