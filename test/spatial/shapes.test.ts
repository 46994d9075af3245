import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipLine, clipRing } from '../../src/spatial/clip.ts';
import { rectContains, rectOf, signedAreaPx, type FlatPoints } from '../../src/spatial/flat.ts';
import { labelPoint } from '../../src/spatial/label-point.ts';
import { simplifyLine, simplifyRing } from '../../src/spatial/simplify.ts';

const coordinate = fc.integer({ min: -200, max: 200 });
const shapes = (minPoints: number): fc.Arbitrary<FlatPoints> =>
  fc
    .array(fc.tuple(coordinate, coordinate), { minLength: minPoints, maxLength: 40 })
    .map((points) => points.flat());

const rect = { minX: -100, minY: -100, maxX: 100, maxY: 100 };
const grown = { minX: -100 - 1e-9, minY: -100 - 1e-9, maxX: 100 + 1e-9, maxY: 100 + 1e-9 };
const square = [-10, -10, 10, -10, 10, 10, -10, 10];

describe('clipRing', () => {
  it('keeps a ring inside the rectangle and drops one outside', () => {
    expect(clipRing(square, rect)).toBe(square);
    expect(
      clipRing(
        square.map((c) => c + 500),
        rect,
      ),
    ).toEqual([]);
  });

  it('returns the rectangle for a ring that surrounds it', () => {
    const around = [-500, -500, 500, -500, 500, 500, -500, 500];
    expect(signedAreaPx(clipRing(around, rect))).toBe(200 * 200);
  });

  it('stays inside the rectangle', () => {
    fc.assert(
      fc.property(shapes(3), (ring) => {
        const clipped = clipRing(ring, rect);
        expect(clipped.length === 0 || rectContains(grown, rectOf(clipped))).toBe(true);
      }),
    );
  });

  it('preserves area: the halves of a ring add up to the whole', () => {
    const everything = { minX: -1e4, minY: -1e4, maxX: 1e4, maxY: 1e4 };
    fc.assert(
      fc.property(shapes(3), coordinate, (ring, cut) => {
        const left = areaPx(clipRing(ring, { ...everything, maxX: cut }));
        const right = areaPx(clipRing(ring, { ...everything, minX: cut }));
        expect(left + right).toBeCloseTo(signedAreaPx(ring), 4);
        const upper = areaPx(clipRing(ring, { ...everything, maxY: cut }));
        const lower = areaPx(clipRing(ring, { ...everything, minY: cut }));
        expect(upper + lower).toBeCloseTo(signedAreaPx(ring), 4);
      }),
    );
  });
});

describe('clipLine', () => {
  it('splits a line that leaves and reenters the rectangle', () => {
    expect(clipLine([0, 0, 150, 0, 150, 50, 0, 50], rect)).toEqual([
      [0, 0, 100, 0],
      [100, 50, 0, 50],
    ]);
  });

  it('keeps a segment that crosses the rectangle with both ends outside', () => {
    expect(clipLine([-150, 20, 150, 20], rect)).toEqual([[-100, 20, 100, 20]]);
  });

  it('stays inside and preserves length', () => {
    const everything = { minX: -1e4, minY: -1e4, maxX: 1e4, maxY: 1e4 };
    fc.assert(
      fc.property(shapes(2), fc.double({ min: -200.5, max: 200.5, noNaN: true }), (line, cut) => {
        for (const piece of clipLine(line, rect)) {
          expect(rectContains(grown, rectOf(piece))).toBe(true);
        }
        const length = (pieces: FlatPoints[]) =>
          pieces.reduce((sum, piece) => sum + lengthPx(piece), 0);
        const left = length(clipLine(line, { ...everything, maxX: cut }));
        const right = length(clipLine(line, { ...everything, minX: cut }));
        // A segment along the cut belongs to both halves.
        fc.pre(!line.some((c, i) => i % 2 === 0 && c === cut));
        expect(left + right).toBeCloseTo(lengthPx(line), 6);
      }),
    );
  });
});

describe('simplifying', () => {
  it('drops the points of a straight line and keeps a corner', () => {
    expect(simplifyLine([0, 0, 1, 0.1, 2, 0, 3, 0, 3, 5], 0.5)).toEqual([0, 0, 3, 0, 3, 5]);
  });

  it('keeps a spike that turns back beyond the end of its span', () => {
    expect(simplifyLine([0, 0, 20, 0, 10, 0], 0.5)).toEqual([0, 0, 20, 0, 10, 0]);
  });

  it('keeps every point of a line within the tolerance, and both ends', () => {
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

  it('keeps every point of a ring within the tolerance, unless the ring vanishes', () => {
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

function areaPx(part: FlatPoints): number {
  return part.length === 0 ? 0 : signedAreaPx(part);
}

function lengthPx(line: FlatPoints): number {
  let length = 0;
  for (let i = 2; i < line.length; i += 2) {
    length += Math.hypot(line[i]! - line[i - 2]!, line[i + 1]! - line[i - 1]!);
  }
  return length;
}

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
