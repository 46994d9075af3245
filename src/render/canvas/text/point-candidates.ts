/** Candidate positions of a label around its anchor point. Pure; in CSS pixels. */
import { rectOf, type RectPx } from '../../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../spatial/mercator.ts';
import type { Obstacle } from './collision.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from './units.ts';
import type { GlyphRun } from './label.ts';
import type { UnplacedSymbol } from './symbol.ts';
import { horizontalShare, justifyOf, verticalShare, type TextShape } from './shape.ts';
import type { TileFrame } from './label-tiles.ts';
import { TILE_EXTENT } from '../tile-features.ts';

export interface Candidate {
  /** Area that the label takes from others, padding included */
  obstacles: readonly Obstacle[];
  /** The same area without padding */
  unpadded: readonly Obstacle[];
  /** Returns the text to draw; empty if it turns out not to fit its line. */
  runs(): GlyphRun[];
}

/** Returns the candidates in the label's order of preference. */
export function pointCandidates(
  { text, anchor, frame }: UnplacedSymbol,
  translate: readonly [number, number],
  { paddingPx }: { paddingPx: number },
): Candidate[] {
  const point = toPicturePx(frame, anchor, translate);
  const { sizes, shapes, positions, rotation } = text;
  const collisionScale = sizes.collisionPx / UNITS_PER_EM;
  const drawnScale = sizes.drawnPx / UNITS_PER_EM;
  const [anyShape] = shapes.values();
  const box = collisionBox(anyShape!, collisionScale, paddingPx, rotation, frame);
  const unpadded = collisionBox(anyShape!, collisionScale, 0, rotation, frame);
  const candidateAt = (shape: TextShape, boxShift: Point, glyphShift: Point): Candidate => ({
    obstacles: [move(box, { x: point.x + boxShift.x, y: point.y + boxShift.y })],
    unpadded: [move(unpadded, { x: point.x + boxShift.x, y: point.y + boxShift.y })],
    runs: () =>
      runsAround(shape, drawnScale, rotation, {
        x: point.x + glyphShift.x,
        y: point.y + glyphShift.y,
      }),
  });
  if (positions === null) return [candidateAt(anyShape!, ORIGIN, ORIGIN)];
  return positions.map(({ anchor: side, offset }) => {
    // The padded box, not the text, touches the point.
    const x = (0.5 - horizontalShare(side)) * (box.maxX - box.minX);
    const y = (0.5 - verticalShare(side)) * (box.maxY - box.minY);
    const shape = shapes.get(justifyOf(side)) ?? anyShape!;
    return candidateAt(
      shape,
      { x: x + offset[0] * collisionScale, y: y + offset[1] * collisionScale },
      {
        x: (x / collisionScale + offset[0]) * drawnScale,
        y: (y / collisionScale + offset[1]) * drawnScale,
      },
    );
  });
}

interface Point {
  x: number;
  y: number;
}

const ORIGIN: Point = { x: 0, y: 0 };

export function toPicturePx(
  { leftPx, topPx, pxPerUnit }: TileFrame,
  { x, y }: Point,
  [dx, dy]: readonly [number, number],
): Point {
  return { x: leftPx + x * pxPerUnit + dx, y: topPx + y * pxPerUnit + dy };
}

/** Area that a label takes around its point: the bounds of its rotated shape. */
function collisionBox(
  shape: TextShape,
  scale: number,
  paddingPx: number,
  rotation: number,
  frame: TileFrame,
): RectPx {
  const left = shape.left * scale - paddingPx;
  const right = shape.right * scale + paddingPx;
  const top = shape.top * scale - paddingPx;
  const bottom = shape.bottom * scale + paddingPx;
  const corners = [left, top, right, top, left, bottom, right, bottom];
  const box = rectOf(rotation === 0 ? corners : rotatePoints(corners, rotation));
  // MapLibre truncates boxes to whole tile units.
  const unitsPerPx = TILE_EXTENT / (TILE_SIZE_PX * frame.overscaling);
  const truncate = (px: number) => Math.trunc(px * unitsPerPx) / unitsPerPx;
  return {
    minX: truncate(box.minX),
    minY: truncate(box.minY),
    maxX: truncate(box.maxX),
    maxY: truncate(box.maxY),
  };
}

function move(box: RectPx, { x, y }: Point): RectPx {
  return { minX: box.minX + x, minY: box.minY + y, maxX: box.maxX + x, maxY: box.maxY + y };
}

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

function rotatePoints(points: readonly number[], radians: number): number[] {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return points.map((value, i) =>
    i % 2 === 0 ? value * cos - points[i + 1]! * sin : points[i - 1]! * sin + value * cos,
  );
}
