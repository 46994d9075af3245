import type { LayerSpecification } from '@maplibre/maplibre-gl-style-spec';
import { describe, expect, it } from 'vitest';
import { meshLine, type LineForm } from '../../src/render/canvas/line/line-mesh.ts';
import { acquireMemory } from '../../src/render/canvas/surface-memory.ts';
import {
  at,
  camera,
  corners,
  line,
  picture,
  polygon,
  RED,
  scene,
  square,
  white,
  WHITE,
} from './pictures.ts';

const stroke = (paint: object, layout: object = {}) =>
  ({
    id: 'line',
    type: 'line',
    source: 's',
    paint: { 'line-color': '#ff0000', ...paint },
    layout,
  }) as LayerSpecification;

interface Vector {
  x: number;
  y: number;
}

const across = line([
  [10, 50],
  [90, 50],
]);
const down = line([
  [50, 10],
  [50, 90],
]);

/** MapLibre's vertex grid moves vertices by up to a twentieth of a pixel. */
const nearest = (pixel: readonly number[]) =>
  pixel.map((channel) => (channel < 20 ? 0 : channel > 235 ? 255 : channel));

describe('a line with a gap', () => {
  const gapped = { 'line-gap-width': 10, 'line-width': 4 };

  it('has its full width on both sides of the gap', async () => {
    const result = await picture(scene([white, stroke(gapped)], [across]));
    const column = [40, 41, 44, 45, 54, 55, 58, 59].map((y) => nearest(result.at(50, y)));
    expect(column).toEqual([WHITE, RED, RED, WHITE, WHITE, RED, RED, WHITE]);
  });

  it('is open at butt and square caps, and closed at round caps', async () => {
    const endsAt = async (cap: string) => {
      const result = await picture(scene([white, stroke(gapped, { 'line-cap': cap })], [across]));
      return [result.at(3, 50), result.at(2, 43), result.at(8, 50)];
    };
    expect(await endsAt('butt')).toEqual([WHITE, WHITE, WHITE]);
    expect(await endsAt('square')).toEqual([WHITE, RED, WHITE]);
    expect(await endsAt('round')).toEqual([RED, WHITE, WHITE]);
  });

  it('shows the map through the gap, and crosses other lines', async () => {
    const result = await picture(scene([white, stroke(gapped)], [across, down]));
    expect([result.at(47, 43), result.at(50, 43)]).toEqual([RED, RED]);
    expect(result.at(50, 50)).toEqual(WHITE);
  });

  it('has uniform opacity, corners included, whatever is drawn after it', async () => {
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
    const result = await picture(scene([white, layer], [bent, later]));
    for (const [x, y] of [
      [13, 50],
      [27, 50],
      [13, 13],
      [27, 27],
    ] as const) {
      expect(result.at(x, y)[1]).toBeCloseTo(128, -0.5);
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
    const result = await picture(scene([white, layer], features));
    expect([result.at(50, 20), result.at(50, 70), result.at(50, 58)]).toEqual([RED, WHITE, RED]);
  });

  it('keeps its width at higher pixel ratios, also when translated', async () => {
    const layer = stroke({ ...gapped, 'line-translate': [10, 20] });
    const result = await picture(scene([white, layer], [across], { pixelRatio: 2 }));
    expect([123, 128, 130, 148, 151, 158].map((y) => nearest(result.at(190, y)))).toEqual([
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
    const result = await picture(scene([white, layer], [across]));
    // At half a zoom: 11.3 px on, 17.0 off, 22.6 on, 17.0 off
    expect([19, 23, 36, 40, 59, 63, 76, 80].map((x) => result.at(x, 50))).toEqual([
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

  it('is invisible if its dashes have no length', async () => {
    for (const dashes of [[], [0, 0]]) {
      const layer = stroke({ 'line-width': 4, 'line-dasharray': dashes });
      const result = await picture(scene([white, layer], [across]));
      expect(result.at(50, 50)).toEqual(WHITE);
    }
  });

  it('keeps its dashes in place, whichever part of the line is in view', async () => {
    const layer = stroke({ 'line-width': 4, 'line-dasharray': [2, 3] });
    const long = line([
      [-3000, 50],
      [3000, 50],
    ]);
    const here = await picture(scene([white, layer], [long]));
    const moved = { ...camera, center: at([60, 50]) };
    const there = await picture(scene([white, layer], [long], { view: moved }));
    for (let x = 0; x < 90; x++) {
      expect(Math.abs(here.at(x + 10, 50)[1]! - there.at(x, 50)[1]!)).toBeLessThan(40);
    }
  });
});

describe('a line with an offset', () => {
  const rows = async (offset: unknown, feature = across) => {
    const layer = stroke({ 'line-offset': offset, 'line-width': 4 });
    const result = await picture(scene([white, layer], [feature]));
    return [40, 50, 60].map((y) => result.at(50, y));
  };

  it('lies to the right of its direction, or to the left if negative', async () => {
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

  it('lies on the inner side of polygon rings, whatever their winding order', async () => {
    const layer = stroke({ 'line-offset': 5, 'line-width': 2 });
    for (const outer of [corners(10, 90), corners(10, 90).toReversed()]) {
      const result = await picture(scene([white, layer], [polygon([outer, corners(40, 60)])]));
      expect([result.at(14, 50), result.at(5, 50)]).toEqual([RED, WHITE]);
      expect([result.at(34, 50), result.at(45, 50)]).toEqual([RED, WHITE]);
    }
    const outset = stroke({ 'line-offset': -5, 'line-width': 2 });
    const result = await picture(scene([white, outset], [square(20, 80)]));
    expect([result.at(15, 50), result.at(15, 15), result.at(25, 50)]).toEqual([RED, RED, WHITE]);
  });
});

describe('the mesh of a line', () => {
  const memory = acquireMemory(1, 1);
  const form: LineForm = { cap: 'butt', join: 'miter', miterLimit: 2, roundLimit: 1.05 };
  const cornersAt = (
    x: number,
    y: number,
    points: number[],
    changes: Partial<LineForm> = {},
    isRing = false,
  ) => {
    return meshed(points, changes, isRing).filter(({ at }) => at[0] === x && at[1] === y);
  };
  const meshed = (points: number[], changes: Partial<LineForm> = {}, isRing = false) => {
    const all: { at: number[]; extrude: Vector; offset: Vector; side: number }[] = [];
    meshLine(memory, points, isRing, { ...form, ...changes }, null, 1, (corners) => {
      for (let i = 0; i < corners.count; i++) {
        all.push({
          at: [corners.x(i), corners.y(i)],
          extrude: { x: corners.extrudeX(i), y: corners.extrudeY(i) },
          offset: { x: corners.offsetX(i), y: corners.offsetY(i) },
          side: corners.side(i),
        });
      }
    });
    return all;
  };
  const rightTurn = [0, 0, 50, 0, 50, 50];

  it('is the same wherever a long line is cut into pieces for the kernel', () => {
    // A polygon with so many corners that each of them looks like any other
    const ring = Array.from({ length: 1000 }, (_, i) => {
      const angle = (2 * Math.PI * (i >> 1)) / 500;
      return 1000 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
    const corners = meshed([...ring, ...ring.slice(0, 2)], {}, true);
    const expected = [...ring, ...ring.slice(0, 2)].flatMap((x, i, all) =>
      i % 2 === 0
        ? [
            [x, all[i + 1]!],
            [x, all[i + 1]!],
          ]
        : [],
    );
    expect(corners.map(({ at }) => at)).toEqual(expected);
    for (const { at, extrude, side } of corners) {
      expect(extrude.x).toBeCloseTo((side * at[0]!) / 1000, 1);
      expect(extrude.y).toBeCloseTo((side * at[1]!) / 1000, 1);
    }
    expect(meshed(ring.slice(0, 400)).map(({ at }) => at)).toEqual(expected.slice(0, 400));
  });

  it('moves a corner to the intersection of the moved sides, whatever its join', () => {
    for (const join of ['miter', 'bevel', 'round'] as const) {
      const corners = cornersAt(50, 0, rightTurn, { join });
      for (const { offset } of corners) {
        expect(offset.x).toBeCloseTo(-1, 5);
        expect(offset.y).toBeCloseTo(1, 5);
      }
    }
  });

  it('has two corners per miter and four per bevel', () => {
    expect(cornersAt(50, 0, rightTurn)).toHaveLength(2);
    expect(cornersAt(50, 0, rightTurn, { join: 'bevel' })).toHaveLength(4);
  });

  it('bevels a corner sharper than its miter limit', () => {
    // A right angle has a miter of 1.41.
    expect(cornersAt(50, 0, rightTurn, { miterLimit: 1.3 })).toHaveLength(4);
  });

  it('puts a round join on a circle around the corner', () => {
    const outer = cornersAt(50, 0, rightTurn, { join: 'round' }).filter(({ side }) => side === 1);
    expect(outer.length).toBeGreaterThan(4);
    for (const { extrude } of outer) {
      // Vectors are rounded to 1/63.
      expect(Math.abs(Math.hypot(extrude.x, extrude.y) - 1)).toBeLessThan(1 / 63);
    }
  });

  it('starts and ends a ring with the same cross section', () => {
    const ends = cornersAt(0, 0, [0, 0, 50, 0, 50, 50, 0, 50], {}, true);
    expect(ends).toHaveLength(4);
    expect(ends.slice(0, 2)).toEqual(ends.slice(2));
  });

  it('is empty for a line without length', () => {
    expect(cornersAt(5, 5, [5, 5, 5, 5])).toEqual([]);
  });
});

describe('a line with a blur', () => {
  it('fades inward from its edge', async () => {
    const layer = stroke({ 'line-width': 20, 'line-blur': 7 });
    const result = await picture(scene([white, layer], [across]));
    const greens = [39, 41, 43, 45, 47, 50].map((y) => result.at(50, y)[1]!);
    // Fades over 8 px inward from 10.5 px off the middle: 32 of 255 per pixel
    for (const [i, expected] of [255, 207, 143, 80, 16, 0].entries()) {
      expect(Math.abs(greens[i]! - expected), `row ${i}`).toBeLessThanOrEqual(18);
    }
  });

  it('never reaches its full color if wider than the line', async () => {
    const layer = stroke({ 'line-width': 4, 'line-blur': 9 });
    const result = await picture(scene([white, layer], [across]));
    expect(result.at(50, 50)[1]).toBeGreaterThan(180);
    expect(result.at(50, 50)[1]).toBeLessThan(250);
  });

  it('reaches its opacity in the middle', async () => {
    const layer = stroke({ 'line-width': 20, 'line-blur': 5, 'line-opacity': 0.5 });
    const result = await picture(scene([white, layer], [across]));
    expect(result.at(50, 50)[1]).toBeCloseTo(128, -0.5);
  });

  it('also fades into its gap', async () => {
    const layer = stroke({ 'line-width': 4, 'line-gap-width': 6, 'line-blur': 2 });
    const result = await picture(scene([white, layer], [across]));
    // Fades over 3 px, smoothing included; the full color is 3.5 to 4.5 px off the middle.
    const shares = [0, 1 / 3, 2 / 3, 1, 1, 2 / 3, 1 / 3, 0];
    for (const [i, share] of shares.entries()) {
      expect(Math.abs(result.at(50, 50 + i)[1]! - 255 * (1 - share)), `row ${i}`).toBeLessThan(18);
    }
  });

  it('takes the weaker side where the blurs meet', async () => {
    const layer = stroke({ 'line-width': 1, 'line-gap-width': 8, 'line-blur': 3 });
    const result = await picture(scene([white, layer], [across]));
    const strongest = 255 - Math.min(...[50, 51, 52, 53, 54, 55].map((y) => result.at(50, y)[1]!));
    expect(Math.abs(strongest - 128)).toBeLessThan(10);
  });
});
