/** Label scenes that are drawn with both the canvas engine and maplibre-gl. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { Viewport, type Camera } from '../../../src/base/spatial/camera.ts';

export interface LabelScene {
  name: string;
  style: StyleSpecification;
  width: number;
  height: number;
  pixelRatio: number;
  camera: Camera;
}

type Pixel = readonly [x: number, y: number];
type Properties = Record<string, unknown>;

const WIDTH = 256;
const HEIGHT = 256;
/** Four tiles meet in the picture, at (98, 132). */
const CAMERA: Camera = { center: [-97, 32.55], zoom: 9.4 };

/**
 * View for labels with several positions. MapLibre keeps the positions that it chose while other tiles
 * were loading, so the picture must lie in a single tile.
 */
const ONE_TILE: View = { camera: { center: [-96.754, 32.8], zoom: 9.4 } };

interface View {
  /** Tiling options of the source */
  tiling?: { maxzoom?: number; buffer?: number; tolerance?: number };
  width?: number;
  height?: number;
  pixelRatio?: number;
  camera?: Camera;
}

/** `draw` takes pixels of the picture. */
function labelScene(
  name: string,
  layers: readonly object[],
  draw: (drawing: Drawing) => Feature[],
  view: View = {},
): LabelScene {
  const { width = WIDTH, height = HEIGHT, pixelRatio = 1, camera = CAMERA } = view;
  const features = draw(new Drawing(new Viewport(camera, width, height)));
  const style: StyleSpecification = {
    version: 8,
    glyphs: 'local://{fontstack}/{range}.pbf',
    sources: {
      s: { type: 'geojson', data: { type: 'FeatureCollection', features }, ...view.tiling },
    },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': '#f4f1ea' } },
      ...(layers as LayerSpecification[]),
    ],
  };
  return { name, style, width, height, pixelRatio, camera };
}

class Drawing {
  private readonly viewport: Viewport;

  constructor(viewport: Viewport) {
    this.viewport = viewport;
  }

  private readonly at = ([x, y]: Pixel) => this.viewport.lngLat(x, y);

  point(pixel: Pixel, name: string, properties: Properties = {}): Feature {
    const geometry = { type: 'Point' as const, coordinates: this.at(pixel) };
    return { type: 'Feature', properties: { name, ...properties }, geometry };
  }

  line(pixels: readonly Pixel[], name: string, properties: Properties = {}): Feature {
    const geometry = { type: 'LineString' as const, coordinates: pixels.map(this.at) };
    return { type: 'Feature', properties: { name, ...properties }, geometry };
  }

  polygon(rings: readonly (readonly Pixel[])[], name: string): Feature {
    const coordinates = rings.map((ring) => [...ring, ring[0]!].map(this.at));
    return { type: 'Feature', properties: { name }, geometry: { type: 'Polygon', coordinates } };
  }
}

function symbols(layout: object = {}, paint: object = {}, id = 'labels', more: object = {}) {
  return {
    id,
    type: 'symbol',
    source: 's',
    ...more,
    layout: { 'text-field': ['get', 'name'], 'text-font': ['Noto Sans Regular'], ...layout },
    paint: { 'text-color': '#202830', ...paint },
  };
}

const halo = { 'text-halo-color': '#ffffff', 'text-halo-width': 1.5 };

const one = (name: string) => (d: Drawing) => [d.point([121, 131], name)];
const star =
  (names: readonly string[]) =>
  (d: Drawing): Feature[] =>
    names.map((name, i) => {
      const angle = (i / names.length) * 2 * Math.PI;
      return d.point([128 + 80 * Math.cos(angle), 128 + 90 * Math.sin(angle)], name, { i });
    });
const TOWNS = ['Plano', 'Garland', 'Irving', 'Mesquite', 'Carrollton', 'Richardson', 'Lewisville'];

/** Names spread over the picture and beyond its edges, in pseudorandom order. */
function crowd(count: number, step: number) {
  return (d: Drawing): Feature[] =>
    Array.from({ length: count }, (_, i) => {
      const x = ((i * 97) % 330) - 37;
      const y = ((i * step) % 310) - 27;
      return d.point([x, y], `${TOWNS[i % TOWNS.length]} ${i}`, { i, rank: (i * 7) % 11 });
    });
}

