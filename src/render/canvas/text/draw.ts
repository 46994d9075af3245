/** Putting placed labels on the canvas. */
import type { SKRSContext2D } from '@napi-rs/canvas';
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

  for (const label of labels) {
    if (label.halo === null) continue;
    useType(context, label);
    context.strokeStyle = label.halo.css;
    context.lineWidth = 2 * label.halo.widthPx;
    for (const run of label.runs) {
      useRun(context, pixelRatio, run, dx, dy);
      context.strokeText(run.text, 0, 0);
    }
  }
  for (const label of labels) {
    useType(context, label);
    context.fillStyle = label.ink.css;
    for (const run of label.runs) {
      useRun(context, pixelRatio, run, dx, dy);
      context.fillText(run.text, 0, 0);
    }
  }
}

function useType(context: SKRSContext2D, label: PlacedLabel): void {
  context.font = cssFont(label.face, label.sizePx);
  context.letterSpacing = `${label.letterSpacingPx}px`;
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
