/** A shipped font: outlines that Skia measures and draws. */
import { smoothStep } from '../raster/smooth-step.ts';
import { drawableText, missingLetters } from '../fonts.ts';
import type { Pixels } from '../raster/pixels.ts';
import type { Tint } from '../raster/ink.ts';
import { blendTurnedMask, type Transform } from '../raster/turned-mask.ts';
import type { Surface } from '../surface.ts';
import {
  glyphMasks,
  lightnessOf,
  quartersOf,
  turnableMasks,
  type GlyphStyle,
} from './glyph-masks.ts';
import { inkOf, type Face, type GlyphRun, type Piece, type PlacedLabel } from './label.ts';
import { UNITS_PER_EM } from './units.ts';
import { measureEm, type MeasureEm } from './measure.ts';
import { TextCache } from './text-cache.ts';
import { onGround, type Ground } from '../symbol/stance.ts';
import type { Halo } from '../symbol/symbol-paint.ts';

/** A surface, or null pixels to prepare for drawing on it */
type Target = Pick<Surface, 'pixelRatio'> & { pixels: Pixels | null };

const spelled = new TextCache<readonly Piece[]>(5_000);

export class OutlineFace implements Face {
  readonly isGlyphwise = false;
  readonly name: string;
  private readonly measure: MeasureEm;

  constructor(name: string, measure: MeasureEm = measureEm) {
    this.name = name;
    this.measure = measure;
  }

  drawable(text: string): string {
    return drawableText(text);
  }

  missing(text: string): readonly string[] {
    return missingLetters(text);
  }

  pieces(text: string): readonly Piece[] {
    return [{ text, letters: [...text].length, advance: this.width(text) }];
  }

  /** Advances include the kerning with the next letter. */
  letters(text: string): readonly Piece[] {
    const letters = clustersOf(text);
    return letters.map((letter, i) => {
      const next = letters[i + 1];
      const advance =
        next === undefined ? this.width(letter) : this.width(letter + next) - this.width(next);
      return { text: letter, letters: 1, advance };
    });
  }

  private width(text: string): number {
    return this.measure(text, this.name) * UNITS_PER_EM;
  }

  prepare(pixelRatio: number, run: GlyphRun, label: PlacedLabel): void {
    const surface = { pixels: null, pixelRatio };
    if (label.halo !== null) this.drawHalo(surface, run, label);
    this.drawLetters(surface, run, label);
  }

  drawHalo(surface: Target, run: GlyphRun, label: PlacedLabel): void {
    const { tint } = label.halo!;
    for (const { reachPx, opacity } of haloStrokes(label.halo!, surface.pixelRatio)) {
      this.draw(surface, run, label, tint, opacity, reachPx);
    }
  }

  drawLetters(surface: Target, run: GlyphRun, label: PlacedLabel): void {
    this.draw(surface, run, label, inkOf(run, label), 1, 0);
  }

  /** @param share weight of the tint, 0 to 1 */
  private draw(
    { pixels, pixelRatio }: Target,
    run: GlyphRun,
    label: PlacedLabel,
    tint: Tint,
    share: number,
    reachPx: number,
  ): void {
    if (tint.alpha === 0) return;
    const sizePx = label.sizePx * run.section.scale;
    // MapLibre's halos end at a quarter of the size. Masks of wider ones would take too much memory.
    const boundedPx = Math.min(reachPx, sizePx);
    const style = { face: this.name, sizePx, reachPx: boundedPx, lightness: lightnessOf(tint) };
    const { letterSpacingPx } = label;
    const isLevel = run.ground === null && run.angle === 0;
    const letters = this.spell(run.text);
    let pen = 0;
    const pens = letters.map(({ advance }) => {
      const at = pen;
      pen += (advance / UNITS_PER_EM) * sizePx + letterSpacingPx;
      return at;
    });
    const drawText = isLevel && sizePx * pixelRatio <= MAX_LEVEL_PX ? drawLevel : drawTurned;
    drawText(pixels, pixelRatio, run, style, tint, share, letters, pens);
  }

  private spell(text: string): readonly Piece[] {
    let letters = spelled.get(this.name, text);
    if (letters === undefined) spelled.set(this.name, text, (letters = this.letters(text)));
    return letters;
  }
}

/** Masks of larger letters would take too much memory. Like turned letters, they are enlarged instead. */
const MAX_LEVEL_PX = 512;

