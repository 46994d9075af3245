/** Rasterizes lines of a level view in colors that vary. */
import type { Pixels } from './pixels.ts';
import { Strip, type Corner, type LineInk, type LineShade } from './strip.ts';

export class LevelStrip extends Strip {
  private readonly pattern: LineInk;

  constructor(pixels: Pixels, shade: LineShade, pattern: LineInk) {
    super(pixels, shade);
    this.pattern = pattern;
  }

  protected override interpolate(
    a: Corner,
    b: Corner,
    c: Corner,
    area: number,
    isInCap: boolean,
  ): void {
    const { side, capEnd, along } = this;
    side.set(a, b, c, area, a.side, b.side, c.side);
    if (isInCap) capEnd.set(a, b, c, area, a.capEnd, b.capEnd, c.capEnd);
    along.set(a, b, c, area, a.along, b.along, c.along);
  }

  protected override fillRow(y: number, from: number, to: number, isInCap: boolean): void {
    const { pixels, shade, pattern, side, capEnd, along } = this;
    const { outerPx, innerPx, fadePx, dash } = shade;
    const row = y * pixels.width;
    for (let x = from; x < to; x++) {
      const sideHere = side.at(x, y);
      const distance = isInCap
        ? Math.sqrt(sideHere ** 2 + capEnd.at(x, y) ** 2)
        : Math.abs(sideHere);
      const distancePx = distance * outerPx;
      let share = Math.min(distancePx - innerPx + fadePx, outerPx - distancePx) / fadePx;
      if (share <= 0) continue;
      if (share > 1) share = 1;
      const alongHere = along.at(x, y);
      if (dash !== null) share *= dash.coverageAt(alongHere, sideHere);
      pattern.blend(pixels, row + x, alongHere, sideHere, share);
    }
  }
}
