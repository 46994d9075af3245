/**
 * Letters as coverage masks. Skia draws each letter of a font once, at the four subpixel positions that it
 * distinguishes. Labels are then blended from the masks, which takes a tenth of the time of drawing text.
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { cssFont } from '../fonts.ts';
import type { Mask } from '../surface-memory.ts';
import type { Tint } from '../raster/ink.ts';
import { measureEm } from './measure.ts';

/** Everything that a letter's mask depends on, except its position */
export interface GlyphStyle {
  /** Name of a shipped face */
  face: string;
  sizePx: number;
  /** How far a halo reaches from the letter; 0 for the letter itself */
  reachPx: number;
  /** Skia draws light letters bolder than dark ones: see `lightnessOf`. */
  lightness: number;
}

/** Sizes are rounded to this step, so that masks serve more than one zoom. No edge moves visibly. */
const SIZE_STEP_PX = 1 / 8;

/** Total size of the masks that are kept, in bytes: about 15 pictures of different zooms */
const MAX_KEPT = 12 << 20;

/** Letters that are drawn with one call, because calls cost the most */
const BATCHES = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'];
const MAX_BATCH_SIZE_PX = 40;

/** How far ink may extend beyond the pen and the advance, above the baseline, and below it, in ems */
const OVERHANG = 0.4;
const ASCENT = 1.3;
const DESCENT = 0.5;

/** By quarter of a pixel; null for letters without ink */
type Quarters = (Mask | null)[];

const kept = new Map<string, GlyphMasks>();
let keptBytes = 0;

/** Returns the masks of level letters. Equal styles share them. */
export function glyphMasks(
  face: string,
  sizePx: number,
  reachPx: number,
  lightness: number,
): GlyphMasks {
  const steps = Math.max(1, Math.round(sizePx / SIZE_STEP_PX));
  const rounded = steps * SIZE_STEP_PX;
  // Labels of the same layer come one after another, each with its halo.
  for (const masks of latest) if (masks.isOf(face, rounded, reachPx, lightness)) return masks;
  const masks = keep({ face, sizePx: rounded, reachPx, lightness }, 4);
  if (latest.unshift(masks) > MAX_LATEST) latest.pop();
  return masks;
}

const latest: GlyphMasks[] = [];
const MAX_LATEST = 8;

function keep(style: GlyphStyle, positions: 1 | 4): GlyphMasks {
  const { face, sizePx, reachPx, lightness } = style;
  const key = `${face}/${sizePx}/${reachPx}/${lightness}/${positions}`;
  let masks = kept.get(key);
  if (masks === undefined) {
    if (keptBytes > MAX_KEPT) {
      kept.clear();
      latest.length = 0;
      keptBytes = 0;
    }
    masks = new GlyphMasks(style, positions);
    kept.set(key, masks);
  }
  return masks;
}

class GlyphMasks {
  private readonly style: GlyphStyle;
  private readonly positions: 1 | 4;
  private readonly byLetter = new Map<string, Quarters>();

  /** @param positions number of positions within a pixel */
  constructor(style: GlyphStyle, positions: 1 | 4) {
    this.style = style;
    this.positions = positions;
  }

  isOf(face: string, sizePx: number, reachPx: number, lightness: number): boolean {
    const { style } = this;
    return (
      style.sizePx === sizePx &&
      style.reachPx === reachPx &&
      style.lightness === lightness &&
      style.face === face
    );
  }

  /** @param quarters position of the pen, in quarters of a pixel */
  at(letter: string, quarters: number): Mask | null {
    return (this.byLetter.get(letter) ?? this.draw(letter))[quarters & 3]!;
  }

  /** Draws a letter, together with others that often occur with it. */
  private draw(letter: string): Quarters {
    const { face, sizePx, reachPx } = this.style;
    const isSmall = this.positions > 1 && sizePx <= MAX_BATCH_SIZE_PX;
    const batch = (isSmall && BATCHES.find((letters) => letters.includes(letter))) || letter;
    const letters = batch === letter ? [letter] : [...batch];
    const marginPx = Math.ceil(OVERHANG * sizePx + reachPx) + 2;
    const baseline = Math.ceil(ASCENT * sizePx + reachPx) + 2;
    const height = baseline + Math.ceil(DESCENT * sizePx + reachPx) + 2;
    // Spacing in whole pixels keeps the letters' positions within a pixel.
    const spacing = 2 * marginPx;
    const pens: number[] = [];
    let end = marginPx;
    for (const each of letters) {
      pens.push(end);
      end += measureEm(each, face) * sizePx + spacing;
    }
    const width = Math.ceil(end);
    const context = scratch(width, height);
    context.fontKerning = 'none';
    context.letterSpacing = letters.length === 1 ? '0px' : `${spacing}px`;
    const drawn = letters.map((): Quarters => [null, null, null, null]);
    for (let shift = 0; shift < this.positions; shift++) {
      const pen = marginPx + shift / 4;
      const pixels = drawText(context, this.style, batch, pen, baseline, width, height);
      for (const [i, at] of pens.entries()) {
        const quarters = quartersOf(at) + shift;
        const column = quarters >> 2;
        const end = i + 1 < pens.length ? Math.floor(pens[i + 1]!) - marginPx : width;
        const mask = cut(pixels, width, height, column - marginPx, end);
        if (mask === null) continue;
        mask.left -= column;
        mask.top -= baseline;
        drawn[i]![quarters & 3] = mask;
        keptBytes += mask.coverage.length + MASK_OVERHEAD;
      }
    }
    for (const [i, each] of letters.entries()) this.byLetter.set(each, drawn[i]!);
    return this.byLetter.get(letter)!;
  }
}

