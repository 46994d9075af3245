/** Areas that exceed the kernels' memory look like any other. */
import { describe, expect, it } from 'vitest';
import { Area } from '../../src/render/canvas/raster/area.ts';
import { TintBrush } from '../../src/render/canvas/raster/brush.ts';
import { Pixels } from '../../src/render/canvas/raster/pixels.ts';
import { tintOf } from '../../src/render/canvas/raster/ink.ts';
import { Color } from '../../src/render/style-spec.ts';
import { View3 } from '../../src/base/spatial/view.ts';

const [width, height] = [400, 100];
const view = new View3({ center: [0, 0], zoom: 3 }, width, height);
const pixels = new Pixels(width, height);
const brush = new TintBrush(pixels, tintOf(new Color(1, 0, 0, 1), 1));
const area = (ring: number[]) => new Area(view, [ring], { dx: 0, dy: 0, scale: 1 });

/** Whether each pixel is drawn, after `draw` on an empty picture */
function drawnPixels(draw: () => void): boolean[] {
  pixels.bytes.fill(0);
  draw();
  return Array.from({ length: width * height }, (_, i) => pixels.bytes[4 * i + 3]! > 0);
}

describe('an area', () => {
  it('with more crossings than the kernel keeps is filled, and so is the next one', () => {
    const teeth = Array.from({ length: width / 2 }, (_, i) => {
      const x = width - 2 * i;
      return [x, 0, x - 1, 0, x - 1, height, x - 2, height].slice(0, i === width / 2 - 1 ? 4 : 8);
    }).flat();
    const comb = area([...teeth, 1, height + 1, width, height + 1]);
    const columns = drawnPixels(() => brush.fill(comb)).map(
      (isDrawn, i) => isDrawn === (i % 2 === 1),
    );
    expect(columns.filter((isRight) => !isRight)).toEqual([]);
    const square = drawnPixels(() => brush.fill(area([10, 10, 20, 10, 20, 20, 10, 20])));
    expect(square.filter(Boolean)).toHaveLength(100);
    expect(square[10 * width + 10]).toBe(true);
  });

  it('with more points than the kernel takes at once has its shape and its outline', () => {
    const circle = (count: number) =>
      area(
        Array.from({ length: 2 * count }, (_, i) => {
          const angle = (2 * Math.PI * (i >> 1)) / count;
          return i % 2 === 0 ? 200 + 40 * Math.cos(angle) : 50 + 40 * Math.sin(angle);
        }),
      );
    for (const count of [8191, 8192, 16_383, 20_000]) {
      const disc = drawnPixels(() => brush.fill(circle(count))).filter(Boolean).length;
      expect(Math.abs(disc - Math.PI * 40 ** 2)).toBeLessThan(20);
      const outline = drawnPixels(() => brush.outline(circle(count)));
      const around = Array.from({ length: 720 }, (_, i) => {
        const angle = (i * Math.PI) / 360;
        const x = Math.floor(200 + 40 * Math.cos(angle));
        const y = Math.floor(50 + 40 * Math.sin(angle));
        return [-1, 0, 1].some((dx) => [-1, 0, 1].some((dy) => outline[(y + dy) * width + x + dx]));
      });
      expect(around).not.toContain(false);
      expect(outline[50 * width + 200]).toBe(false);
    }
  });

  it('beside the picture changes neither the picture nor the next area', () => {
    const square = area([380, 80, 400, 80, 400, 100, 380, 100]);
    const alone = drawnPixels(() => brush.fill(square));
    const moves = [
      [0, -900],
      [0, 20_000],
      [-900, 0],
      [900, 0],
    ] as const;
    for (const [dx, dy] of moves) {
      const tile = { minX: dx, minY: dy, maxX: width + dx, maxY: height + dy };
      const both = drawnPixels(() => {
        brush.fill(square);
        pixels.clipTo(tile);
        brush.fill(area([dx, dy, width + dx, dy, width + dx, height + dy, dx, height + dy]));
        pixels.clipTo(null);
      });
      for (const result of [both, drawnPixels(() => brush.fill(square))]) {
        const changed = result.filter((isDrawn, i) => isDrawn !== alone[i]).length;
        expect(changed, `${dx}, ${dy}`).toBe(0);
      }
    }
  });
});
