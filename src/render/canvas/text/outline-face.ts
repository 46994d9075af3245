/** A shipped font: outlines that Skia measures and draws. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { smoothStep } from '../layers/smooth-step.ts';
import { cssFont, drawableText } from '../fonts.ts';
import { inkOf, type Face, type GlyphRun, type Piece, type PlacedLabel } from './label.ts';
import { UNITS_PER_EM } from './units.ts';
import { measureEm, type MeasureEm } from './measure.ts';
import { onGround, type Ground } from './stance.ts';
import type { Halo } from './symbol-paint.ts';
import type { TextCanvas } from './text-canvas.ts';

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

  pieces(text: string): readonly Piece[] {
    return [{ text, letters: [...text].length, advance: this.width(text) }];
  }

  /** Advances are differences between the widths of growing prefixes, so they include kerning. */
  letters(text: string): readonly Piece[] {
    let prefix = '';
    let before = 0;
    return [...text].map((letter) => {
      prefix += letter;
      const width = this.width(prefix);
      const advance = width - before;
      before = width;
      return { text: letter, letters: 1, advance };
    });
  }

  private width(text: string): number {
    return this.measure(text, this.name) * UNITS_PER_EM;
  }

  drawHalo(canvas: TextCanvas, run: GlyphRun, label: PlacedLabel): void {
    const context = this.contextAt(canvas, run, label);
    context.strokeStyle = label.halo!.ink.css;
    for (const { reachPx, opacity } of haloStrokes(label.halo!, canvas.pixelRatio)) {
      context.lineWidth = 2 * reachPx;
      context.globalAlpha = opacity;
      context.strokeText(run.text, 0, 0);
    }
    context.globalAlpha = 1;
  }

  drawLetters(canvas: TextCanvas, run: GlyphRun, label: PlacedLabel): void {
    const context = this.contextAt(canvas, run, label);
    context.fillStyle = inkOf(run, label).css;
    context.fillText(run.text, 0, 0);
  }

  /** Sets the run's font and moves the canvas origin to the start of its baseline. */
  private contextAt(canvas: TextCanvas, run: GlyphRun, label: PlacedLabel): SKRSContext2D {
    const ratio = canvas.pixelRatio;
    const context = canvas.contextFor(cssFont(this.name, label.sizePx * run.section.scale));
    context.letterSpacing = `${label.letterSpacingPx}px`;
    if (run.ground !== null) {
      context.setTransform(...lyingTransform(run, run.ground, ratio));
      return context;
    }
    const cos = Math.cos(run.angle) * ratio;
    const sin = Math.sin(run.angle) * ratio;
    const baseline = run.y * ratio;
    // A level baseline on a whole pixel keeps the bottoms of letters sharp.
    const y = run.angle === 0 ? Math.round(baseline) : baseline;
    context.setTransform(cos, sin, -sin, cos, run.x * ratio, y);
    return context;
  }
}

/**
 * The transformation of a piece that lies on the map, as seen at its start: Skia's has no perspective.
 */
function lyingTransform(
  { x, y, angle }: GlyphRun,
  ground: Ground,
  ratio: number,
): [number, number, number, number, number, number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const at = (across: number, down: number) =>
    onGround(ground, x + across * cos - down * sin, y + across * sin + down * cos);
  const [start, right, below] = [at(0, 0), at(1, 0), at(0, 1)];
  if (start === null || right === null || below === null) return [0, 0, 0, 0, 0, 0];
  const { x: startX, y: startY } = start;
  return [
    ...([right.x - startX, right.y - startY, below.x - startX, below.y - startY] as const),
    ...([startX, startY] as const),
  ].map((value) => value * ratio) as [number, number, number, number, number, number];
}

/** MapLibre's shader fades a halo over this multiple of the blur on both sides of its edge. */
const BLUR_SPREAD = 1.19;

/** Wider blurs get wider steps, which are still invisible. */
const MAX_STEPS = 64;

/** Returns strokes around the letters, widest first, that add up to a halo. */
function haloStrokes(
  { widthPx, blurPx, ink }: Halo,
  pixelRatio: number,
): { reachPx: number; opacity: number }[] {
  if (blurPx === 0) return [{ reachPx: widthPx, opacity: 1 }];
  const spreadPx = blurPx * BLUR_SPREAD;
  // One step per device pixel
  const count = Math.max(2, Math.min(MAX_STEPS, Math.round(2 * spreadPx * pixelRatio) + 1));
  let opacitySoFar = 0;
  return Array.from({ length: count }, (_, i) => {
    const target = smoothStep((i + 1) / count) * ink.tint.alpha;
    // Blended over the strokes so far, this opacity reaches the target.
    const opacity = (target - opacitySoFar) / (1 - opacitySoFar) / ink.tint.alpha;
    opacitySoFar = target;
    return { reachPx: widthPx + spreadPx * (1 - (2 * i) / (count - 1)), opacity };
  }).filter(({ reachPx }) => reachPx > 0);
}
