/** Repeats an image along a line, as high as the line is wide. */
import type { PictureData } from '../../scene.ts';
import type { Pixels } from './pixels.ts';

export class LinePattern {
  private readonly image: PictureData;
  private readonly perPx: number;
  private readonly opacity: number;

  /**
   * @param image one repetition with the opposite edges around it, which is shown too
   * @param lengthPx of a repetition, in tile pixels
   * @param opacity 0 to 1
   */
  constructor(image: PictureData, lengthPx: number, opacity: number) {
    this.image = image;
    this.perPx = 1 / lengthPx;
    this.opacity = opacity;
  }

  /**
   * Blends the pattern over the pixel at `index`, weighted by `share` (0..1).
   *
   * @param along distance along the line, in tile pixels
   * @param side -1 on one edge of the line, 1 on the other
   */
  blend(target: Pixels, index: number, along: number, side: number, share: number): void {
    const { width, height, pixels } = this.image;
    const repetitions = along * this.perPx;
    const x = (repetitions - Math.floor(repetitions)) * width - 0.5;
    const y = (side + 1) * 0.5 * height - 0.5;
    const column = Math.floor(x);
    const row = Math.floor(y);
    const right = x - column;
    const below = y - row;
    const x0 = 4 * Math.max(0, column);
    const x1 = 4 * Math.min(width - 1, column + 1);
    const y0 = 4 * width * Math.max(0, Math.min(height - 1, row));
    const y1 = 4 * width * Math.max(0, Math.min(height - 1, row + 1));
    const mix = (channel: number) => {
      const upper = pixels[y0 + x0 + channel]! * (1 - right) + pixels[y0 + x1 + channel]! * right;
      const lower = pixels[y1 + x0 + channel]! * (1 - right) + pixels[y1 + x1 + channel]! * right;
      return upper * (1 - below) + lower * below;
    };
    target.blendColor(index, mix(0), mix(1), mix(2), mix(3) / 255, share * this.opacity);
  }
}
