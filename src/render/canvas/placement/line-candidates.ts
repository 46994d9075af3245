/** The candidate position of a label that follows a line. Pure; in CSS pixels. */
import { clipLine } from '../../../base/spatial/clip.ts';
import type { FlatPoints, RectPx, Point } from '../../../base/spatial/flat.ts';
import { placeOnLine, type GlyphOnLine } from './glyphs-on-line.ts';
import type { Circle } from './collision.ts';
import type { FeatureText } from '../text/feature-text.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from '../text/units.ts';
import type { GlyphRun } from '../text/label.ts';
import { uprightOrigin, type ShapedPiece } from '../text/shape.ts';
import type { Candidate, PointRules } from './point-candidates.ts';
import type { SymbolPositions } from '../symbol/stance.ts';
import type { SymbolLine, UnplacedSymbol } from './layout.ts';
import { anchoredLine, type SymbolPath } from './symbol-path.ts';

export interface LineRules extends PointRules {
  /** Whether text that would be upside down runs the other way */
  keepUpright: boolean;
  /** Whether glyphs rotate with the line */
  followsLine: boolean;
  /** Labels occupy no area outside these bounds */
  bounds: RectPx;
}

/** Returns the single candidate of a label, or none if it does not fit its line. */
export function lineCandidates(
  text: FeatureText,
  symbol: UnplacedSymbol,
  symbolLine: SymbolLine,
  rules: LineRules,
  places: SymbolPositions,
): Candidate[] {
  const line = anchoredLine(symbol, symbolLine, rules, places);
  if (line === null) return [];
  const [shape] = text.shapes.values();
  const scale = (text.sizes.drawn / UNITS_PER_EM) * line.spacing;
  const offset = [text.offset[0] * scale, text.offset[1] * scale] as const;
  const glyphs = (isFlipped: boolean, pieces: readonly ShapedPiece[]) =>
    pieces.map((each) => placeOnLine(line, centerOf(each) * scale, offset, isFlipped));

  const ends = [shape!.pieces[0]!, shape!.pieces.at(-1)!];
  const [first, last] = glyphs(false, ends);
  if (first == null || last == null) return [];
  const height = Math.max(MIN_HEIGHT, shape!.bottom - shape!.top);
  const radius = ((height * text.sizes.collision) / UNITS_PER_EM / 2) * line.nearness;
  const path = line.toPicture(pathBetween(first, last));
  if (path === null) return [];
  const obstacles = circlesAlong(path, radius + rules.paddingPx, rules.bounds);
  if (obstacles.length === 0) return [];

  const runs = () => {
    let { pieces } = shape!;
    const level = direction(line, pieces.length === 1 ? null : [first, last]);
    let isFlipped = rules.keepUpright && level.x < 0;
    // On a steep line, a vertical script stands upright and reads downward.
    if (text.vertical !== null && Math.abs(level.y) > Math.abs(level.x)) {
      ({ pieces } = text.vertical);
      const [top, bottom] = glyphs(false, [pieces[0]!, pieces.at(-1)!]);
      if (top == null || bottom == null) return [];
      isFlipped = direction(line, pieces.length === 1 ? null : [top, bottom]).y < 0;
    }
    const placed = glyphs(isFlipped, pieces);
    if (!placed.every((glyph) => glyph !== null)) return [];
    const drawnScale = (text.sizes.drawn / UNITS_PER_EM) * line.scale;
    return placed.map((glyph, i) =>
      runAt(glyph, pieces[i]!, drawnScale, text.rotation, rules, line),
    );
  };
  const unpadded = obstacles.map((circle) => ({ ...circle, radius }));
  return [{ obstacles, unpadded, shift: null, scale: line.scale, runs }];
}

/** Minimum height of the occupied area, in 1/24 em */
const MIN_HEIGHT = 10;

function centerOf({ x, piece, section }: ShapedPiece): number {
  return x + (piece.advance * section.scale) / 2;
}

