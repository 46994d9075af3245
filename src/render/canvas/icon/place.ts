/** Where an icon may be drawn, and the area that it takes. Pure; in CSS pixels. */
import { moveRect, type RectPx } from '../../../spatial/flat.ts';
import { collisionBox, toPicturePx, type Point } from '../text/collision-box.ts';
import { placeOnLine } from '../text/glyphs-on-line.ts';
import { anchoredLine, pointsBackward } from '../text/line-candidates.ts';
import type { UnplacedSymbol } from '../text/symbol.ts';
import { UNITS_PER_EM } from '../text/units.ts';
import type { FeatureIcon } from './feature-icon.ts';
import type { PlacedIcon } from './placed-icon.ts';

export interface IconRules {
  translate: readonly [number, number];
  /** Translation of the text, which a fitted icon follows */
  textTranslate: readonly [number, number];
  /** Whether icons that would be upside down turn around */
  keepUpright: boolean;
  /** Whether icons turn with their line */
  turnsWithLine: boolean;
}

/** Returns the area that an icon takes, and the same area without padding. */
export function iconBoxes(
  { shape, sizes, padding, rotation }: FeatureIcon,
  { anchor, frame }: UnplacedSymbol,
  translate: readonly [number, number],
  shift: Point,
): { box: RectPx; unpadded: RectPx } {
  const { x, y } = toPicturePx(frame, anchor, translate);
  const scale = sizes.collision;
  const [left, top, right, bottom] = (shape.frame ?? NO_FRAME).map((side) => side * scale);
  const framed = [padding[0] + top!, padding[1] + right!, padding[2] + bottom!, padding[3] + left!];
  const boxOf = (space: readonly number[]) =>
    moveRect(
      collisionBox(shape, scale, space as [number, number, number, number], rotation, frame),
      x + shift.x,
      y + shift.y,
    );
  return { box: boxOf(framed), unpadded: boxOf([top!, right!, bottom!, left!]) };
}

const NO_FRAME = [0, 0, 0, 0] as const;

/**
 * Returns the position of an icon; null if it doesn't fit its line.
 *
 * @param shift of the text to which it is fitted; null if the text has a fixed position
 */
export function iconPosition(
  icon: FeatureIcon,
  symbol: UnplacedSymbol,
  rules: IconRules,
  shift: Point | null,
): Pick<PlacedIcon, 'x' | 'y' | 'angle'> | null {
  const { anchor, frame, line } = symbol;
  if (shift !== null) {
    const { x, y } = toPicturePx(frame, anchor, rules.textTranslate);
    return { x: x + shift.x, y: y + shift.y, angle: 0 };
  }
  if (!icon.isAlong || line === null) {
    return { ...toPicturePx(frame, anchor, rules.translate), angle: 0 };
  }
  const anchored = anchoredLine(symbol, line, rules.translate);
  // MapLibre also moves the icon along the line by its offset, measured like a text's.
  const scale = icon.sizes.drawn / UNITS_PER_EM;
  const offset = [icon.offset[0] * scale, icon.offset[1] * scale] as const;
  const isFlipped = rules.keepUpright && icon.quads.length === 1 && pointsBackward(anchored);
  const place = placeOnLine(anchored, 0, offset, isFlipped);
  if (place === null) return null;
  return { x: place.x, y: place.y, angle: rules.turnsWithLine ? place.angle : 0 };
}
