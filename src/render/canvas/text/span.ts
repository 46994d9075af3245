/** The place of a label along a line. Pure; CSS pixels. */
import { clipLine } from '../../../spatial/clip.ts';
import type { FlatPoints, RectPx } from '../../../spatial/flat.ts';
import { placeOnLine, type AnchoredLine, type GlyphOnLine } from './along-line.ts';
import type { Circle } from './collision.ts';
import { BASELINE_UNITS, UNITS_PER_EM } from './units.ts';
import type { GlyphRun } from './label.ts';
import type { Wish } from './layout.ts';
import type { Shape, ShapedPiece } from './shape.ts';
import { onPicture, type Site } from './site.ts';

export interface SpanRules {
  paddingPx: number;
  /** Whether a text that would stand on its head runs the other way */
  keepUpright: boolean;
  /** Whether glyphs turn with the line */
  followsLine: boolean;
  /** Beyond it nothing is kept free */
  bounds: RectPx;
}

/** The one site of a label, or none where it does not fit on its line. */
export function spanAlongLine(
  { text, anchor, frame }: Wish,
  along: NonNullable<Wish['along']>,
  translate: readonly [number, number],
  rules: SpanRules,
): Site[] {
  const [shape] = text.shapes.values();
  const scale = text.sizes.drawn / UNITS_PER_EM;
  const line: AnchoredLine = {
    points: projected(along.points, (x, y) => onPicture(frame, { x, y }, translate)),
    anchor: onPicture(frame, anchor, translate),
    segment: along.segment,
  };
  const offset = [text.offset[0] * scale, text.offset[1] * scale] as const;
  const glyphs = (isFlipped: boolean, pieces: readonly ShapedPiece[]) =>
    pieces.map((each) => placeOnLine(line, middleOf(each) * scale, offset, isFlipped));

  const ends = [shape!.pieces[0]!, shape!.pieces.at(-1)!];
  const [first, last] = glyphs(false, ends);
  if (first == null || last == null) return [];
  const height = Math.max(MIN_HEIGHT, shape!.bottom - shape!.top);
  const radius = (height * text.sizes.kept) / UNITS_PER_EM / 2;
  const obstacles = circlesAlong(pathBetween(first, last), radius + rules.paddingPx, rules.bounds);
  if (obstacles.length === 0) return [];

  const runs = () => {
    const isFlipped = rules.keepUpright && runsBackward(line, shape!, first, last);
    const placed = glyphs(isFlipped, shape!.pieces);
    if (!placed.every((glyph) => glyph !== null)) return [];
    return placed.map((glyph, i) => runAt(glyph, shape!.pieces[i]!, scale, text.rotation, rules));
  };
  return [{ obstacles, inked: obstacles.map((circle) => ({ ...circle, radius })), runs }];
}

/** In 1/24 em; lower labels keep as much free. */
const MIN_HEIGHT = 10;

function middleOf({ x, piece, section }: ShapedPiece): number {
  return x + (piece.advance * section.scale) / 2;
}

function projected(
  points: FlatPoints,
  project: (x: number, y: number) => { x: number; y: number },
): FlatPoints {
  const flat: FlatPoints = [];
  for (let i = 0; i < points.length; i += 2) {
    const { x, y } = project(points[i]!, points[i + 1]!);
    flat.push(x, y);
  }
  return flat;
}

function runsBackward(
  { points, anchor, segment }: AnchoredLine,
  { pieces }: Shape,
  first: GlyphOnLine,
  last: GlyphOnLine,
): boolean {
  if (pieces.length === 1) return anchor.x > points[2 * segment + 2]!;
  return first.x > last.x;
}

/** A glyph is turned around the middle of its feet, which hang below or above the line. */
function runAt(
  glyph: GlyphOnLine,
  { piece, section, y }: ShapedPiece,
  scale: number,
  rotation: number,
  { followsLine }: SpanRules,
): GlyphRun {
  const lineAngle = followsLine ? glyph.angle : 0;
  const left = (-piece.advance * section.scale * scale) / 2;
  const down = BASELINE_UNITS * section.scale * scale;
  // Around its own middle first, then with the line.
  const ownX = left * Math.cos(rotation) - down * Math.sin(rotation);
  const ownY = left * Math.sin(rotation) + down * Math.cos(rotation) + y * scale;
  return {
    text: piece.text,
    x: glyph.x + ownX * Math.cos(lineAngle) - ownY * Math.sin(lineAngle),
    y: glyph.y + ownX * Math.sin(lineAngle) + ownY * Math.cos(lineAngle),
    angle: lineAngle + rotation,
    section,
  };
}

/** From the first glyph's middle to the last one's, along the line. */
function pathBetween(first: GlyphOnLine, last: GlyphOnLine): FlatPoints {
  const path: FlatPoints = [];
  for (let i = first.path.length - 2; i >= 2; i -= 2) path.push(first.path[i]!, first.path[i + 1]!);
  return [...path, ...last.path.slice(2)];
}

/** Circles that cover a path, slightly apart, where it lies in the bounds. */
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
