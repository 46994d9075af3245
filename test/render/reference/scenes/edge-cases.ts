/** Unusual geometries, tile edges, zooms, and pixel ratios. */
import type { Feature } from 'geojson';
import {
  white,
  fill,
  line,
  circle,
  star,
  zigzag,
  sharp,
  across,
  slanting,
  everywhere,
  shapeScene,
  type Pixel,
} from './drawing.ts';
import { corners } from '../../pictures.ts';

/** The western half of the picture */
const WEST = [
  [-97.07, 32.4],
  [-97, 32.4],
  [-97, 32.6],
  [-97.07, 32.6],
  [-97.07, 32.4],
];
const nearRed = [
  'interpolate',
  ['linear'],
  ['distance', { type: 'LineString', coordinates: [WEST[1], WEST[2]] }],
  0,
  'red',
  5000,
  'blue',
];

/** A ragged outline whose details are far smaller than a pixel */
const coast: Pixel[] = Array.from({ length: 900 }, (_, i) => {
  const angle = (i / 450) * Math.PI;
  const radius = 45 + 6 * Math.sin(9 * angle) + 2 * Math.sin(67 * angle) + Math.sin(411 * angle);
  return [64 + radius * Math.cos(angle), 64 + radius * Math.sin(angle)];
});
const multiFeature = (type: string, features: readonly Feature[], properties = {}): Feature => ({
  type: 'Feature',
  properties,
  geometry: {
    type,
    coordinates: features.map(({ geometry }) => 'coordinates' in geometry && geometry.coordinates),
  } as never,
});

