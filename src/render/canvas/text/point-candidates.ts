/** Candidate positions of a label around its anchor point. Pure; in CSS pixels. */
import { moveRect } from '../../../spatial/flat.ts';
import type { Obstacle } from './collision.ts';
import { collisionBox, toPicturePx, type Point } from './collision-box.ts';
import type { FeatureText } from './feature-text.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from './units.ts';
import type { GlyphRun } from './label.ts';
import type { UnplacedSymbol } from './symbol.ts';
import { horizontalShare, justifyOf, verticalShare, type TextShape } from './shape.ts';

export interface Candidate {
  /** Area that the label takes from others, padding included */
  obstacles: readonly Obstacle[];
  /** The same area without padding */
  unpadded: readonly Obstacle[];
  /** How far it moves a fitted icon; null unless the label has several positions */
  shift: { box: Point; drawn: Point } | null;
  /** Returns the text to draw; empty if it turns out not to fit its line. */
  runs(): GlyphRun[];
}

/** Returns the candidates in the label's order of preference. */
export function pointCandidates(
  { sizes, shapes, positions, rotation }: FeatureText,
  { anchor, frame }: UnplacedSymbol,
  translate: readonly [number, number],
  { paddingPx }: { paddingPx: number },
): Candidate[] {
  const point = toPicturePx(frame, anchor, translate);
  const collisionScale = sizes.collision / UNITS_PER_EM;
  const drawnScale = sizes.drawn / UNITS_PER_EM;
  const [anyShape] = shapes.values();
  const padding = [paddingPx, paddingPx, paddingPx, paddingPx] as const;
  const box = collisionBox(anyShape!, collisionScale, padding, rotation, frame);
  const unpadded = collisionBox(anyShape!, collisionScale, NO_PADDING, rotation, frame);
  const candidateAt = (shape: TextShape, shift: Candidate['shift']): Candidate => {
    const { box: boxShift, drawn } = shift ?? UNMOVED;
    return {
      obstacles: [moveRect(box, point.x + boxShift.x, point.y + boxShift.y)],
      unpadded: [moveRect(unpadded, point.x + boxShift.x, point.y + boxShift.y)],
      shift,
      runs: () =>
        runsAround(shape, drawnScale, rotation, { x: point.x + drawn.x, y: point.y + drawn.y }),
    };
  };
  if (positions === null) return [candidateAt(anyShape!, null)];
  return positions.map(({ anchor: side, offset }) => {
    // The padded box, not the text, touches the point.
    const x = (0.5 - horizontalShare(side)) * (box.maxX - box.minX);
    const y = (0.5 - verticalShare(side)) * (box.maxY - box.minY);
    const shape = shapes.get(justifyOf(side)) ?? anyShape!;
    return candidateAt(shape, {
      box: { x: x + offset[0] * collisionScale, y: y + offset[1] * collisionScale },
      drawn: {
        x: (x / collisionScale + offset[0]) * drawnScale,
        y: (y / collisionScale + offset[1]) * drawnScale,
      },
    });
  });
}

const NO_PADDING = [0, 0, 0, 0] as const;

const UNMOVED = { box: { x: 0, y: 0 }, drawn: { x: 0, y: 0 } };

/** Rotates a shape clockwise around a point and positions its pieces. */
function runsAround(
  shape: TextShape,
  scale: number,
  rotation: number,
  { x, y }: Point,
): GlyphRun[] {
  const cos = Math.cos(rotation) * scale;
  const sin = Math.sin(rotation) * scale;
  return shape.pieces.map(({ piece, section, ...at }) => {
    const baseline = at.y + BASELINE_UNITS * section.scale;
    return {
      text: piece.text,
      x: x + at.x * cos - baseline * sin,
      y: y + at.x * sin + baseline * cos,
      angle: rotation,
      section,
    };
  });
}
