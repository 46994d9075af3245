/** Resolves a style's font stacks: glyphs of the scene first, then the shipped fonts. */
import { shippedFace } from '../fonts.ts';
import { fontStacksOf, type GlyphRanges } from '../../scene.ts';
import type { Face, FaceOf } from './label.ts';
import { parseGlyphRange, type Glyph } from './glyph-pbf.ts';
import { OutlineFace } from './outline-face.ts';
import { SdfFace } from './sdf-face.ts';

/** Characters per glyph file */
const RANGE = 256;

export function faceResolver(glyphs: GlyphRanges = {}): FaceOf {
  const stacks = fontStacksOf(glyphs);
  const faces = new Map<string, Face | null>();
  return (stack) => {
    const name = stack.join(',');
    let face = faces.get(name);
    if (face === undefined) {
      face = stacks.has(name) ? sdfFace(name, glyphs) : outlineFace(stack);
      faces.set(name, face);
    }
    return face;
  };
}

/** All scenes share the shipped faces, and what is kept for each. */
const outlineFaces = new Map<string, OutlineFace>();

function outlineFace(stack: readonly string[]): Face | null {
  const name = shippedFace(stack);
  if (name === null) return null;
  const face = outlineFaces.get(name) ?? new OutlineFace(name);
  outlineFaces.set(name, face);
  return face;
}

function sdfFace(stack: string, glyphs: GlyphRanges): Face {
  return new SdfFace(stack.replaceAll(',', ', '), (codePoint) => {
    const first = codePoint - (codePoint % RANGE);
    const name = `${stack}/${first}-${first + RANGE - 1}`;
    const bytes = glyphs[name];
    return bytes === undefined ? null : (decodeGlyphs(bytes, name).get(codePoint) ?? null);
  });
}

/** Scenes that share the bytes of a file share its glyphs. */
const decodedRanges = new WeakMap<Uint8Array, Map<number, Glyph>>();

/** @throws InvalidSceneError if the bytes aren't glyphs */
function decodeGlyphs(bytes: Uint8Array, name: string): Map<number, Glyph> {
  let glyphs = decodedRanges.get(bytes);
  if (glyphs === undefined) {
    glyphs = parseGlyphRange(bytes, name);
    decodedRanges.set(bytes, glyphs);
  }
  return glyphs;
}