/** Splits a text into letters with their marks. */
function clustersOf(text: string): readonly string[] {
  return /\p{M}/u.test(text) ? text.match(/\P{M}?\p{M}*/gu)!.filter(Boolean) : [...text];
}

/** Draws letters at distances along the baseline, in CSS pixels. Without pixels, it only requests their masks. */
type DrawText = (
  pixels: Pixels | null,
  ratio: number,
  run: GlyphRun,
  style: GlyphStyle,
  tint: Tint,
  share: number,
  letters: readonly Piece[],
  pens: readonly number[],
) => void;

const drawLevel: DrawText = (pixels, ratio, { x, y }, style, tint, share, letters, pens) => {
  const { face, sizePx, reachPx, lightness } = style;
  const masks = glyphMasks(face, sizePx * ratio, reachPx * ratio, lightness);
  // A level baseline on a whole pixel keeps the bottoms of letters sharp.
  const baseline = Math.round(y * ratio);
  const quarters = pens.map((pen) => quartersOf((x + pen) * ratio));
  masks.request(letters, quarters);
  if (pixels === null) return;
  for (const [i, { text }] of letters.entries()) {
    const mask = masks.at(text, quarters[i]!);
    if (mask !== null) pixels.blendMask(mask, quarters[i]! >> 2, baseline, tint, share);
  }
};

const drawTurned: DrawText = (pixels, ratio, run, style, tint, share, letters, pens) => {
  const { x, y, angle, ground } = run;
  const { masks, scale } = turnableMasks({
    ...style,
    sizePx: style.sizePx * ratio,
    reachPx: style.reachPx * ratio,
  });
  masks.request(letters);
  if (pixels === null) return;
  const toCss = scale / ratio;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (const [i, { text }] of letters.entries()) {
    const mask = masks.at(text, 0);
    if (mask === null) continue;
    const [penX, penY] = [x + pens[i]! * cos, y + pens[i]! * sin];
    const [a, b, c, d, e, f] =
      ground === null
        ? ([
            cos * ratio,
            sin * ratio,
            -sin * ratio,
            cos * ratio,
            penX * ratio,
            penY * ratio,
          ] as const)
        : lyingTransform(penX, penY, angle, ground, ratio);
    const transform = [a * toCss, b * toCss, c * toCss, d * toCss, e, f] as const;
    blendTurnedMask(pixels, mask, transform, tint, share);
  }
};

/**
 * The transformation of a letter that lies on the map, computed at its start because Skia's transformations
 * have no perspective
 */
function lyingTransform(
  x: number,
  y: number,
  angle: number,
  ground: Ground,
  ratio: number,
): Transform {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (across: number, down: number) =>
    onGround(ground, x + across * cos - down * sin, y + across * sin + down * cos);
  const [start, right, below] = [at(0, 0), at(1, 0), at(0, 1)];
  if (start === null || right === null || below === null) return [0, 0, 0, 0, 0, 0];
  const { x: startX, y: startY } = start;
  return [
    ...([right.x - startX, right.y - startY, below.x - startX, below.y - startY] as const),
    ...([startX, startY] as const),
  ].map((value) => value * ratio) as unknown as Transform;
}

/** MapLibre's shader fades a halo over this multiple of the blur on both sides of its edge. */
const BLUR_SPREAD = 1.19;

/** Wider blurs get wider steps, which remain invisible. */
const MAX_STEPS = 64;

/** Returns strokes around the letters, widest first, that add up to a halo. */
function haloStrokes(
  { widthPx, blurPx, tint }: Halo,
  pixelRatio: number,
): { reachPx: number; opacity: number }[] {
  if (blurPx === 0) return [{ reachPx: widthPx, opacity: 1 }];
  const spreadPx = blurPx * BLUR_SPREAD;
  // One step per device pixel
  const count = Math.max(2, Math.min(MAX_STEPS, Math.round(2 * spreadPx * pixelRatio) + 1));
  let opacitySoFar = 0;
  return Array.from({ length: count }, (_, i) => {
    const target = smoothStep((i + 1) / count) * tint.alpha;
    // Blended over the previous strokes, this opacity reaches the target.
    const opacity = (target - opacitySoFar) / (1 - opacitySoFar) / tint.alpha;
    opacitySoFar = target;
    return { reachPx: widthPx + spreadPx * (1 - (2 * i) / (count - 1)), opacity };
  }).filter(({ reachPx }) => reachPx > 0);
}
