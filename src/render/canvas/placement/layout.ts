/**
 * Lays out the symbols of a layer, tile by tile, before placement. A symbol is placed or left out as a whole.
 * Pure.
 */
import { polygonsOf, type FlatPoints } from '../../../base/spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../base/spatial/mercator.ts';
import { iconReader, type FeatureIcon } from '../icon/feature-icon.ts';
import type { IconDrawing } from '../icon/placed-icon.ts';
import { tileZoomOf, type Value } from '../style/property-values.ts';
import {
  anchorsAlong,
  clipLinesToTile,
  middleAnchor,
  type LabelExtent,
  type LineAnchor,
} from './anchors.ts';
import { IMAGE_LETTER } from '../text/image-face.ts';
import { UNITS_PER_EM } from '../text/units.ts';
import { mergeLines } from './merge-lines.ts';
import { polygonAnchor } from './polygon-anchor.ts';
import { textReader, type FeatureText, type TextParts } from '../text/feature-text.ts';
import type { LabelTile, SymbolLayer, TileFrame } from '../symbol/label-tiles.ts';
import { symbolSizes } from '../symbol/sizes.ts';
import { stanceOf } from '../symbol/stance.ts';
import { TILE_EXTENT, type StyleFeature } from '../style/style-feature.ts';
import type { TileFeature } from '../sources/tiled-source.ts';

/** A symbol before placement, at a point or along a line. It has a text, an icon, or both. */
export interface UnplacedSymbol {
  feature: StyleFeature;
  frame: TileFrame;
  /** Position of its feature in the tile */
  ordinal: number;
  sortKey: number;
  /** In whole tile units */
  anchor: { x: number; y: number };
  text: FeatureText | null;
  icon: FeatureIcon | null;
  iconDrawing: IconDrawing;
  /** Whether a text of its tile has images among its letters */
  amongImages: boolean;
  /** The line on which it is placed, and the segment of its anchor; null for a symbol at a point */
  line: SymbolLine | null;
}

export interface SymbolLine {
  points: FlatPoints;
  segment: number;
}

/** Parts of a scene that symbols depend on */
interface SymbolParts extends TextParts {
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
  const tiles = layer.tiles.toSorted(
    ({ frame: a }, { frame: b }) => b.z - a.z || a.x - b.x || a.y - b.y,
  );
  const layout = new LayerLayout(layer, parts);
  const symbols: UnplacedSymbol[] = [];
  for (const tile of tiles) layout.add(tile, symbols);
  return symbols;
}

/**
 * Lays out the symbols of a layer. Its steps are methods, because V8 compiles functions that are created for a
 * picture again and again: it forgets their code with them. Objects are written out, because spreading a second
 * one into the same literal calls V8's runtime for each property.
 */
class LayerLayout {
  private readonly layer: SymbolLayer;
  private readonly parts: SymbolParts;
  private readonly textOf: ReturnType<typeof textReader>;
  private readonly iconOf: ReturnType<typeof iconReader>;
  private readonly anchorSize: ReturnType<typeof symbolSizes>;
  private readonly sortKey: Value<number | undefined>;
  private readonly placement: Placement;
  private readonly spacing: number;
  /** In radians */
  private readonly maxAngle: number;

  constructor(layer: SymbolLayer, parts: SymbolParts) {
    const { compiled, zoom, readLayout: read } = layer;
    this.layer = layer;
    this.parts = parts;
    this.textOf = textReader(layer, parts);
    this.iconOf = iconReader(layer, parts.images);
    this.anchorSize = symbolSizes(compiled, 'text-size', zoom, tileZoomOf(zoom));
    this.sortKey = read<number | undefined>('symbol-sort-key');
    this.placement = read<Placement>('symbol-placement')();
    this.spacing = read<number>('symbol-spacing')();
    this.maxAngle = (read<number>('text-max-angle')() * Math.PI) / 180;
  }

  /** Adds the symbols of a tile, in the order of their keys and features. */
  add({ frame, features }: LabelTile, symbols: UnplacedSymbol[]): void {
    const found: SymbolOfFeature[] = [];
    for (let i = 0; i < features.length; i++) {
      const symbol = this.symbolOf(features[i]!, i);
      if (symbol !== null) found.push(symbol);
    }
    if (found.length === 0) return;
    const ordered = sortSymbols(this.placement === 'line' ? mergeSymbolLines(found) : found);
    const iconDrawing = drawingOf(ordered, this.layer, this.parts);
    const amongImages = ordered.some(({ text }) => text?.label.text.includes(IMAGE_LETTER));
    const repeats: Repeats = new Map();
    for (const symbol of ordered) {
      const { feature, ordinal, sortKey, text, icon } = symbol;
      for (const { anchor, line } of this.anchorsOf(symbol, frame, repeats)) {
        if (!isInTile(anchor)) continue;
        symbols.push({
          feature: feature.style,
          frame,
          iconDrawing,
          amongImages,
          ordinal,
          sortKey,
          text,
          icon,
          anchor,
          line,
        });
      }
    }
  }

