/** Labels that follow a line, letter by letter: names of roads and rivers. Pure. */
import type { FlatPoints, RectPx } from '../../../spatial/flat.ts';
import { BASELINE_BELOW_MIDDLE_EM, type GlyphRun, type MeasureEm } from './shape.ts';

export interface LineType {
  face: string;
  sizePx: number;
  letterSpacingEm: number;
  /** Moves the text off the line, downward where it reads left to right */
  offsetYEm: number;
  maxAngleDegrees: number;
  /** Whether a text that would stand on its head runs the other way */
  keepUpright: boolean;
}

export interface LineShape {
  runs: GlyphRun[];
  /** One box a letter: a bent label leaves the space beside it free */
  boxes: RectPx[];
}

/** A line with the distance along it of each of its points. */
export interface MeasuredLine {
  points: FlatPoints;
  distances: number[];
  lengthPx: number;
}

export function measureLine(points: FlatPoints): MeasuredLine {
  const distances = [0];
  for (let i = 2; i < points.length; i += 2) {
    const step = Math.hypot(points[i]! - points[i - 2]!, points[i + 1]! - points[i - 1]!);
    distances.push(distances.at(-1)! + step);
  }
  return { points, distances, lengthPx: distances.at(-1)! };
}

/** Middles of the labels along a line, `spacingPx` apart and clear of its ends. */
export function labelMiddles(lengthPx: number, labelPx: number, spacingPx: number): number[] {
  if (lengthPx < labelPx) return [];
  // MapLibre keeps a quarter of the spacing free between long labels.
  const step = Math.max(spacingPx, labelPx + spacingPx / 4);
  const count = Math.max(1, Math.floor(lengthPx / step));
  return Array.from({ length: count }, (_, i) => ((i + 0.5) * lengthPx) / count);
}

/** The text centred at a distance along the line; null where the line bends too much for it. */
export function shapeAlongLine(
  text: string,
  line: MeasuredLine,
  middlePx: number,
  type: LineType,
  measure: MeasureEm,
): LineShape | null {
  const letters = [...text];
  // Ends of the letters from the widths of growing beginnings, so that kerning counts.
  const ends = letters.map(
    (_, i) =>
      (measure(letters.slice(0, i + 1).join(''), type.face) + (i + 1) * type.letterSpacingEm) *
      type.sizePx,
  );
  const width = ends.at(-1)!;
  const start = middlePx - width / 2;
  if (start < 0 || start + width > line.lengthPx) return null;

  const [x0] = pointAlong(line, start);
  const [x1] = pointAlong(line, start + width);
  const isForward = x1 >= x0 || !type.keepUpright;
  const at = (distance: number) =>
    pointAlong(line, isForward ? start + distance : start + width - distance);

  const runs: GlyphRun[] = [];
  const boxes: RectPx[] = [];
  // The middle of the letters runs along the line, or beside it at the offset.
  const drop = (type.offsetYEm + BASELINE_BELOW_MIDDLE_EM) * type.sizePx;
  const half = (type.sizePx * 1.2) / 2;
  for (const [i, letter] of letters.entries()) {
    const [fromX, fromY] = at(ends[i - 1] ?? 0);
    const [toX, toY] = at(ends[i]!);
    const angle = Math.atan2(toY - fromY, toX - fromX);
    const before = runs.at(-1);
    if (before !== undefined && turnDegrees(before.angle, angle) > type.maxAngleDegrees)
      return null;
    runs.push({
      text: letter,
      x: fromX - Math.sin(angle) * drop,
      y: fromY + Math.cos(angle) * drop,
      angle,
    });
    const x = (fromX + toX) / 2 - Math.sin(angle) * type.offsetYEm * type.sizePx;
    const y = (fromY + toY) / 2 + Math.cos(angle) * type.offsetYEm * type.sizePx;
    boxes.push({ minX: x - half, minY: y - half, maxX: x + half, maxY: y + half });
  }
  return { runs, boxes };
}

export function pointAlong(
  { points, distances }: MeasuredLine,
  distancePx: number,
): [number, number] {
  let i = 1;
  while (i < distances.length - 1 && distances[i]! < distancePx) i++;
  const from = distances[i - 1]!;
  const step = distances[i]! - from;
  const t = step === 0 ? 0 : (distancePx - from) / step;
  const x = points[2 * i - 2]!;
  const y = points[2 * i - 1]!;
  return [x + t * (points[2 * i]! - x), y + t * (points[2 * i + 1]! - y)];
}

function turnDegrees(a: number, b: number): number {
  const turn = (Math.abs(a - b) * 180) / Math.PI;
  return Math.min(turn, 360 - turn);
}

/** Joins lines that continue one another, so that a name runs across the pieces of its road. */
export function joinLines(lines: readonly FlatPoints[]): FlatPoints[] {
  const joined = new Set<FlatPoints>();
  const byStart = new Map<string, FlatPoints>();
  const byEnd = new Map<string, FlatPoints>();
  for (const line of lines) {
    let whole = line;
    // `delete` tells whether the neighbour still stands by itself.
    const before = byEnd.get(startOf(whole));
    if (before !== undefined && joined.delete(before)) whole = [...before, ...whole.slice(2)];
    const after = byStart.get(endOf(whole));
    if (after !== undefined && joined.delete(after)) whole = [...whole, ...after.slice(2)];
    joined.add(whole);
    byStart.set(startOf(whole), whole);
    byEnd.set(endOf(whole), whole);
  }
  return [...joined];
}

const startOf = (line: FlatPoints) => `${line[0]},${line[1]}`;
const endOf = (line: FlatPoints) => `${line.at(-2)},${line.at(-1)}`;
