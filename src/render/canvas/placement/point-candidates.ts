/** Candidate positions of a label around its anchor point. Pure; in CSS pixels. */
import type { Obstacle } from './collision.ts';
import { collisionBox, toPlanePx } from './collision-box.ts';
import type { Point } from '../../../base/spatial/flat.ts';
import type { FeatureText } from '../text/feature-text.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from '../text/units.ts';
import type { GlyphRun } from '../text/label.ts';
import {
  horizontalShare,
  justifyOf,
  uprightOrigin,
  verticalShare,
  type TextShape,
} from '../text/shape.ts';
import {
  offsetFrom,
  type SymbolPosition,
  type SymbolPositions,
  type Stance,
} from '../symbol/stance.ts';
import type { UnplacedSymbol } from './layout.ts';

export interface Candidate {
  /** Area that the label keeps free of others, padding included */
  obstacles: readonly Obstacle[];
  /** The same area without padding */
  unpadded: readonly Obstacle[];
  /** How far it moves a fitted icon; null unless the label has several positions */
  shift: { box: Point; drawn: Point } | null;
  /** Size relative to that at the center of the picture */
  scale: number;
  /** Returns the text to draw, or an empty list if it doesn't fit its line. */
  runs(): GlyphRun[];
}

export interface PointRules {
  /** On the plane, in CSS pixels */
  translate: readonly [number, number];
  paddingPx: number;
  stance: Stance;
  /** Whether near and far symbols are equally large */
  keepsSize: boolean;
}

/** Returns the candidates in the label's order of preference. */
export function pointCandidates(
  { sizes, shapes, positions, rotation }: FeatureText,
  { anchor, frame }: UnplacedSymbol,
  { translate, paddingPx, stance, keepsSize }: PointRules,
  places: SymbolPositions,
): Candidate[] {
  const point = toPlanePx(frame, anchor, translate);
  const place = places.at(point.x, point.y, stance, keepsSize);
  if (place === null) return [];
  const nearness = places.nearnessAt(point.x, point.y);
  const collisionScale = sizes.collision / UNITS_PER_EM;
  const drawnScale = sizes.drawn / UNITS_PER_EM;
  const [anyShape] = shapes.values();
  const padding = [paddingPx, paddingPx, paddingPx, paddingPx] as const;
  const box = collisionBox(anyShape!, collisionScale, padding, rotation, frame);
  const unpadded = collisionBox(anyShape!, collisionScale, NO_PADDING, rotation, frame);
  const candidateAt = (shape: TextShape, shift: Candidate['shift']): Candidate[] => {
    const boxes = [box, unpadded].map((each) =>
      places.boxAt(point.x, point.y, each, shift?.box ?? null, stance),
    );
    if (boxes[0] == null || boxes[1] == null) return [];
    const { scale } = place;
    const runs = () =>
      runsAround(shape, drawnScale * scale, rotation, place, shift?.drawn ?? ORIGIN);
    return [{ obstacles: [boxes[0]], unpadded: [boxes[1]], shift, scale, runs }];
  };
  if (positions === null) return candidateAt(anyShape!, null);
  return positions.flatMap(({ anchor: side, offset }) => {
    // The padded box, not the text, touches the point.
    const x = (0.5 - horizontalShare(side)) * (box.maxX - box.minX);
    const y = (0.5 - verticalShare(side)) * (box.maxY - box.minY);
    const shape = shapes.get(justifyOf(side)) ?? anyShape!;
    return candidateAt(shape, {
      box: { x: x + offset[0] * collisionScale, y: y + offset[1] * collisionScale },
      drawn: {
        x: (x / collisionScale + offset[0]) * drawnScale * nearness,
        y: (y / collisionScale + offset[1]) * drawnScale * nearness,
      },
    });
  });
}

const NO_PADDING = [0, 0, 0, 0] as const;

const ORIGIN: Point = { x: 0, y: 0 };

/** Rotates a shape clockwise around a place, and positions its pieces. */
function runsAround(
  shape: TextShape,
  scale: number,
  rotation: number,
  place: SymbolPosition,
  shift: Point,
): GlyphRun[] {
  const { ground, turn } = place;
  const origin = ground === null ? offsetFrom(place, shift.x, shift.y)! : shift;
  const angle = rotation + turn;
  const cos = Math.cos(angle) * scale;
  const sin = Math.sin(angle) * scale;
  return shape.pieces.map((shaped) => {
    const { piece, section } = shaped;
    let left = shaped.x;
    let baseline = shaped.y + BASELINE_UNITS * section.scale;
    if (section.isUpright) {
      const start = uprightOrigin(shaped);
      left += (piece.advance * section.scale) / 2 + start.x;
      baseline = shaped.y + start.y;
    }
    return {
      text: piece.text,
      x: origin.x + left * cos - baseline * sin,
      y: origin.y + left * sin + baseline * cos,
      angle: section.isUpright ? angle - Math.PI / 2 : angle,
      ground,
      section,
    };
  });
}