/** Points so close that their drawing order is visible. */
const heap = (d: Drawing): Feature[] =>
  Array.from({ length: 60 }, (_, i) => {
    const pixel: Pixel = [20 + ((i * 71) % 220), 20 + ((i * 53) % 220)];
    return d.point(pixel, `Heap ${i}`, { i, rank: (i * 7) % 11 });
  });

const curve = (from: Pixel, to: Pixel, bulge: number, count = 24): Pixel[] =>
  Array.from({ length: count + 1 }, (_, i) => {
    const t = i / count;
    const off = Math.sin(t * Math.PI) * bulge;
    return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t + off];
  });

const road = (d: Drawing) => [d.line(curve([-200, 60], [480, 200], 40), 'Interstate 35 East')];
const roads = (d: Drawing) => [
  d.line(curve([-90, 50], [400, 90], 30), 'Stemmons Freeway'),
  d.line(curve([400, 170], [-90, 130], 30), 'Woodall Rodgers'),
  d.line(curve([200, -60], [170, 330], -20), 'North Central'),
  d.line(
    [
      [20, 240],
      [90, 236],
      [120, 200],
    ],
    'Short',
  ),
];
const river = (d: Drawing) => [
  d.line(
    Array.from({ length: 60 }, (_, i) => [-60 + i * 7, 128 + 40 * Math.sin(i / 4.5)]),
    'Trinity River',
  ),
];
const along = { 'symbol-placement': 'line', 'symbol-spacing': 120, 'text-size': 13 };
const LONG = 'The quick (brown) fox-trot/jumps over a lazy dog & sleeps';

