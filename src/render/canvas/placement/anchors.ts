/**
 * Finds label anchors along a line, as MapLibre's `symbol/get_anchors.ts` and `check_max_angle.ts`.
 * Pure; all lengths are in tile units.
 */
import { clipLine } from '../../../base/spatial/clip.ts';
import type { FlatPoints } from '../../../base/spatial/flat.ts';
import { UNITS_PER_EM } from '../text/units.ts';
import { TILE_EXTENT } from '../style/style-feature.ts';

/** A point on a line, in whole tile units. */
export interface LineAnchor {
  x: number;
  y: number;
  /** Index of the segment it lies on */
  segment: number;
}

/** The label dimensions that anchors depend on. */
export interface LabelExtent {
  /** In 1/24 em */
  width: number;
  /** Tile units per 1/24 em */
  scale: number;
  /** Maximum turn of the line within 3/5 em, in radians; Infinity for an icon alone */
  maxAngle: number;
}

/** Clips lines to the tile and rounds them to whole units. */
export function clipLinesToTile(lines: readonly FlatPoints[]): FlatPoints[] {
  const square = { minX: 0, minY: 0, maxX: TILE_EXTENT, maxY: TILE_EXTENT };
  return lines.flatMap((line) => clipLine(line, square)).map((line) => line.map(Math.round));
}

/** Returns anchors `spacing` apart, or a single one in the middle if none fits. */
export function anchorsAlong(
  line: FlatPoints,
  spacing: number,
  label: LabelExtent,
  overscaling: number,
): LineAnchor[] {
  const length = label.width * label.scale;
  // Long labels keep a quarter of the spacing between them.
  const step = spacing - length < spacing / 4 ? length + spacing / 4 : spacing;
  // Keep clear of a crossing at the line's start, unless the line continues from another tile.
  const isContinued = [line[0]!, line[1]!].some((edge) => edge === 0 || edge === TILE_EXTENT);
  const offset = isContinued
    ? ((step / 2) * overscaling) % step
    : ((label.width / 2 + 2 * UNITS_PER_EM) * label.scale * overscaling) % step;
  const anchors = anchorsEvery(line, offset, step, label);
  if (anchors.length > 0 || isContinued) return anchors;
  return anchorsEvery(line, lineLength(line) / 2, step, label);
}

/** Returns the middle of a line, or null if the line bends too much there. */
export function middleAnchor(line: FlatPoints, label: LabelExtent): LineAnchor | null {
  const middle = lineLength(line) / 2;
  let start = 0;
  for (let segment = 0; 2 * segment + 2 < line.length; segment++) {
    const length = segmentLength(line, segment);
    if (start + length > middle) {
      const anchor = pointOn(line, segment, (middle - start) / length);
      return isStraightEnough(line, anchor, label) ? anchor : null;
    }
    start += length;
  }
  return null;
}

function anchorsEvery(
  line: FlatPoints,
  offset: number,
  step: number,
  label: LabelExtent,
): LineAnchor[] {
  const half = (label.width * label.scale) / 2;
  const total = lineLength(line);
  const anchors: LineAnchor[] = [];
  let start = 0;
  let next = offset;
  for (let segment = 0; 2 * segment + 2 < line.length; segment++) {
    const length = segmentLength(line, segment);
    for (; next < start + length; next += step) {
      if (next - half < 0 || next + half > total) continue;
      const anchor = pointOn(line, segment, (next - start) / length);
      if (isStraightEnough(line, anchor, label)) anchors.push(anchor);
    }
    start += length;
  }
  return anchors;
}

/** Whether the line under a label never turns more than `maxAngle`. */
function isStraightEnough(line: FlatPoints, anchor: LineAnchor, label: LabelExtent): boolean {
  const half = (label.width * label.scale) / 2;
  const window = (3 / 5) * UNITS_PER_EM * label.scale;
  if (half === 0 || label.maxAngle === Infinity) return true;

  // Back to the vertex before the label's start.
  let index = anchor.segment;
  let position = -Math.hypot(line[2 * index]! - anchor.x, line[2 * index + 1]! - anchor.y);
  while (position > -half) {
    index--;
    if (index < 0) return false;
    position -= segmentLength(line, index);
  }

  // Forward over the corners under the label.
  position += segmentLength(line, index);
  index++;
  const corners: { position: number; turn: number }[] = [];
  let turned = 0;
  while (position < half) {
    if (2 * index + 2 >= line.length) return false;
    const turn = turnAt(line, index);
    corners.push({ position, turn });
    turned += turn;
    while (position - corners[0]!.position > window) turned -= corners.shift()!.turn;
    if (turned > label.maxAngle) return false;
    position += segmentLength(line, index);
    index++;
  }
  return true;
}

/** Change of direction at a vertex, from 0 to π */
function turnAt(line: FlatPoints, index: number): number {
  const angle = (from: number) =>
    Math.atan2(line[2 * from + 3]! - line[2 * from + 1]!, line[2 * from + 2]! - line[2 * from]!);
  const turn = angle(index) - angle(index - 1);
  return Math.abs(((turn + 3 * Math.PI) % (2 * Math.PI)) - Math.PI);
}

function pointOn(line: FlatPoints, segment: number, t: number): LineAnchor {
  const at = (axis: 0 | 1) => {
    const from = line[2 * segment + axis]!;
    return Math.round(from + t * (line[2 * segment + 2 + axis]! - from));
  };
  return { x: at(0), y: at(1), segment };
}

function lineLength(line: FlatPoints): number {
  let length = 0;
  for (let i = 0; 2 * i + 2 < line.length; i++) length += segmentLength(line, i);
  return length;
}

function segmentLength(line: FlatPoints, index: number): number {
  const at = 2 * index;
  return Math.hypot(line[at + 2]! - line[at]!, line[at + 3]! - line[at + 1]!);
}
