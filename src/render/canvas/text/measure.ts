/** Measures text widths with Skia, which also draws the text. */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { LRUCache } from 'lru-cache';
import { cssFont, drawableText } from '../fonts.ts';

/** Returns the width of a text in ems, without letter spacing. */
export type MeasureEm = (text: string, face: string) => number;

/** Outlines are not hinted, so widths are proportional to the size. */
const MEASURED_AT_PX = 100;

const widthsEm = new LRUCache<string, number>({ max: 20_000 });
let context: SKRSContext2D | null = null;

export const measureEm: MeasureEm = (text, face) => {
  const key = `${face}\n${text}`;
  let width = widthsEm.get(key);
  if (width === undefined) {
    context ??= createCanvas(1, 1).getContext('2d');
    context.lang = 'en';
    context.font = cssFont(face, MEASURED_AT_PX);
    width = context.measureText(drawableText(text)).width / MEASURED_AT_PX;
    widthsEm.set(key, width);
  }
  return width;
};
