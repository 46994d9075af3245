/**
 * Letters as coverage masks. Skia draws each letter of a font once at each of the four subpixel positions that it
 * distinguishes. Labels are then blended from the masks, which takes a tenth of the time of drawing text.
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { keptByDrawing } from '../../../base/workers/memory.ts';
import { cssFont } from '../fonts.ts';
import type { RectPx } from '../../../base/spatial/flat.ts';
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

/** Total size of the masks that are kept. About 15 pictures of different zooms need 12 MB. */
const MAX_KEPT_BYTES = keptByDrawing().glyphMasks;

/** Rows to draw before their pixels are read */
const MAX_ROWS = 1000;

/** Letters that may be drawn as a text, because each has a shape of its own */
const PLAIN = /^[0-9A-Za-z]$/;
const MAX_PLAIN_PX = 40;
/** All positions of letters are drawn, a text for each, if labels need this many of each letter: texts cost less. */
const NEEDED_POSITIONS = 1.7;
/** Skia's rounding of positions is less precise. Letters this close to another quarter of a pixel are drawn alone. */
const AMBIGUOUS = 0.02;

/** How far ink may extend beyond the pen and the advance, above the baseline, and below it, in ems */
const OVERHANG = 0.4;
const ASCENT = 1.3;
const DESCENT = 0.5;

/** By quarter of a pixel; null for letters without ink, undefined for those that aren't drawn yet */
type Quarters = (Mask | null | undefined)[];

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
  const masks = keep({ face, sizePx: rounded, reachPx, lightness });
  if (latest.unshift(masks) > MAX_LATEST) latest.pop();
  return masks;
}

const latest: GlyphMasks[] = [];
const MAX_LATEST = 8;

function keep(style: GlyphStyle): GlyphMasks {
  const { face, sizePx, reachPx, lightness } = style;
  const key = `${face}/${sizePx}/${reachPx}/${lightness}`;
  let masks = kept.get(key);
  if (masks === undefined) {
    if (keptBytes > MAX_KEPT_BYTES) {
      kept.clear();
      latest.length = 0;
      keptBytes = 0;
    }
    masks = new GlyphMasks(style);
    kept.set(key, masks);
  }
  return masks;
}

/** Masks of which some are requested and not yet drawn */
const incomplete = new Set<GlyphMasks>();

class GlyphMasks {
  private readonly style: GlyphStyle;
  private readonly byLetter = new Map<string, Quarters>();
  private readonly missing = new Map<string, { letter: string; quarters: number }>();

