import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { lineProfile } from '../../src/render/canvas/line-profile.ts';
import { shiftedPathData } from '../../src/render/canvas/line-shift.ts';
import { corners, line, picture, polygon, RED, scene, square, white, WHITE } from './pictures.ts';

const stroke = (paint: object, layout: object = {}) =>
  ({
    id: 'line',
    type: 'line',
    source: 's',
    paint: { 'line-color': '#ff0000', ...paint },
    layout,
  }) as LayerSpecification;

const across = line([
  [10, 50],
  [90, 50],
]);
const down = line([
  [50, 10],
  [50, 90],
]);

describe('a line with a gap', () => {
  const gapped = { 'line-gap-width': 10, 'line-width': 4 };

  it('is drawn with its whole width on either side of it', async () => {
    const drawn = await picture(scene([white, stroke(gapped)], [across]));
    const column = [40, 41, 44, 45, 54, 55, 58, 59].map((y) => drawn.at(50, y));
    expect(column).toEqual([WHITE, RED, RED, WHITE, WHITE, RED, RED, WHITE]);
  });

  it('is open at butt and square ends, closed at round ones', async () => {
    const endsAt = async (cap: string) => {
      const drawn = await picture(scene([white, stroke(gapped, { 'line-cap': cap })], [across]));
      return [drawn.at(3, 50), drawn.at(2, 43), drawn.at(8, 50)];
    };
    expect(await endsAt('butt')).toEqual([WHITE, WHITE, WHITE]);
    expect(await endsAt('square')).toEqual([WHITE, RED, WHITE]);
    expect(await endsAt('round')).toEqual([RED, WHITE, WHITE]);
  });

  it('shows what lies below through the gap, and crosses other lines', async () => {
    const drawn = await picture(scene([white, stroke(gapped)], [across, down]));
    expect([drawn.at(47, 43), drawn.at(50, 43)]).toEqual([RED, RED]);
    expect(drawn.at(50, 50)).toEqual(WHITE);
  });

  it('has one opacity all over, corners too, whatever is drawn after it', async () => {
    const bent = line([
      [20, 80],
      [20, 20],
      [80, 20],
    ]);
    const layer = stroke({ ...gapped, 'line-opacity': 0.5 });
    const later = line([
      [40, 40],
      [60, 60],
    ]);
    const drawn = await picture(scene([white, layer], [bent, later]));
    for (const [x, y] of [
      [13, 50],
      [27, 50],
      [13, 13],
      [27, 27],
    ] as const) {
      expect(drawn.at(x, y)[1]).toBeCloseTo(128, -0.5);
    }
  });

  it('takes the gap from the feature', async () => {
    const features = [
      line(
        [
          [10, 20],
          [90, 20],
        ],
        { gap: 0 },
      ),
      line(
        [
          [10, 70],
          [90, 70],
        ],
        { gap: 20 },
      ),
    ];
    const layer = stroke({ 'line-gap-width': ['get', 'gap'], 'line-width': 4 });
    const drawn = await picture(scene([white, layer], features));
    expect([drawn.at(50, 20), drawn.at(50, 70), drawn.at(50, 58)]).toEqual([RED, WHITE, RED]);
  });

  it('is as wide on more pixels, wherever it is moved', async () => {
    const layer = stroke({ ...gapped, 'line-translate': [10, 20] });
    const drawn = await picture(scene([white, layer], [across], { pixelRatio: 2 }));
    expect([123, 128, 130, 148, 151, 158].map((y) => drawn.at(190, y))).toEqual([
      RED,
      RED,
      WHITE,
      WHITE,
      RED,
      WHITE,
    ]);
  });
});

describe('a dashed line', () => {
  it('joins the last part of an odd list to the first', async () => {
    const layer = stroke({ 'line-width': 4, 'line-dasharray': [2, 3, 2] });
    const drawn = await picture(scene([white, layer], [across]));
    // 8 px on, 12 off, 16 on, 12 off
    expect([16, 20, 28, 32, 44, 48, 56, 60].map((x) => drawn.at(x, 50))).toEqual([
      RED,
      WHITE,
      WHITE,
      RED,
      RED,
      WHITE,
      WHITE,
      RED,
    ]);
  });
});

