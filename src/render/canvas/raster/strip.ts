/** A strip of triangles, each sharing two corners with the one before: what a line is made of. */
import type { DashPattern } from './dash-pattern.ts';
import { firstCentre, type Pixels, type Tint } from './pixels.ts';

/** How opaque a line is across itself, and along. */
export interface LineShade {
  tint: Tint;
  /** From the line's middle to the outside of its smoothed edge, CSS pixels */
  outerPx: number;
  /** To the outside of the smoothed edge of its gap; 0 without a gap */
  innerPx: number;
  /** Over which an edge fades, the smoothing included */
  fadePx: number;
  dash: DashPattern | null;
}

/** A corner of a triangle; what it carries runs straight from corner to corner. */
export interface Corner {
  /** Device pixels */
  x: number;
  y: number;
  /** -1 on one side of the line, 1 on the other */
  side: number;
  /** 1 at the far end of a round cap, else 0: with `side` it measures the distance from the cap */
  beyond: number;
  /** Distance along the line, in units of the dash pattern's */
  along: number;
}

/**
 * Draws each triangle as soon as its third corner is known. A pixel belongs to the triangle that
 * its centre lies in, so neighbours never draw it twice; triangles of a line that crosses itself
 * do, as in MapLibre.
 */
export class Strip {
  private readonly pixels: Pixels;
  private readonly shade: LineShade;
  private readonly side = new Plane();
  private readonly beyond = new Plane();
  private readonly along = new Plane();
  private left: Corner | null = null;
  private right: Corner | null = null;

  constructor(pixels: Pixels, shade: LineShade) {
    this.pixels = pixels;
    this.shade = shade;
  }

  /** The next corner on its side (`side` below 0: left) takes the place of the one before. */
  add(corner: Corner): void {
    if (this.left !== null && this.right !== null) this.fill(this.left, corner, this.right);
    if (corner.side < 0) this.left = corner;
    else this.right = corner;
  }

  private fill(a: Corner, b: Corner, c: Corner): void {
    const { clip } = this.pixels;
    const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (area === 0) return;
    const top = Math.max(clip.minY, firstCentre(Math.min(a.y, b.y, c.y)));
    const bottom = Math.min(clip.maxY, firstCentre(Math.max(a.y, b.y, c.y)));
    if (top >= bottom) return;
    const { side, beyond, along } = this;
    side.set(a, b, c, area, a.side, b.side, c.side);
    const isInCap = a.beyond + b.beyond + c.beyond > 0;
    if (isInCap) beyond.set(a, b, c, area, a.beyond, b.beyond, c.beyond);
    if (this.shade.dash !== null) along.set(a, b, c, area, a.along, b.along, c.along);
    for (let y = top; y < bottom; y++) {
      const centre = y + 0.5;
      const ab = crossing(a, b, centre);
      const bc = crossing(b, c, centre);
      const ca = crossing(c, a, centre);
      // A row crosses two of the three edges; the third gives no number.
      const from = Math.max(clip.minX, firstCentre(least(ab, bc, ca)));
      const to = Math.min(clip.maxX, firstCentre(greatest(ab, bc, ca)));
      if (from < to) this.fillRow(y, from, to, isInCap);
    }
  }

  private fillRow(y: number, from: number, to: number, isInCap: boolean): void {
    const { pixels, shade, side, beyond, along } = this;
    const { outerPx, innerPx, fadePx, dash, tint } = shade;
    const row = y * pixels.width;
    for (let x = from; x < to; x++) {
      const sideHere = side.at(x, y);
      const distance = isInCap
        ? Math.sqrt(sideHere ** 2 + beyond.at(x, y) ** 2)
        : Math.abs(sideHere);
      const distancePx = distance * outerPx;
      let share = Math.min(distancePx - innerPx + fadePx, outerPx - distancePx) / fadePx;
      if (share <= 0) continue;
      if (share > 1) share = 1;
      if (dash !== null) share *= dash.shareAt(along.at(x, y), sideHere);
      pixels.blend(row + x, tint, share);
    }
  }
}

/** A value that runs straight across a triangle. */
class Plane {
  private origin = 0;
  private dx = 0;
  private dy = 0;

  /** From its values at the corners; `area` is twice the triangle's. */
  set(a: Corner, b: Corner, c: Corner, area: number, atA: number, atB: number, atC: number): void {
    const ab = atB - atA;
    const ac = atC - atA;
    this.dx = (ab * (c.y - a.y) - ac * (b.y - a.y)) / area;
    this.dy = (ac * (b.x - a.x) - ab * (c.x - a.x)) / area;
    this.origin = atA + this.dx * (0.5 - a.x) + this.dy * (0.5 - a.y);
  }

  /** In the centre of a pixel */
  at(x: number, y: number): number {
    return this.origin + this.dx * x + this.dy * y;
  }
}

/** Where an edge crosses a horizontal line; NaN where it does not. */
function crossing(a: Corner, b: Corner, y: number): number {
  if (a.y <= y === b.y <= y) return Number.NaN;
  // From its upper end, so that an edge of two triangles is the same number for both.
  return a.y < b.y
    ? a.x + ((y - a.y) * (b.x - a.x)) / (b.y - a.y)
    : b.x + ((y - b.y) * (a.x - b.x)) / (a.y - b.y);
}

function least(a: number, b: number, c: number): number {
  let result = Infinity;
  if (a < result) result = a;
  if (b < result) result = b;
  if (c < result) result = c;
  return result;
}

function greatest(a: number, b: number, c: number): number {
  let result = -Infinity;
  if (a > result) result = a;
  if (b > result) result = b;
  if (c > result) result = c;
  return result;
}