/** Whether the segment of the anchor runs to the left */
export function pointsBackward(line: SymbolPath): boolean {
  return direction(line, null).x < 0;
}

/** Returns the vector in the picture between two glyphs, or along the segment of the anchor. */
function direction(line: SymbolPath, ends: readonly [Point, Point] | null): Point {
  const { points, anchor, segment } = line;
  const end = 2 * segment + 2;
  const [from, to] = ends ?? [anchor, { x: points[end]!, y: points[end + 1]! }];
  const [fromX, fromY, toX, toY] = line.toPicture([from.x, from.y, to.x, to.y]) ?? [];
  return { x: toX! - fromX!, y: toY! - fromY! };
}

/** Positions a glyph, which rotates around the middle of its baseline. */
function runAt(
  glyph: GlyphOnLine,
  shaped: ShapedPiece,
  scale: number,
  rotation: number,
  { followsLine }: LineRules,
  line: SymbolPath,
): GlyphRun {
  const { piece, section, y } = shaped;
  const lineAngle = followsLine ? glyph.angle : 0;
  const start = section.isUpright
    ? uprightOrigin(shaped)
    : { x: (-piece.advance * section.scale) / 2, y: BASELINE_UNITS * section.scale };
  const left = start.x * scale;
  const down = start.y * scale;
  // First rotate the glyph around its own middle, then with the line.
  const ownX = left * Math.cos(rotation) - down * Math.sin(rotation);
  const ownY = left * Math.sin(rotation) + down * Math.cos(rotation) + y * scale;
  const ground = line.groundAt(glyph);
  const origin = ground === null ? glyph : { x: 0, y: 0 };
  return {
    text: piece.text,
    x: origin.x + ownX * Math.cos(lineAngle) - ownY * Math.sin(lineAngle),
    y: origin.y + ownX * Math.sin(lineAngle) + ownY * Math.cos(lineAngle),
    angle: lineAngle + rotation - (section.isUpright ? Math.PI / 2 : 0),
    ground,
    section,
  };
}

/** Path along the line from the middle of the first glyph to the middle of the last. */
function pathBetween(first: GlyphOnLine, last: GlyphOnLine): FlatPoints {
  const path: FlatPoints = [];
  for (let i = first.path.length - 2; i >= 2; i -= 2) path.push(first.path[i]!, first.path[i + 1]!);
  return [...path, ...last.path.slice(2)];
}

/** Returns circles, slightly apart, that cover the part of a path inside the bounds. */
function circlesAlong(path: FlatPoints, radius: number, bounds: RectPx): Circle[] {
  return clipLine(path, bounds).flatMap((piece) => {
    const distances = [0];
    for (let i = 2; i < piece.length; i += 2) {
      const step = Math.hypot(piece[i]! - piece[i - 2]!, piece[i + 1]! - piece[i - 1]!);
      distances.push(distances.at(-1)! + step);
    }
    const length = distances.at(-1)!;
    const inset = Math.min(radius / 4, length / 2);
    const between = length - 2 * inset;
    const count = length <= radius / 2 ? 1 : Math.ceil(between / (2.5 * radius)) + 1;
    return Array.from({ length: count }, (_, i) => {
      const t = i / Math.max(1, count - 1);
      return { ...pointAlong(piece, distances, inset + t * between), radius };
    });
  });
}

function pointAlong(points: FlatPoints, distances: readonly number[], distance: number) {
  let i = 1;
  while (i < distances.length - 1 && distances[i]! < distance) i++;
  const step = distances[i]! - distances[i - 1]!;
  const t = step === 0 ? 0 : (distance - distances[i - 1]!) / step;
  const at = (axis: 0 | 1) => {
    const from = points[2 * i - 2 + axis]!;
    return from + t * (points[2 * i + axis]! - from);
  };
  return { x: at(0), y: at(1) };
}
