/**
 * Which labels show, and where. Pure: layers, features and a way to measure text in, placed labels
 * out. As in MapLibre the upper layers choose first, within a layer the lower sort keys.
 */
import { clipRing } from '../../../spatial/clip.ts';
import { rectContains, type FlatPoints, type RectPx } from '../../../spatial/flat.ts';
import { labelPoint } from '../../../spatial/label-point.ts';
import { UnsupportedStyleError } from '../../errors.ts';
import type { ScreenFeature } from '../screen-feature.ts';
import type { ReadProperty } from '../values.ts';
import {
  joinLines,
  labelMiddles,
  measureLine,
  pointAlong,
  shapeAlongLine,
  type MeasuredLine,
} from './along-line.ts';
import { candidatesOf, type Candidate, type PlacedLabel, type SymbolLayer } from './candidates.ts';
import { CollisionGrid } from './collision.ts';
import { positionsOf } from './positions.ts';
import { wrap } from './sections.ts';
import { shapeAtPoint, turned, widthPx, type Anchor, type MeasureEm } from './shape.ts';

/** The labels of each layer, in the order of the layers. */
export function placeLabels(
  layers: readonly SymbolLayer[],
  picture: RectPx,
  reserved: readonly RectPx[],
  measure: MeasureEm,
): PlacedLabel[][] {
  const placement: Placement = { picture, taken: new CollisionGrid(), measure };
  for (const box of reserved) placement.taken.add(box);
  return layers
    .toReversed()
    .map((layer) => placeLayer(layer, placement))
    .toReversed();
}

interface Placement {
  picture: RectPx;
  taken: CollisionGrid;
  measure: MeasureEm;
}

function placeLayer(layer: SymbolLayer, placement: Placement): PlacedLabel[] {
  const { readLayout } = layer;
  const sortKey = readLayout<number | undefined>('symbol-sort-key');
  const candidates = candidatesOf(layer)
    .map((candidate) => ({ candidate, key: sortKey(candidate.feature.style) ?? 0 }))
    .sort((a, b) => a.key - b.key)
    .map(({ candidate }) => candidate);

  const rules = overlapRules(readLayout);
  return readLayout<string>('symbol-placement')() === 'point'
    ? placeAtPoints(candidates, layer, rules, placement)
    : placeAlongLines(candidates, layer, rules, placement);
}

interface OverlapRules {
  paddingPx: number;
  mayOverlap: boolean;
  takesRoom: boolean;
}

function overlapRules(read: ReadProperty): OverlapRules {
  const overlap = read<string | undefined>('text-overlap')();
  return {
    paddingPx: read<number>('text-padding')(),
    mayOverlap:
      overlap === undefined ? read<boolean>('text-allow-overlap')() : overlap === 'always',
    takesRoom: !read<boolean>('text-ignore-placement')(),
  };
}

/**
 * Takes the boxes for a label if it may stand there. A label that the picture's edge would cut is
 * left out: unlike a map on a screen, a picture cannot be moved to read it.
 */
function take(boxes: readonly RectPx[], rules: OverlapRules, placement: Placement): boolean {
  if (!boxes.every((box) => rectContains(placement.picture, box))) return false;
  const padded = boxes.map((box) => grow(box, rules.paddingPx));
  if (!rules.mayOverlap && !padded.every((box) => placement.taken.isFree(box))) return false;
  if (rules.takesRoom) for (const box of padded) placement.taken.add(box);
  return true;
}

function grow(box: RectPx, byPx: number): RectPx {
  return {
    minX: box.minX - byPx,
    minY: box.minY - byPx,
    maxX: box.maxX + byPx,
    maxY: box.maxY + byPx,
  };
}

function placeAtPoints(
  candidates: readonly Candidate[],
  { path, readLayout: read }: SymbolLayer,
  rules: OverlapRules,
  placement: Placement,
): PlacedLabel[] {
  const positionsAround = positionsOf(read);
  const rotation = read<number>('text-rotate');
  const placed: PlacedLabel[] = [];
  for (const { feature, sections, type, label } of candidates) {
    const lines = wrap(sections, type, placement.measure);
    const positions = positionsAround(feature.style);
    const degrees = rotation(feature.style);
    // MapLibre turns such a label around its own middle and then moves it.
    if (degrees !== 0 && positions.length > 1) refuseRotation(path, 'with variable anchors');
    for (const point of labelPoints(feature, placement.picture)) {
      for (const { anchor, offsetEm } of positions) {
        const level = shapeAtPoint(lines, type, anchor, offsetEm, point, placement.measure);
        const shape = degrees === 0 ? level : turned(level, point, degrees);
        if (!take([shape.box], rules, placement)) continue;
        placed.push({ ...label, runs: shape.runs });
        break;
      }
    }
  }
  return placed;
}