describe('a line with an offset', () => {
  const rows = async (offset: unknown, feature = across) => {
    const layer = stroke({ 'line-offset': offset, 'line-width': 4 });
    const drawn = await picture(scene([white, layer], [feature]));
    return [40, 50, 60].map((y) => drawn.at(50, y));
  };

  it('lies to the right of its direction, or to the left when negative', async () => {
    expect(await rows(10)).toEqual([WHITE, WHITE, RED]);
    expect(await rows(-10)).toEqual([RED, WHITE, WHITE]);
    const backward = line([
      [90, 50],
      [10, 50],
    ]);
    expect(await rows(10, backward)).toEqual([RED, WHITE, WHITE]);
  });

  it('takes it from the feature', async () => {
    const feature = { ...across, properties: { lane: 2 } };
    expect(await rows(['*', 5, ['get', 'lane']], feature)).toEqual([WHITE, WHITE, RED]);
  });

  it('lies inside a polygon and its ring inside the area, whichever way they are wound', async () => {
    const layer = stroke({ 'line-offset': 5, 'line-width': 2 });
    for (const outer of [corners(10, 90), corners(10, 90).toReversed()]) {
      const drawn = await picture(scene([white, layer], [polygon([outer, corners(40, 60)])]));
      expect([drawn.at(14, 50), drawn.at(5, 50)]).toEqual([RED, WHITE]);
      expect([drawn.at(34, 50), drawn.at(45, 50)]).toEqual([RED, WHITE]);
    }
    const outset = stroke({ 'line-offset': -5, 'line-width': 2 });
    const drawn = await picture(scene([white, outset], [square(20, 80)]));
    expect([drawn.at(15, 50), drawn.at(15, 15), drawn.at(25, 50)]).toEqual([RED, RED, WHITE]);
  });

  const shifted = (offsetPx: number, join: 'miter' | 'bevel' | 'round', line: number[]) =>
    shiftedPathData(
      { polygons: [], lines: [line] },
      { offsetPx, extendPx: 0, join, miterLimit: 2 },
    );
  const data = (...px: number[]) => `M${px.map((value) => `${value * 16} `).join('')}`;

  it('turns its inner corner where the moved sides cross', () => {
    const rightTurn = [0, 0, 50, 0, 50, 50];
    const inner = data(0, 10, 40, 10, 40, 50);
    expect(shifted(10, 'miter', rightTurn)).toBe(inner);
    expect(shifted(10, 'bevel', rightTurn)).toBe(inner);
    expect(shifted(-10, 'miter', [0, 0, 50, 0, 50, -50])).toBe(data(0, -10, 40, -10, 40, -50));
  });

  it('keeps the moved sides whole where they are too short to cross', () => {
    expect(shifted(10, 'miter', [0, 0, 50, 0, 50, 5, 100, 5])).toBe(
      data(0, 10, 50, 10, 40, 0, 40, 15, 100, 15),
    );
  });

  it('turns its outer corner as its join says', () => {
    const rightTurn = [0, 0, 50, 0, 50, 50];
    expect(shifted(-10, 'miter', rightTurn)).toBe(data(0, -10, 60, -10, 60, 50));
    expect(shifted(-10, 'bevel', rightTurn)).toBe(data(0, -10, 50, -10, 60, 0, 60, 50));
    const round = shifted(-10, 'round', rightTurn).slice(1).trim().split(' ').map(Number);
    expect(round.length).toBeGreaterThan(12);
    for (let i = 2; i < round.length - 2; i += 2) {
      expect(Math.hypot(round[i]! / 16 - 50, round[i + 1]! / 16)).toBeCloseTo(10, 0);
    }
  });

  it('bevels a corner sharper than the limit of its mitre', () => {
    // A turn of 135 degrees has a mitre of 2.6.
    expect(shifted(-10, 'miter', [0, 0, 50, 0, 0, 50]).split(' ')).toHaveLength(9);
  });
});

describe('a line with a blur', () => {
  it('fades from its edge inwards', async () => {
    const layer = stroke({ 'line-width': 20, 'line-blur': 7 });
    const drawn = await picture(scene([white, layer], [across]));
    const greens = [39, 41, 43, 45, 47, 50].map((y) => drawn.at(50, y)[1]!);
    // From 10.5 px off the middle, 8 px inwards: 32 of 255 a pixel.
    for (const [i, expected] of [255, 207, 143, 80, 16, 0].entries()) {
      expect(Math.abs(greens[i]! - expected), `row ${i}`).toBeLessThanOrEqual(18);
    }
  });

  it('never reaches its full colour when wider than the line', async () => {
    const layer = stroke({ 'line-width': 4, 'line-blur': 9 });
    const drawn = await picture(scene([white, layer], [across]));
    expect(drawn.at(50, 50)[1]).toBeGreaterThan(180);
    expect(drawn.at(50, 50)[1]).toBeLessThan(250);
  });

  it('adds up to its opacity in the middle', async () => {
    const layer = stroke({ 'line-width': 20, 'line-blur': 5, 'line-opacity': 0.5 });
    const drawn = await picture(scene([white, layer], [across]));
    expect(drawn.at(50, 50)[1]).toBeCloseTo(128, -0.5);
  });

  it('fades into its gap too', () => {
    const profile = lineProfile({ widthPx: 4, gapPx: 6, blurPx: 2 }, 1);
    const expected = [
      [7, 1 / 3],
      [6, 2 / 3],
      [5, 1],
      [3, 2 / 3],
      [2, 1 / 3],
      [1, 0],
    ];
    expect(profile.map(({ halfPx, share }) => [halfPx, share])).toEqual(expected);
  });

  it('is as strong as its weaker side where the blurs meet', () => {
    const shares = lineProfile({ widthPx: 1, gapPx: 8, blurPx: 3 }, 1).map(({ share }) => share);
    expect(Math.max(...shares)).toBe(0.5);
  });

  it('leaves a plain line one stroke', () => {
    expect(lineProfile({ widthPx: 4, gapPx: 0, blurPx: 0 }, 2)).toEqual([{ halfPx: 2, share: 1 }]);
  });
});
