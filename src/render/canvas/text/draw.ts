/** Draws placed labels. */
import type { Surface } from '../surface.ts';
import type { LabelGroup } from './draw-order.ts';
import type { PlacedLabel } from './label.ts';
import { TextCanvas } from './text-canvas.ts';

/** MapLibre's shader does not draw fainter labels. */
const MIN_OPACITY = 0.1;

/** Draws the labels of one layer. */
export function drawLabels(surface: Surface, groups: readonly LabelGroup[]): void {
  const canvas = new TextCanvas(surface);
  for (const { labels, halosFirst } of groups) {
    const visible = labels.filter(({ opacity }) => opacity >= MIN_OPACITY);
    if (halosFirst) {
      for (const label of visible) for (const run of label.runs) drawHalo(canvas, run, label);
      for (const label of visible) for (const run of label.runs) drawLetters(canvas, run, label);
    } else {
      for (const label of visible) {
        for (const run of label.runs) {
          drawHalo(canvas, run, label);
          drawLetters(canvas, run, label);
        }
      }
    }
  }
}

type Run = PlacedLabel['runs'][number];

function drawHalo(canvas: TextCanvas, run: Run, label: PlacedLabel): void {
  if (label.halo !== null) run.section.face.drawHalo(canvas, run, label);
}

function drawLetters(canvas: TextCanvas, run: Run, label: PlacedLabel): void {
  run.section.face.drawLetters(canvas, run, label);
}
