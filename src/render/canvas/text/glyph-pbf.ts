/** Parses glyphs in the format of glyph servers: `glyphs.proto`, 256 characters per file. */
import { PbfReader } from 'pbf';
import { InvalidSceneError } from '../../errors.ts';

/** Pixels of distance field around each glyph */
export const GLYPH_BUFFER = 3;

/** A glyph at 24 pixels per em. */
export interface Glyph {
  /** Excluding the buffer */
  width: number;
  height: number;
  /** Distance from the pen to the left edge of the glyph */
  left: number;
  /** Distance from the origin up to the top of the glyph: mostly negative */
  top: number;
  advance: number;
  /** Rows of distances, buffer included: 192 on the outline, 255 inside; null for a blank glyph */
  field: Uint8Array | null;
}

/**
 * Returns the glyphs of a range by code point.
 *
 * @param name `{fontstack}/{range}`, for the error
 * @throws InvalidSceneError if the bytes aren't a glyph file
 */
export function parseGlyphRange(bytes: Uint8Array, name: string): Map<number, Glyph> {
  const glyphs = new Map<number, Glyph>();
  try {
    new PbfReader(bytes).readFields((tag, _, pbf) => {
      if (tag === 1) pbf.readMessage(readStack, glyphs);
    }, null);
  } catch (error) {
    throw new InvalidSceneError([
      `the glyph file ${name} cannot be read: replace it. Cause: ${String(error)}`,
    ]);
  }
  const isComplete = ({ field, width, height }: Glyph) =>
    field === null || field.length >= (width + 2 * GLYPH_BUFFER) * (height + 2 * GLYPH_BUFFER);
  if ([...glyphs.values()].every(isComplete)) return glyphs;
  throw new InvalidSceneError([`the glyph file ${name} is cut off: replace it`]);
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
