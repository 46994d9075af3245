/**
 * Rasterizes lines that kernels don't draw: strips of triangles, each sharing two corners with the one before.
 */
import type { DashPattern } from './dash-pattern.ts';
import type { Pixels } from './pixels.ts';
import { firstPixelFrom, firstRowFrom } from './pixel-grid.ts';
import type { Tint } from './ink.ts';

/** A line's color, edges, and dashes. */
export interface LineShade {
  tint: Tint;
  /** Distance from the line's middle to the outside of its smoothed edge, in CSS pixels */
  outerPx: number;
  /** Distance to the outside of the smoothed edge of its gap; 0 without a gap */
  innerPx: number;
  /** Width over which an edge fades, smoothing included */
  fadePx: number;
  dash: DashPattern | null;
  /** Replaces the tint */
  pattern: LineInk | null;
}

/** Colors that vary along a line or across it: a pattern, or a gradient. */
export interface LineInk {
  /**
   * Blends a color over the pixel at `index`, weighted by `share` (0..1).
   *
   * @param along as in `Corner`
   * @param side -1 on one edge of the line, 1 on the other
   */
  blend(target: Pixels, index: number, along: number, side: number, share: number): void;
}

/** A corner of a triangle. Its values are interpolated linearly across the triangle. */
export interface Corner {
  /** Device pixels */
  x: number;
  y: number;
  /** -1 on one side of the line, 1 on the other */
  side: number;
  /** 1 at the far end of a round cap, otherwise 0; with `side`, gives the distance from the cap */
  capEnd: number;
  /** Distance along the line, in the dash pattern's units */
  along: number;
}

/**
 * Draws each triangle as soon as its third corner is known. A pixel belongs to the triangle that
 * contains its center, so adjacent triangles never draw it twice. As in MapLibre, a line that crosses
 * itself draws the crossing twice.
 */
export abstract class Strip {
  protected readonly pixels: Pixels;
  protected readonly shade: LineShade;
  protected readonly side = new Plane();
  protected readonly capEnd = new Plane();
  protected readonly along = new Plane();
  private left: Corner | null = null;
  private right: Corner | null = null;

  constructor(pixels: Pixels, shade: LineShade) {
    this.pixels = pixels;
    this.shade = shade;
  }

  /**
   * Adds the next corner on its side; a negative `side` is the left one.
   * @returns the corner that it replaces, which isn't used any more
   */
  add(corner: Corner): Corner | null {
    const { left, right } = this;
    if (left !== null && right !== null) this.fill(left, corner, right);
    if (corner.side < 0) {
      this.left = corner;
      return left;
    }
    this.right = corner;
    return right;
  }

  protected fill(a: Corner, b: Corner, c: Corner): void {
    const { pixels } = this;
    const { clip } = pixels;
    const { x: ax, y: ay } = a;
    const { x: bx, y: by } = b;
    const { x: cx, y: cy } = c;
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
    if (area === 0) return;
    const top = Math.max(clip.minY, firstRowFrom(Math.min(ay, by, cy)));
    const bottom = Math.min(clip.maxY, firstRowFrom(Math.max(ay, by, cy)));
    if (top >= bottom) return;
    if (firstPixelFrom(Math.max(ax, bx, cx)) <= clip.minX) return;
    if (firstPixelFrom(Math.min(ax, bx, cx)) >= clip.maxX) return;
    const isInCap = a.capEnd + b.capEnd + c.capEnd > 0;
    this.interpolate(a, b, c, area, isInCap);
    for (let y = top; y < bottom; y++) {
      const center = y + 0.5;
      const aAbove = ay < center;
      const bAbove = by < center;
      const cAbove = cy < center;
      // A row crosses two of the three edges.
      let min = Infinity;
      let max = -Infinity;
      if (aAbove !== bAbove) {
        const x = crossing(ax, ay, bx, by, center);
        min = max = x;
      }
      if (bAbove !== cAbove) {
        const x = crossing(bx, by, cx, cy, center);
        if (x < min) min = x;
        if (x > max) max = x;
      }
      if (cAbove !== aAbove) {
        const x = crossing(cx, cy, ax, ay, center);
        if (x < min) min = x;
        if (x > max) max = x;
      }
      const from = Math.max(pixels.firstColumn(y), firstPixelFrom(min));
      const to = Math.min(pixels.endColumn(y), firstPixelFrom(max));
      if (from < to) this.fillRow(y, from, to, isInCap);
    }
  }

  /** Prepares the values that a triangle interpolates. `area` is twice its area. */
  protected abstract interpolate(
    a: Corner,
    b: Corner,
    c: Corner,
    area: number,
    isInCap: boolean,
  ): void;

  protected abstract fillRow(y: number, from: number, to: number, isInCap: boolean): void;
}

/** A value interpolated linearly across a triangle. */
export class Plane {
  origin = 0;
  dx = 0;
  dy = 0;

  /** Sets the value at each corner. `area` is twice the triangle's. */
  set(a: Corner, b: Corner, c: Corner, area: number, atA: number, atB: number, atC: number): void {
    const ab = atB - atA;
    const ac = atC - atA;
    this.dx = (ab * (c.y - a.y) - ac * (b.y - a.y)) / area;
    this.dy = (ac * (b.x - a.x) - ab * (c.x - a.x)) / area;
    this.origin = atA + this.dx * (0.5 - a.x) + this.dy * (0.5 - a.y);
  }

  /** Returns the value at the center of a pixel. */
  at(x: number, y: number): number {
    return this.origin + this.dx * x + this.dy * y;
  }
}

/** Returns the x at which an edge crosses a horizontal line. */
function crossing(ax: number, ay: number, bx: number, by: number, y: number): number {
  // Computed from the upper end, so that triangles that share the edge get the same number.
  return ay < by
    ? ax + ((y - ay) * (bx - ax)) / (by - ay)
    : bx + ((y - by) * (ax - bx)) / (ay - by);
}
