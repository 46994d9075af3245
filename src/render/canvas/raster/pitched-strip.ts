/** Rasterizes lines of a pitched view: values are interpolated in space rather than on the picture. */
import { snapToSubpixel } from './pixel-grid.ts';
import { Plane, Strip, type Corner } from './strip.ts';

/** A corner at a distance from the camera. */
export interface PitchedCorner extends Corner {
  /** Distance relative to the picture's center; `x` and `y` are meaningless unless it is positive. */
  w: number;
  /** How many times shorter the line's half width appears than on a level picture: edges fade faster */
  shrink: number;
}

export class PitchedStrip extends Strip {
  private readonly nearness = new Plane();
  private readonly shrink = new Plane();
  /** Corners nearer than this are cut off. */
  private readonly near: number;

  constructor(near: number, ...strip: ConstructorParameters<typeof Strip>) {
    super(...strip);
    this.near = near;
  }

  override add(corner: PitchedCorner): Corner | null {
    return super.add(corner);
  }

  protected override fill(a: PitchedCorner, b: PitchedCorner, c: PitchedCorner): void {
    const { near } = this;
    if (a.w >= near && b.w >= near && c.w >= near) return super.fill(a, b, c);
    const [first, ...others] = [a, b, c].flatMap((corner, i, corners) => {
      const next = corners[(i + 1) % 3]!;
      const kept = corner.w >= near ? [corner] : [];
      return corner.w >= near === next.w >= near ? kept : [...kept, cutEdgeAt(corner, next, near)];
    });
    for (let i = 1; i < others.length; i++) super.fill(first!, others[i - 1]!, others[i]!);
  }

  protected override interpolate(
    a: PitchedCorner,
    b: PitchedCorner,
    c: PitchedCorner,
    area: number,
    isInCap: boolean,
  ): void {
    const { nearness, shrink, side, capEnd, along } = this;
    const [na, nb, nc] = [1 / a.w, 1 / b.w, 1 / c.w];
    nearness.set(a, b, c, area, na, nb, nc);
    shrink.set(a, b, c, area, a.shrink * na, b.shrink * nb, c.shrink * nc);
    side.set(a, b, c, area, a.side * na, b.side * nb, c.side * nc);
    if (isInCap) capEnd.set(a, b, c, area, a.capEnd * na, b.capEnd * nb, c.capEnd * nc);
    if (this.shade.dash !== null || this.shade.pattern !== null) {
      along.set(a, b, c, area, a.along * na, b.along * nb, c.along * nc);
    }
  }

  protected override fillRow(y: number, from: number, to: number, isInCap: boolean): void {
    const { pixels, shade, nearness, shrink, side, capEnd, along } = this;
    const { outerPx, innerPx, dash, pattern, tint } = shade;
    const row = y * pixels.width;
    for (let x = from; x < to; x++) {
      const w = 1 / nearness.at(x, y);
      const sideHere = side.at(x, y) * w;
      const distance = isInCap
        ? Math.sqrt(sideHere ** 2 + (capEnd.at(x, y) * w) ** 2)
        : Math.abs(sideHere);
      const distancePx = distance * outerPx;
      const fadePx = shade.fadePx * shrink.at(x, y) * w;
      let share = Math.min(distancePx - innerPx + fadePx, outerPx - distancePx) / fadePx;
      if (share <= 0) continue;
      if (share > 1) share = 1;
      if (dash !== null) share *= dash.coverageAt(along.at(x, y) * w, sideHere);
      if (pattern === null) pixels.blend(row + x, tint, share);
      else pattern.blend(pixels, row + x, along.at(x, y) * w, sideHere, share);
    }
  }
}

/** The point at distance `near` on the edge between a corner behind it and one in front of it. */
function cutEdgeAt(a: PitchedCorner, b: PitchedCorner, near: number): PitchedCorner {
  const part = (near - a.w) / (b.w - a.w);
  const mix = (of: (corner: PitchedCorner) => number) => of(a) + (of(b) - of(a)) * part;
  return {
    x: snapToSubpixel(mix(({ x, w }) => x * w) / near),
    y: snapToSubpixel(mix(({ y, w }) => y * w) / near),
    w: near,
    side: mix(({ side }) => side),
    capEnd: mix(({ capEnd }) => capEnd),
    along: mix(({ along }) => along),
    shrink: mix(({ shrink }) => shrink),
  };
}
