import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import { describe, expect, it } from 'vitest';
import { compileStyle } from '../../src/render/canvas/compile.ts';
import { projectFeatures } from '../../src/render/canvas/screen-feature.ts';
import { joinLines, labelMiddles } from '../../src/render/canvas/text/along-line.ts';
import { breakLines } from '../../src/render/canvas/text/line-breaks.ts';
import type { PlacedLabel } from '../../src/render/canvas/text/candidates.ts';
import { placeLabels } from '../../src/render/canvas/text/place.ts';
import { propertiesAt } from '../../src/render/canvas/values.ts';
import { Viewport } from '../../src/spatial/camera.ts';
import type { RectPx } from '../../src/spatial/flat.ts';
import { camera, line, picture, point, polygon, scene, SIDE_PX, white, WHITE } from './pictures.ts';

/** Every character is half an em wide. */
const measure = (text: string) => text.length / 2;

const PICTURE = { minX: 0, minY: 0, maxX: SIDE_PX, maxY: SIDE_PX };

function symbols(layout: object, id = 'labels', filter?: unknown): LayerSpecification {
  return {
    id,
    type: 'symbol',
    source: 's',
    ...(filter === undefined ? {} : { filter }),
    layout: {
      'text-field': ['get', 'name'],
      'text-font': ['Noto Sans Regular'],
      'text-size': 10,
      'text-padding': 0,
      ...layout,
    },
  } as LayerSpecification;
}

function place(
  layers: LayerSpecification[],
  features: Feature[],
  reserved: RectPx[] = [],
): PlacedLabel[][] {
  const compiled = compileStyle(scene(layers).style);
  const projected = projectFeatures(features, new Viewport(camera, SIDE_PX, SIDE_PX), 1);
  return placeLabels(
    compiled.layers.map((layer) => ({
      path: layer.path,
      read: propertiesAt(layer, camera.zoom),
      readLayout: propertiesAt(layer, Math.floor(camera.zoom)),
      features: projected.filter(
        ({ style }) => layer.filter?.({ zoom: 9 }, style as never) ?? true,
      ),
    })),
    PICTURE,
    reserved,
    measure,
  );
}

const bold = ['literal', ['Noto Sans Bold']];
const texts = (labels: PlacedLabel[] | undefined) => labels?.map(({ text }) => text);
const where = (label: PlacedLabel | undefined) =>
  label?.runs.map(({ x, y }) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100]);

describe('a label', () => {
  it('is centred on its point, capitals in the middle', () => {
    const [labels] = place([symbols({})], [point([50, 50], { name: 'ABCD' })]);
    // 4 letters of 5 px; the baseline 9/24 em below the middle.
    expect(where(labels?.[0])).toEqual([[40, 53.75]]);
  });

  it('stands beside its point when anchored there, moved by its offset in ems', () => {
    const layout = { 'text-anchor': 'top-left', 'text-offset': [1, 0.5], 'text-line-height': 1 };
    const [labels] = place([symbols(layout)], [point([50, 50], { name: 'ABCD' })]);
    expect(where(labels?.[0])).toEqual([[60, 50 + 5 + 5 + 3.75]]);
  });

  it('wraps at its width, justified to its anchor', () => {
    const layout = { 'text-max-width': 5, 'text-line-height': 1, 'text-anchor': 'right' };
    const justified = { ...layout, 'text-justify': 'auto' };
    const [labels] = place([symbols(justified)], [point([90, 50], { name: 'Fort Worth Tx' })]);
    expect(labels?.[0]?.runs.map(({ text }) => text)).toEqual(['Fort', 'Worth Tx']);
    expect(where(labels?.[0])).toEqual([
      [70, 48.75],
      [50, 58.75],
    ]);
  });

  it('is transformed, spaced and cleared of what no shipped font has', () => {
    const layout = { 'text-transform': 'uppercase', 'text-letter-spacing': 0.1 };
    const [labels] = place([symbols(layout)], [point([50, 50], { name: 'Waco 漢\u0007' })]);
    expect(labels?.[0]?.text).toBe('WACO ');
    expect(labels?.[0]?.letterSpacingPx).toBe(1);
  });

  it('may name a property in braces', () => {
    const [labels] = place(
      [symbols({ 'text-field': 'ZIP {zip}{gone}' })],
      [point([50, 50], { zip: 75201 })],
    );
    expect(texts(labels)).toEqual(['ZIP 75201']);
  });

  it('of a polygon stands where the visible part has most room', () => {
    const wide = polygon(
      [
        [
          [40, 20],
          [900, 20],
          [900, 80],
          [40, 80],
        ],
      ],
      { name: 'ABCD' },
    );
    const [labels] = place([symbols({})], [wide]);
    // The part inside the picture is 60 px square around (70, 50).
    const [[x, y]] = where(labels?.[0]) as [[number, number]];
    expect(x).toBeCloseTo(60, -0.5);
    expect(y).toBeCloseTo(53.75, -0.5);
  });

  it('is left out where the edge of the picture would cut it', () => {
    const features = [point([8, 50], { name: 'ABCD' }), point([12, 80], { name: 'WXYZ' })];
    expect(texts(place([symbols({})], features)[0])).toEqual(['WXYZ']);
  });
});