/** Approximate bytes of a mask besides its coverage */
const MASK_OVERHEAD = 150;

/** Skia rounds the position of a letter to a quarter of a pixel. */
export function quartersOf(x: number): number {
  return Math.floor(4 * x + 0.5);
}

/**
 * Returns large masks of letters, to be turned and scaled by the returned factor. They serve all sizes.
 */
export function turnableMasks({ face, sizePx, reachPx }: Omit<GlyphStyle, 'lightness'>): {
  masks: GlyphMasks;
  scale: number;
} {
  let largePx = MIN_TURNABLE_PX;
  while (largePx < ENLARGEMENT * sizePx && largePx < MAX_TURNABLE_PX) largePx *= Math.SQRT2;
  const scale = sizePx / largePx;
  const reach = Math.ceil(reachPx / scale / REACH_STEP_PX - 0.5) * REACH_STEP_PX;
  return { masks: keep({ face, sizePx: largePx, reachPx: reach, lightness: EVEN }, 1), scale };
}

/** Masks are at least this much larger than the letters, so that their pixels don't show. */
const ENLARGEMENT = 3;
const MIN_TURNABLE_PX = 32;
const MAX_TURNABLE_PX = 512;

/** Halos are rounded to this step, in pixels of a large mask. */
const REACH_STEP_PX = 1 / 4;

/** The lightness for which Skia leaves letters unchanged */
const EVEN = 2;

/** Draws a text, opaque, in the upper left corner of the canvas, and returns this part. */
function drawText(
  context: SKRSContext2D,
  { face, sizePx, reachPx, lightness }: GlyphStyle,
  text: string,
  x: number,
  baseline: number,
  width: number,
  height: number,
): Uint8ClampedArray {
  const gray = lightness << 5;
  context.clearRect(0, 0, width, height);
  context.font = cssFont(face, sizePx);
  context.fillStyle = context.strokeStyle = `rgb(${gray},${gray},${gray})`;
  context.lineWidth = 2 * reachPx;
  if (reachPx > 0) context.strokeText(text, x, baseline);
  else context.fillText(text, x, baseline);
  return context.getImageData(0, 0, width, height).data;
}

let canvas: SKRSContext2D | null = null;

/** A canvas to draw on, of at least this size. */
function scratch(width: number, height: number): SKRSContext2D {
  const { width: hasWidth, height: hasHeight } = canvas?.canvas ?? { width: 0, height: 0 };
  if (canvas === null || width > hasWidth || height > hasHeight) {
    canvas = createCanvas(Math.max(width, hasWidth), Math.max(height, hasHeight)).getContext('2d');
    // The default is the system language, which selects letter variants.
    canvas.lang = 'en';
    // Miters would turn sharp corners, such as those of M and 4, into spikes.
    canvas.lineJoin = 'round';
  }
  return canvas;
}

/** Cuts out the pixels with ink between two columns; null if there are none. */
function cut(
  pixels: Uint8ClampedArray,
  stride: number,
  rows: number,
  from: number,
  to: number,
): Mask | null {
  let [minX, minY, maxX, maxY] = [to, rows, -1, -1];
  for (let y = 0; y < rows; y++) {
    for (let x = from; x < to; x++) {
      if (pixels[4 * (y * stride + x) + 3] === 0) continue;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      maxY = y;
    }
  }
  if (maxY < 0) return null;
  const width = maxX + 1 - minX;
  const height = maxY + 1 - minY;
  const coverage = new Uint8Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const row = (minY + y) * stride + minX;
    for (let x = 0; x < width; x++) coverage[i++] = pixels[4 * (row + x) + 3]!;
  }
  return { left: minX, top: minY, width, height, coverage };
}

/**
 * Returns 0 for dark to 7 for light colors. Skia corrects the weight of letters by the luminance of their
 * color, in eight steps, after rounding each channel to three bits.
 */
export function lightnessOf({ r, g, b, alpha }: Tint): number {
  const channel = (premultiplied: number) => {
    const bits = Math.min(255, Math.round(premultiplied / alpha)) >> 5;
    return (bits << 5) | (bits << 2) | (bits >> 1);
  };
  return (54 * channel(r) + 183 * channel(g) + 19 * channel(b)) >> 13;
}
