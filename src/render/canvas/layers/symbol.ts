/** Draws symbol layers, whose icons and labels have been placed. */
import { drawIcon, drawIconHalo } from '../icon/draw.ts';
import type { PaintContext, SceneLayer } from './painter.ts';
import type { Surface } from '../surface.ts';
import type { LabelGroup } from '../placement/draw-order.ts';

/** MapLibre's shaders do not draw fainter symbols. */
const MIN_OPACITY = 0.1;

/** Prepares to draw layers, so that the letters of all labels are made together. */
export function prepareLabels({ pixelRatio }: Surface, layers: readonly SceneLayer[]): void {
  for (const { labels } of layers.flatMap((layer) => layer.labels)) {
    for (const label of labels) {
      for (const run of label.runs) run.section.face.prepare?.(pixelRatio, run, label);
    }
  }
}

/**
 * If halos come first, MapLibre's shader for letters among images draws shapes with the halos, and then again.
 */
export function drawLabels({ surface }: PaintContext, layer: SceneLayer): void {
  for (const group of layer.labels) {
    if (group.halosFirst) {
      drawGroup(surface, group, { halos: true, shapes: group.amongImages });
      drawGroup(surface, group, { halos: false, shapes: true });
    } else drawGroup(surface, group, { halos: true, shapes: true });
  }
}

/** @param parts shapes are icons and letters */
function drawGroup(
  surface: Surface,
  { icons, labels }: LabelGroup,
  { halos, shapes }: { halos: boolean; shapes: boolean },
): void {
  for (const icon of icons) {
    if (icon.opacity < MIN_OPACITY) continue;
    if (halos) drawIconHalo(surface, icon);
    if (shapes) drawIcon(surface, icon);
  }
  for (const label of labels) {
    if (label.opacity < MIN_OPACITY) continue;
    for (const run of label.runs) {
      const { face } = run.section;
      if (halos && label.halo !== null) face.drawHalo(surface, run, label);
      if (shapes) face.drawLetters(surface, run, label);
    }
  }
}
