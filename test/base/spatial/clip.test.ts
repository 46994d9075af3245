import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipLine, clipRing } from '../../../src/base/spatial/clip.ts';
import {
  rectContains,
  rectOf,
  signedAreaPx,
  type FlatPoints,
} from '../../../src/base/spatial/flat.ts';
import { coordinate, shapes } from './shapes.ts';

const rect = { minX: -100, minY: -100, maxX: 100, maxY: 100 };
/** The rectangle plus rounding errors */
const tolerant = { minX: -100 - 1e-9, minY: -100 - 1e-9, maxX: 100 + 1e-9, maxY: 100 + 1e-9 };
const square = [-10, -10, 10, -10, 10, 10, -10, 10];

describe('clipRing', () => {
  it('keeps a ring inside the rectangle and removes one outside', () => {
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
        expect(clipped.length === 0 || rectContains(tolerant, rectOf(clipped))).toBe(true);
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

  it('stays inside the rectangle and preserves length', () => {
    const everything = { minX: -1e4, minY: -1e4, maxX: 1e4, maxY: 1e4 };
    fc.assert(
      fc.property(shapes(2), fc.double({ min: -200.5, max: 200.5, noNaN: true }), (line, cut) => {
        for (const piece of clipLine(line, rect)) {
          expect(rectContains(tolerant, rectOf(piece))).toBe(true);
        }
        const length = (pieces: FlatPoints[]) =>
          pieces.reduce((sum, piece) => sum + lengthPx(piece), 0);
        const left = length(clipLine(line, { ...everything, maxX: cut }));
        const right = length(clipLine(line, { ...everything, minX: cut }));
        // A segment along the cut would count in both halves.
        fc.pre(!line.some((c, i) => i % 2 === 0 && c === cut));
        expect(left + right).toBeCloseTo(lengthPx(line), 6);
      }),
    );
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
