/** A font of the scene: signed distance fields, measured and drawn as in MapLibre. */
import { rectOf } from '../../../base/spatial/flat.ts';
import type { Pixels } from '../raster/pixels.ts';
import type { Tint } from '../raster/ink.ts';
import { hasInk } from '../omissions.ts';
import { fillTexturedQuad, type TexturedCorner } from '../raster/textured-quad.ts';
import type { Surface } from '../surface.ts';
import { inkOf, type Face, type GlyphRun, type Piece, type PlacedLabel } from './label.ts';
import { haloRamp, RAMP_STEPS, shapeRamp } from '../raster/distance-field.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from './units.ts';
import { GLYPH_BUFFER, type Glyph } from './glyph-pbf.ts';
import { offsetFrom, onGround } from '../symbol/stance.ts';

export class SdfFace implements Face {
  readonly isGlyphwise = true;
  readonly name: string;
  private readonly glyphOf: (codePoint: number) => Glyph | null;

  constructor(name: string, glyphOf: (codePoint: number) => Glyph | null) {
    this.name = name;
    this.glyphOf = glyphOf;
  }

  /** Keeps characters without a glyph. They have no width, but a line may break after them. */
  drawable(text: string): string {
    return text;
  }

  missing(text: string): readonly string[] {
    return [...text].filter(
      (letter) => hasInk(letter) && this.glyphOf(letter.codePointAt(0)!) === null,
    );
  }

  pieces(text: string): readonly Piece[] {
    return this.letters(text);
  }

  letters(text: string): readonly Piece[] {
    const pieces: Piece[] = [];
    for (const letter of text) {
      const glyph = this.glyphOf(letter.codePointAt(0)!);
      if (glyph !== null) pieces.push({ text: letter, letters: 1, advance: glyph.advance });
    }
    return pieces;
  }

  drawHalo(surface: Surface, run: GlyphRun, label: PlacedLabel): void {
    const scale = label.sizePx / UNITS_PER_EM;
    this.draw(
      surface,
      run,
      label,
      label.halo!.tint,
      haloRamp(scale, label.halo!, surface.pixelRatio, run.ground?.softness),
    );
  }

  drawLetters(surface: Surface, run: GlyphRun, label: PlacedLabel): void {
    const scale = label.sizePx / UNITS_PER_EM;
    this.draw(
      surface,
      run,
      label,
      inkOf(run, label),
      shapeRamp(scale, surface.pixelRatio, run.ground?.softness),
    );
  }

  private draw(
    { pixels, pixelRatio }: Surface,
    run: GlyphRun,
    label: PlacedLabel,
    tint: Tint,
    coverage: Float32Array,
  ): void {
    const glyph = this.glyphOf(run.text.codePointAt(0)!);
    const field = glyph === null ? null : fieldOf(glyph);
    if (glyph === null || field === null || tint.alpha === 0) return;
    const scale = (label.sizePx / UNITS_PER_EM) * run.section.scale * pixelRatio;
    const cos = Math.cos(run.angle);
    const sin = Math.sin(run.angle);
    // Corner of the field relative to the start of the baseline, in field pixels
    const left = glyph.left - GLYPH_BUFFER - PADDING;
    const top = -BASELINE_UNITS - glyph.top - GLYPH_BUFFER - PADDING;
    if (run.ground !== null) {
      const lying = { field, left, top, scale: scale / pixelRatio };
      return drawOnGround(pixels, pixelRatio, run, lying, tint, coverage);
    }
    const originX = run.x * pixelRatio;
    const originY = run.y * pixelRatio;
    const corners = [0, 0, field.columns, 0, 0, field.rows, field.columns, field.rows];
    for (let i = 0; i < 8; i += 2) {
      const x = corners[i]! + left;
      const y = corners[i + 1]! + top;
      corners[i] = originX + (x * cos - y * sin) * scale;
      corners[i + 1] = originY + (x * sin + y * cos) * scale;
    }
    const { minX, minY, maxX, maxY } = rectOf(corners);
    const endX = Math.min(pixels.width, Math.ceil(maxX));
    const endY = Math.min(pixels.height, Math.ceil(maxY));
    for (let y = Math.max(0, Math.floor(minY)); y < endY; y++) {
      for (let x = Math.max(0, Math.floor(minX)); x < endX; x++) {
        // Center of the pixel, in field pixels
        const dx = (x + 0.5 - originX) / scale;
        const dy = (y + 0.5 - originY) / scale;
        const u = dx * cos + dy * sin - left;
        const v = dy * cos - dx * sin - top;
        // A wide halo covers the whole field but doesn't extend beyond it. Graphics cards count rows from
        // the bottom up, so a pixel whose center lies on an edge belongs to the shape above the edge.
        if (u < 0 || v <= 0 || u >= field.columns || v > field.rows) continue;
        const distance = sample(field, u, v);
        const share = coverage[Math.round(distance * RAMP_STEPS)]!;
        if (share > 0) pixels.blend(y * pixels.width + x, tint, share);
      }
    }
  }
}