export const edgeCaseScenes = [
  shapeScene(
    'a ragged coast',
    [white, fill({ 'fill-color': '#9bc' }), line({ 'line-color': '#235', 'line-width': 1.5 })],
    ({ polygon }) => [polygon([coast])],
    { isRagged: true },
  ),
  shapeScene(
    'a ragged coast at pixel ratio 2',
    [white, fill({ 'fill-color': '#9bc' }), line({ 'line-color': '#235', 'line-width': 1.5 })],
    ({ polygon }) => [polygon([coast])],
    { pixelRatio: 2, isRagged: true },
  ),
  shapeScene(
    'a translucent ragged line',
    [
      white,
      line(
        { 'line-color': '#235', 'line-width': 6, 'line-opacity': 0.5 },
        { 'line-join': 'round' },
      ),
    ],
    ({ line }) => [line(coast)],
    { zoom: 9, isRagged: true },
  ),
  shapeScene(
    'a ragged line with dashes',
    [white, line({ 'line-color': '#235', 'line-width': 3, 'line-dasharray': [3, 1] })],
    ({ line }) => [line(coast)],
    { zoom: 9, isRagged: true },
  ),
  shapeScene(
    'a polygon that crosses itself',
    [white, fill({ 'fill-color': '#9bc', 'fill-opacity': 0.5 })],
    ({ polygon }) => [
      polygon([
        [
          [20, 20],
          [110, 110],
          [110, 20],
          [20, 110],
        ],
      ]),
    ],
  ),
  shapeScene(
    'a feature of many shapes',
    [
      white,
      fill(
        {
          'fill-color': '#9bc',
          'fill-opacity': 0.5,
          'fill-outline-color': ['coalesce', ['get', 'c'], 'black'],
        },
        { filter: ['==', ['geometry-type'], 'Polygon'] },
      ),
      line(
        { 'line-width': 5, 'line-opacity': 0.5 },
        {},
        { filter: ['!=', ['geometry-type'], 'Point'] },
      ),
      circle(
        { 'circle-radius': 6, 'circle-color': 'red' },
        { filter: ['==', ['geometry-type'], 'Point'] },
      ),
    ],
    ({ polygon, line, point }) => [
      multiFeature(
        'MultiPolygon',
        [polygon([corners(10, 60)]), polygon([corners(40, 100), corners(60, 80)])],
        { c: 'red' },
      ),
      multiFeature('MultiLineString', [line(slanting), line(across)]),
      multiFeature('MultiPoint', [point([30, 100]), point([100, 30])]),
    ],
  ),
  shapeScene(
    'a line that closes',
    [
      white,
      line({ 'line-width': 10, 'line-opacity': 0.5 }, { 'line-join': 'round', 'line-cap': 'butt' }),
    ],
    ({ line }) => [
      line([
        [20, 20],
        [100, 30],
        [60, 100],
        [20, 20],
      ]),
    ],
  ),
  shapeScene(
    'repeated vertices',
    [
      white,
      line(
        { 'line-width': 10, 'line-opacity': 0.5 },
        { 'line-join': 'round', 'line-cap': 'round' },
      ),
    ],
    ({ line }) => [
      line([
        [20, 20],
        [20, 20],
        [100, 30],
        [100, 30],
        [60, 100],
        [60, 100],
      ]),
    ],
  ),
  shapeScene(
    'a line without length',
    [white, line({ 'line-width': 10 }, { 'line-cap': 'round' })],
    ({ line }) => [
      line([
        [60, 60],
        [60, 60],
      ]),
      line(slanting),
    ],
  ),
  shapeScene(
    'a dash array of one part',
    [white, line({ 'line-width': 10, 'line-dasharray': [3] })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'an empty dash array',
    [white, line({ 'line-width': 10, 'line-dasharray': [] })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'a dash array of zeros',
    [white, line({ 'line-width': 10, 'line-dasharray': [0, 0] })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'seven round dashes',
    [
      white,
      line({ 'line-width': 5, 'line-dasharray': [1, 2, 0, 2, 4, 1, 1] }, { 'line-cap': 'round' }),
    ],
    ({ line }) => [line(zigzag)],
  ),
  shapeScene(
    'dashes by zoom and feature',
    [
      white,
      line({
        'line-width': 5,
        'line-dasharray': [
          'step',
          ['zoom'],
          ['literal', [1, 1]],
          9.2,
          ['match', ['get', 'k'], 1, ['literal', [2, 1]], ['literal', [1, 3]]],
        ],
      }),
    ],
    ({ line }) => [line(slanting, { k: 1 }), line(zigzag, { k: 2 })],
  ),
  shapeScene(
    'pixel ratio 1.5',
    everywhere,
    ({ line, polygon, point }) => [line(zigzag), polygon([corners(80, 120)]), point([30, 100])],
    { pixelRatio: 1.5 },
  ),
  shapeScene(
    'large circles across tile edges',
    [white, circle({ 'circle-radius': 60, 'circle-opacity': 0.5, 'circle-color': ['get', 'c'] })],
    ({ point }) => [
      point([100, 100], { c: 'red' }),
      point([140, 120], { c: 'blue' }),
      point([128, 180], { c: 'green' }),
    ],
    { center: [0, 0], width: 256, height: 256 },
  ),
  shapeScene(
    'translucent areas and lines across tile edges',
    [
      white,
      fill({ 'fill-color': '#369', 'fill-opacity': 0.5 }),
      line({ 'line-width': 8, 'line-opacity': 0.4 }),
    ],
    ({ polygon }) => [polygon([corners(40, 200)]), polygon([star])],
    { center: [0, 0], width: 256, height: 256 },
  ),
  shapeScene(
    'a function in another color space',
    [
      white,
      fill({
        'fill-color': {
          type: 'exponential',
          colorSpace: 'hcl',
          property: 'n',
          stops: [
            [0, 'yellow'],
            [10, 'rgb(0, 60, 200)'],
          ],
        },
      }),
    ],
    ({ polygon }) => [polygon([corners(10, 70)], { n: 2 }), polygon([corners(60, 118)], { n: 6 })],
  ),
  shapeScene(
    'a legacy identity and tokens',
    [
      white,
      fill({
        'fill-color': { type: 'identity', property: 'c' },
        'fill-outline-color': { type: 'identity', property: 'o' },
      }),
    ],
    ({ polygon }) => [
      polygon([corners(10, 70)], { c: 'hsla(120, 50%, 40%, 0.6)', o: 'black' }),
      polygon([corners(60, 118)], { c: '#f0f8', o: 'red' }),
    ],
  ),
  shapeScene(
    'circles by legacy functions',
    [
      white,
      circle({
        'circle-radius': {
          property: 'n',
          stops: [
            [{ zoom: 9, value: 0 }, 2],
            [{ zoom: 9, value: 10 }, 12],
            [{ zoom: 10, value: 0 }, 6],
            [{ zoom: 10, value: 10 }, 30],
          ],
        },
        'circle-color': {
          property: 'n',
          stops: [
            [0, 'red'],
            [10, 'blue'],
          ],
        },
      }),
    ],
    ({ point }) => [
      point([30, 30], { n: 0 }),
      point([90, 40], { n: 4 }),
      point([64, 100], { n: 10 }),
    ],
  ),
  shapeScene(
    'all layers at a low zoom',
    everywhere,
    ({ line, polygon, point }) => [line(zigzag), polygon([corners(80, 120)]), point([30, 100])],
    { zoom: 0.3, center: [10, 20] },
  ),
  shapeScene(
    'all layers at a high zoom',
    everywhere,
    ({ line, polygon, point }) => [line(zigzag), polygon([corners(80, 120)]), point([30, 100])],
    { zoom: 17.7, center: [10, 20] },
  ),
  shapeScene(
    'all layers beyond the last tile zoom',
    everywhere,
    ({ line, polygon, point }) => [line(zigzag), polygon([corners(80, 120)]), point([30, 100])],
    { zoom: 20.3, center: [10, 20] },
  ),
  shapeScene(
    'dashes beyond the last tile zoom',
    [
      white,
      line(
        { 'line-width': 4, 'line-dasharray': [3, 2] },
        { 'line-join': 'round', 'line-cap': 'round' },
      ),
    ],
    ({ line }) => [line(sharp)],
    { zoom: 20.3, center: [10, 20] },
  ),
  shapeScene(
    'edges on the centers of pixels',
    [white, fill({ 'fill-color': '#8ac', 'fill-antialias': false }), line({ 'line-width': 2 })],
    ({ line, polygon }) => [
      polygon([corners(20.5, 60.5)]),
      line([
        [70.5, 30.5],
        [110.5, 30.5],
        [110.5, 90.5],
      ]),
    ],
  ),
  shapeScene(
    'shapes by their distance to a line and by the area that they are in',
    [
      white,
      {
        ...circle({ 'circle-radius': 5, 'circle-color': nearRed }),
        filter: ['within', { type: 'Polygon', coordinates: [WEST] }],
      },
      line({ 'line-width': 3, 'line-color': nearRed }),
    ],
    ({ line, point }) => [...star.map((pixel) => point(pixel)), line(zigzag), line(across)],
  ),
  shapeScene('a collection of geometries', everywhere, ({ line, polygon, point }) => [
    {
      ...point([0, 0]),
      geometry: {
        type: 'GeometryCollection',
        geometries: [line(zigzag), polygon([corners(80, 120)]), point([30, 100])].map(
          ({ geometry }) => geometry,
        ),
      },
    },
  ]),
  shapeScene(
    'all properties by step of the feature',
    [
      white,
      line({
        'line-width': ['step', ['get', 'n'], 2, 5, 6],
        'line-gap-width': ['step', ['get', 'n'], 0, 5, 4],
        'line-blur': ['step', ['get', 'n'], 0, 5, 2],
        'line-offset': ['get', 'n'],
        'line-opacity': ['/', ['get', 'n'], 10],
      }),
    ],
    ({ line }) => [line(slanting, { n: 8 }), line(across, { n: 3 })],
  ),
];
