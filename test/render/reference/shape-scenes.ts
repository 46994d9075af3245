/** Scenes of areas, lines and circles that both our painter and maplibre-gl are asked to draw. */
import { circleScenes } from './scenes/circles.ts';
import type { ShapeScene } from './scenes/drawing.ts';
import { fillScenes } from './scenes/fills.ts';
import { lineScenes } from './scenes/lines.ts';
import { otherScenes } from './scenes/others.ts';
import { worldScenes } from './scenes/worlds.ts';

export type { ShapeScene };

export const shapeScenes: readonly ShapeScene[] = [
  ...fillScenes,
  ...lineScenes,
  ...circleScenes,
  ...worldScenes,
  ...otherScenes,
];
