/** Finds positions at which an icon may be drawn, and the area that it occupies. Pure; in CSS pixels. */
import type { RectPx, Point } from '../../../base/spatial/flat.ts';
import { collisionBox, toPlanePx } from './collision-box.ts';
import { placeOnLine } from './glyphs-on-line.ts';
import { pointsBackward } from './line-candidates.ts';
import type { PointRules } from './point-candidates.ts';
import { offsetFrom, type SymbolPositions } from '../symbol/stance.ts';
import type { UnplacedSymbol } from './layout.ts';
import { anchoredLine } from './symbol-path.ts';
import { UNITS_PER_EM } from '../text/units.ts';
import type { FeatureIcon } from '../icon/feature-icon.ts';
import type { PlacedIcon } from '../icon/placed-icon.ts';

export interface IconRules extends Pick<PointRules, 'translate' | 'stance' | 'keepsSize'> {
  /** Rules of the text, which a fitted icon follows */
  text: Pick<PointRules, 'translate' | 'stance'>;
  /** Whether icons that would be upside down turn around */
  keepUpright: boolean;
  /** Whether icons turn with their line */
  turnsWithLine: boolean;
}

/**
 * Returns the area that an icon takes, and the same area without padding; null if it is behind the camera
 * or too far away. As in MapLibre, areas of icons have the alignment of the text.
 */
export function iconBoxes(
  { shape, sizes, padding, boxRotation }: FeatureIcon,
  { anchor, frame }: UnplacedSymbol,
  { translate, text }: IconRules,
  shift: Point | null,
  places: SymbolPositions,
): { box: RectPx; unpadded: RectPx } | null {
  const { x, y } = toPlanePx(frame, anchor, translate);
  const scale = sizes.collision;
  const [left, top, right, bottom] = (shape.frame ?? NO_FRAME).map((side) => side * scale);
  const framed = [padding[0] + top!, padding[1] + right!, padding[2] + bottom!, padding[3] + left!];
  const boxOf = (space: readonly number[]) => {
    const sides = space as [number, number, number, number];
    const box = collisionBox(shape, scale, sides, boxRotation, frame);
    return places.boxAt(x, y, box, shift, text.stance);
  };
  const box = boxOf(framed);
  const unpadded = boxOf([top!, right!, bottom!, left!]);
  return box === null || unpadded === null ? null : { box, unpadded };
}

const NO_FRAME = [0, 0, 0, 0] as const;

/** The position of an icon */
export type IconPosition = Pick<PlacedIcon, 'x' | 'y' | 'angle' | 'scale' | 'ground'>;

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
  places: SymbolPositions,
): IconPosition | null {
  const { anchor, frame, line } = symbol;
  if (shift === null && icon.isAlong && line !== null) {
    return positionOnLine(icon, symbol, rules, places);
  }
  const { translate, stance } = shift === null ? rules : rules.text;
  const { x, y } = toPlanePx(frame, anchor, translate);
  const place = places.at(x, y, stance, rules.keepsSize);
  if (place === null) return null;
  const { scale, ground } = place;
  const angle = place.turn + icon.turn;
  const { x: dx, y: dy } = shift ?? { x: 0, y: 0 };
  if (ground === null) return { ...offsetFrom(place, dx, dy)!, angle, scale, ground };
  const { east, south } = ground;
  const moved = {
    ...ground,
    x: ground.x + east.x * dx + south.x * dy,
    y: ground.y + east.y * dx + south.y * dy,
  };
  return { x: 0, y: 0, angle, scale, ground: moved };
}

function positionOnLine(
  icon: FeatureIcon,
  symbol: UnplacedSymbol,
  rules: IconRules,
  places: SymbolPositions,
): IconPosition | null {
  const line = anchoredLine(symbol, symbol.line!, rules, places);
  if (line === null) return null;
  // MapLibre also moves the icon along the line by its offset, measured like a text's.
  const unit = (icon.sizes.drawn / UNITS_PER_EM) * line.spacing;
  const offset = [icon.offset[0] * unit, icon.offset[1] * unit] as const;
  const isFlipped = rules.keepUpright && icon.quads.length === 1 && pointsBackward(line);
  const place = placeOnLine(line, 0, offset, isFlipped);
  if (place === null) return null;
  const ground = line.groundAt(place);
  const { x, y } = ground === null ? place : { x: 0, y: 0 };
  return { x, y, angle: rules.turnsWithLine ? place.angle : 0, scale: line.scale, ground };
}
