import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseInsets, type InsetRequest } from '../../src/cartography/insets.ts';
import { bboxAround, type Bbox } from '../../src/spatial/bbox.ts';
import { fitBbox, Viewport } from '../../src/spatial/camera.ts';
import { rectContains, rectsMeet } from '../../src/spatial/flat.ts';

const SIZE = { width: 1200, height: 800 };
const ROOM = { minX: 10, minY: 10, maxX: 1190, maxY: 770 };
const TITLE = { minX: 14, minY: 14, maxX: 420, maxY: 80 };

/** A grid of squares from a corner */
const grid = (west: number, south: number, count: number, side: number): Bbox[] =>
  Array.from({ length: count * count }, (_, i) => {
    const [x, y] = [west + (i % count) * side, south + Math.floor(i / count) * side];
    return [x, y, x + side, y + side];
  });

const requestOf = (zips: readonly Bbox[]): InsetRequest => ({
  ...{ zips, ...SIZE, room: ROOM, taken: [TITLE] },
  bounds: bboxAround(zips),
  padding: { top: 24, right: 24, bottom: 36, left: 24 },
  legend: { width: 170, height: 240 },
  keyEntryPx: 1200,
});

/** Large ZIP codes around a center of small ones */
const city = (center: number, side: number) => [
  ...grid(-98, 32, 6, 0.25),
  ...grid(-97.2, 32.8, center, side),
];

describe('insets', () => {
  it('enlarge the dense center until its ZIP codes have room for labels', () => {
    const zips = city(8, 0.006);
    const { insets, padding } = chooseInsets(requestOf(zips))!;
    expect(insets).toHaveLength(1);
    const [{ camera, frame }] = insets as [(typeof insets)[number]];
    const size = [frame.maxX - frame.minX, frame.maxY - frame.minY] as const;
    const view = new Viewport(camera, ...size);
    const whole = { minX: 0, minY: 0, maxX: size[0], maxY: size[1] };
    const boxes = grid(-97.2, 32.8, 8, 0.006).map((zip) => view.rect(zip));
    expect(boxes.every((box) => rectContains(whole, box))).toBe(true);
    expect(Math.min(...boxes.map(({ minX, maxX }) => maxX - minX))).toBeGreaterThan(22);
    // A square territory moves aside without getting smaller.
    const { bounds, padding: around } = requestOf(zips);
    const zoomWith = (sides: typeof around) => fitBbox(bounds, SIZE.width, SIZE.height, sides).zoom;
    expect(zoomWith(padding)).toBeCloseTo(zoomWith(around), 5);
  });

  it('enlarge two centers far from each other', () => {
    const zips = [...city(6, 0.004), ...grid(-97.9, 32.1, 6, 0.004)];
    expect(chooseInsets(requestOf(zips))!.insets).toHaveLength(2);
  });

  it('are omitted if they would add few labels', () => {
    expect(chooseInsets(requestOf(grid(-98, 32, 6, 0.25)))).toBeNull();
    expect(chooseInsets(requestOf(city(2, 0.006)))).toBeNull();
  });

  it('hide neither the territory nor the title, and stay in their room', () => {
    const center = fc.record({
      west: fc.double({ min: -98, max: -96.5, noNaN: true }),
      south: fc.double({ min: 32, max: 33.5, noNaN: true }),
      count: fc.integer({ min: 3, max: 9 }),
      side: fc.double({ min: 0.0005, max: 0.02, noNaN: true }),
    });
    let found = 0;
    fc.assert(
      fc.property(fc.array(center, { minLength: 1, maxLength: 3 }), (centers) => {
        const zips = [
          ...grid(-98, 32, 6, 0.25),
          ...centers.flatMap(({ west, south, count, side }) => grid(west, south, count, side)),
        ];
        const request = requestOf(zips);
        const layout = chooseInsets(request);
        if (layout === null) return;
        found++;
        const map = fitBbox(request.bounds, SIZE.width, SIZE.height, layout.padding);
        const view = new Viewport(map, SIZE.width, SIZE.height);
        const covered = [TITLE, ...zips.map((zip) => view.rect(zip))];
        expect(map.zoom).toBeGreaterThan(
          fitBbox(request.bounds, SIZE.width, SIZE.height, 24).zoom - 1.5,
        );
        for (const { frame, camera } of layout.insets) {
          expect(rectContains(ROOM, frame)).toBe(true);
          expect(covered.some((box) => rectsMeet(box, frame))).toBe(false);
          expect(camera.zoom).toBeGreaterThan(map.zoom + 0.5);
        }
      }),
      { numRuns: 60 },
    );
    expect(found).toBeGreaterThan(10);
  });
});
