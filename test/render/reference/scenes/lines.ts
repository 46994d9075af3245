/** Lines: widths, joins, caps, gaps, offsets, blurs, and dashes. */
import {
  white,
  fill,
  line,
  star,
  zigzag,
  sharp,
  crossing,
  across,
  slanting,
  arc,
  shapeScene,
} from './drawing.ts';
import { corners } from '../../pictures.ts';

const byZoom = (...stops: unknown[]) => ['interpolate', ['linear'], ['zoom'], ...stops];

/** Three colors by the part of a line, mixed or not */
const progress = (...operator: unknown[]) => {
  const colors = ['blue', 0.3, 'rgba(0, 200, 0, 0.5)', 0.8, 'red'];
  return [...operator, ['line-progress'], ...(operator[0] === 'step' ? [] : [0]), ...colors];
};

export const lineScenes = [
  ...[0, 0.5, 1, 1.5, 3, 20].map((width) =>
    shapeScene(`a line ${width} wide`, [white, line({ 'line-width': width })], ({ line }) => [
      line(zigzag),
      line([
        [5, 5],
        [5, 123],
      ]),
    ]),
  ),
  shapeScene(
    'a line 3 wide at pixel ratio 2',
    [white, line({ 'line-width': 3 })],
    ({ line }) => [line(zigzag)],
    { pixelRatio: 2 },
  ),
  ...(['miter', 'bevel', 'round'] as const).flatMap((join) =>
    (['butt', 'round', 'square'] as const).map((cap) =>
      shapeScene(
        `${join} joins, ${cap} caps`,
        [
          white,
          line({ 'line-width': 14, 'line-color': '#357' }, { 'line-join': join, 'line-cap': cap }),
        ],
        ({ line }) => [line(sharp)],
      ),
    ),
  ),
  ...(['miter', 'bevel', 'round'] as const).map((join) =>
    shapeScene(
      `translucent ${join} joins`,
      [
        white,
        line(
          { 'line-width': 16, 'line-color': '#357', 'line-opacity': 0.5 },
          { 'line-join': join, 'line-cap': 'round' },
        ),
      ],
      ({ line }) => [line(zigzag)],
    ),
  ),
  ...(['miter', 'bevel', 'round'] as const).map((join) =>
    shapeScene(
      `translucent sharp ${join} joins`,
      [
        white,
        line(
          { 'line-width': 12, 'line-color': '#357', 'line-opacity': 0.5 },
          { 'line-join': join },
        ),
      ],
      ({ line }) => [line(sharp)],
    ),
  ),
  shapeScene(
    'a translucent line that crosses itself',
    [white, line({ 'line-width': 10, 'line-opacity': 0.5 })],
    ({ line }) => [line(crossing)],
  ),
  shapeScene(
    'a miter limit',
    [white, line({ 'line-width': 10 }, { 'line-miter-limit': 1.2 })],
    ({ line }) => [line(zigzag)],
  ),
  shapeScene(
    'a large miter limit',
    [white, line({ 'line-width': 10 }, { 'line-miter-limit': 10 })],
    ({ line }) => [line(sharp)],
  ),
  shapeScene(
    'a round limit',
    [white, line({ 'line-width': 16 }, { 'line-join': 'round', 'line-round-limit': 1.4 })],
    ({ line }) => [line(zigzag)],
  ),
  ...(['butt', 'round', 'square'] as const).map((cap) =>
    shapeScene(
      `a gap, ${cap} caps`,
      [
        white,
        line({ 'line-width': 4, 'line-gap-width': 9, 'line-color': '#734' }, { 'line-cap': cap }),
      ],
      ({ line }) => [line(zigzag)],
    ),
  ),
  shapeScene(
    'a gap with round joins and opacity',
    [
      white,
      line(
        { 'line-width': 5, 'line-gap-width': 7, 'line-opacity': 0.6 },
        { 'line-join': 'round', 'line-cap': 'round' },
      ),
    ],
    ({ line }) => [line(sharp), line(across)],
  ),
  ...[-8, 8].flatMap((offset) =>
    (['miter', 'round', 'bevel'] as const).map((join) =>
      shapeScene(
        `an offset of ${offset}, ${join}`,
        [
          white,
          line({ 'line-width': 4, 'line-offset': offset }, { 'line-join': join }),
          line({ 'line-width': 1, 'line-color': 'red' }),
        ],
        ({ line }) => [line(zigzag)],
      ),
    ),
  ),
  shapeScene(
    'an offset at sharp corners',
    [
      white,
      line({ 'line-width': 3, 'line-offset': 6 }),
      line({ 'line-width': 3, 'line-offset': -6, 'line-color': 'blue' }),
    ],
    ({ line }) => [line(sharp)],
  ),
  shapeScene(
    'offsets of rings',
    [
      white,
      line({ 'line-width': 3, 'line-offset': 6 }),
      line({ 'line-width': 2, 'line-offset': -4, 'line-color': 'blue' }),
    ],
    ({ polygon }) => [polygon([corners(20, 110).toReversed(), corners(50, 80)])],
  ),
  shapeScene(
    'offset and gap',
    [
      white,
      line({ 'line-width': 2, 'line-offset': 6, 'line-gap-width': 4 }, { 'line-cap': 'square' }),
    ],
    ({ line }) => [line(zigzag)],
  ),
  ...[1, 4, 15].map((blur) =>
    shapeScene(
      `a blur of ${blur}`,
      [
        white,
        line(
          { 'line-width': 12, 'line-blur': blur },
          { 'line-cap': 'round', 'line-join': 'round' },
        ),
      ],
      ({ line }) => [line(zigzag)],
    ),
  ),
  shapeScene(
    'a blur with a gap at pixel ratio 2',
    [white, line({ 'line-width': 6, 'line-blur': 3, 'line-gap-width': 8 })],
    ({ line }) => [line(zigzag)],
    { pixelRatio: 2 },
  ),
  ...(['butt', 'round', 'square'] as const).flatMap((cap) =>
    [9, 9.4, 9.9].map((zoom) =>
      shapeScene(
        `dashes, ${cap} caps at ${zoom}`,
        [white, line({ 'line-width': 6, 'line-dasharray': [2, 1.5] }, { 'line-cap': cap })],
        ({ line }) => [line(zigzag)],
        { zoom },
      ),
    ),
  ),
  shapeScene(
    'an odd number of dashes',
    [white, line({ 'line-width': 5, 'line-dasharray': [1, 2, 3] })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'round dashes without length',
    [white, line({ 'line-width': 8, 'line-dasharray': [0, 2] }, { 'line-cap': 'round' })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'dashes without length',
    [white, line({ 'line-width': 8, 'line-dasharray': [0, 2, 1, 1] })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'gaps without length',
    [white, line({ 'line-width': 8, 'line-dasharray': [2, 0] })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'thin dashes',
    [white, line({ 'line-width': 1, 'line-dasharray': [3, 2] })],
    ({ line }) => [line(zigzag)],
  ),
  shapeScene(
    'dashes at pixel ratio 2',
    [white, line({ 'line-width': 3, 'line-dasharray': [3, 2] }, { 'line-join': 'round' })],
    ({ line }) => [line(sharp)],
    { pixelRatio: 2 },
  ),
  shapeScene(
    'dashes by zoom',
    [
      white,
      line({
        'line-width': 5,
        'line-dasharray': [
          'step',
          ['zoom'],
          ['literal', [1, 1]],
          9.3,
          ['literal', [3, 1]],
          10,
          ['literal', [1, 3]],
        ],
      }),
    ],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'dashes by legacy function',
    [
      white,
      line({
        'line-width': 5,
        'line-dasharray': {
          stops: [
            [9, [1, 1]],
            [9.3, [2, 1]],
          ],
        },
      }),
    ],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'dashes by feature',
    [
      white,
      line({
        'line-width': ['get', 'w'],
        'line-dasharray': ['match', ['get', 'k'], 1, ['literal', [2, 1]], ['literal', [1, 3]]],
      }),
    ],
    ({ line }) => [line(slanting, { k: 1, w: 4 }), line(zigzag, { w: 3 })],
  ),
  shapeScene(
    'dashes with a line width by zoom',
    [white, line({ 'line-width': byZoom(9, 2, 10, 12), 'line-dasharray': [2, 1] })],
    ({ line }) => [line(slanting)],
  ),
  shapeScene(
    'dashes with a gap and a blur',
    [
      white,
      line({ 'line-width': 4, 'line-gap-width': 6, 'line-blur': 1, 'line-dasharray': [2, 1] }),
    ],
    ({ line }) => [line(zigzag)],
  ),
  shapeScene(
    'dashed rings',
    [white, line({ 'line-width': 4, 'line-dasharray': [2, 1], 'line-offset': 3 })],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene(
    'dashes across tile edges',
    [white, line({ 'line-width': 4, 'line-dasharray': [4, 3] })],
    ({ line }) => [
      line([
        [-900, 20],
        [900, 60],
      ]),
      line([
        [40, -700],
        [70, 600],
      ]),
    ],
    { center: [0, 0], width: 256, height: 256 },
  ),
  shapeScene(
    'outlines of areas',
    [
      white,
      fill({ 'fill-color': '#def' }),
      line({ 'line-width': 5, 'line-color': '#024' }, { 'line-join': 'round' }),
    ],
    ({ polygon }) => [polygon([star, corners(60, 70)])],
  ),
  shapeScene(
    'translucent outlines of areas',
    [white, line({ 'line-width': 9, 'line-color': '#024', 'line-opacity': 0.5 })],
    ({ polygon }) => [polygon([star])],
  ),
  shapeScene(
    'translated and sorted lines',
    [
      white,
      line(
        { 'line-color': ['get', 'c'], 'line-width': 12, 'line-translate': [-5, 10.5] },
        { 'line-sort-key': ['get', 'k'] },
      ),
    ],
    ({ line }) => [
      line(slanting, { c: 'red', k: 2 }),
      line(across, { c: 'blue', k: 1 }),
      line(zigzag, { c: 'green', k: 3 }),
    ],
  ),
  shapeScene(
    'caps and joins by feature',
    [
      white,
      line({ 'line-width': 12 }, { 'line-cap': ['get', 'cap'], 'line-join': ['get', 'join'] }),
    ],
    ({ line }) => [
      line(
        [
          [10, 20],
          [50, 20],
          [50, 60],
        ],
        { cap: 'round', join: 'round' },
      ),
      line(
        [
          [80, 20],
          [110, 50],
          [70, 60],
        ],
        { cap: 'square', join: 'bevel' },
      ),
      line(
        [
          [20, 100],
          [64, 80],
          [110, 110],
        ],
        { cap: 'butt', join: 'miter' },
      ),
    ],
  ),
  shapeScene(
    'widths by zoom and feature',
    [
      white,
      line({
        'line-width': [
          'interpolate',
          ['exponential', 1.5],
          ['zoom'],
          8,
          1,
          9.3,
          ['*', 4, ['get', 'w']],
          12,
          30,
        ],
        'line-offset': ['interpolate', ['linear'], ['zoom'], 9, 0, 10, ['get', 'o']],
        'line-gap-width': [
          'interpolate',
          ['cubic-bezier', 0.4, 0, 0.6, 1],
          ['zoom'],
          9,
          ['get', 'w'],
          10,
          8,
        ],
      }),
    ],
    ({ line }) => [
      line(slanting, { w: 1, o: 4 }),
      line(
        [
          [20, 10],
          [20, 120],
        ],
        { w: 2, o: -9 },
      ),
    ],
  ),
  shapeScene(
    'a width by cubic bezier',
    [
      white,
      line({
        'line-width': ['interpolate', ['cubic-bezier', 0.4, 0, 0.9, 0.2], ['zoom'], 8, 1, 11, 30],
      }),
    ],
    ({ line }) => [line(zigzag)],
  ),
  shapeScene(
    'lines without width by feature',
    [white, line({ 'line-width': ['get', 'w'] })],
    ({ line }) => [line(slanting, { w: 0 }), line(zigzag, { w: 2 })],
  ),
  shapeScene(
    'an arc of short pieces',
    [
      white,
      line({ 'line-width': 9, 'line-opacity': 0.6 }, { 'line-join': 'round' }),
      line({ 'line-width': 1.5, 'line-color': 'red' }),
    ],
    ({ line }) => [line(arc)],
  ),
  shapeScene(
    'cased roads',
    [
      white,
      line(
        { 'line-width': 7, 'line-color': '#888' },
        { 'line-join': 'round', 'line-cap': 'round' },
      ),
      line(
        { 'line-width': 5, 'line-color': '#ffe9a5' },
        { 'line-join': 'round', 'line-cap': 'round' },
      ),
    ],
    ({ line }) => [line(zigzag), line(crossing), line(arc)],
  ),
  shapeScene(
    'a wide line cut at the edge of the picture',
    [white, line({ 'line-width': 300, 'line-opacity': 0.5 })],
    ({ line }) => [
      line([
        [-60, -100],
        [-40, 300],
      ]),
    ],
  ),
  shapeScene(
    'a line that reverses',
    [
      white,
      line(
        { 'line-width': 10, 'line-opacity': 0.5 },
        { 'line-join': 'round', 'line-cap': 'round' },
      ),
    ],
    ({ line }) => [
      line([
        [20, 64],
        [100, 64],
        [50, 64],
      ]),
      line([
        [20, 30],
        [100, 30],
        [50, 30.5],
      ]),
    ],
  ),
  ...Object.entries({
    'a gradient along lines': {
      'line-gradient': progress('interpolate', ['linear']),
      'line-opacity': 0.7,
    },
    'a gradient in steps along lines': { 'line-gradient': progress('step') },
    'a gradient along dashed lines with a gap': {
      'line-gradient': progress('interpolate', ['linear']),
      'line-dasharray': [20, 10],
      'line-gap-width': 4,
      'line-width': 4,
    },
    'dashes along lines with metrics': { 'line-dasharray': [20, 10] },
  }).map(([name, paint]) =>
    shapeScene(
      name,
      [white, line({ 'line-width': 8, ...paint }, { 'line-join': 'round', 'line-cap': 'round' })],
      ({ line }) => [
        line(zigzag),
        line([
          [-700, 90],
          [400, 124],
        ]),
      ],
      { zoom: 9.6 },
      { lineMetrics: true },
    ),
  ),
  ...[{ maxzoom: 6 }, { buffer: 0 }, { tolerance: 8 }].map((source) =>
    shapeScene(
      `dashes of a source with ${JSON.stringify(source)}`,
      [white, line({ 'line-width': 6, 'line-dasharray': [3, 2] }), line({ 'line-width': 1 })],
      ({ line }) => [
        line([
          [-3000, -2000],
          [30, 50],
          [70, 40],
          [2000, 3000],
        ]),
        line(slanting),
      ],
      {},
      source,
    ),
  ),
];
