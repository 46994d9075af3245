import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InsetRequest } from '../../../src/maps/cartography/insets/request.ts';
import { chooseInsets } from '../../../src/maps/cartography/insets/insets.ts';
import { bboxAround, type Bbox } from '../../../src/base/spatial/bbox.ts';
import { fitBbox, Viewport } from '../../../src/base/spatial/camera.ts';
import { rectContains, rectsMeet } from '../../../src/base/spatial/flat.ts';
import { runs, triesAll } from '../../support/thorough.ts';

const SIZE = { width: 1200, height: 800 };
const ROOM = { minX: 10, minY: 10, maxX: 1190, maxY: 770 };
const TITLE = { minX: 14, minY: 14, maxX: 420, maxY: 80 };

/** A grid of squares from a corner */
const grid = (west: number, south: number, count: number, side: number): Bbox[] =>
  Array.from({ length: count * count }, (_, i) => {
    const [x, y] = [west + (i % count) * side, south + Math.floor(i / count) * side];
    return [x, y, x + side, y + side];
  });

const EDGES = { top: 24, right: 24, bottom: 36, left: 24 };

const requestOf = (zips: readonly Bbox[]): InsetRequest => ({
  zips,
  keepFree: zips,
  ...SIZE,
  room: ROOM,
  taken: [TITLE],
  bounds: bboxAround(zips),
  padding: EDGES,
  edges: EDGES,
  minZoom: 0,
  legend: { width: 170, height: 240, gapPx: 14 },
  keyEntryPx: 1200,
});

const widen = ([west, south, east, north]: Bbox): Bbox => [
  -98 + 3 * (west + 98),
  south,
  -98 + 3 * (east + 98),
  north,
];

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

  it('keep the padding that the caller asks for', () => {
    const padding = { ...EDGES, top: 200 };
    const layout = chooseInsets({ ...requestOf(city(8, 0.006)), padding, edges: padding })!;
    expect(layout.padding.top).toBe(200);
  });

  it('are omitted if the map would be too small for labels', () => {
    const wide = [...grid(-98, 32, 6, 0.25).map(widen), ...grid(-97.2, 32.8, 8, 0.006)];
    const { padding } = chooseInsets(requestOf(wide))!;
    const { zoom } = fitBbox(bboxAround(wide), SIZE.width, SIZE.height, padding);
    const kept = chooseInsets({ ...requestOf(wide), minZoom: zoom + 0.01 });
    const shown = kept && fitBbox(bboxAround(wide), SIZE.width, SIZE.height, kept.padding).zoom;
    expect(shown === null || shown >= zoom + 0.01).toBe(true);
  });

  it('hide neither the territory nor the title, and stay in their room', () => {
    const center = fc.record({
      west: fc.double({ min: -98, max: -96.5, noNaN: true }),
      south: fc.double({ min: 32, max: 33.5, noNaN: true }),
      count: fc.integer({ min: 3, max: 9 }),
      side: fc.double({ min: 0.0005, max: 0.02, noNaN: true }),
    });
    const picture = fc.constantFrom(
      { width: 1200, height: 800, tall: 1 },
      // Little room beside a territory that is as wide or as tall as the picture
      { width: 1000, height: 2000, tall: 0.2 },
      { width: 2000, height: 520, tall: 3 },
    );
    // A marker outside the ZIP codes
    const marker = fc.option(fc.constantFrom<Bbox>([-95.5, 32.2, -95.5, 32.2]), { nil: null });
    const found = { upright: 0, wide: 0, others: 0, marked: 0 };
    fc.assert(
      fc.property(
        fc.array(center, { minLength: 1, maxLength: 3 }),
        picture,
        marker,
        (centers, { width, height, tall }, mark) => {
          const zips = [
            ...grid(-98, 32, 6, 0.25),
            ...centers.flatMap(({ west, south, count, side }) => grid(west, south, count, side)),
          ].map(([west, south, east, north]): Bbox => {
            const [bottom, top] = [south, north].map((lat) => 32 + (lat - 32) * tall);
            return [west, bottom!, east, top!];
          });
          const keepFree = mark === null ? zips : [...zips, mark];
          const room = { minX: 10, minY: 10, maxX: width - 10, maxY: height - 30 };
          const bounds = bboxAround(keepFree);
          const request = { ...requestOf(zips), bounds, keepFree, width, height, room };
          const layout = chooseInsets(request);
          if (layout === null) return;
          found[width < height ? 'upright' : width > 1200 ? 'wide' : 'others']++;
          if (mark !== null) found.marked++;
          const map = fitBbox(bounds, width, height, layout.padding);
          const view = new Viewport(map, width, height);
          const covered = [TITLE, ...keepFree.map((box) => view.rect(box))];
          expect(map.zoom).toBeGreaterThan(fitBbox(bounds, width, height, 24).zoom - 1.5);
          for (const { frame, camera } of layout.insets) {
            expect(rectContains(room, frame)).toBe(true);
            expect(covered.some((box) => rectsMeet(box, frame))).toBe(false);
            expect(camera.zoom).toBeGreaterThan(map.zoom + 0.5);
          }
        },
      ),
      { numRuns: runs(150) },
    );
    // Few runs may miss a kind.
    expect(Math.min(...Object.values(found))).toBeGreaterThan(triesAll ? 2 : -1);
  });
});
