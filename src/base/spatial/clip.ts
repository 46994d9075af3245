/** Clips shapes to a rectangle. Trivial cases are accepted or rejected first. */
import { rectContains, rectOf, rectsMeet, type FlatPoints, type RectPx } from './flat.ts';

/**
 * Returns the part of a ring inside the rectangle, which may be empty (Sutherland and Hodgman 1974).
 *
 * A ring that leaves and reenters the rectangle stays a single ring with edges along the border. These
 * edges don't change the area, but strokes show them: choose a rectangle whose border isn't visible.
 */
export function clipRing(ring: FlatPoints, rect: RectPx): FlatPoints {
  const bounds = rectOf(ring);
  if (!rectsMeet(bounds, rect)) return [];
  if (rectContains(rect, bounds)) return ring;

  let clipped = ring;
  if (bounds.minX < rect.minX) clipped = keepSide(clipped, 0, rect.minX, 1);
  if (bounds.maxX > rect.maxX) clipped = keepSide(clipped, 0, -rect.maxX, -1);
  if (bounds.minY < rect.minY) clipped = keepSide(clipped, 1, rect.minY, 1);
  if (bounds.maxY > rect.maxY) clipped = keepSide(clipped, 1, -rect.maxY, -1);
  return clipped.length < 6 ? [] : clipped;
}

/**
 * Keeps the part with `sign * coordinate >= edge` on one axis (0 for x, 1 for y). The ring keeps its
 * starting point or starts where it first reenters: dash patterns are measured from there.
 */
function keepSide(ring: FlatPoints, axis: 0 | 1, edge: number, sign: 1 | -1): FlatPoints {
  const kept: FlatPoints = [];
  const other = 1 - axis;
  let depth = sign * ring[axis]! - edge;
  for (let i = 0; i < ring.length; i += 2) {
    const next = i + 2 === ring.length ? 0 : i + 2;
    const nextDepth = sign * ring[next + axis]! - edge;
    if (depth >= 0) kept.push(ring[i]!, ring[i + 1]!);
    if (depth >= 0 !== nextDepth >= 0) {
      const t = depth / (depth - nextDepth);
      const crossing = ring[i + other]! + t * (ring[next + other]! - ring[i + other]!);
      if (axis === 0) kept.push(sign * edge, crossing);
      else kept.push(crossing, sign * edge);
    }
    depth = nextDepth;
  }
  return kept;
}

/** Returns the part of a ring with `a * x + b * y + c >= 0`, which may be empty. */
export function clipToHalfPlane(ring: FlatPoints, a: number, b: number, c: number): FlatPoints {
  const kept: FlatPoints = [];
  let x = ring[ring.length - 2]!;
  let y = ring[ring.length - 1]!;
  let depth = a * x + b * y + c;
  for (let i = 0; i < ring.length; i += 2) {
    const nextX = ring[i]!;
    const nextY = ring[i + 1]!;
    const nextDepth = a * nextX + b * nextY + c;
    if (depth >= 0 !== nextDepth >= 0) {
      const t = depth / (depth - nextDepth);
      kept.push(x + t * (nextX - x), y + t * (nextY - y));
    }
    if (nextDepth >= 0) kept.push(nextX, nextY);
    [x, y, depth] = [nextX, nextY, nextDepth];
  }
  return kept.length < 6 ? [] : kept;
}

/** The pieces of a line inside the rectangle, in the line's order (Liang and Barsky 1984). */
export function clipLine(line: FlatPoints, rect: RectPx): FlatPoints[] {
  const bounds = rectOf(line);
  if (!rectsMeet(bounds, rect)) return [];
  if (rectContains(rect, bounds)) return [line];

  const pieces: FlatPoints[] = [];
  let piece: FlatPoints | null = null;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const x0 = line[i]!;
    const y0 = line[i + 1]!;
    const dx = line[i + 2]! - x0;
    const dy = line[i + 3]! - y0;

    // The segment's visible part runs from t = enter to t = leave.
    let enter = 0;
    let leave = 1;
    const narrow = (toward: number, distance: number) => {
      if (toward === 0) {
        if (distance < 0) leave = -1;
      } else if (toward < 0) enter = Math.max(enter, distance / toward);
      else leave = Math.min(leave, distance / toward);
    };
    narrow(-dx, x0 - rect.minX);
    narrow(dx, rect.maxX - x0);
    narrow(-dy, y0 - rect.minY);
    narrow(dy, rect.maxY - y0);
    if (enter > leave) {
      piece = null;
      continue;
    }

    if (piece === null) {
      piece = [x0 + enter * dx, y0 + enter * dy];
      pieces.push(piece);
    }
    if (leave === 1) piece.push(line[i + 2]!, line[i + 3]!);
    else {
      piece.push(x0 + leave * dx, y0 + leave * dy);
      piece = null;
    }
  }
  return pieces;
}
