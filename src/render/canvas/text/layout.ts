/** Lays out the labels of a symbol layer, tile by tile, before placement. Pure. */
import { polygonsOf, type FlatPoints } from '../../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../spatial/mercator.ts';
import type { ReadProperty } from '../property-values.ts';
import {
  anchorsAlong,
  clipLinesToTile,
  middleAnchor,
  type LabelExtent,
  type LineAnchor,
} from './anchors.ts';
import type { FaceOf } from './label.ts';
import { UNITS_PER_EM } from './units.ts';
import { mergeLines } from './merge-lines.ts';
import { polygonAnchor } from './polygon-anchor.ts';
import { textReader, type FeatureText } from './feature-text.ts';
import type { TileFrame } from './label-tiles.ts';
import type { SymbolLayer, UnplacedSymbol } from './symbol.ts';
import { TILE_EXTENT, type TileFeature } from '../tile-features.ts';

/**
 * Returns the labels of a layer, in the order of their tiles and features.
 *
 * @throws UnsupportedStyleError
 */
export function layOutLabels(layer: SymbolLayer, faceOf: FaceOf): UnplacedSymbol[] {
  const read = layer.readLayout;
  const textOf = textReader(layer, faceOf);
  const sortKey = read<number | undefined>('symbol-sort-key');
  const anchorsOf = anchorFinder(read);
  const isMerged = read<string>('symbol-placement')() === 'line';
  // Points in the margin belong to neighboring tiles.
  const isRelevant = ({ style, parts }: TileFeature) =>
    style.type !== 'Point' || parts.some(([x, y]) => isInTile({ x: x!, y: y! }));

  const tiles = layer.tiles.toSorted((a, b) => a.frame.x - b.frame.x || a.frame.y - b.frame.y);
  return tiles.flatMap(({ frame, features }) => {
    const namedFeatures = features.flatMap((feature, ordinal) => {
      const text = isRelevant(feature) ? textOf(feature.style) : null;
      if (text === null) return [];
      return [{ feature, ordinal, text, sortKey: sortKey(feature.style) ?? 0 }];
    });
    const orderedFeatures = (isMerged ? mergeFeatureLines(namedFeatures) : namedFeatures).toSorted(
      (a, b) => a.sortKey - b.sortKey,
    );
    const repeats = new Map<string, LineAnchor[]>();
    return orderedFeatures.flatMap(({ feature, ...rest }) =>
      anchorsOf(feature, rest.text, frame, repeats)
        .filter(({ anchor }) => isInTile(anchor))
        .map((place) => ({ frame, ...rest, ...place })),
    );
  });
}

interface NamedFeature {
  feature: TileFeature;
  ordinal: number;
  sortKey: number;
  text: FeatureText;
}

/** Merges the first line of each feature with others of the same name, as MapLibre does. */
function mergeFeatureLines(features: readonly NamedFeature[]): NamedFeature[] {
  const pieces = features.map((each) => ({
    name: each.text.label.text,
    feature: each,
    points: each.feature.parts[0]!,
  }));
  return mergeLines(pieces).map(({ feature: each, points }) => ({
    ...each,
    feature: { ...each.feature, parts: [points, ...each.feature.parts.slice(1)] },
  }));
}

function isInTile({ x, y }: { x: number; y: number }): boolean {
  return x >= 0 && x < TILE_EXTENT && y >= 0 && y < TILE_EXTENT;
}

type AnchorsOf = (
  feature: TileFeature,
  text: FeatureText,
  frame: TileFrame,
  /** Anchors used in the tile so far, by text */
  repeats: Map<string, LineAnchor[]>,
) => Pick<UnplacedSymbol, 'anchor' | 'line'>[];

function anchorFinder(read: ReadProperty): AnchorsOf {
  const placement = read<'point' | 'line' | 'line-center'>('symbol-placement')();
  if (placement === 'point') {
    return (feature) => pointAnchors(feature).map(([x, y]) => ({ anchor: { x, y }, line: null }));
  }
  const isAlong = read<string>('text-rotation-alignment')() !== 'viewport';
  const spacing = read<number>('symbol-spacing')();
  const maxAngle = (read<number>('text-max-angle')() * Math.PI) / 180;
  return ({ style, parts }, text, frame, repeats) => {
    const unitsPerPx = TILE_EXTENT / (TILE_SIZE_PX * frame.overscaling);
    const [shape] = text.shapes.values();
    const label: LabelExtent = {
      width: shape!.right - shape!.left,
      scale: (text.sizes.anchorPx / UNITS_PER_EM) * unitsPerPx,
      maxAngle,
    };
    const lines = style.type === 'Polygon' ? parts.map(closeRing) : parts;
    const labelAt = (points: FlatPoints, anchor: LineAnchor) => ({
      anchor,
      line: isAlong ? { points, segment: anchor.segment } : null,
    });
    if (placement === 'line-center') {
      return lines.flatMap((line) => {
        const anchor = line.length > 2 ? middleAnchor(line, label) : null;
        return anchor === null ? [] : [labelAt(line, anchor)];
      });
    }
    const step = spacing * unitsPerPx;
    return clipLinesToTile(lines).flatMap((line) =>
      anchorsAlong(line, step, label, frame.overscaling)
        .filter((anchor) => addIfFar(repeats, text.label.text, anchor, step / 2))
        .map((anchor) => labelAt(line, anchor)),
    );
  };
}

/** Anchors a point at itself, a line at its start, and a polygon at its most spacious point. */
function pointAnchors({ style, parts }: TileFeature): (readonly [number, number])[] {
  if (style.type === 'Polygon') return polygonsOf(parts).map(polygonAnchor);
  return parts.map(([x, y]) => [x!, y!] as const);
}

function closeRing(ring: FlatPoints): FlatPoints {
  return [...ring, ring[0]!, ring[1]!];
}

/** Records an anchor unless the same text already has one closer than `distance`. */
function addIfFar(
  repeats: Map<string, LineAnchor[]>,
  text: string,
  anchor: LineAnchor,
  distance: number,
): boolean {
  const others = repeats.get(text) ?? [];
  if (others.some(({ x, y }) => Math.hypot(x - anchor.x, y - anchor.y) < distance)) return false;
  repeats.set(text, [...others, anchor]);
  return true;
}
