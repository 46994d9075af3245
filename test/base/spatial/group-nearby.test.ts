import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapBetweenKm, groupNearby } from '../../../src/base/spatial/group-nearby.ts';
import type { Bbox } from '../../../src/base/spatial/bbox.ts';

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });

/** Boxes of a region that has both near and distant pairs. */
const boxesOfRegion = fc
  .record({ west: degrees(-179, 150), south: degrees(-85, 60), side: degrees(0.1, 8) })
  .chain(({ west, south, side }) =>
    fc.array(
      fc
        .tuple(degrees(0, side), degrees(0, side), degrees(0, 0.3), degrees(0, 0.3))
        .map(([x, y, w, h]): Bbox => [west + x, south + y, west + x + w, south + y + h]),
      { maxLength: 30 },
    ),
  );

/** The definition: an area grows while any other box is near it. */
function growAreas(boxes: readonly Bbox[], gapKm: number): number[][] {
  const areas: number[][] = [];
  const left = new Set(boxes.keys());
  for (const start of boxes.keys()) {
    if (!left.delete(start)) continue;
    const area = [start];
    for (const a of area) {
      for (const b of left) {
        if (gapBetweenKm(boxes[a]!, boxes[b]!) <= gapKm && left.delete(b)) area.push(b);
      }
    }
    areas.push(area.sort((a, b) => a - b));
  }
  return areas;
}

describe('gapBetweenKm', () => {
  it('returns kilometers, and 0 for boxes that touch', () => {
    expect(gapBetweenKm([0, 0, 1, 1], [1, 0.5, 2, 3])).toBe(0);
    expect(gapBetweenKm([0, 0, 1, 1], [0, 2, 1, 3])).toBeCloseTo(111.2, 1);
    // A degree of longitude is half as long at 60 degrees.
    expect(gapBetweenKm([10, 59, 11, 61], [12, 59, 13, 61])).toBeCloseTo(55.6, 1);
  });
});

describe('groupNearby', () => {
  it('joins boxes that a chain of boxes without large gaps connects', () => {
    fc.assert(
      fc.property(boxesOfRegion, degrees(10, 200), (boxes, gapKm) => {
        expect(groupNearby(boxes, gapKm)).toEqual(growAreas(boxes, gapKm));
      }),
      { numRuns: 500 },
    );
  });

  it('separates the two sides of the antimeridian', () => {
    const samoa: Bbox = [-171, -14.4, -170.5, -14.2];
    const guam: Bbox = [144.6, 13.2, 145, 13.7];
    const adak: Bbox = [-177, 51.6, -176, 52];
    const kiska: Bbox = [177, 51.8, 178, 52.1];
    expect(gapBetweenKm(adak, kiska)).toBeGreaterThan(10_000);
    expect(groupNearby([samoa, guam, adak, kiska], 500)).toEqual([[0], [1], [2], [3]]);
  });
});
