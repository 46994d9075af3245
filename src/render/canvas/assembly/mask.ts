/** Blends the tint where masks of letters cover pixels. */
import { addressOf, blend, word } from './blend';

/**
 * @param mask address of the coverage (0 to 255), row by row
 * @param left, top column and row of its corner; it may lie outside the picture
 * @param unit weight of the tint per unit of coverage; 0 to blend an opaque tint of whole numbers
 */
export function blendMask(
  mask: i32,
  maskWidth: i32,
  left: i32,
  fromX: i32,
  toX: i32,
  top: i32,
  fromY: i32,
  toY: i32,
  unit: f64,
): void {
  const count = toX - fromX;
  for (let y = fromY; y < toY; y++) {
    const from = mask + ((y - top) * maskWidth + fromX - left);
    const to = addressOf(fromX, y);
    if (unit === 0) blendOpaque(from, to, count);
    else blendTint(from, to, count, unit);
  }
}

/** Blends in whole numbers, four pixels at once. */
function blendOpaque(from: i32, to: i32, count: i32): void {
  const color = i16x8.extend_low_i8x16_u(i32x4.splat(word));
  const all = i16x8.splat(255);
  const half = i16x8.splat(128);
  for (let rest = count; rest > 0; rest -= 4, from += 4, to += 16) {
    let covered = load<u32>(from);
    // The last pixels may be fewer than four.
    if (rest < 4) covered &= (1 << (8 * rest)) - 1;
    if (covered === 0) continue;
    // Each byte four times
    const shares = i8x16.swizzle(
      i32x4.splat(covered),
      i8x16(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
    );
    const below = v128.load(to);
    const sharesLow = i16x8.extend_low_i8x16_u(shares);
    const sharesHigh = i16x8.extend_high_i8x16_u(shares);
    const sumLow = i16x8.add(
      i16x8.add(i16x8.mul(color, sharesLow), half),
      i16x8.mul(i16x8.extend_low_i8x16_u(below), i16x8.sub(all, sharesLow)),
    );
    const sumHigh = i16x8.add(
      i16x8.add(i16x8.mul(color, sharesHigh), half),
      i16x8.mul(i16x8.extend_high_i8x16_u(below), i16x8.sub(all, sharesHigh)),
    );
    // x / 255 rounded = (x + 128 + ((x + 128) >> 8)) >> 8, for all x up to 255 * 255
    v128.store(
      to,
      i8x16.narrow_i16x8_u(
        i16x8.shr_u(i16x8.add(sumLow, i16x8.shr_u(sumLow, 8)), 8),
        i16x8.shr_u(i16x8.add(sumHigh, i16x8.shr_u(sumHigh, 8)), 8),
      ),
    );
  }
}

function blendTint(from: i32, to: i32, count: i32, unit: f64): void {
  for (const end = from + count; from < end; from++, to += 4) {
    const covered = load<u8>(from);
    if (covered !== 0) blend(to, <f64>covered * unit);
  }
}