function refuseRotation(path: string, where: string): never {
  throw new UnsupportedStyleError(`${path}.layout.text-rotate`, `is not drawn ${where}`);
}

/** Half a pixel decides nothing about a label. */
const POLE_PRECISION_PX = 0.5;

/** Points themselves, the start of each line, the roomiest place of each polygon's visible part. */
function labelPoints(feature: ScreenFeature, picture: RectPx): [number, number][] {
  const points: [number, number][] = [];
  for (let i = 0; i < feature.points.length; i += 2) {
    points.push([feature.points[i]!, feature.points[i + 1]!]);
  }
  for (const line of feature.lines) points.push([line[0]!, line[1]!]);
  for (const polygon of feature.polygons) {
    const rings = polygon.map((ring) => clipRing(ring, picture)).filter((ring) => ring.length > 0);
    if (rings.length === 0) continue;
    const { x, y } = labelPoint(rings, POLE_PRECISION_PX);
    points.push([x, y]);
  }
  return points;
}

function placeAlongLines(
  candidates: readonly Candidate[],
  { path, readLayout: read }: SymbolLayer,
  rules: OverlapRules,
  placement: Placement,
): PlacedLabel[] {
  const { measure } = placement;
  const isCentered = read<string>('symbol-placement')() === 'line-center';
  const isLevel = read<string>('text-rotation-alignment')() === 'viewport';
  const keepUpright = read<boolean>('text-keep-upright')();
  const rotation = read<number>('text-rotate');
  const anchor = read<Anchor>('text-anchor');
  const spacingPx = read<number>('symbol-spacing')();
  const maxAngleDegrees = read<number>('text-max-angle')();
  const offset = read<[number, number]>('text-offset');
  const placed: PlacedLabel[] = [];
  const named = isCentered ? linesApart(candidates) : linesByText(candidates);
  for (const { candidate, lines } of named) {
    const { text, sections, type, label, feature } = candidate;
    if (isFormatted(candidate)) {
      const place = `${path}.layout.text-field`;
      throw new UnsupportedStyleError(place, 'is drawn in one format only along lines');
    }
    if (rotation(feature.style) !== 0) refuseRotation(path, 'along lines');
    const offsetEm = offset(feature.style);
    const lineType = { ...type, offsetYEm: offsetEm[1], maxAngleDegrees, keepUpright };
    const labelPx = widthPx(text, type, measure);
    const levelAt = (point: readonly [number, number]) => {
      const { style } = feature;
      const shape = shapeAtPoint([sections], type, anchor(style), offsetEm, point, measure);
      return { runs: shape.runs, boxes: [shape.box] };
    };
    for (const line of lines) {
      const middles = isCentered
        ? [line.lengthPx / 2]
        : labelMiddles(line.lengthPx, labelPx, spacingPx);
      for (const middle of middles) {
        const along = shapeAlongLine(text, line, middle, lineType, measure);
        if (along === null) continue;
        const shape = isLevel ? levelAt(pointAlong(line, middle)) : along;
        if (!take(shape.boxes, rules, placement)) continue;
        // Letter by letter, the spacing is in their places.
        const letterSpacingPx = isLevel ? label.letterSpacingPx : 0;
        placed.push({ ...label, letterSpacingPx, runs: shape.runs });
      }
    }
  }
  return placed;
}

function isFormatted({ sections, type }: Candidate): boolean {
  return sections.some(({ face, scale, ink }) => face !== type.face || scale !== 1 || ink !== null);
}

interface CandidateLines {
  candidate: Candidate;
  lines: MeasuredLine[];
}

/** Each line by itself, however long its name. */
function linesApart(candidates: readonly Candidate[]): CandidateLines[] {
  return candidates.map((candidate) => ({
    candidate,
    lines: linesOf(candidate.feature).map(measureLine),
  }));
}

/** Lines with the same text joined where they meet; the first candidate speaks for all. */
function linesByText(candidates: readonly Candidate[]): CandidateLines[] {
  const groups = new Map<string, { candidate: Candidate; lines: FlatPoints[] }>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.text) ?? { candidate, lines: [] };
    group.lines.push(...linesOf(candidate.feature));
    groups.set(candidate.text, group);
  }
  return [...groups.values()].map(({ candidate, lines }) => ({
    candidate,
    lines: joinLines(lines).map(measureLine),
  }));
}

function linesOf({ lines, polygons }: ScreenFeature): FlatPoints[] {
  const rings = polygons.flat().map((ring) => [...ring, ring[0]!, ring[1]!]);
  return [...lines, ...rings];
}
