/**
 * The picture as numbers, and what it is to draw on it: a colour laid over another, as a graphics
 * card blends. Shapes come here by way of the other files of this folder.
 */
import type { Color } from '@maplibre/maplibre-gl-style-spec';
import type { RectPx } from '../../../spatial/flat.ts';

/** A colour multiplied by its own alpha, as blending wants it. */
export interface Tint {
  /** 0..255 */
  r: number;
  g: number;
  b: number;
  /** 0..1 */
  alpha: number;
  /** The pixel it gives where nothing below shows, in the byte order of this machine */
  word: number;
}

/** MapLibre leaves out what has less opacity than this. */
export const LEAST_OPACITY = 0.01;

/** A style colour under an opacity (0..1). */
export function tintOf(color: Color, opacity: number): Tint {
  const scale = 255 * opacity;
  // The specification's colours are premultiplied.
  return tint(color.r * scale, color.g * scale, color.b * scale, color.a * opacity);
}

const oneBytes = new Uint8ClampedArray(4);
const oneWord = new Uint32Array(oneBytes.buffer);

function tint(r: number, g: number, b: number, alpha: number): Tint {
  oneBytes[0] = r;
  oneBytes[1] = g;
  oneBytes[2] = b;
  oneBytes[3] = 255 * alpha;
  return { r, g, b, alpha, word: oneWord[0]! };
}

/** Part of the way from one tint to another. */
export function mixTints(from: Tint, to: Tint, part: number): Tint {
  const mix = (a: number, b: number) => a + (b - a) * part;
  return tint(mix(from.r, to.r), mix(from.g, to.g), mix(from.b, to.b), mix(from.alpha, to.alpha));
}

export class Pixels {
  readonly width: number;
  readonly height: number;
  /** Rows from the top of red, green, blue (each times alpha) and alpha */
  readonly bytes: Uint8ClampedArray<ArrayBuffer>;
  /** The pixels that may be drawn on: columns from `minX` to before `maxX`, rows likewise */
  clip: Readonly<RectPx>;
  private readonly words: Uint32Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.bytes = new Uint8ClampedArray(4 * width * height);
    this.words = new Uint32Array(this.bytes.buffer);
    this.clip = { minX: 0, minY: 0, maxX: width, maxY: height };
  }

  /** Keeps drawing to the pixels whose centres lie in a rectangle of CSS pixels; null: to all. */
  clipTo(rect: RectPx | null, pixelRatio = 1): void {
    const { width, height } = this;
    this.clip =
      rect === null
        ? { minX: 0, minY: 0, maxX: width, maxY: height }
        : {
            minX: Math.max(0, firstCentre(rect.minX * pixelRatio)),
            minY: Math.max(0, firstCentre(rect.minY * pixelRatio)),
            maxX: Math.min(width, firstCentre(rect.maxX * pixelRatio)),
            maxY: Math.min(height, firstCentre(rect.maxY * pixelRatio)),
          };
  }

  /** Lays a share (0..1) of a tint over the pixel number `index`, counted row by row. */
  blend(index: number, tint: Tint, share: number): void {
    const kept = 1 - tint.alpha * share;
    if (kept <= 0) {
      this.words[index] = tint.word;
      return;
    }
    const { bytes } = this;
    const at = 4 * index;
    bytes[at] = tint.r * share + bytes[at]! * kept;
    bytes[at + 1] = tint.g * share + bytes[at + 1]! * kept;
    bytes[at + 2] = tint.b * share + bytes[at + 2]! * kept;
    bytes[at + 3] = 255 * tint.alpha * share + bytes[at + 3]! * kept;
  }

  /** Fills the pixels of a row whose centres lie from `left` to before `right`. */
  fillRow(y: number, left: number, right: number, tint: Tint): void {
    const from = Math.max(this.clip.minX, firstCentre(left));
    const to = Math.min(this.clip.maxX, firstCentre(right));
    if (from >= to) return;
    const row = y * this.width;
    if (tint.alpha >= 1) {
      this.words.fill(tint.word, row + from, row + to);
    } else {
      for (let x = from; x < to; x++) this.blend(row + x, tint, 1);
    }
  }
}

/** The place of a vertex as a rasteriser has it: graphics cards divide pixels into sixteenths. */
export function snapped(coordinate: number): number {
  return Math.round(coordinate * 16) / 16;
}

/** The first pixel whose centre does not lie before a coordinate. */
export function firstCentre(coordinate: number): number {
  return Math.ceil(coordinate - 0.5);
}
