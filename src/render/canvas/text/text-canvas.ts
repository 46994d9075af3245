/** What labels are drawn on: outlines on Skia's canvas, distance fields as pixels. */
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

  /** For outlines in a font. */
  contextFor(font: string): SKRSContext2D {
    const { context } = this.surface;
    if (this.font === null) {
      context.textAlign = 'left';
      context.textBaseline = 'alphabetic';
      // The default follows the machine's language, which chooses among forms of letters.
      context.lang = 'en';
      // Mitres would make thorns of sharp corners such as those of M and 4.
      context.lineJoin = 'round';
      context.setLineDash([]);
    }
    // Most labels of a layer share a font, and the canvas parses it each time it is set.
    if (font !== this.font) context.font = this.font = font;
    return context;
  }
}
