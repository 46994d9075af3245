/** Heatmaps. */
import { shapeScene, star, white, zigzag } from './drawing.ts';

const heatmap = (paint: object) => ({ type: 'heatmap', paint });
const points = [...star, ...zigzag];

const scene = (name: string, paint: object, view = {}, source = {}) =>
  shapeScene(
    name,
    [white, heatmap(paint)],
    ({ point, line }) => [
      ...points.map((pixel, i) => point(pixel, { weight: i / 4 })),
      line([
        [90, 20],
        [118, 8],
      ]),
    ],
    view,
    source,
  );

export const heatmapScenes = [
  scene('a heatmap', {}),
  scene('a heatmap of a size that 4 does not divide', {}, { width: 127, height: 94 }),
  scene(
    'a heatmap of weighted points at pixel ratio 2',
    {
      'heatmap-weight': ['get', 'weight'],
      'heatmap-radius': ['+', 5, ['*', 4, ['get', 'weight']]],
      'heatmap-intensity': ['interpolate', ['linear'], ['zoom'], 9, 0.2, 10, 1],
    },
    { pixelRatio: 2 },
  ),
  scene(
    'a heatmap in perspective',
    { 'heatmap-radius': 24 },
    { camera: { bearing: 25, pitch: 60, roll: 0 }, width: 150 },
  ),
  scene('a translucent heatmap in translucent colors', {
    'heatmap-opacity': 0.6,
    'heatmap-color': [
      'interpolate',
      ['linear'],
      ['heatmap-density'],
      0,
      'rgba(0, 90, 0, 0.2)',
      0.3,
      'gold',
      1,
      'rgba(90, 0, 90, 0.8)',
    ],
  }),
  scene(
    'a heatmap of clusters',
    { 'heatmap-radius': 12, 'heatmap-opacity': 0.6 },
    {},
    { cluster: true, clusterRadius: 12 },
  ),
];
