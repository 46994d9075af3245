/** Icons of the test sprite, alone and with texts. */
import { shapeScene, slanting, white, zigzag, type Pixel } from './drawing.ts';

const symbol = (layout: object, paint: object = {}) => ({
  type: 'symbol',
  layout: { 'icon-image': 'flag', ...layout },
  paint,
});

const title = { 'text-field': ['get', 'name'], 'text-font': ['Noto Sans Regular'] };

const spread: readonly Pixel[] = [
  [20.2, 22],
  [62.4, 18.3],
  [104.2, 30.6],
  [26, 64],
  [40, 70],
  [100, 66],
  [22, 108],
  [66, 104],
  [71, 111],
  [108.4, 110],
];

type View = Parameters<typeof shapeScene>[3];

const atPoints = (name: string, layers: object[], view: View = {}) =>
  shapeScene(
    name,
    [white, ...layers] as Parameters<typeof shapeScene>[1],
    ({ point }) => spread.map((pixel, i) => point(pixel, { name: `No ${i}`, i })),
    view,
  );

const iconsAlongLine = (name: string, layers: object[], view: View = {}) =>
  shapeScene(
    name,
    [white, ...layers] as Parameters<typeof shapeScene>[1],
    ({ line }) => [line(zigzag, { name: 'Main' }), line(slanting, { name: 'Oak' })],
    view,
  );

/** MapLibre keeps the positions that it chose while other tiles were loading. */
const ONE_TILE: View = { center: [-96.754, 32.8], zoom: 9.4 };

const onLine = { 'symbol-placement': 'line', 'symbol-spacing': 40 };
const labeled = { ...title, 'icon-image': 'frame', 'icon-text-fit': 'both' };
const slanted = { camera: { bearing: 30, pitch: 50, roll: 0 } };
const field = { 'icon-color': '#735', 'icon-halo-color': 'gold', 'icon-halo-width': 2 };

/** A grid that extends behind the camera */
const streets = (name: string, layers: object[], pitch: number) =>
  shapeScene(
    name,
    [white, ...layers] as Parameters<typeof shapeScene>[1],
    ({ line }) =>
      Array.from({ length: 23 }, (_, i) => 70 * i - 640).flatMap((at, i) => [
        line([[at, -4000], [at + 300, 900]], { name: `Avenue ${i}` }), // oxfmt-ignore
        line([[-900, at], [900, at - 400]], { name: `Street ${i}` }), // oxfmt-ignore
      ]),
    { width: 260, height: 200, zoom: 10.4, camera: { bearing: 17, pitch, roll: 0 } },
  );

const alongStreets = { ...title, 'icon-image': '', 'symbol-placement': 'line', 'text-size': 13 };

export const iconScenes = [
  streets(
    'upright texts along lines that continue behind the camera',
    [symbol({ ...alongStreets, 'text-pitch-alignment': 'viewport' })],
    60,
  ),
  ...[63, 72, 80].map((pitch) =>
    streets(
      `texts and icons along lines at pitch ${pitch}, over tiles of several zooms`,
      [symbol(alongStreets), symbol({ 'symbol-placement': 'line', 'symbol-spacing': 90 })],
      pitch,
    ),
  ),
  atPoints('icons that have their own size only at the zoom below', [
    symbol({ 'icon-size': ['interpolate', ['linear'], ['zoom'], 9, 1, 12, 5] }),
  ]),
  atPoints('icons that avoid each other', [symbol({ 'icon-padding': [2, 8] })]),
  atPoints(
    'icons at pixel ratio 2',
    [symbol({ 'icon-image': 'frame', 'icon-allow-overlap': true })],
    { pixelRatio: 2 },
  ),
  atPoints('icons with size, rotation, anchor, and offset by feature', [
    symbol(
      {
        'icon-size': ['interpolate', ['linear'], ['get', 'i'], 0, 0.5, 9, 2],
        'icon-rotate': ['*', 36, ['get', 'i']],
        'icon-anchor': ['step', ['get', 'i'], 'top-left', 5, 'bottom'],
        'icon-offset': ['step', ['get', 'i'], ['literal', [4, 2]], 5, ['literal', [-3, 6]]],
        'icon-overlap': 'always',
      },
      { 'icon-opacity': 0.7, 'icon-translate': [3, -2] },
    ),
  ]),
  atPoints('distance fields with halos', [
    symbol({ 'icon-image': 'disk.sdf', 'icon-overlap': 'always', 'icon-size': 1.3 }, field),
  ]),
  atPoints('icons and texts, shown together', [symbol({ ...title, 'text-offset': [0, 0.8] })]),
  atPoints('icons with optional texts at several positions', [
    symbol({
      ...title,
      'text-optional': true,
      'text-variable-anchor': ['left', 'right', 'top'],
      'text-radial-offset': 0.9,
    }),
  ]),
  ...['frame', 'wide', 'flag'].map((image) =>
    atPoints(`texts in the image ${image}`, [symbol({ ...labeled, 'icon-image': image })]),
  ),
  atPoints(
    'texts in images that move with them, at pixel ratio 2',
    [symbol({ ...labeled, 'text-variable-anchor': ['bottom', 'top'], 'text-radial-offset': 0.5 })],
    { ...ONE_TILE, pixelRatio: 2 },
  ),
  atPoints('images among letters', [
    symbol({
      ...title,
      'icon-image': '',
      'text-field': [
        'format',
        ['get', 'name'],
        {},
        ['image', 'frame'],
        { 'vertical-align': 'top' },
      ],
    }),
  ]),
  atPoints('the second of two layers with the same text', [
    symbol(title, { 'text-color': 'red' }),
    symbol(title, { 'text-color': 'blue', 'text-translate': [8, 8] }),
  ]),
  ...[0.5, 2].map((halo) =>
    atPoints(`images among translucent letters with halos of ${halo} pixels`, [
      symbol(
        {
          ...title,
          'icon-image': '',
          'text-size': 13,
          'text-field': ['format', ['get', 'name'], {}, ['image', 'flag'], {}, 'km', {}],
        },
        {
          'text-opacity': 0.6,
          'text-color': 'rgba(0, 0, 200, 0.7)',
          'text-halo-color': 'rgba(255, 160, 0, 0.8)',
          'text-halo-width': halo,
        },
      ),
    ]),
  ),
  iconsAlongLine('icons along lines', [symbol(onLine)]),
  iconsAlongLine('upright icons along lines', [symbol({ ...onLine, 'icon-keep-upright': true })]),
  iconsAlongLine('shields along lines', [
    symbol({
      ...onLine,
      ...labeled,
      'text-size': 11,
      'icon-rotation-alignment': 'viewport',
      'text-rotation-alignment': 'viewport',
    }),
  ]),
  ...(['map', 'viewport'] as const).map((alignment) =>
    atPoints(
      `icons and texts in perspective, aligned with the ${alignment}`,
      [
        symbol({
          ...title,
          'text-offset': [0, 0.8],
          'icon-image': 'frame',
          'icon-pitch-alignment': alignment,
          'icon-rotation-alignment': alignment,
          'text-pitch-alignment': alignment,
          'text-rotation-alignment': alignment,
        }),
      ],
      slanted,
    ),
  ),
  iconsAlongLine(
    'icons and texts along lines in perspective',
    [
      symbol({ ...onLine, 'icon-image': 'disk.sdf', 'icon-size': 0.6 }, field),
      symbol({ ...onLine, ...title, 'icon-image': '' }),
    ],
    slanted,
  ),
];
