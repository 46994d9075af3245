import { describe, expect, it } from 'vitest';
import type { FlatPoints, RectPx } from '../../../src/base/spatial/flat.ts';
import { roomiestBox } from '../../../src/base/spatial/roomiest-box.ts';

const bounds: RectPx = { minX: 0, minY: 0, maxX: 200, maxY: 200 };
const label = { width: 30, height: 10, bounds, obstacles: [] as RectPx[], minScale: 0.5 };

const rectangle = (minX: number, minY: number, maxX: number, maxY: number): FlatPoints => [
  minX,
  minY,
  maxX,
  minY,
  maxX,
  maxY,
  minX,
  maxY,
];

describe('the roomiest box', () => {
  it('has the proportions of the label: a flat area has room for a flat label', () => {
    const place = roomiestBox([rectangle(50, 50, 140, 65)], label)!;
    expect(place.scale).toBeGreaterThan(1.4);
    expect(place.scale).toBeLessThanOrEqual(1.5);
    expect(place.y).toBeCloseTo(57.5, 0);
    expect(roomiestBox([rectangle(50, 50, 66, 140)], label)!.scale).toBeCloseTo(0.53, 1);
  });

  it('is inside slanted edges and outside of holes', () => {
    const triangle = [0, 0, 120, 0, 0, 120];
    // The inscribed rectangle touches the slanted edge with its corner: 30s + 10s = 120.
    expect(roomiestBox([triangle], label)!.scale).toBeCloseTo(3, 0);
    const withHole = [rectangle(0, 0, 100, 100), rectangle(10, 20, 90, 80)];
    expect(roomiestBox(withHole, label)!.scale).toBeCloseTo(2, 0);
  });

  it('avoids obstacles and stays in the picture', () => {
    const area = [rectangle(-100, 20, 100, 80)];
    const obstacles = [{ minX: 0, minY: 0, maxX: 100, maxY: 60 }];
    const place = roomiestBox(area, { ...label, obstacles })!;
    expect(place.scale).toBeCloseTo(2, 0);
    expect(place.y).toBeCloseTo(70, 0);
    expect(place.x).toBeGreaterThanOrEqual(30);
    const covered = [{ minX: 0, minY: 0, maxX: 100, maxY: 77 }];
    expect(roomiestBox(area, { ...label, obstacles: covered })).toBeNull();
  });

  it('is missing where the smallest label has no room', () => {
    expect(roomiestBox([rectangle(10, 10, 24, 30)], label)).toBeNull();
    expect(roomiestBox([rectangle(10, 10, 40, 14)], label)).toBeNull();
  });
});
