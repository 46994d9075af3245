/** What layers are drawn on. */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { PathCache } from './path.ts';

export class Surface {
  readonly context: SKRSContext2D;
  readonly pixelRatio: number;
  readonly paths: PathCache;
  private apart: SKRSContext2D | null = null;

  constructor(context: SKRSContext2D, pixelRatio: number, paths: PathCache) {
    this.context = context;
    this.pixelRatio = pixelRatio;
    this.paths = paths;
  }

  /**
   * Draws by itself what must be partly erased before it is laid over the picture. `box` holds it
   * all, in the units of the context: blank paper elsewhere costs nothing.
   */
  drawApart(
    [left, top, right, bottom]: readonly [number, number, number, number],
    draw: (context: SKRSContext2D) => void,
  ): void {
    const { context } = this;
    const { canvas } = context;
    const { a: scale, e: dx, f: dy } = context.getTransform();
    const x = Math.max(0, Math.floor(left * scale + dx));
    const y = Math.max(0, Math.floor(top * scale + dy));
    const width = Math.min(canvas.width, Math.ceil(right * scale + dx)) - x;
    const height = Math.min(canvas.height, Math.ceil(bottom * scale + dy)) - y;
    if (width <= 0 || height <= 0) return;

    this.apart ??= createCanvas(canvas.width, canvas.height).getContext('2d');
    this.apart.resetTransform();
    this.apart.clearRect(x, y, width, height);
    this.apart.setTransform(scale, 0, 0, scale, dx, dy);
    draw(this.apart);
    context.save();
    context.resetTransform();
    context.drawImage(this.apart.canvas, x, y, width, height, x, y, width, height);
    context.restore();
  }
}
