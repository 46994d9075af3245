import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  layOutPanels,
  panelCamera,
  type PanelArea,
} from '../../../src/maps/cartography/panels/panel-layout.ts';
import { rectContains, rectsMeet, type RectPx } from '../../../src/base/spatial/flat.ts';
import { Viewport } from '../../../src/base/spatial/camera.ts';

const area = (zips: number, widthDeg = 0.2, heightDeg = 0.2): PanelArea => ({
  bounds: [-97, 32, -97 + widthDeg, 32 + heightDeg],
  zips,
});
const room = (width: number, height: number) => ({
  room: { minX: 0, minY: 0, maxX: width, maxY: height },
  gutterPx: 10,
  captionPx: 18,
});
const sizeOf = ({ minX, minY, maxX, maxY }: RectPx) => ({
  width: maxX - minX,
  height: maxY - minY,
});
const areaPx = (frame: RectPx) => sizeOf(frame).width * sizeOf(frame).height;

const someArea = fc
  .record({
    zips: fc.integer({ min: 1, max: 300 }),
    widthDeg: fc.double({ min: 0.001, max: 3, noNaN: true }),
    heightDeg: fc.double({ min: 0.001, max: 3, noNaN: true }),
  })
  .map(({ zips, widthDeg, heightDeg }) => area(zips, widthDeg, heightDeg));

describe('the panels of a picture', () => {
  it('never overlap, leave room for captions, and are at most 5% larger than the first', () => {
    fc.assert(
      fc.property(
        fc.array(someArea, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 100, max: 2000 }),
        fc.integer({ min: 100, max: 2000 }),
        (areas, width, height) => {
          const frames = layOutPanels(areas, room(width, height));
          if (frames === null) return;
          expect(frames.length).toBe(areas.length);
          const slots = frames.map((frame) => ({ ...frame, minY: frame.minY - 18 }));
          for (const [i, slot] of slots.entries()) {
            expect(
              rectContains({ minX: 0, minY: -1, maxX: width + 1, maxY: height + 1 }, slot),
            ).toBe(true);
            for (const other of slots.slice(i + 1)) expect(rectsMeet(slot, other)).toBe(false);
            expect(sizeOf(frames[i]!).width).toBeGreaterThanOrEqual(170);
            expect(sizeOf(frames[i]!).height).toBeGreaterThanOrEqual(120);
            expect(areaPx(frames[i]!)).toBeLessThanOrEqual(1.05 * areaPx(frames[0]!));
          }
        },
      ),
    );
  });

  it('are side by side in a wide picture and stacked in a tall one', () => {
    const [left, right] = layOutPanels([area(9), area(9)], room(800, 500))!;
    expect([left!.minY, left!.maxY]).toEqual([right!.minY, right!.maxY]);
    const [upper, lower] = layOutPanels([area(9), area(9)], room(500, 800))!;
    expect([upper!.minX, upper!.maxX]).toEqual([lower!.minX, lower!.maxX]);
  });

  it('have equal sizes for similar areas and are larger for an area with more ZIP codes', () => {
    const equal = layOutPanels(
      Array.from({ length: 4 }, () => area(9)),
      room(810, 610),
    )!;
    expect(new Set(equal.map((frame) => JSON.stringify(sizeOf(frame)))).size).toBe(1);
    expect(equal[0]!.minY).toBe(equal[1]!.minY);
    const [more, fewer] = layOutPanels([area(100), area(4)], room(800, 500))!;
    expect(sizeOf(more!).width).toBeGreaterThan(1.2 * sizeOf(fewer!).width);
    const [large, ...small] = layOutPanels([area(100), area(4), area(3)], room(800, 600))!;
    for (const frame of small) expect(areaPx(large!)).toBeGreaterThan(1.5 * areaPx(frame));
  });

  it('don’t exist if they would be too small to read', () => {
    expect(layOutPanels([area(9), area(9)], room(300, 200))).toBeNull();
    expect(layOutPanels([area(9), area(9), area(9)], room(390, 230))).toBeNull();
    expect(layOutPanels([area(9), area(9)], room(390, 230))).not.toBeNull();
  });
});

describe('panelCamera', () => {
  it('shows a whole area with space around it', () => {
    const camera = panelCamera(area(9, 1, 0.4), 400, 300);
    const rect = new Viewport(camera, 400, 300).rect([-97, 32, -96, 32.4]);
    expect(rect.minX).toBeCloseTo(16, 6);
    expect(rect.maxX).toBeCloseTo(384, 6);
    expect(rect.minY).toBeGreaterThan(16);
  });

  it('shows the surroundings of a small area, and more around a single ZIP code', () => {
    const degrees = (zips: number) => {
      const viewport = new Viewport(panelCamera(area(zips, 0.02, 0.02), 400, 300), 400, 300);
      const [west, , east] = viewport.bbox(0);
      return ((east - west) * 300) / 400;
    };
    expect(degrees(5)).toBeCloseTo(0.1, 6);
    expect(degrees(1)).toBeCloseTo(0.18, 6);
  });
});
