/** Simplifies shapes to the visible detail (Douglas and Peucker 1973). */
import type { FlatPoints } from './flat.ts';

/** Simplifies a line. Dropped points are within `tolerancePx` of the result; both ends remain. */
export function simplifyLine(line: FlatPoints, tolerancePx: number): FlatPoints {
  const last = line.length / 2 - 1;
  if (last < 2) return line;
  const keep = new Uint8Array(last + 1);
  keep[0] = keep[last] = 1;
  keepSalient(line, keep, 0, last, tolerancePx * tolerancePx);
  return pick(line, keep);
}

/** Simplifies a ring. The result is empty if the ring is thinner than the tolerance everywhere. */
export function simplifyRing(ring: FlatPoints, tolerancePx: number): FlatPoints {
  const count = ring.length / 2;
  if (count < 4) return ring;
  // A ring has no ends: simplify it as two lines between its first point and the point farthest from
  // it. The closing segment ends at index `count`, which stands for the first point.
  const middle = farthestFromFirst(ring);
  const keep = new Uint8Array(count);
  keep[0] = keep[middle] = 1;
  const squared = tolerancePx * tolerancePx;
  keepSalient(ring, keep, 0, middle, squared);
  keepSalient(ring, keep, middle, count, squared);
  const simplified = pick(ring, keep);
  return simplified.length < 6 ? [] : simplified;
}

function farthestFromFirst(ring: FlatPoints): number {
  let farthest = 0;
  let most = -1;
  for (let i = 2; i < ring.length; i += 2) {
    const distance = (ring[i]! - ring[0]!) ** 2 + (ring[i + 1]! - ring[1]!) ** 2;
    if (distance > most) {
      most = distance;
      farthest = i / 2;
    }
  }
  return farthest;
}

/**
 * Marks the points between two kept points that deviate by more than the tolerance. As `last`, the number of
 * points stands for the first.
 */
function keepSalient(
  points: FlatPoints,
  keep: Uint8Array,
  first: number,
  last: number,
  toleranceSquared: number,
): void {
  const spans = [first, last];
  while (spans.length > 0) {
    const to = spans.pop()!;
    const from = spans.pop()!;
    const ax = points[2 * from]!;
    const ay = points[2 * from + 1]!;
    const end = 2 * to === points.length ? 0 : 2 * to;
    const dx = points[end]! - ax;
    const dy = points[end + 1]! - ay;
    const lengthSquared = dx * dx + dy * dy;

    let farthest = -1;
    let most = toleranceSquared;
    for (let i = from + 1; i < to; i++) {
      const px = points[2 * i]! - ax;
      const py = points[2 * i + 1]! - ay;
      // Measure the distance to the segment, not to the infinite line, so that a spike beyond an end
      // counts.
      const along = px * dx + py * dy;
      let distance: number;
      if (along <= 0) distance = px * px + py * py;
      else if (along >= lengthSquared) distance = (px - dx) ** 2 + (py - dy) ** 2;
      else distance = (px * dy - py * dx) ** 2 / lengthSquared;
      if (distance > most) {
        most = distance;
        farthest = i;
      }
    }
    if (farthest > 0) {
      keep[farthest] = 1;
      spans.push(from, farthest, farthest, to);
    }
  }
}

function pick(points: FlatPoints, keep: Uint8Array): FlatPoints {
  const kept: FlatPoints = [];
  for (let i = 0; i < keep.length; i++) {
    if (keep[i] === 1) kept.push(points[2 * i]!, points[2 * i + 1]!);
  }
  return kept;
}
