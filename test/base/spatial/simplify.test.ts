import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlatPoints } from '../../../src/base/spatial/flat.ts';
import { simplifyLine, simplifyRing } from '../../../src/base/spatial/simplify.ts';
import { shapes } from './shapes.ts';

describe('simplifyLine', () => {
  it('removes the points of a straight line and keeps a corner', () => {
    expect(simplifyLine([0, 0, 1, 0.1, 2, 0, 3, 0, 3, 5], 0.5)).toEqual([0, 0, 3, 0, 3, 5]);
  });

  it('keeps a spike that turns back beyond the end of its span', () => {
    expect(simplifyLine([0, 0, 20, 0, 10, 0], 0.5)).toEqual([0, 0, 20, 0, 10, 0]);
  });

  it('stays within the tolerance of every point and keeps both ends', () => {
    const tolerances = fc.double({ min: 0.1, max: 30, noNaN: true });
    fc.assert(
      fc.property(shapes(2), tolerances, (line, tolerance) => {
        const simplified = simplifyLine(line, tolerance);
        expect(simplified.slice(0, 2)).toEqual(line.slice(0, 2));
        expect(simplified.slice(-2)).toEqual(line.slice(-2));
        for (let i = 0; i < line.length; i += 2) {
          expect(distanceToLine(line[i]!, line[i + 1]!, simplified)).toBeLessThanOrEqual(
            tolerance + 1e-9,
          );
        }
      }),
    );
  });
});

describe('simplifyRing', () => {
  it('stays within the tolerance of every point, unless the ring is removed', () => {
    fc.assert(
      fc.property(shapes(3), fc.double({ min: 0.1, max: 30, noNaN: true }), (ring, tolerance) => {
        const simplified = simplifyRing(ring, tolerance);
        if (simplified.length === 0) return;
        const closed = [...simplified, simplified[0]!, simplified[1]!];
        for (let i = 0; i < ring.length; i += 2) {
          expect(distanceToLine(ring[i]!, ring[i + 1]!, closed)).toBeLessThanOrEqual(
            tolerance + 1e-9,
          );
        }
      }),
    );
  });

  it('removes a ring that is too thin to see', () => {
    expect(simplifyRing([0, 0, 10, 0.1, 20, 0, 10, -0.1], 0.5)).toEqual([]);
  });
});

function distanceToLine(x: number, y: number, line: FlatPoints): number {
  let least = Infinity;
  for (let i = 2; i < line.length; i += 2) {
    const ax = line[i - 2]!;
    const ay = line[i - 1]!;
    const dx = line[i]! - ax;
    const dy = line[i + 1]! - ay;
    const squared = dx * dx + dy * dy;
    const t =
      squared === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / squared));
    least = Math.min(least, Math.hypot(x - ax - t * dx, y - ay - t * dy));
  }
  return least;
}