describe('a turned label', () => {
  const upright = symbols({ 'text-rotate': 90, 'text-anchor': 'left', 'text-line-height': 1 });

  it('turns clockwise around its point', () => {
    const [labels] = place([upright], [point([50, 30], { name: 'ABCD' })]);
    expect(where(labels?.[0])).toEqual([[46.25, 30]]);
    expect(labels?.[0]?.runs[0]?.angle).toBeCloseTo(Math.PI / 2, 9);
  });

  it('takes its angle from the feature and the room of its turned box', () => {
    const layer = symbols({ 'text-rotate': ['get', 'angle'], 'text-line-height': 1 });
    const beside = (angle: number) => [
      point([40, 50], { name: 'ABCD', angle }),
      point([54, 50], { name: 'EFGH', angle }),
    ];
    expect(texts(place([layer], beside(0))[0])).toEqual(['ABCD']);
    expect(texts(place([layer], beside(90))[0])).toEqual(['ABCD', 'EFGH']);
    // At 45 degrees the box around it is 21 px wide.
    expect(texts(place([layer], beside(45))[0])).toEqual(['ABCD']);
  });
});

describe('a label with anchors and offsets in pairs', () => {
  const layer = symbols({
    'text-variable-anchor-offset': ['left', [1, 0.5], 'right', [-2, 0], 'top', [0, 1.5]],
    'text-anchor': 'bottom',
    'text-line-height': 1,
  });

  it('takes them in their order, as they are given', () => {
    const features = ['AAAA', 'BBBB', 'CCCC'].map((name) => point([50, 50], { name }));
    const [labels] = place([layer], features);
    // 7/24 em less above and below, as for every variable anchor.
    expect(labels?.map((label) => where(label)?.[0])).toEqual([
      [60, 58.75],
      [10, 53.75],
      [40, 70.83],
    ]);
  });

  it('goes without when all are taken', () => {
    const names = ['AAAA', 'BBBB', 'CCCC', 'DDDD'];
    const features = names.map((name) => point([50, 50], { name }));
    expect(texts(place([layer], features)[0])).toEqual(names.slice(0, 3));
  });
});

