/** The drawing target of labels: Skia's canvas for outlines, pixels for distance fields. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Pixels } from '../raster/pixels.ts';
import type { Surface } from '../surface.ts';

export class TextCanvas {
  private readonly surface: Surface;
  private font: string | null = null;

  constructor(surface: Surface) {
    this.surface = surface;
  }

  get pixelRatio(): number {
    return this.surface.pixelRatio;
  }

  get pixels(): Pixels {
    return this.surface.pixels;
  }

  /** Returns the Skia context with a font set. */
  contextFor(font: string): SKRSContext2D {
    const { context } = this.surface;
    if (this.font === null) {
      context.textAlign = 'left';
      context.textBaseline = 'alphabetic';
      // The default is the system language, which selects letter variants.
      context.lang = 'en';
      // Miters would turn sharp corners, such as those of M and 4, into spikes.
      context.lineJoin = 'round';
      context.setLineDash([]);
    }
    // Setting a font parses it, and most labels of a layer share one.
    if (font !== this.font) context.font = this.font = font;
    return context;
  }
}