  /** Returns null for a feature without text and icon. */
  private symbolOf(feature: TileFeature, ordinal: number): SymbolOfFeature | null {
    const { style } = feature;
    if (!isRelevant(feature)) return null;
    const text = this.textOf(style);
    const icon = this.iconOf(style, text);
    if (text === null && icon === null) return null;
    const anchorPx = text?.sizes.anchor ?? this.anchorSize(style).anchor;
    return { feature, ordinal, text, icon, anchorPx, sortKey: this.sortKey(style) ?? 0 };
  }

  private anchorsOf(symbol: SymbolOfFeature, frame: TileFrame, repeats: Repeats): SymbolAnchor[] {
    const { feature, text } = symbol;
    if (this.placement === 'point') return pointAnchors(feature);
    const unitsPerPx = TILE_EXTENT / (TILE_SIZE_PX * frame.overscaling);
    const label = this.extentOf(symbol, unitsPerPx);
    const { style, parts } = feature;
    const lines = style.type === 'Polygon' ? parts.map(closeRing) : parts;
    const anchors: SymbolAnchor[] = [];
    if (this.placement === 'line-center') {
      for (const line of lines) {
        const anchor = line.length > 2 ? middleAnchor(line, label) : null;
        if (anchor !== null) anchors.push(anchorOn(line, anchor));
      }
      return anchors;
    }
    const step = this.spacing * unitsPerPx;
    for (const line of clipLinesToTile(lines)) {
      for (const anchor of anchorsAlong(line, step, label, frame.overscaling)) {
        if (text === null || addIfFar(repeats, text.label.text, anchor, step / 2))
          anchors.push(anchorOn(line, anchor));
      }
    }
    return anchors;
  }

  private extentOf({ text, icon, anchorPx }: SymbolOfFeature, unitsPerPx: number): LabelExtent {
    const [levelShape] = text?.shapes.values() ?? [];
    const shape = text?.vertical ?? levelShape;
    return {
      width: Math.max(widthOf(shape), widthOf(icon?.shape)),
      scale: (anchorPx / UNITS_PER_EM) * unitsPerPx,
      // An icon without text may bend.
      maxAngle: text === null ? Infinity : this.maxAngle,
    };
  }
}

type Placement = 'point' | 'line' | 'line-center';
type SymbolAnchor = Pick<UnplacedSymbol, 'anchor' | 'line'>;
/** Anchors used in a tile so far, by text */
type Repeats = Map<string, LineAnchor[]>;

/** Points in the margin belong to neighboring tiles. */
function isRelevant({ style, parts }: TileFeature): boolean {
  if (style.type !== 'Point') return true;
  for (const part of parts) if (isInTile({ x: part[0]!, y: part[1]! })) return true;
  return false;
}

function sortSymbols(symbols: readonly SymbolOfFeature[]): readonly SymbolOfFeature[] {
  return symbols.toSorted((a, b) => a.sortKey - b.sortKey);
}

function anchorOn(points: FlatPoints, anchor: LineAnchor): SymbolAnchor {
  return { anchor, line: { points, segment: anchor.segment } };
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
  const { compiled, read, readLayout } = layer;
  const icons = symbols.flatMap(({ icon }) => icon ?? []);
  const isOneForAll = (name: string) =>
    ['constant', 'camera'].includes(compiled.properties.get(name)!.kind);
  return {
    sdf: icons[0]?.image.sdf ?? false,
    smooth:
      stanceOf(layer, 'icon').lies ||
      view.pitch > 0 ||
      // As it is drawn, not as its tile was laid out
      !(isOneForAll('icon-size') && read<number>('icon-size')() === 1) ||
      !(isOneForAll('icon-rotate') && readLayout<number>('icon-rotate')() === 0) ||
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

function widthOf(shape: { left: number; right: number } | undefined): number {
  return shape === undefined ? 0 : shape.right - shape.left;
}

/** Anchors a point at itself, a line at its start, and a polygon at its most spacious point. */
function pointAnchors({ style, parts }: TileFeature): SymbolAnchor[] {
  const anchors: SymbolAnchor[] = [];
  if (style.type === 'Polygon') {
    for (const rings of polygonsOf(parts)) {
      const [x, y] = polygonAnchor(rings);
      anchors.push({ anchor: { x, y }, line: null });
    }
    return anchors;
  }
  for (const part of parts) anchors.push({ anchor: { x: part[0]!, y: part[1]! }, line: null });
  return anchors;
}

function closeRing(ring: FlatPoints): FlatPoints {
  return [...ring, ring[0]!, ring[1]!];
}

/** Records an anchor, unless one of the same text is closer than `distance`. */
function addIfFar(repeats: Repeats, text: string, anchor: LineAnchor, distance: number): boolean {
  const others = repeats.get(text) ?? [];
  if (others.some(({ x, y }) => Math.hypot(x - anchor.x, y - anchor.y) < distance)) return false;
  repeats.set(text, [...others, anchor]);
  return true;
}
