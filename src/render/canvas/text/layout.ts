/**
 * What a symbol layer wants written, feature by feature in each tile, before anyone looks for room.
 * Pure.
 */
import { polygonsOf, type FlatPoints } from '../../../spatial/flat.ts';
import { TILE_SIZE_PX } from '../../../spatial/mercator.ts';
import type { CompiledLayer } from '../compiled-style.ts';
import { propertiesAt, tileZoomOf, type ReadProperty } from '../values.ts';
import {
  anchorsAlong,
  linesInTile,
  middleOf,
  type LabelExtent,
  type LineAnchor,
} from './anchors.ts';
import type { FaceOf } from './label.ts';
import { UNITS_PER_EM } from './units.ts';
import { mergeLines } from './merge-lines.ts';
import { labelPole } from './pole.ts';
import { textReader, type TextOfFeature } from './text-of-feature.ts';
import { EXTENT, type LabelTile, type TileFeature, type TileFrame } from './tiles.ts';

/** A symbol layer with what it shows in this picture. */
export interface SymbolLayer {
  compiled: CompiledLayer;
  zoom: number;
  tiles: readonly LabelTile[];
}

/** A label that looks for a place: by itself at a point, or along a line. */
export interface Wish {
  frame: TileFrame;
  /** Of its feature in the tile */
  ordinal: number;
  sortKey: number;
  /** In whole units of the tile */
  anchor: { x: number; y: number };
  text: TextOfFeature;
  along: { points: FlatPoints; segment: number } | null;
}

/**
 * The labels that look for a place, in the order in which they come in their tiles.
 *
 * @throws UnsupportedStyleError
 */
export function wishesOf(layer: SymbolLayer, faceOf: FaceOf): Wish[] {
  const { compiled, zoom } = layer;
  const read = propertiesAt(compiled, tileZoomOf(zoom));
  const textOf = textReader(compiled, zoom, faceOf);
  const sortKey = read<number | undefined>('symbol-sort-key');
  const anchorsOf = anchorFinder(read);
  const isMerged = read<string>('symbol-placement')() === 'line';
  // Points around the tile are the neighbours' to write, and not worth a look.
  const concerns = ({ style, parts }: TileFeature) =>
    style.type !== 'Point' || parts.some(([x, y]) => isInTile({ x: x!, y: y! }));

  const tiles = layer.tiles.toSorted((a, b) => a.frame.x - b.frame.x || a.frame.y - b.frame.y);
  return tiles.flatMap(({ frame, features }) => {
    const named = features.flatMap((feature, ordinal) => {
      const text = concerns(feature) ? textOf(feature.style) : null;
      if (text === null) return [];
      return [{ feature, ordinal, text, sortKey: sortKey(feature.style) ?? 0 }];
    });
    const wanted = (isMerged ? merged(named) : named).toSorted((a, b) => a.sortKey - b.sortKey);
    const repeats = new Map<string, LineAnchor[]>();
    return wanted.flatMap(({ feature, ...wish }) =>
      anchorsOf(feature, wish.text, frame, repeats)
        .filter(({ anchor }) => isInTile(anchor))
        .map((place) => ({ frame, ...wish, ...place })),
    );
  });
}

interface NamedFeature {
  feature: TileFeature;
  ordinal: number;
  sortKey: number;
  text: TextOfFeature;
}

/** Of a feature of several lines, the first is merged, as in MapLibre. */
function merged(named: readonly NamedFeature[]): NamedFeature[] {
  const pieces = named.map((each) => ({
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
  return x >= 0 && x < EXTENT && y >= 0 && y < EXTENT;
}

type AnchorsOf = (
  feature: TileFeature,
  text: TextOfFeature,
  frame: TileFrame,
  /** Anchors of each text so far in the tile */
  repeats: Map<string, LineAnchor[]>,
) => Pick<Wish, 'anchor' | 'along'>[];

/** How a layer finds the places where its labels would like to stand. */
function anchorFinder(read: ReadProperty): AnchorsOf {
  const placement = read<'point' | 'line' | 'line-center'>('symbol-placement')();
  if (placement === 'point') {
    return (feature) => pointAnchors(feature).map(([x, y]) => ({ anchor: { x, y }, along: null }));
  }
  const isAlong = read<string>('text-rotation-alignment')() !== 'viewport';
  const spacing = read<number>('symbol-spacing')();
  const maxAngle = (read<number>('text-max-angle')() * Math.PI) / 180;
  return ({ style, parts }, text, frame, repeats) => {
    const unitsPerPx = EXTENT / (TILE_SIZE_PX * frame.overscaling);
    const [shape] = text.shapes.values();
    const label: LabelExtent = {
      width: shape!.right - shape!.left,
      scale: (text.sizes.anchored / UNITS_PER_EM) * unitsPerPx,
      maxAngle,
    };
    const lines = style.type === 'Polygon' ? parts.map(closed) : parts;
    const wish = (points: FlatPoints, anchor: LineAnchor) => ({
      anchor,
      along: isAlong ? { points, segment: anchor.segment } : null,
    });
    if (placement === 'line-center') {
      return lines.flatMap((line) => {
        const anchor = line.length > 2 ? middleOf(line, label) : null;
        return anchor === null ? [] : [wish(line, anchor)];
      });
    }
    const step = spacing * unitsPerPx;
    return linesInTile(lines).flatMap((line) =>
      anchorsAlong(line, step, label, frame.overscaling)
        .filter((anchor) => isFarFrom(repeats, text.label.text, anchor, step / 2))
        .map((anchor) => wish(line, anchor)),
    );
  };
}

/** Points themselves, the start of each line, the roomiest place of each polygon. */
function pointAnchors({ style, parts }: TileFeature): (readonly [number, number])[] {
  if (style.type === 'Polygon') return polygonsOf(parts).map(labelPole);
  return parts.map(([x, y]) => [x!, y!] as const);
}

function closed(ring: FlatPoints): FlatPoints {
  return [...ring, ring[0]!, ring[1]!];
}

/** Keeps a text from being repeated too near; remembers the anchor if it is not. */
function isFarFrom(
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