describe('a label in several formats', () => {
  const formatted = (...sections: unknown[]) =>
    symbols({ 'text-field': ['format', ...sections], 'text-line-height': 1 });

  it('sets each section in its size, on one level', () => {
    const layer = formatted('AB', { 'font-scale': 2 }, ['get', 'name'], {});
    const [labels] = place([layer], [point([50, 50], { name: 'cd' })]);
    // 20 + 10 px wide and 20 px high; the larger letters hang 2/24 of their size lower.
    expect(where(labels?.[0])).toEqual([
      [35, 61.67],
      [55, 60.83],
    ]);
    expect(labels?.[0]?.runs.map(({ section }) => section?.scale)).toEqual([2, 1]);
  });

  it('wraps across its sections', () => {
    const layer = symbols({
      'text-field': ['format', 'Fort Wo', {}, 'rth Texas', { 'text-font': bold }],
      'text-max-width': 5,
    });
    const [labels] = place([layer], [point([50, 50])]);
    const runs = labels?.[0]?.runs.map(({ text, section }) => [text, section?.face]);
    expect(runs).toEqual([
      ['Fort Wo', 'Noto Sans Regular'],
      ['rth', 'Noto Sans Bold'],
      ['Texas', 'Noto Sans Bold'],
    ]);
  });

  it('keeps an empty line', () => {
    const [labels] = place([formatted('A\n\nB', {})], [point([50, 50])]);
    expect(where(labels?.[0])).toEqual([
      [47.5, 43.75],
      [47.5, 63.75],
    ]);
  });

  it('paints each section in its colour, under the opacity of all', async () => {
    const layer = symbols({
      'text-field': ['format', 'I', { 'text-color': '#ff0000' }, '  ', {}, 'I', {}],
      'text-font': ['Noto Sans Bold'],
      'text-size': 50,
    });
    const paint = { 'text-color': '#0000ff', 'text-opacity': 0.5 };
    const drawn = await picture(
      scene([white, { ...layer, paint } as LayerSpecification], [point([50, 50])]),
    );
    const row = Array.from({ length: SIDE_PX }, (_, x) => drawn.at(x, 50));
    const isHalf = (value: number) => Math.abs(value - 128) <= 1;
    const red = row.findIndex(([r, g, b]) => r === 255 && isHalf(g!) && isHalf(b!));
    const blue = row.findIndex(([r, g, b]) => isHalf(r!) && isHalf(g!) && b === 255);
    expect(red).toBeGreaterThan(0);
    expect(blue).toBeGreaterThan(red + 20);
  });
});

describe('labels that collide', () => {
  const near = [point([50, 50], { name: 'AAAA' }), point([55, 52], { name: 'BBBB' })];

  it('leave the place to the first of their layer', () => {
    expect(texts(place([symbols({})], near)[0])).toEqual(['AAAA']);
  });

  it('leave it to the lower sort key', () => {
    const layer = symbols({ 'symbol-sort-key': ['match', ['get', 'name'], 'BBBB', 1, 2] });
    expect(texts(place([layer], near)[0])).toEqual(['BBBB']);
  });

  it('leave it to the upper layer', () => {
    const lower = symbols({}, 'lower', ['==', ['get', 'name'], 'AAAA']);
    const upper = symbols({}, 'upper', ['==', ['get', 'name'], 'BBBB']);
    expect(place([lower, upper], near).map(texts)).toEqual([[], ['BBBB']]);
  });

  it('all stand when they may overlap', () => {
    expect(texts(place([symbols({ 'text-allow-overlap': true })], near)[0])).toHaveLength(2);
    expect(texts(place([symbols({ 'text-overlap': 'always' })], near)[0])).toHaveLength(2);
  });

  it('keep their padding between them', () => {
    const apart = [point([50, 40], { name: 'AAAA' }), point([50, 56], { name: 'BBBB' })];
    expect(texts(place([symbols({ 'text-padding': 1 })], apart)[0])).toHaveLength(2);
    expect(texts(place([symbols({ 'text-padding': 3 })], apart)[0])).toHaveLength(1);
  });

  it('do not count those that ignore placement', () => {
    const lower = symbols({}, 'lower', ['==', ['get', 'name'], 'AAAA']);
    const upper = symbols({ 'text-ignore-placement': true }, 'upper', [
      '==',
      ['get', 'name'],
      'BBBB',
    ]);
    expect(place([lower, upper], near).map(texts)).toEqual([['AAAA'], ['BBBB']]);
  });

  it('try their other anchors', () => {
    const layer = symbols({
      'text-variable-anchor': ['left', 'right'],
      'text-radial-offset': 0.5,
    });
    const [labels] = place([layer], [point([50, 50], { name: 'AAAA' }), near[1]!]);
    expect(labels?.map((label) => where(label)?.[0]?.[0])).toEqual([55, 30]);
  });

  it('keep clear of furniture', () => {
    const furniture = { minX: 0, minY: 0, maxX: 60, maxY: 60 };
    expect(texts(place([symbols({})], near, [furniture])[0])).toEqual([]);
  });
});

