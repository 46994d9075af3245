/**
 * Which labels show, and where. Pure: layers, features and a way to measure text in, placed labels
 * out. As in MapLibre the upper layers choose first, within a layer the lower sort keys.
 */
import { clipRing } from '../../../spatial/clip.ts';
import { rectContains, type FlatPoints, type RectPx } from '../../../spatial/flat.ts';
import { labelPoint } from '../../../spatial/label-point.ts';
import type { ScreenFeature } from '../screen-feature.ts';
import type { ReadProperty, StyleFeature } from '../values.ts';
import {
  joinLines,
  labelMiddles,
  measureLine,
  shapeAlongLine,
  type MeasuredLine,
} from './along-line.ts';
import { candidatesOf, type Candidate, type PlacedLabel, type SymbolLayer } from './candidates.ts';
import { CollisionGrid } from './collision.ts';
import {
  directedOffset,
  radialOffset,
  shapeAtPoint,
  widthPx,
  wrap,
  type Anchor,
  type MeasureEm,
} from './shape.ts';

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
  return readLayout<string>('symbol-placement')() === 'line'
    ? placeAlongLines(candidates, readLayout, rules, placement)
    : placeAtPoints(candidates, readLayout, rules, placement);
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
  read: ReadProperty,
  rules: OverlapRules,
  placement: Placement,
): PlacedLabel[] {
  const positionsOf = anchorsAndOffsets(read);
  const placed: PlacedLabel[] = [];
  for (const { feature, text, type, label } of candidates) {
    const lines = wrap(text, type, placement.measure);
    const positions = positionsOf(feature.style);
    for (const point of labelPoints(feature, placement.picture)) {
      for (const { anchor, offsetEm } of positions) {
        const shape = shapeAtPoint(lines, type, anchor, offsetEm, point, placement.measure);
        if (!take([shape.box], rules, placement)) continue;
        placed.push({ ...label, runs: shape.runs });
        break;
      }
    }
  }
  return placed;
}

interface Position {
  anchor: Anchor;
  offsetEm: readonly [number, number];
}

/** Where a label may stand around its point, best first. */
function anchorsAndOffsets(read: ReadProperty): (feature: StyleFeature) => Position[] {
  const variable = read<Anchor[] | undefined>('text-variable-anchor')();
  const anchor = read<Anchor>('text-anchor');
  const offset = read<[number, number]>('text-offset');
  const radial = read<number>('text-radial-offset');
  return (feature) => {
    const distance = radial(feature);
    const anchors = variable ?? [anchor(feature)];
    return anchors.map((anchor) => {
      if (distance !== 0) return { anchor, offsetEm: radialOffset(anchor, distance) };
      const given = offset(feature);
      return { anchor, offsetEm: variable === undefined ? given : directedOffset(anchor, given) };
    });
  };
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
  read: ReadProperty,
  rules: OverlapRules,
  placement: Placement,
): PlacedLabel[] {
  const spacingPx = read<number>('symbol-spacing')();
  const maxAngleDegrees = read<number>('text-max-angle')();
  const offset = read<[number, number]>('text-offset');
  const placed: PlacedLabel[] = [];
  for (const { candidate, lines } of linesByText(candidates)) {
    const { text, type, label, feature } = candidate;
    const lineType = { ...type, offsetYEm: offset(feature.style)[1], maxAngleDegrees };
    const labelPx = widthPx(text, type, placement.measure);
    for (const line of lines) {
      for (const middle of labelMiddles(line.lengthPx, labelPx, spacingPx)) {
        const shape = shapeAlongLine(text, line, middle, lineType, placement.measure);
        if (shape === null || !take(shape.boxes, rules, placement)) continue;
        placed.push({ ...label, letterSpacingPx: 0, runs: shape.runs });
      }
    }
  }
  return placed;
}

/** Lines with the same text joined where they meet; the first candidate speaks for all. */
function linesByText(
  candidates: readonly Candidate[],
): { candidate: Candidate; lines: MeasuredLine[] }[] {
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
