/** Scenes of areas, lines, and circles that are drawn with both the canvas engine and maplibre-gl. */
import { cameraScenes } from './scenes/cameras.ts';
import { circleScenes } from './scenes/circles.ts';
import { clusterScenes } from './scenes/clusters.ts';
import type { ShapeScene } from './scenes/drawing.ts';
import { edgeCaseScenes } from './scenes/edge-cases.ts';
import { extrusionScenes } from './scenes/extrusions.ts';
import { fillScenes } from './scenes/fills.ts';
import { heatmapScenes } from './scenes/heatmaps.ts';
import { lineScenes } from './scenes/lines.ts';
import { worldScenes } from './scenes/worlds.ts';

export type { ShapeScene };

export const shapeScenes: readonly ShapeScene[] = [
  ...fillScenes,
  ...lineScenes,
  ...circleScenes,
  ...clusterScenes,
  ...heatmapScenes,
  ...worldScenes,
  ...cameraScenes,
  ...extrusionScenes,
  ...edgeCaseScenes,
];
