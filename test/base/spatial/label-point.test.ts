import { describe, expect, it } from 'vitest';
import { labelPoint } from '../../../src/base/spatial/label-point.ts';

const square = [-10, -10, 10, -10, 10, 10, -10, 10];

describe('labelPoint', () => {
  it('is the center of a square, with the distance to its sides', () => {
    const moved = square.map((c) => c + 50);
    expect(labelPoint([moved], 0.01)).toEqual({ x: 50, y: 50, radius: 10 });
  });

  it('avoids holes and stays inside concave shapes', () => {
    const hole = [-8, -8, 4, -8, 4, 8, -8, 8];
    expect(labelPoint([square, hole], 0.01).x).toBeGreaterThan(4);
    // A horseshoe that opens to the right, with its centroid in the gap.
    const horseshoe = [0, 0, 100, 0, 100, 10, 10, 10, 10, 90, 100, 90, 100, 100, 0, 100];
    const { x, y } = labelPoint([horseshoe], 0.1);
    expect(x < 10 || y < 10 || y > 90).toBe(true);
  });
});
