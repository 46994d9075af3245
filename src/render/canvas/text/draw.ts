/** Draws placed symbols. */
import { drawIcon, drawIconHalo } from '../icon/draw.ts';
import type { PaintContext, SceneLayer } from '../layers/painter.ts';
import type { Surface } from '../surface.ts';
import type { LabelGroup } from './draw-order.ts';

/** MapLibre's shaders do not draw fainter symbols. */
const MIN_OPACITY = 0.1;

export function drawLabels({ surface }: PaintContext, layer: SceneLayer): void {
  for (const group of layer.labels) {
    const draws = [...iconDraws(group, surface), ...letterDraws(group, surface)];
    if (group.halosFirst) {
      for (const { halo } of draws) halo();
      for (const { shape } of draws) shape();
    } else {
      for (const { halo, shape } of draws) {
        halo();
        shape();
      }
    }
  }
}

interface Draw {
  halo: () => void;
  /** An icon, or some letters */
  shape: () => void;
}

function iconDraws({ icons }: LabelGroup, surface: Surface): Draw[] {
  return icons.filter(isVisible).map((icon) => ({
    halo: () => drawIconHalo(surface, icon),
    shape: () => drawIcon(surface, icon),
  }));
}

function letterDraws({ labels }: LabelGroup, surface: Surface): Draw[] {
  return labels.filter(isVisible).flatMap((label) =>
    label.runs.map((run) => ({
      halo: () => {
        if (label.halo !== null) run.section.face.drawHalo(surface, run, label);
      },
      shape: () => run.section.face.drawLetters(surface, run, label),
    })),
  );
}

const isVisible = ({ opacity }: { opacity: number }) => opacity >= MIN_OPACITY;
