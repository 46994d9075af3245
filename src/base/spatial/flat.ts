/**
 * A shape in pixels as a flat list `[x0, y0, x1, y1, ...]`, so that a shape is one allocation and loops
 * follow no pointers. Rings don't repeat their first point at the end.
 */
export type FlatPoints = number[];

export interface Point {
  x: number;
  y: number;
}

/** A rectangle in pixels, including its edges. */
export interface RectPx {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export function rectOf(points: FlatPoints): RectPx {
  const rect = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]!;
    const y = points[i + 1]!;
    if (x < rect.minX) rect.minX = x;
    if (x > rect.maxX) rect.maxX = x;
    if (y < rect.minY) rect.minY = y;
    if (y > rect.maxY) rect.maxY = y;
  }
  return rect;
}

export const ringOfRect = ({ minX, minY, maxX, maxY }: RectPx): FlatPoints => [
  minX,
  minY,
  maxX,
  minY,
  maxX,
  maxY,
  minX,
  maxY,
];

export function areaPx({ minX, minY, maxX, maxY }: RectPx): number {
  return (maxX - minX) * (maxY - minY);
}

/** Rounds to even CSS pixels, which are whole device pixels at ratios 1, 1.5, 2, and 3. */
export const snapToDevicePx = (px: number): number => 2 * Math.round(px / 2);

export function rectsMeet(a: RectPx, b: RectPx): boolean {
  return a.minX <= b.maxX && a.maxX >= b.minX && a.minY <= b.maxY && a.maxY >= b.minY;
}

/** Moves each side outward by a margin. */
export function growRect({ minX, minY, maxX, maxY }: RectPx, margin: number): RectPx {
  return { minX: minX - margin, minY: minY - margin, maxX: maxX + margin, maxY: maxY + margin };
}

export function rectContains(outer: RectPx, inner: RectPx): boolean {
  return (
    inner.minX >= outer.minX &&
    inner.maxX <= outer.maxX &&
    inner.minY >= outer.minY &&
    inner.maxY <= outer.maxY
  );
}

/** The area of a ring in square pixels (shoelace formula); positive if clockwise on screen. */
export function signedAreaPx(ring: FlatPoints): number {
  let doubled = 0;
  let previousX = ring[ring.length - 2]!;
  let previousY = ring[ring.length - 1]!;
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    doubled += previousX * y - x * previousY;
    previousX = x;
    previousY = y;
  }
  return doubled / 2;
}

/** Orients a ring so that its inside lies to the right. A reversed ring keeps its first point. */
export function orientInsideRight(ring: FlatPoints, isOuter: boolean): FlatPoints {
  if (signedAreaPx(ring) > 0 === isOuter) return ring;
  const reversed = [ring[0]!, ring[1]!];
  for (let i = ring.length - 2; i > 0; i -= 2) reversed.push(ring[i]!, ring[i + 1]!);
  return reversed;
}

/**
 * Groups the rings of a vector tile into polygons. Each outer ring precedes its holes; rings with the
 * same winding as the first ring are outer rings.
 */
export function polygonsOf(rings: readonly FlatPoints[]): FlatPoints[][] {
  const polygons: FlatPoints[][] = [];
  let outerSign = 0;
  for (const ring of rings) {
    const sign = Math.sign(signedAreaPx(ring));
    // No area, or NaN for coordinates that are too large for one
    if (!sign) continue;
    outerSign ||= sign;
    if (sign === outerSign) polygons.push([ring]);
    else polygons.at(-1)!.push(ring);
  }
  return polygons;
}