export const labelScenes: readonly LabelScene[] = [
  labelScene('a plain label', [symbols()], one('Dallas')),
  labelScene('a large label at ratio 2', [symbols({ 'text-size': 31 }, halo)], one('Dallas'), {
    pixelRatio: 2,
  }),
  labelScene('a small label', [symbols({ 'text-size': 9 }, halo)], one('Dallas, Texas')),
  labelScene('a thin halo', [symbols({}, { ...halo, 'text-halo-width': 1 })], one('Dallas')),
  labelScene(
    'a wide blurred halo',
    [
      symbols(
        { 'text-size': 24 },
        { 'text-halo-color': '#d03020', 'text-halo-width': 4, 'text-halo-blur': 2 },
      ),
    ],
    one('Dallas'),
  ),
  labelScene(
    'a halo around translucent letters',
    [
      symbols(
        { 'text-size': 24 },
        {
          'text-color': 'rgba(0, 0, 160, 0.3)',
          'text-halo-color': '#d03020',
          'text-halo-width': 3,
        },
      ),
    ],
    one('Dallas'),
  ),
  labelScene(
    'colors and opacity by feature',
    [
      symbols(
        {},
        {
          ...halo,
          'text-color': ['match', ['get', 'i'], 0, '#d02020', 1, 'rgba(0,0,255,0.5)', '#207020'],
          'text-opacity': ['match', ['get', 'i'], 2, 0.4, 3, 0.05, 1],
          'text-halo-width': ['match', ['get', 'i'], 4, 3, 1],
        },
      ),
    ],
    star(TOWNS),
  ),
  ...(['left', 'right', 'top', 'bottom', 'top-left', 'bottom-right'] as const).map((anchor) =>
    labelScene(
      `anchored ${anchor}`,
      [symbols({ 'text-anchor': anchor, 'text-justify': 'auto', 'text-max-width': 5 })],
      one('Fort Worth Texas'),
    ),
  ),
  ...(['left', 'center', 'right'] as const).map((justify) =>
    labelScene(
      `justified ${justify}`,
      [symbols({ 'text-justify': justify, 'text-max-width': 6 })],
      one(LONG),
    ),
  ),
  labelScene('an offset', [symbols({ 'text-offset': [1, -0.5] })], one('Dallas')),
  labelScene(
    'a radial offset',
    [symbols({ 'text-radial-offset': 1.5, 'text-anchor': 'top-left' })],
    one('Dallas'),
  ),
  labelScene(
    'letter spacing and line height',
    [symbols({ 'text-letter-spacing': 0.25, 'text-line-height': 1.6, 'text-max-width': 6 })],
    one(LONG),
  ),
  labelScene(
    'tight letters',
    [symbols({ 'text-letter-spacing': -0.1, 'text-size': 22 }, halo)],
    one('Dallas'),
  ),
  ...[2, 8, 10, 40].map((width) =>
    labelScene(`at most ${width} ems wide`, [symbols({ 'text-max-width': width })], one(LONG)),
  ),
  labelScene('newlines', [symbols()], one('A\nlonger line\n\nB')),
  labelScene('upper case', [symbols({ 'text-transform': 'uppercase' })], one('Fort Worth')),
  labelScene(
    'formatted text',
    [
      symbols({
        'text-field': [
          'format',
          ['get', 'name'],
          { 'font-scale': 1.6 },
          '\n',
          {},
          'pop. 1,304,379',
          {
            'font-scale': 0.8,
            'text-color': '#c03030',
            'text-font': ['literal', ['Noto Sans Bold']],
          },
          ' est.',
          {},
        ],
      }),
    ],
    one('Dallas'),
  ),
  ...(['top', 'center', 'bottom'] as const).map((align) =>
    labelScene(
      `sections aligned ${align}`,
      [
        symbols({
          'text-field': [
            'format',
            'Big',
            { 'font-scale': 2 },
            ' small',
            { 'vertical-align': align },
          ],
        }),
      ],
      one(''),
    ),
  ),
  labelScene('rotated', [symbols({ 'text-rotate': 30, 'text-anchor': 'left' })], one('Dallas')),
  labelScene(
    'rotated by feature',
    [symbols({ 'text-rotate': ['*', 50, ['get', 'i']], 'text-padding': 0 }, halo)],
    star(TOWNS),
  ),
  labelScene('translated', [symbols({}, { 'text-translate': [20, -30] })], crowd(20, 61)),
  labelScene('a crowd', [symbols()], crowd(90, 61)),
  labelScene('a crowd with padding', [symbols({ 'text-padding': 9 })], crowd(90, 61)),
  labelScene(
    'a crowd by sort key',
    [symbols({ 'symbol-sort-key': ['get', 'rank'] })],
    crowd(90, 83),
  ),
  labelScene('a crowd by viewport-y', [symbols({ 'symbol-z-order': 'viewport-y' })], crowd(90, 83)),
  ...(['auto', 'viewport-y', 'source'] as const).map((order) =>
    labelScene(
      `overlapping in z-order ${order}`,
      [
        symbols(
          { 'text-allow-overlap': true, 'symbol-z-order': order, 'text-size': 20 },
          {
            ...halo,
            'text-color': ['match', ['%', ['get', 'i'], 3], 0, '#c02020', 1, '#2020c0', '#208020'],
          },
        ),
      ],
      heap,
    ),
  ),
  labelScene(
    'overlapping by sort key',
    [
      symbols(
        { 'text-allow-overlap': true, 'symbol-sort-key': ['get', 'rank'], 'text-size': 20 },
        {
          ...halo,
          'text-color': ['match', ['%', ['get', 'i'], 3], 0, '#c02020', 1, '#2020c0', '#208020'],
        },
      ),
    ],
    heap,
  ),
  labelScene(
    'cooperative overlap below layers that never and always overlap',
    [
      symbols({ 'text-overlap': 'cooperative' }, { 'text-color': '#2020c0' }, 'cooperative', {
        filter: ['==', ['%', ['get', 'i'], 3], 0],
      }),
      symbols({ 'text-overlap': 'always' }, { 'text-color': '#208020' }, 'always', {
        filter: ['==', ['%', ['get', 'i'], 3], 1],
      }),
      symbols({ 'text-overlap': 'never' }, { 'text-color': '#c02020' }, 'never', {
        filter: ['==', ['%', ['get', 'i'], 3], 2],
      }),
    ],
    crowd(60, 83),
  ),
  labelScene(
    'ignoring placement',
    [
      symbols({ 'text-size': 14 }, {}, 'lower'),
      symbols({ 'text-ignore-placement': true, 'text-size': 20 }, {}, 'upper', {
        filter: ['<', ['get', 'i'], 8],
      }),
    ],
    heap,
  ),
  labelScene(
    'variable anchors',
    [
      symbols({
        'text-variable-anchor': ['top', 'bottom-left', 'right', 'left'],
        'text-radial-offset': 0.6,
        'text-justify': 'auto',
        'text-max-width': 4,
      }),
    ],
    crowd(60, 83),
    ONE_TILE,
  ),
  labelScene(
    'variable anchors with offsets',
    [symbols({ 'text-variable-anchor': ['left', 'top', 'bottom'], 'text-offset': [0.7, 0.4] })],
    crowd(60, 61),
    ONE_TILE,
  ),
  labelScene(
    'variable anchors that may overlap',
    [
      symbols({
        'text-variable-anchor': ['left', 'right'],
        'text-radial-offset': 0.5,
        'text-overlap': 'always',
      }),
    ],
    crowd(40, 61),
    ONE_TILE,
  ),
  labelScene(
    'pairs of anchor and offset',
    [
      symbols({
        'text-variable-anchor-offset': ['left', [1, 0.5], 'right', [-2, 0], 'top', [0, 1.5]],
      }),
    ],
    crowd(60, 61),
    ONE_TILE,
  ),
  labelScene(
    'one rotated variable anchor',
    [symbols({ 'text-variable-anchor': ['left'], 'text-radial-offset': 1, 'text-rotate': 40 })],
    star(TOWNS),
    ONE_TILE,
  ),
  labelScene(
    'rotated variable anchors',
    [
      symbols({
        'text-variable-anchor': ['left', 'top-right'],
        'text-radial-offset': 1,
        'text-rotate': 40,
      }),
    ],
    crowd(40, 61),
    ONE_TILE,
  ),
  labelScene(
    'sizes by zoom',
    [symbols({ 'text-size': ['interpolate', ['linear'], ['zoom'], 8, 10, 10, 24] })],
    crowd(50, 61),
  ),
  labelScene(
    'sizes that shrink with the zoom',
    [symbols({ 'text-size': ['interpolate', ['linear'], ['zoom'], 9, 24, 10, 10] })],
    crowd(50, 61),
  ),
  labelScene(
    'sizes in steps of the zoom',
    [symbols({ 'text-size': ['step', ['zoom'], 10, 9.2, 18, 11, 30] })],
    crowd(50, 61),
  ),
  labelScene(
    'sizes by zoom and feature',
    [
      symbols({
        'text-size': [
          'interpolate',
          ['exponential', 1.5],
          ['zoom'],
          8,
          9,
          9.3,
          ['+', 9, ['get', 'rank']],
          11,
          ['+', 14, ['*', 2, ['get', 'rank']]],
        ],
      }),
    ],
    crowd(50, 61),
  ),
  labelScene(
    'sizes by feature',
    [symbols({ 'text-size': ['+', 8, ['get', 'rank']] }, halo)],
    crowd(50, 61),
  ),
  labelScene(
    'paint by zoom and feature',
    [
      symbols(
        {},
        {
          'text-color': [
            'interpolate',
            ['linear'],
            ['zoom'],
            8,
            '#ff0000',
            10,
            ['match', ['get', 'rank'], 3, '#00ff00', '#0000ff'],
          ],
        },
      ),
    ],
    crowd(30, 61),
  ),
  labelScene('polygons', [symbols()], (d) => [
    d.polygon(
      [
        [
          [20, 20],
          [230, 30],
          [240, 90],
          [60, 100],
          [50, 240],
          [20, 240],
        ],
      ],
      'Boomerang',
    ),
    d.polygon(
      [
        [
          [120, 130],
          [240, 130],
          [240, 240],
          [120, 240],
        ],
        [
          [150, 150],
          [150, 220],
          [220, 220],
          [220, 150],
        ],
      ],
      'Ring',
    ),
  ]),
  labelScene('starts of lines', [symbols()], roads),
  labelScene('along a line', [symbols(along, halo)], road),
  labelScene('along lines', [symbols(along, halo)], roads),
  labelScene('along a river', [symbols(along)], river),
  labelScene(
    'along a river that bends too much',
    [symbols({ ...along, 'text-max-angle': 15 })],
    river,
  ),
  labelScene('along a line at an integer zoom', [symbols(along, halo)], road, {
    camera: { ...CAMERA, zoom: 9 },
  }),
  labelScene('along a line, at an offset', [symbols({ ...along, 'text-offset': [0, 1] })], river),
  labelScene('along a line, shifted', [symbols({ ...along, 'text-offset': [2, -0.8] })], roads),
  labelScene('along a line, anchored', [symbols({ ...along, 'text-anchor': 'left' })], road),
  labelScene(
    'along a line, anchored at the top',
    [symbols({ ...along, 'text-anchor': 'top' })],
    road,
  ),
  labelScene('along lines upside down', [symbols({ ...along, 'text-keep-upright': false })], roads),
  labelScene('along lines, rotated', [symbols({ ...along, 'text-rotate': 90 })], roads),
  labelScene(
    'along lines, level',
    [symbols({ ...along, 'text-rotation-alignment': 'viewport' })],
    roads,
  ),
  labelScene(
    'along lines, letters upright',
    [symbols({ ...along, 'text-rotation-alignment': 'viewport-glyph' })],
    roads,
  ),
  labelScene(
    'along lines, spaced letters',
    [symbols({ ...along, 'text-letter-spacing': 0.3, 'text-transform': 'uppercase' })],
    roads,
  ),
  labelScene('along lines, closely', [symbols({ ...along, 'symbol-spacing': 1 })], roads),
  labelScene(
    'along lines, overlapping',
    [symbols({ ...along, 'text-allow-overlap': true, 'symbol-spacing': 40 })],
    roads,
  ),
  labelScene(
    'along lines in sections',
    [
      symbols({
        ...along,
        'text-field': ['format', 'I ', { 'font-scale': 1.4 }, ['get', 'name'], {}],
      }),
    ],
    roads,
  ),
  labelScene('along pieces of a line', [symbols(along)], (d) => {
    const whole = curve([-80, 100], [340, 140], 30);
    const pieces = [whole.slice(8, 15), whole.slice(0, 9), whole.slice(14)];
    return pieces.map((piece) => d.line(piece, 'Lyndon B Johnson Freeway'));
  }),
  labelScene(
    'along lines by sort key',
    [symbols({ ...along, 'symbol-sort-key': ['-', ['length', ['get', 'name']]] })],
    roads,
  ),
  labelScene(
    'along lines, with sizes by zoom',
    [
      symbols({
        ...along,
        'text-size': ['interpolate', ['linear'], ['zoom'], 8, 8, 10, 16, 18, 20],
      }),
    ],
    roads,
  ),
  labelScene(
    'in the middle of lines',
    [symbols({ ...along, 'symbol-placement': 'line-center' })],
    roads,
  ),
  labelScene('around polygons', [symbols(along)], (d) => [
    d.polygon(
      [
        [
          [30, 30],
          [220, 40],
          [230, 200],
          [60, 220],
        ],
      ],
      'Boundary',
    ),
  ]),
  labelScene(
    'points and lines in two layers',
    [
      symbols(along, halo, 'roads', { filter: ['==', ['geometry-type'], 'LineString'] }),
      symbols({}, halo, 'towns', { filter: ['==', ['geometry-type'], 'Point'] }),
    ],
    (d) => [...roads(d), ...crowd(25, 61)(d)],
  ),
  labelScene(
    'along lines with thick halos at ratio 2',
    [symbols(along, { ...halo, 'text-halo-width': 3 })],
    roads,
    { pixelRatio: 2 },
  ),
  labelScene('around the world', [symbols({ 'text-size': 10 })], crowd(60, 61), {
    camera: { center: [160, 20], zoom: 0.3 },
    width: 700,
    height: 200,
  }),
  labelScene('a crowd in tiles of an earlier zoom', [symbols()], crowd(60, 61), {
    tiling: { maxzoom: 7 },
  }),
  labelScene('along lines in tiles of an earlier zoom', [symbols(along)], roads, {
    tiling: { maxzoom: 7 },
  }),
  labelScene(
    'along simplified lines',
    [symbols(along)],
    (d) => [
      d.line(
        Array.from({ length: 60 }, (_, i) => [-60 + 7 * i, 90 + 4 * (i % 2)] as const),
        'Rough Road',
      ),
    ],
    { tiling: { tolerance: 6 } },
  ),
  labelScene('along lines of large tiles', [symbols(along)], roads, {
    camera: { center: [-97, 32.55], zoom: 9.97 },
  }),
  labelScene(
    'a name in braces, with zero-width spaces',
    [symbols({ 'text-field': 'at {name}', 'text-max-width': 3 })],
    one('Dallas\u200bFort\u200bWorth'),
  ),
  labelScene('a maximum width of zero', [symbols({ 'text-max-width': 0 })], one('Fort Worth')),
  labelScene(
    'rotated with an offset',
    [symbols({ 'text-rotate': -60, 'text-offset': [2, 1], 'text-max-width': 4 })],
    one('Fort Worth'),
  ),
  labelScene(
    'variable anchors with padding',
    [
      symbols({
        'text-variable-anchor': ['bottom-right', 'top'],
        'text-padding': 8,
        'text-radial-offset': 0,
      }),
    ],
    crowd(60, 83),
    ONE_TILE,
  ),
  labelScene(
    'in the middle of lines, at an offset',
    [symbols({ ...along, 'symbol-placement': 'line-center', 'text-offset': [0, -1.2] })],
    roads,
  ),
  labelScene(
    'around corners, at an offset',
    [
      symbols({
        ...along,
        'symbol-placement': 'line-center',
        'text-offset': [0, 1.2],
        'text-max-angle': 120,
      }),
    ],
    (d) => [
      d.line(
        [
          [40, 60],
          [120, 60],
          [120, 140],
        ],
        'Around the corner',
      ),
      d.line(
        [
          [40, 220],
          [130, 220],
          [170, 150],
        ],
        'Outside a bend',
      ),
    ],
  ),
  labelScene(
    'in the middle of lines, level, with variable anchors',
    [
      symbols({
        ...along,
        'symbol-placement': 'line-center',
        'text-rotation-alignment': 'viewport',
        'text-variable-anchor': ['left', 'bottom'],
        'text-radial-offset': 1,
      }),
    ],
    roads,
    ONE_TILE,
  ),
  labelScene(
    'two lines along a line',
    [symbols({ ...along, 'text-field': 'Interstate\n{name}' })],
    roads,
  ),
  labelScene('single letters along lines', [symbols({ ...along, 'text-field': 'M' })], roads),
  labelScene('along translated lines', [symbols(along, { 'text-translate': [15, 25] })], roads),
  labelScene(
    'along lines with wide padding',
    [symbols({ ...along, 'text-padding': 12, 'symbol-spacing': 20 })],
    (d) => [...roads(d), ...river(d)],
  ),
  labelScene(
    'texts of some features only',
    [
      symbols({
        'text-field': {
          property: 'name',
          type: 'categorical',
          stops: [
            ['Dallas', 'One'],
            ['Plano', 'Two'],
          ],
        },
      }),
    ],
    (d) => [
      d.point([60, 60], 'Dallas'),
      d.point([150, 120], 'Fort Worth'),
      d.point([90, 200], 'Plano'),
    ],
  ),
  labelScene(
    'a radial offset of zero replaces the other offset',
    [
      symbols({
        'text-variable-anchor': ['left', 'right'],
        'text-radial-offset': 0,
        'text-offset': [2, 2],
      }),
    ],
    (d) => [d.point([90, 90], 'Dallas'), d.point([120, 200], 'Plano')],
    ONE_TILE,
  ),
  labelScene(
    'a halo wider than the distance fields',
    [
      symbols(
        { 'text-size': 12, 'text-rotate': ['get', 'turn'] },
        { 'text-halo-color': '#fa0', 'text-halo-width': 8 },
      ),
    ],
    (d) => [
      d.point([60, 60], 'Dallas', { turn: 0 }),
      d.point([150, 120], 'Fort Worth', { turn: 30 }),
      d.point([90, 200], 'Plano', { turn: 200 }),
    ],
  ),
  labelScene('avoiding edges', [symbols({ 'symbol-avoid-edges': true })], crowd(60, 61)),
  labelScene('a crowd at zoom 0', [symbols({ 'text-size': 10 })], crowd(40, 61), {
    camera: { center: [10, 20], zoom: 0.3 },
    width: 200,
    height: 200,
  }),
];
