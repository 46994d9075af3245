/** Measures text widths with Skia, which also draws the text. */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { cssFont, drawableText } from '../fonts.ts';
import { TextCache } from './text-cache.ts';

/** Returns the width of a text in ems, without letter spacing. */
export type MeasureEm = (text: string, face: string) => number;

/** Outlines are not hinted, so widths are proportional to the size. */
const MEASURED_AT_PX = 100;

const widthsEm = new TextCache<number>(20_000);
let context: SKRSContext2D | null = null;
/** Face of the context's font. Setting a font takes longer than measuring a name. */
let measuredFace = '';

export const measureEm: MeasureEm = (text, face) => {
  let width = widthsEm.get(face, text);
  if (width === undefined) {
    if (context === null) {
      context = createCanvas(1, 1).getContext('2d');
      context.lang = 'en';
    }
    if (measuredFace !== face) {
      context.font = cssFont(face, MEASURED_AT_PX);
      measuredFace = face;
    }
    width = context.measureText(drawableText(text)).width / MEASURED_AT_PX;
    widthsEm.set(face, text, width);
  }
  return width;
};
