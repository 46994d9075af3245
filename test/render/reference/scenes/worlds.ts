/** Copies of the world, its upper edge, and shapes across the antimeridian. */
import type { Feature } from 'geojson';
import { everywhere, shapeScene } from './drawing.ts';

const worldPolygon: Feature = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-160, -30],
        [-20, -50],
        [-40, 60],
        [-150, 50],
        [-160, -30],
      ],
    ],
  },
};
const datelinePolygon: Feature = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [160, -30],
        [200, -30],
        [200, 30],
        [160, 40],
        [160, -30],
      ],
    ],
  },
};
const datelineLine: Feature = {
  type: 'Feature',
  properties: {},
  geometry: {
    type: 'LineString',
    coordinates: [
      [150, 0],
      [190, 20],
      [230, -40],
    ],
  },
};
export const worldScenes = [
  shapeScene('copies of the world', everywhere, () => [worldPolygon, datelineLine], {
    width: 2048,
    height: 256,
    zoom: 0,
    center: [0, 0],
  }),
  shapeScene('a picture taller than the world', everywhere, () => [worldPolygon, datelinePolygon], {
    width: 300,
    height: 700,
    zoom: 0,
    center: [20, 40],
  }),
  shapeScene('a center near the pole', everywhere, () => [worldPolygon], {
    width: 256,
    height: 256,
    zoom: 0.5,
    center: [-80, 84],
  }),
  shapeScene('across the antimeridian', everywhere, () => [datelinePolygon, datelineLine], {
    width: 256,
    height: 256,
    zoom: 1.2,
    center: [180, 0],
  }),
  shapeScene(
    'across the antimeridian from the west',
    everywhere,
    () => [datelinePolygon, datelineLine],
    { width: 256, height: 256, zoom: 1.2, center: [-175, 10] },
  ),
];
