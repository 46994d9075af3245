/** Circles and their strokes. */
import { white, circle, zigzag, shapeScene } from './drawing.ts';
import { corners } from '../../pictures.ts';

export const circleScenes = [
  ...[0, 0.4, 1, 5.5, 30].map((radius) =>
    shapeScene(
      `circles of radius ${radius}`,
      [white, circle({ 'circle-radius': radius, 'circle-color': '#735' })],
      ({ point }) => [point([64.3, 64.7]), point([20, 20])],
    ),
  ),
  shapeScene(
    'circles at pixel ratio 2',
    [white, circle({ 'circle-radius': 6 })],
    ({ point }) => [point([64.3, 64.7]), point([20, 20])],
    { pixelRatio: 2 },
  ),
  ...[0, 0.2, 1, 2].map((blur) =>
    shapeScene(
      `a circle with a stroke and a blur of ${blur}`,
      [
        white,
        circle({
          'circle-radius': 20,
          'circle-color': 'gold',
          'circle-stroke-width': 8,
          'circle-stroke-color': '#048',
          'circle-blur': blur,
        }),
      ],
      ({ point }) => [point([64.3, 64.7])],
    ),
  ),
  shapeScene(
    'translucent circles and strokes',
    [
      white,
      circle({
        'circle-radius': 20,
        'circle-opacity': 0.5,
        'circle-color': 'red',
        'circle-stroke-width': 6,
        'circle-stroke-color': 'blue',
        'circle-stroke-opacity': 0.5,
      }),
    ],
    ({ point }) => [point([50, 50]), point([75, 75])],
  ),
  shapeScene(
    'a stroke around a transparent disc',
    [white, circle({ 'circle-radius': 20, 'circle-opacity': 0, 'circle-stroke-width': 3 })],
    ({ point }) => [point([50, 50])],
  ),
  shapeScene(
    'translated, sorted, and aligned circles',
    [
      white,
      circle(
        {
          'circle-radius': ['get', 'r'],
          'circle-color': ['get', 'c'],
          'circle-translate': [7, -3],
          'circle-pitch-scale': 'viewport',
          'circle-pitch-alignment': 'map',
        },
        { layout: { 'circle-sort-key': ['-', ['get', 'r']] } },
      ),
    ],
    ({ point }) => [
      point([50, 50], { r: 10, c: 'red' }),
      point([60, 60], { r: 25, c: 'blue' }),
      point([70, 50], { r: 15, c: 'green' }),
    ],
  ),
  shapeScene(
    'circles by zoom and feature',
    [
      white,
      circle({
        'circle-radius': [
          'interpolate',
          ['exponential', 2],
          ['zoom'],
          9,
          ['get', 'r'],
          11,
          ['*', 4, ['get', 'r']],
        ],
        'circle-color': [
          'interpolate',
          ['linear'],
          ['get', 'r'],
          5,
          'red',
          12,
          'rgba(0, 0, 255, 0.3)',
        ],
      }),
    ],
    ({ point }) => [point([40, 50], { r: 6 }), point([90, 70], { r: 12 })],
  ),
  shapeScene(
    'translucent circles at vertices',
    [white, circle({ 'circle-radius': 8, 'circle-opacity': 0.5 })],
    ({ line, polygon }) => [line(zigzag.slice(0, 4)), polygon([corners(80, 110)])],
  ),
];
