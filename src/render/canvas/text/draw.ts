/** Draws placed labels. */
import type { PaintContext, SceneLayer } from '../painter.ts';
import { TextCanvas } from './text-canvas.ts';

/** MapLibre's shader does not draw fainter labels. */
const MIN_OPACITY = 0.1;

export function drawLabels({ surface }: PaintContext, layer: SceneLayer): void {
  const canvas = new TextCanvas(surface);
  for (const { labels, halosFirst } of layer.labels) {
    const draws = labels
      .filter(({ opacity }) => opacity >= MIN_OPACITY)
      .flatMap((label) =>
        label.runs.map((run) => ({
          halo: () => label.halo !== null && run.section.face.drawHalo(canvas, run, label),
          letters: () => run.section.face.drawLetters(canvas, run, label),
        })),
      );
    if (halosFirst) {
      for (const { halo } of draws) halo();
      for (const { letters } of draws) letters();
    } else {
      for (const { halo, letters } of draws) {
        halo();
        letters();
      }
    }
  }
}