describe('a label along a line', () => {
  const along = symbols({ 'symbol-placement': 'line', 'symbol-spacing': 200 });

  it('runs along it letter by letter, in the middle', () => {
    const road = line(
      [
        [10, 50],
        [90, 50],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    expect(labels?.[0]?.runs.map(({ text }) => text).join('')).toBe('I 35');
    expect(where(labels?.[0])).toEqual([
      [40, 53.75],
      [45, 53.75],
      [50, 53.75],
      [55, 53.75],
    ]);
  });

  it('reads from left to right whichever way the line runs', () => {
    const road = line(
      [
        [90, 50],
        [10, 50],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    expect(where(labels?.[0])?.[0]).toEqual([40, 53.75]);
  });

  it('turns with it', () => {
    const road = line(
      [
        [50, 10],
        [50, 90],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([along], [road]);
    const run = labels![0]!.runs[0]!;
    expect(Math.abs(run.angle)).toBeCloseTo(Math.PI / 2, 9);
  });

  it('is left out where the line is too short or bends too sharply', () => {
    const short = line(
      [
        [40, 50],
        [55, 50],
      ],
      { name: 'I 35' },
    );
    const bent = line(
      [
        [30, 50],
        [50, 50],
        [50, 70],
      ],
      { name: 'I 35' },
    );
    expect(place([along], [short])[0]).toEqual([]);
    expect(place([along], [bent])[0]).toEqual([]);
  });

  it('crosses from one piece of a road to the next', () => {
    const pieces = [
      line(
        [
          [50, 50],
          [60, 50],
        ],
        { name: 'I 35' },
      ),
      line(
        [
          [38, 50],
          [50, 50],
        ],
        { name: 'I 35' },
      ),
    ];
    expect(texts(place([along], pieces)[0])).toEqual(['I 35']);
  });

  const road = (from: number, to: number, y = 50) =>
    line(
      [
        [from, y],
        [to, y],
      ],
      { name: 'I 35' },
    );

  it('may run upside down where it need not keep upright', () => {
    const layer = symbols({ 'symbol-placement': 'line', 'text-keep-upright': false });
    const [labels] = place([layer], [road(90, 10)]);
    expect(where(labels?.[0])?.[0]).toEqual([60, 46.25]);
    expect(Math.abs(labels![0]!.runs[0]!.angle)).toBeCloseTo(Math.PI, 9);
  });

  it('may lie level on a line that does not', () => {
    const layer = symbols({ 'symbol-placement': 'line', 'text-rotation-alignment': 'viewport' });
    const steep = line(
      [
        [50, 10],
        [50, 90],
      ],
      { name: 'I 35' },
    );
    const [labels] = place([layer], [steep]);
    expect(where(labels?.[0])).toEqual([[40, 53.75]]);
  });

  it('stands once in the middle of each line where it is centred', () => {
    const layer = symbols({ 'symbol-placement': 'line-center', 'symbol-spacing': 20 });
    const [labels] = place([layer], [road(5, 95, 20), road(50, 95), road(5, 50), road(5, 20, 80)]);
    // Lines that continue each other stay apart; the last is too short.
    expect(labels?.map((label) => where(label)?.[0])).toEqual([
      [40, 23.75],
      [62.5, 53.75],
      [17.5, 53.75],
    ]);
  });

  it('is repeated at its spacing', () => {
    expect(labelMiddles(1000, 50, 250)).toEqual([125, 375, 625, 875]);
    expect(labelMiddles(60, 50, 250)).toEqual([30]);
    expect(labelMiddles(40, 50, 250)).toEqual([]);
  });
});

describe('joining lines', () => {
  it('makes one of all that continue each other, whatever their order', () => {
    const pieces = [
      [2, 0, 3, 0],
      [0, 0, 1, 0],
      [1, 0, 2, 0],
      [9, 9, 8, 8],
    ];
    expect(joinLines(pieces)).toEqual([
      [0, 0, 1, 0, 2, 0, 3, 0],
      [9, 9, 8, 8],
    ]);
  });

  it('uses each piece once at a fork', () => {
    const pieces = [
      [0, 0, 1, 0],
      [1, 0, 2, 1],
      [1, 0, 2, -1],
    ];
    expect(joinLines(pieces)).toEqual([
      [0, 0, 1, 0, 2, 1],
      [1, 0, 2, -1],
    ]);
  });
});

describe('breaking lines', () => {
  it('leaves the lines even rather than filling the first', () => {
    expect(breakLines('Salt Lake City Utah', 6, measure)).toEqual(['Salt Lake', 'City Utah']);
  });

  it('says where each piece it measures begins', () => {
    const text = 'Salt \u00a0Lake  City';
    breakLines(text, 3, (piece, start) => {
      expect(text.slice(start, start + piece.length)).toBe(piece);
      return piece.length;
    });
    expect.hasAssertions();
  });

  it('breaks at a newline in any case, and never inside a word', () => {
    expect(breakLines('A\nB', 50, measure)).toEqual(['A', 'B']);
    expect(breakLines('Albuquerque', 2, measure)).toEqual(['Albuquerque']);
  });
});

describe('text on the picture', () => {
  it('is drawn with its halo around it', async () => {
    const layer = symbols({ 'text-size': 40, 'text-font': ['Noto Sans Bold'] });
    const paint = {
      'text-color': '#000000',
      'text-halo-color': '#ff0000',
      'text-halo-width': 3,
    };
    const drawn = await picture(
      scene([white, { ...layer, paint } as LayerSpecification], [point([50, 50], { name: 'I' })]),
    );
    const row = Array.from({ length: SIDE_PX }, (_, x) => drawn.at(x, 50));
    const count = (red: number) => row.filter((p) => p[0] === red && p[1] === 0).length;
    expect(count(0)).toBeGreaterThanOrEqual(4);
    expect(count(255)).toBeGreaterThanOrEqual(4);
    expect(drawn.at(50, 50)).toEqual([0, 0, 0, 255]);
    expect(drawn.at(5, 50)).toEqual(WHITE);
  });

  it('has the size of its own feature', async () => {
    const layer = symbols({ 'text-size': ['get', 'size'], 'text-font': ['Noto Sans Bold'] });
    const features = [
      point([25, 50], { name: 'I', size: 60 }),
      point([75, 50], { name: 'I', size: 20 }),
    ];
    const drawn = await picture(scene([white, layer], features));
    const heightAt = (x: number) =>
      Array.from({ length: SIDE_PX }, (_, y) => drawn.at(x, y)[0]!).filter((red) => red < 128)
        .length;
    // Capitals are 0.71 em high.
    expect(Math.abs(heightAt(25) - 43)).toBeLessThanOrEqual(1);
    expect(Math.abs(heightAt(75) - 14)).toBeLessThanOrEqual(1);
  });

  it('has a halo that fades by its blur, on both sides of its edge', async () => {
    const layer = symbols({ 'text-size': 80, 'text-font': ['Noto Sans Bold'] });
    const beside = async (blur: number) => {
      const paint = {
        'text-color': '#000000',
        'text-halo-color': '#ff0000',
        'text-halo-width': 8,
        'text-halo-blur': blur,
      };
      const drawn = await picture(
        scene([white, { ...layer, paint } as LayerSpecification], [point([50, 50], { name: 'I' })]),
      );
      const row = Array.from({ length: SIDE_PX }, (_, x) => drawn.at(x, 50)[1]!);
      return { soft: row.filter((green) => green > 20 && green < 235).length, row };
    };
    const sharp = await beside(0);
    const blurred = await beside(4);
    expect(sharp.soft).toBeLessThanOrEqual(4);
    // 4.8 px inside and as much outside, on either side of the letter
    expect(blurred.soft).toBeGreaterThanOrEqual(10);
    expect(blurred.soft).toBeLessThanOrEqual(19);
    // Its edge, where a half shows, stays.
    const edge = sharp.row.findIndex((green) => green < 128);
    expect(Math.abs(blurred.row.findIndex((green) => green < 128) - edge)).toBeLessThanOrEqual(1);
  });
});
