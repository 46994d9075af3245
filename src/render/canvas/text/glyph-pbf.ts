/** Glyphs as servers of vector-tile fonts send them: `glyphs.proto`, one file for 256 characters. */
import { PbfReader } from 'pbf';

/** Pixels of distance field around each glyph. */
export const GLYPH_BUFFER = 3;

/** A glyph at 24 pixels to the em. */
export interface Glyph {
  /** Without the buffer */
  width: number;
  height: number;
  /** From the pen to the left of the glyph */
  left: number;
  /** From the origin up to the top of the glyph: mostly negative */
  top: number;
  advance: number;
  /** Distances, 255 inside and 192 on the outline, row by row with the buffer; null for a blank */
  field: Uint8Array | null;
}

/** Glyphs of a range by their code points. */
export function parseGlyphRange(bytes: Uint8Array): Map<number, Glyph> {
  const glyphs = new Map<number, Glyph>();
  new PbfReader(bytes).readFields((tag, _, pbf) => {
    if (tag === 1) pbf.readMessage(readStack, glyphs);
  }, null);
  return glyphs;
}

function readStack(tag: number, glyphs: Map<number, Glyph>, pbf: PbfReader): void {
  if (tag !== 3) return;
  const glyph = { id: 0, width: 0, height: 0, left: 0, top: 0, advance: 0, field: null };
  const { id, ...rest } = pbf.readMessage(readGlyph, glyph);
  glyphs.set(id, rest);
}

function readGlyph(tag: number, glyph: Glyph & { id: number }, pbf: PbfReader): void {
  if (tag === 1) glyph.id = pbf.readVarint();
  else if (tag === 2) glyph.field = pbf.readBytes();
  else if (tag === 3) glyph.width = pbf.readVarint();
  else if (tag === 4) glyph.height = pbf.readVarint();
  else if (tag === 5) glyph.left = pbf.readSVarint();
  else if (tag === 6) glyph.top = pbf.readSVarint();
  else if (tag === 7) glyph.advance = pbf.readVarint();
}