  constructor(style: GlyphStyle) {
    this.style = style;
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

  /**
   * Asks for masks. All that are missing are drawn when the first of them is needed, because reading pixels takes long.
   *
   * @param quarters positions of the pens, in quarters of a pixel. Default: whole pixels
   */
  request(letters: readonly { text: string }[], quarters?: readonly number[]): void {
    for (let i = 0; i < letters.length; i++) {
      const letter = letters[i]!.text;
      const at = quarters === undefined ? 0 : quarters[i]! & 3;
      let masks = this.byLetter.get(letter);
      if (masks === undefined) this.byLetter.set(letter, (masks = []));
      if (masks[at] !== undefined) continue;
      this.missing.set(letter + at, { letter, quarters: at });
      incomplete.add(this);
    }
  }

  /** @param quarters position of the pen, in quarters of a pixel. The mask was requested */
  at(letter: string, quarters: number): Mask | null {
    const masks = this.byLetter.get(letter)!;
    if (masks[quarters & 3] === undefined) drawMissing();
    return masks[quarters & 3]!;
  }

  /** Returns the texts with the masks that were requested. */
  takeMissing(): Line[] {
    const missing = [...this.missing.values()];
    this.missing.clear();
    const { style } = this;
    const { marginPx } = spaceOf(style);
    const store: Line['store'] = (letter, quarters, mask) => {
      const masks = this.byLetter.get(letter)!;
      if (masks[quarters] !== undefined) return;
      masks[quarters] = mask;
      keptBytes += mask === null ? 0 : mask.coverage.length + MASK_OVERHEAD;
    };
    const lineOf = (letters: Line['letters'], quarters: number) => {
      const widthPx = advancePx(style, letters.at(-1)!.letter) + letters.at(-1)!.pen + marginPx;
      return { style, letters, quarters, width: Math.ceil(widthPx), store };
    };
    const plain = new Set(
      missing.map(({ letter }) => letter).filter((letter) => PLAIN.test(letter)),
    );
    const together: Line['letters'] = [];
    if (style.sizePx <= MAX_PLAIN_PX && missing.length > NEEDED_POSITIONS * plain.size) {
      let pen = marginPx;
      // In this order, no two letters make a ligature.
      for (const letter of [...plain].sort().reverse()) {
        const rest = (4 * pen + 0.5) % 1;
        if (Math.min(rest, 1 - rest) < AMBIGUOUS) continue;
        together.push({ letter, pen });
        // Spacing in whole pixels keeps the letters' positions within a pixel.
        pen += advancePx(style, letter) + 2 * marginPx;
      }
    }
    const drawn = new Set(together.map(({ letter }) => letter));
    const alone = missing
      .filter(({ letter }) => !drawn.has(letter))
      .map(({ letter, quarters }) => lineOf([{ letter, pen: marginPx }], quarters));
    return drawn.size === 0
      ? alone
      : [...alone, ...[0, 1, 2, 3].map((quarters) => lineOf(together, quarters))];
  }
}

/** A text with masks to cut out */
interface Line {
  style: GlyphStyle;
  /** Letters with their positions in pixels, before the text is moved */
  letters: { letter: string; pen: number }[];
  /** How far the text is moved to the right, in quarters of a pixel */
  quarters: number;
  width: number;
  store(letter: string, quarters: number, mask: Mask | null): void;
}

const advancePx = ({ face, sizePx }: GlyphStyle, letter: string) =>
  measureEm(letter, face) * sizePx;

function drawMissing(): void {
  let [lines, rows] = [[] as Line[], 0];
  for (const line of [...incomplete].flatMap((masks) => masks.takeMissing())) {
    if (rows > MAX_ROWS) {
      drawLines(lines);
      [lines, rows] = [[], 0];
    }
    lines.push(line);
    rows += spaceOf(line.style).height;
  }
  drawLines(lines);
  incomplete.clear();
}

/** Draws texts below each other. */
function drawLines(lines: readonly Line[]): void {
  const width = Math.max(...lines.map((line) => line.width));
  const rows = lines.reduce((sum, { style }) => sum + spaceOf(style).height, 0);
  const context = scratch(width, rows);
  context.clearRect(0, 0, width, rows);
  let top = 0;
  let set: GlyphStyle | null = null;
  for (const { style, letters, quarters } of lines) {
    const { face, sizePx, reachPx, lightness } = style;
    const { marginPx, baseline, height } = spaceOf(style);
    if (style !== set) {
      const gray = lightness << 5;
      context.font = cssFont(face, sizePx);
      context.letterSpacing = `${2 * marginPx}px`;
      context.fillStyle = context.strokeStyle = `rgb(${gray},${gray},${gray})`;
      context.lineWidth = 2 * reachPx;
      set = style;
    }
    const text = letters.map(({ letter }) => letter).join('');
    const pen = [marginPx + quarters / 4, top + baseline] as const;
    if (reachPx > 0) context.strokeText(text, ...pen);
    else context.fillText(text, ...pen);
    top += height;
  }
  const { data } = context.getImageData(0, 0, width, rows);
  const pixels = new Uint32Array(data.buffer, data.byteOffset, width * rows);
  top = 0;
  for (const { style, letters, quarters, width: end, store } of lines) {
    const { marginPx, baseline, height } = spaceOf(style);
    for (const [i, { letter, pen }] of letters.entries()) {
      const at = quartersOf(pen) + quarters;
      const column = at >> 2;
      const next = letters[i + 1];
      const mask = cut(pixels, width, {
        minX: column - marginPx,
        minY: top,
        maxX: next === undefined ? end : Math.floor(next.pen) - marginPx,
        maxY: top + height,
      });
      if (mask !== null) {
        mask.left -= column;
        mask.top -= top + baseline;
      }
      store(letter, at & 3, mask);
    }
    top += height;
  }
}

/** The space that a letter takes, with a margin */
function spaceOf({ sizePx, reachPx }: GlyphStyle) {
  const baseline = Math.ceil(ASCENT * sizePx + reachPx) + 2;
  const height = baseline + Math.ceil(DESCENT * sizePx + reachPx) + 2;
  return { marginPx: Math.ceil(OVERHANG * sizePx + reachPx) + 2, baseline, height };
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
  return { masks: keep({ face, sizePx: largePx, reachPx: reach, lightness: EVEN }), scale };
}

/** Masks are at least this much larger than the letters, so that their pixels don't show. */
const ENLARGEMENT = 3;
const MIN_TURNABLE_PX = 32;
const MAX_TURNABLE_PX = 512;

/** Halos are rounded to this step, in pixels of a large mask. */
const REACH_STEP_PX = 1 / 4;

/** The lightness for which Skia leaves letters unchanged */
const EVEN = 2;

let canvas: SKRSContext2D | null = null;

/** A canvas to draw on, of at least this size. */
function scratch(width: number, height: number): SKRSContext2D {
  const { width: hasWidth, height: hasHeight } = canvas?.canvas ?? { width: 0, height: 0 };
  if (canvas === null || width > hasWidth || height > hasHeight) {
    canvas = createCanvas(Math.max(width, hasWidth), Math.max(height, hasHeight)).getContext('2d');
    // The default is the system language, which selects letter variants.
    canvas.lang = 'en';
    canvas.fontKerning = 'none';
    // Miters would turn sharp corners, such as those of M and 4, into spikes.
    canvas.lineJoin = 'round';
  }
  return canvas;
}

/** Cuts out the pixels of a box that have ink; null if there are none. @param pixels alpha in the highest byte */
function cut(pixels: Uint32Array, stride: number, box: RectPx): Mask | null {
  let [minX, minY, maxX, maxY] = [box.maxX, box.maxY, -1, -1];
  for (let y = box.minY; y < box.maxY; y++) {
    for (let x = box.minX, at = y * stride + x; x < box.maxX; x++, at++) {
      if (pixels[at] === 0) continue;
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
    for (let x = 0; x < width; x++) coverage[i++] = pixels[row + x]! >>> 24;
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