/**
 * Draws a glyph that lies on the map. `left` and `top` locate its corner, relative to the start of the
 * baseline.
 */
function drawOnGround(
  pixels: Pixels,
  pixelRatio: number,
  { x, y, angle, ground }: GlyphRun,
  { field, left, top, scale }: { field: Field; left: number; top: number; scale: number },
  tint: Tint,
  coverage: Float32Array,
): void {
  const corners = [0, 1, 2, 3].map((i): TexturedCorner | null => {
    const u = i % 2 === 0 ? 0 : field.columns;
    const v = i < 2 ? 0 : field.rows;
    const place = { x, y, turn: angle, ground: null };
    const offset = offsetFrom(place, (u + left) * scale, (v + top) * scale)!;
    const corner = onGround(ground!, offset.x, offset.y);
    if (corner === null) return null;
    return { x: corner.x * pixelRatio, y: corner.y * pixelRatio, u, v, w: corner.w };
  });
  fillTexturedQuad(pixels, corners, (index, u, v) => {
    const share = coverage[Math.round(sample(field, u, v) * RAMP_STEPS)]!;
    if (share > 0) pixels.blend(index, tint, share);
  });
}

/** Blank pixels added around a field, so that it can be sampled beyond its edge */
const PADDING = 1;

interface Field {
  distances: Uint8Array;
  columns: number;
  rows: number;
}

const fields = new WeakMap<Glyph, Field>();

/** Returns the padded field of a glyph, or null for a blank one. */
function fieldOf(glyph: Glyph): Field | null {
  if (glyph.field === null) return null;
  let field = fields.get(glyph);
  if (field === undefined) {
    const width = glyph.width + 2 * GLYPH_BUFFER;
    const columns = width + 2 * PADDING;
    const rows = glyph.height + 2 * GLYPH_BUFFER + 2 * PADDING;
    field = { distances: new Uint8Array(columns * rows), columns, rows };
    for (let row = 0; row < rows - 2 * PADDING; row++) {
      const pixels = glyph.field.subarray(row * width, (row + 1) * width);
      field.distances.set(pixels, (row + PADDING) * columns + PADDING);
    }
    fields.set(glyph, field);
  }
  return field;
}

/** Interpolates bilinearly; returns 0 to 255. */
function sample({ distances, columns, rows }: Field, u: number, v: number): number {
  const x = Math.floor(u - 0.5);
  const y = Math.floor(v - 0.5);
  if (x < 0 || y < 0 || x + 1 >= columns || y + 1 >= rows) return 0;
  const tx = u - 0.5 - x;
  const ty = v - 0.5 - y;
  const at = y * columns + x;
  const upper = distances[at]! * (1 - tx) + distances[at + 1]! * tx;
  const lower = distances[at + columns]! * (1 - tx) + distances[at + columns + 1]! * tx;
  return upper * (1 - ty) + lower * ty;
}
