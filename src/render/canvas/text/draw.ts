/** Putting placed labels on the canvas. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { opacityOver, smoothStep, stepCount } from '../blend.ts';
import { cssFont } from '../fonts.ts';
import type { PlacedLabel } from './candidates.ts';
import type { GlyphRun } from './shape.ts';

/** Draws the labels of one layer: all halos first, so that none covers a neighbour's letters. */
export function drawLabels(
  context: SKRSContext2D,
  pixelRatio: number,
  labels: readonly PlacedLabel[],
  [dx, dy]: readonly [number, number],
): void {
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  // The default follows the machine's language, which chooses among forms of letters.
  context.lang = 'en';
  // Mitres would make thorns of sharp corners such as those of M and 4.
  context.lineJoin = 'round';
  context.setLineDash([]);

  // Most labels of a layer share a font, and the canvas parses it each time it is set.
  let font = '';
  const useFont = (label: PlacedLabel, { section }: GlyphRun) => {
    const next = cssFont(section?.face ?? label.face, label.sizePx * (section?.scale ?? 1));
    if (next !== font) context.font = font = next;
  };

  for (const label of labels) {
    if (label.halo === null) continue;
    context.letterSpacing = `${label.letterSpacingPx}px`;
    context.strokeStyle = label.halo.css;
    const strokes = haloStrokes(label.halo, pixelRatio);
    for (const run of label.runs) {
      useFont(label, run);
      useRun(context, pixelRatio, run, dx, dy);
      for (const { reachPx, opacity } of strokes) {
        context.lineWidth = 2 * reachPx;
        context.globalAlpha = opacity;
        context.strokeText(run.text, 0, 0);
      }
    }
  }
  context.globalAlpha = 1;
  for (const label of labels) {
    context.letterSpacing = `${label.letterSpacingPx}px`;
    for (const run of label.runs) {
      useFont(label, run);
      context.fillStyle = (run.section?.ink ?? label.ink).css;
      useRun(context, pixelRatio, run, dx, dy);
      context.fillText(run.text, 0, 0);
    }
  }
}

/** MapLibre's shader fades a halo on both sides of its edge over this part of the blur. */
const BLUR_SPREAD = 1.19;

/** Strokes around the letters, widest first, that add up to a halo. */
function haloStrokes(
  { widthPx, blurPx, alpha }: NonNullable<PlacedLabel['halo']>,
  pixelRatio: number,
): { reachPx: number; opacity: number }[] {
  if (blurPx === 0) return [{ reachPx: widthPx, opacity: 1 }];
  const spreadPx = blurPx * BLUR_SPREAD;
  const count = Math.max(2, stepCount(2 * spreadPx, pixelRatio));
  let drawn = 0;
  return Array.from({ length: count }, (_, i) => {
    const wanted = smoothStep((i + 1) / count) * alpha;
    const opacity = opacityOver(drawn, wanted) / alpha;
    drawn = wanted;
    return { reachPx: widthPx + spreadPx * (1 - (2 * i) / (count - 1)), opacity };
  }).filter(({ reachPx }) => reachPx > 0);
}

function useRun(
  context: SKRSContext2D,
  ratio: number,
  { x, y, angle }: GlyphRun,
  dx: number,
  dy: number,
): void {
  const cos = Math.cos(angle) * ratio;
  const sin = Math.sin(angle) * ratio;
  const left = (x + dx) * ratio;
  const baseline = (y + dy) * ratio;
  // A level baseline on a whole pixel keeps the feet of the letters sharp.
  context.setTransform(cos, sin, -sin, cos, left, angle === 0 ? Math.round(baseline) : baseline);
}
