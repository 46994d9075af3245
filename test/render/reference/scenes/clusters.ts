/** Points in clusters. */
import { circle, fill, shapeScene, white, type Pixel } from './drawing.ts';

/** Two dense groups, some single points, and one point outside the picture */
const spots: Pixel[] = Array.from({ length: 40 }, (_, i) => {
  const center = i % 5 === 0 ? 96.4 : 33.3;
  const distance = i % 7 === 0 ? 40 : i / 2;
  return [center + distance * Math.cos(i * 2.4), 60.2 + distance * Math.sin(i * 2.4)];
});

const countCircle = circle({
  'circle-radius': ['case', ['has', 'point_count'], ['+', 4, ['sqrt', ['get', 'point_count']]], 2],
  'circle-color': ['case', ['has', 'heaviest'], '#735', '#08a'],
  'circle-stroke-width': ['case', ['>', ['coalesce', ['get', 'heaviest'], 0], 30], 2, 0],
});

const scene = (name: string, source: object, zoom = 9.4) =>
  shapeScene(
    name,
    [white, fill({ 'fill-color': 'red' }), countCircle],
    ({ point }) => spots.map((spot, i) => point(spot, { weight: i }, i)),
    { zoom },
    { cluster: true, ...source },
  );

export const clusterScenes = [
  scene('clusters', {}),
  scene('clusters of a small radius and at least 4 points', {
    clusterRadius: 12,
    clusterMinPoints: 4,
  }),
  scene('clusters with properties of their points', {
    clusterRadius: 20,
    clusterProperties: { heaviest: ['max', ['get', 'weight']] },
  }),
  scene('points beyond the last zoom of clusters', { clusterMaxZoom: 8 }),
];
