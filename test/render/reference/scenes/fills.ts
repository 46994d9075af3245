/** Backgrounds, areas, and the ways to specify a property. */
import {
  white,
  background,
  fill,
  line,
  circle,
  star,
  zigzag,
  across,
  slanting,
  shapeScene,
} from './drawing.ts';
import { corners } from '../../pictures.ts';

export const fillScenes = [
  shapeScene(
    'background color with opacity',
    [background({ 'background-color': 'hsl(200, 70%, 40%)', 'background-opacity': 0.4 })],
    () => [],
  ),
  shapeScene(
    'two backgrounds',
    [
      background({ 'background-color': 'rgba(255, 0, 0, 0.5)' }),
      background({ 'background-color': 'rgba(0%, 0%, 100%, 0.5)' }),
    ],
    () => [],
  ),
  shapeScene(
    'a background between zooms, in lab',
    [
      background({
        'background-color': ['interpolate-lab', ['linear'], ['zoom'], 9, 'red', 10, 'lime'],
      }),
    ],
    () => [],
  ),
  shapeScene('a fill', [white, fill({ 'fill-color': '#224488' })], ({ polygon }) => [
    polygon([star]),
  ]),
  shapeScene(
    'a fill at pixel ratio 2',
    [white, fill({ 'fill-color': '#224488' })],
    ({ polygon }) => [polygon([star])],
    { pixelRatio: 2 },
  ),
  shapeScene(
    'a translucent fill',
    [white, fill({ 'fill-color': '#224488', 'fill-opacity': 0.5 })],
    ({ polygon }) => [polygon([star]), polygon([corners(30, 90)])],
  ),
  shapeScene(
    'a fill with a translucent color',
    [white, fill({ 'fill-color': 'rgba(200, 40, 0, 0.4)' })],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene('a hole', [white, fill({ 'fill-color': '#224488' })], ({ polygon }) => [
    polygon([
      corners(10.4, 116.7),
      star.map(([x, y]) => [64 + (x - 64) * 0.7, 64 + (y - 64) * 0.7] as const),
    ]),
  ]),
  shapeScene(
    'a fill without antialiasing',
    [white, fill({ 'fill-color': '#224488', 'fill-antialias': false })],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene(
    'an outline',
    [white, fill({ 'fill-color': '#ffcc00', 'fill-outline-color': '#000' })],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene(
    'an outline with opacity',
    [
      white,
      fill({
        'fill-color': '#ffcc00',
        'fill-outline-color': 'rgba(0,0,0,0.7)',
        'fill-opacity': 0.6,
      }),
    ],
    ({ polygon }) => [polygon([star]), polygon([corners(30, 90)])],
  ),
  shapeScene(
    'an outline without antialiasing',
    [
      white,
      fill({ 'fill-color': '#ffcc00', 'fill-outline-color': '#000', 'fill-antialias': false }),
    ],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene('thin polygons', [white, fill({ 'fill-color': '#000' })], ({ polygon }) => [
    polygon([
      [
        [10, 20],
        [120, 22],
        [120, 22.6],
        [10, 20.6],
      ],
    ]),
    polygon([
      [
        [20, 30],
        [21.2, 30],
        [40, 120],
        [38.8, 120],
      ],
    ]),
    polygon([
      [
        [60.5, 30],
        [61.5, 30],
        [61.5, 120],
        [60.5, 120],
      ],
    ]),
    polygon([
      [
        [80, 30],
        [110, 60],
        [80.4, 31.6],
      ],
    ]),
  ]),
  shapeScene(
    'adjacent fills by feature',
    [white, fill({ 'fill-color': ['get', 'color'] })],
    ({ polygon }) => [
      polygon(
        [
          [
            [10, 10],
            [60, 14],
            [64, 64],
            [12, 60],
          ],
        ],
        { color: '#d73027' },
      ),
      polygon(
        [
          [
            [60, 14],
            [118, 10],
            [112, 60],
            [64, 64],
          ],
        ],
        { color: '#4575b4' },
      ),
      polygon(
        [
          [
            [64, 64],
            [112, 60],
            [118, 118],
            [60, 112],
          ],
        ],
        { color: '#fee090' },
      ),
      polygon(
        [
          [
            [12, 60],
            [64, 64],
            [60, 112],
            [8, 118],
          ],
        ],
        { color: '#1a9850' },
      ),
    ],
  ),
  shapeScene(
    'translated, sorted fills',
    [
      white,
      fill(
        {
          'fill-color': ['get', 'color'],
          'fill-translate': [10, -6.5],
          'fill-translate-anchor': 'viewport',
        },
        { layout: { 'fill-sort-key': ['get', 'key'] } },
      ),
    ],
    ({ polygon }) => [
      polygon([corners(20, 80)], { color: 'red', key: 3 }),
      polygon([corners(40, 100)], { color: 'blue', key: 1 }),
      polygon(
        [
          [
            [10, 70],
            [120, 70],
            [64, 120],
          ],
        ],
        { color: 'green', key: 2 },
      ),
    ],
  ),
  shapeScene(
    'a fill by zoom and feature',
    [
      white,
      fill({
        'fill-color': ['interpolate-hcl', ['linear'], ['zoom'], 9, ['get', 'a'], 10, ['get', 'b']],
        'fill-opacity': [
          'interpolate',
          ['exponential', 1.6],
          ['zoom'],
          8,
          0.1,
          9.5,
          ['get', 'o'],
          12,
          1,
        ],
      }),
    ],
    ({ polygon }) => [
      polygon([corners(10, 70)], { a: 'red', b: 'blue', o: 0.9 }),
      polygon([corners(50, 110)], { a: 'yellow', b: 'green', o: 0.4 }),
    ],
  ),
  shapeScene(
    'a fill by step of zoom and feature',
    [white, fill({ 'fill-color': ['step', ['zoom'], ['get', 'a'], 9.2, ['get', 'b']] })],
    ({ polygon }) => [polygon([star], { a: 'red', b: 'blue' })],
  ),
  shapeScene(
    'a legacy function of zoom',
    [
      white,
      fill({
        'fill-color': {
          base: 1.5,
          stops: [
            [8, 'red'],
            [11, 'blue'],
          ],
        },
        'fill-opacity': {
          stops: [
            [9, 0.2],
            [10, 0.9],
          ],
        },
      }),
    ],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene(
    'legacy functions of the feature',
    [
      white,
      fill({
        'fill-color': {
          type: 'categorical',
          property: 'k',
          stops: [
            ['a', 'red'],
            ['b', 'blue'],
          ],
          default: 'gray',
        },
        'fill-opacity': {
          type: 'exponential',
          property: 'n',
          stops: [
            [0, 0.2],
            [10, 1],
          ],
        },
      }),
    ],
    ({ polygon }) => [
      polygon([corners(10, 50)], { k: 'a', n: 0 }),
      polygon([corners(40, 80)], { k: 'b', n: 5 }),
      polygon([corners(70, 118)], { n: 10 }),
    ],
  ),
  shapeScene(
    'a legacy function of zoom and feature',
    [
      white,
      fill({
        'fill-color': {
          type: 'interval',
          property: 'n',
          stops: [
            [{ zoom: 8, value: 0 }, 'red'],
            [{ zoom: 8, value: 5 }, 'blue'],
            [{ zoom: 11, value: 0 }, 'yellow'],
            [{ zoom: 11, value: 5 }, 'lime'],
          ],
        },
      }),
    ],
    ({ polygon }) => [polygon([corners(10, 70)], { n: 1 }), polygon([corners(60, 118)], { n: 7 })],
  ),
  shapeScene(
    'fills by case, id and type',
    [
      white,
      fill(
        {
          'fill-color': ['case', ['==', ['id'], 1], 'red', ['has', 'x'], 'green', 'blue'],
          'fill-opacity': ['coalesce', ['get', 'o'], 0.5],
        },
        { filter: ['==', ['geometry-type'], 'Polygon'] },
      ),
      line(
        { 'line-color': ['to-color', ['get', 'c'], 'magenta'], 'line-width': 3 },
        {},
        { filter: ['==', '$type', 'LineString'] },
      ),
    ],
    ({ polygon, line }) => [
      polygon([corners(10, 50)], {}, 1),
      polygon([corners(40, 80)], { x: 1 }, 2),
      polygon([corners(70, 110)], { o: 1 }, 3),
      line(slanting, { c: '#0ff' }),
      line(zigzag),
    ],
  ),
  shapeScene(
    'hidden layers and layers outside their zoom range',
    [
      white,
      fill({ 'fill-color': 'red' }, { minzoom: 9.5 }),
      fill({ 'fill-color': 'blue' }, { maxzoom: 9.4 }),
      fill({ 'fill-color': 'green' }, { layout: { visibility: 'none' } }),
      line({ 'line-width': 2 }, {}, { minzoom: 9.4, maxzoom: 9.5 }),
    ],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene(
    'lines filled as areas',
    [white, fill({ 'fill-color': '#8cf' }), circle({ 'circle-radius': 3 })],
    ({ line, polygon }) => [line(star), polygon([corners(80, 120)])],
  ),
  shapeScene(
    'opacity below a hundredth',
    [
      white,
      fill({ 'fill-color': 'black', 'fill-opacity': 0.009 }),
      line({ 'line-width': 30, 'line-opacity': ['get', 'o'] }),
    ],
    ({ polygon, line }) => [polygon([star]), line(across, { o: 0.009 })],
  ),
  shapeScene(
    'layers with an opacity of their own',
    [
      white,
      fill({ 'fill-color': '#8cf', 'fill-opacity': 0.8, 'fill-layer-opacity': 0.6 }),
      line({ 'line-width': 9, 'line-opacity': 0.9, 'line-layer-opacity': 0.5 }),
    ],
    ({ polygon, line }) => [polygon([star]), polygon([corners(20, 90)]), line(across)],
  ),
];
