/** Blends a tint over pixels, with the same arithmetic as `Pixels.blend`. */
import { PIXELS } from '../kernel-memory';

/** Pixels per row */
export let width: i32 = 0;
/** Pixels that may be drawn on: columns from `minX` up to but excluding `maxX`; rows likewise */
export let minX: i32 = 0;
export let minY: i32 = 0;
export let maxX: i32 = 0;
export let maxY: i32 = 0;
/** Where the ranges of columns of the rows from `minY` are; 0 if all rows have the same range */
let ranges: i32 = 0;

/** Where the first crossing of each row of the picture is: see `area.ts` */
export let crossingRows: i32 = 0;

/** Adding it to a number of 32 bits leaves the rounded number in the lowest bits, halves to even. */
const ROUNDING: f64 = 6_755_399_441_055_744;

let redGreen: v128 = f64x2(0, 0);
let blueAlpha: v128 = f64x2(0, 0);
let alpha: f64 = 0;
/** The tint as RGBA, red in the lowest byte */
export let word: i32 = 0;

export function setSurface(pixelsPerRow: i32, rowsOfCrossings: i32): void {
  width = pixelsPerRow;
  crossingRows = rowsOfCrossings;
}

export function setClip(left: i32, top: i32, right: i32, bottom: i32, columnRanges: i32): void {
  minX = left;
  minY = top;
  maxX = right;
  maxY = bottom;
  ranges = columnRanges;
}

/** Sets the color, as in `Tint`. */
export function setTint(r: f64, g: f64, b: f64, opacity: f64, opaqueWord: i32): void {
  redGreen = f64x2.replace_lane(f64x2.splat(r), 1, g);
  blueAlpha = f64x2.replace_lane(f64x2.splat(b), 1, 255 * opacity);
  alpha = opacity;
  word = opaqueWord;
}

/** The first column that may be drawn on in a row of the clip. */
export function firstColumn(y: i32): i32 {
  return ranges === 0 ? minX : load<i32>(ranges + 8 * (y - minY));
}

/** The column after the last that may be drawn on in a row of the clip. */
export function endColumn(y: i32): i32 {
  return ranges === 0 ? maxX : load<i32>(ranges + 8 * (y - minY), 4);
}

export function addressOf(x: i32, y: i32): i32 {
  return PIXELS + 4 * (y * width + x);
}

/** Blends the tint, weighted by `share` (0..1), over the pixel at an address. */
export function blend(at: i32, share: f64): void {
  const backdropShare = 1 - alpha * share;
  if (backdropShare <= 0) {
    store<i32>(at, word);
    return;
  }
  const above = f64x2.splat(share);
  const backdrop = f64x2.splat(backdropShare);
  const bytes = v128.load32_zero(at);
  const below = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(bytes));
  const ending = v128.shuffle<i32>(below, below, 2, 3, 0, 1);
  const rounding = f64x2.splat(ROUNDING);
  const first = f64x2.add(
    f64x2.mul(redGreen, above),
    f64x2.mul(f64x2.convert_low_i32x4_s(below), backdrop),
  );
  const last = f64x2.add(
    f64x2.mul(blueAlpha, above),
    f64x2.mul(f64x2.convert_low_i32x4_s(ending), backdrop),
  );
  const whole = v128.shuffle<i32>(
    f64x2.add(first, rounding),
    f64x2.add(last, rounding),
    0,
    2,
    4,
    6,
  );
  const words = i16x8.narrow_i32x4_s(whole, whole);
  store<i32>(at, i32x4.extract_lane(i8x16.narrow_i16x8_u(words, words), 0));
}

/** Blends the tint over the pixels of a row from one column up to but excluding another. */
export function fillRun(y: i32, from: i32, to: i32): void {
  let at = addressOf(from, y);
  const end = addressOf(to, y);
  if (alpha >= 1) {
    const four = i32x4.splat(word);
    for (; at + 16 <= end; at += 16) v128.store(at, four);
    for (; at < end; at += 4) store<i32>(at, word);
    return;
  }
  // Most pixels have the color of the previous one.
  let before = ~load<i32>(at);
  let after = 0;
  for (; at < end; at += 4) {
    const below = load<i32>(at);
    if (below === before) store<i32>(at, after);
    else {
      blend(at, 1);
      before = below;
      after = load<i32>(at);
    }
  }
}

/** Blends a color, as premultiplied RGBA, over successive pixels, which may be in several rows. */
export function blendRun(index: i32, count: i32, color: i32): void {
  const opacity = color >>> 24;
  setTint(color & 255, (color >>> 8) & 255, (color >>> 16) & 255, <f64>opacity / 255, color);
  // Dividing and multiplying again would round.
  blueAlpha = f64x2.replace_lane(blueAlpha, 1, <f64>opacity);
  fillRun(0, index, index + count);
}
