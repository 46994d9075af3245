/** Lays out the symbols of a layer, tile by tile, before placement. Pure. */
import { polygonsOf, type FlatPoints } from '../../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../spatial/mercator.ts';
import type { View3 } from '../../../spatial/view.ts';
import { iconReader, type FeatureIcon } from '../icon/feature-icon.ts';
import type { IconDrawing } from '../icon/placed-icon.ts';
import type { Images } from '../images.ts';
import { tileZoomOf, type ReadProperty } from '../style/property-values.ts';
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
import { symbolSizes } from './sizes.ts';
import { stanceOf } from './stance.ts';
import type { SymbolLayer, UnplacedSymbol } from './symbol.ts';
import { TILE_EXTENT, type TileFeature } from '../sources/tile-features.ts';

/** The parts of symbols. */
export interface SymbolParts {
  view: View3;
  faceOf: FaceOf;
  images: Images;
  /** Device pixels per CSS pixel */
  pixelRatio: number;
}

/** Returns the symbols of a layer, in the order of their tiles and features. @throws UnsupportedStyleError */
export type SymbolsOf = (layer: SymbolLayer) => readonly UnplacedSymbol[];

/** Returns a function that lays out each layer when it is first asked for its symbols. */
export function layOutOnce(parts: SymbolParts): SymbolsOf {
  const laidOut = new Map<SymbolLayer, readonly UnplacedSymbol[]>();
  return (layer) => {
    const symbols = laidOut.get(layer) ?? layOutSymbols(layer, parts);
    laidOut.set(layer, symbols);
    return symbols;
  };
}

function layOutSymbols(layer: SymbolLayer, parts: SymbolParts): UnplacedSymbol[] {
  const read = layer.readLayout;
  const textOf = textReader(layer, parts);
  const iconOf = iconReader(layer, parts.images);
  const anchorSize = symbolSizes(layer.compiled, 'text-size', layer.zoom, tileZoomOf(layer.zoom));
  const sortKey = read<number | undefined>('symbol-sort-key');
  const anchorsOf = anchorFinder(read);
  const isMerged = read<string>('symbol-placement')() === 'line';
  // Points in the margin belong to neighboring tiles.
  const isRelevant = ({ style, parts }: TileFeature) =>
    style.type !== 'Point' || parts.some(([x, y]) => isInTile({ x: x!, y: y! }));

  const tiles = layer.tiles.toSorted(
    ({ frame: a }, { frame: b }) => b.z - a.z || a.x - b.x || a.y - b.y,
  );
  return tiles.flatMap(({ frame, features }) => {
    const symbols = features.flatMap((feature, ordinal): SymbolOfFeature[] => {
      if (!isRelevant(feature)) return [];
      const text = textOf(feature.style);
      const icon = iconOf(feature.style, text);
      if (text === null && icon === null) return [];
      const anchorPx = text?.sizes.anchor ?? anchorSize(feature.style).anchor;
      return [{ feature, ordinal, text, icon, anchorPx, sortKey: sortKey(feature.style) ?? 0 }];
    });
    const ordered = (isMerged ? mergeSymbolLines(symbols) : symbols).toSorted(
      (a, b) => a.sortKey - b.sortKey,
    );
    const iconDrawing = drawingOf(ordered, layer, parts);
    const repeats = new Map<string, LineAnchor[]>();
    return ordered.flatMap((symbol) => {
      const { feature, anchorPx: _, ...rest } = symbol;
      return anchorsOf(symbol, frame, repeats)
        .filter(({ anchor }) => isInTile(anchor))
        .map((place) => ({ feature: feature.style, frame, iconDrawing, ...rest, ...place }));
    });
  });
}

interface SymbolOfFeature {
  feature: TileFeature;
  ordinal: number;
  sortKey: number;
  text: FeatureText | null;
  icon: FeatureIcon | null;
  /** Text size that determines anchors along lines, for icons too */
  anchorPx: number;
}

/** The first icon of a tile determines whether all are drawn as distance fields. */
function drawingOf(
  symbols: readonly SymbolOfFeature[],
  layer: SymbolLayer,
  { pixelRatio, view }: SymbolParts,
): IconDrawing {
  const { compiled, readLayout } = layer;
  const icons = symbols.flatMap(({ icon }) => icon ?? []);
  const isAlways = (name: string, value: number) => {
    const { kind } = compiled.properties.get(name)!;
    return (kind === 'constant' || kind === 'camera') && readLayout<number>(name)() === value;
  };
  return {
    sdf: icons[0]?.image.sdf ?? false,
    smooth:
      stanceOf(layer, 'icon').lies ||
      view.pitch > 0 ||
      !isAlways('icon-size', 1) ||
      !isAlways('icon-rotate', 0) ||
      icons.some(({ image }) => image.pixelRatio !== pixelRatio),
  };
}

/** Merges the first line of each feature with others of the same name, as MapLibre does. */
function mergeSymbolLines(symbols: readonly SymbolOfFeature[]): SymbolOfFeature[] {
  const pieces = symbols.map((each) => ({
    name: each.text?.label.text ?? null,
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
  symbol: SymbolOfFeature,
  frame: TileFrame,
  /** Anchors used in the tile so far, by text */
  repeats: Map<string, LineAnchor[]>,
) => Pick<UnplacedSymbol, 'anchor' | 'line'>[];

function anchorFinder(read: ReadProperty): AnchorsOf {
  const placement = read<'point' | 'line' | 'line-center'>('symbol-placement')();
  if (placement === 'point') {
    return ({ feature }) =>
      pointAnchors(feature).map(([x, y]) => ({ anchor: { x, y }, line: null }));
  }
  const spacing = read<number>('symbol-spacing')();
  const maxAngle = (read<number>('text-max-angle')() * Math.PI) / 180;
  return ({ feature: { style, parts }, text, icon, anchorPx }, frame, repeats) => {
    const unitsPerPx = TILE_EXTENT / (TILE_SIZE_PX * frame.overscaling);
    const [levelShape] = text?.shapes.values() ?? [];
    const shape = text?.vertical ?? levelShape;
    const label: LabelExtent = {
      width: Math.max(widthOf(shape), widthOf(icon?.shape)),
      scale: (anchorPx / UNITS_PER_EM) * unitsPerPx,
      // An icon without text may bend.
      maxAngle: text === null ? Infinity : maxAngle,
    };
    const lines = style.type === 'Polygon' ? parts.map(closeRing) : parts;
    const labelAt = (points: FlatPoints, anchor: LineAnchor) => ({
      anchor,
      line: { points, segment: anchor.segment },
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
        .filter((anchor) => text === null || addIfFar(repeats, text.label.text, anchor, step / 2))
        .map((anchor) => labelAt(line, anchor)),
    );
  };
}

function widthOf(shape: { left: number; right: number } | undefined): number {
  return shape === undefined ? 0 : shape.right - shape.left;
}

/** Anchors a point at itself, a line at its start, and a polygon at its most spacious point. */
function pointAnchors({ style, parts }: TileFeature): (readonly [number, number])[] {
  if (style.type === 'Polygon') return polygonsOf(parts).map(polygonAnchor);
  return parts.map(([x, y]) => [x!, y!] as const);
}

function closeRing(ring: FlatPoints): FlatPoints {
  return [...ring, ring[0]!, ring[1]!];
}

/** Records an anchor, unless one of the same text is closer than `distance`. */
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
