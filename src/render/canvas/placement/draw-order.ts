/** The order in which MapLibre draws the symbols of a layer over each other. */
import { toRadians } from '../../../base/spatial/perspective.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import type { IconPosition } from './icon-position.ts';
import type { PlacedIcon } from '../icon/placed-icon.ts';
import { translation } from '../style/property-values.ts';
import type { Point } from '../../../base/spatial/flat.ts';
import type { PlacedLabel } from '../text/label.ts';
import type { TileFrame, SymbolLayer } from '../symbol/label-tiles.ts';
import { symbolPaint, type SymbolPaint } from '../symbol/symbol-paint.ts';
import type { Ground } from '../symbol/stance.ts';
import type { FeatureText } from '../text/feature-text.ts';
import type { StyleFeature } from '../style/style-feature.ts';
import { symbolRules } from './symbol-rules.ts';
import type { UnplacedSymbol } from './layout.ts';

/** Symbols that are drawn together: either icons or labels. */
export interface LabelGroup {
  icons: readonly PlacedIcon[];
  labels: readonly PlacedLabel[];
  /** Whether all halos are drawn before all letters, instead of glyph by glyph */
  halosFirst: boolean;
  /** Whether its tile has images among letters. See `drawLabels` */
  amongImages: boolean;
}

/** A symbol with its position in the picture. At least one of its parts is shown. */
export interface PlacedSymbol {
  symbol: UnplacedSymbol;
  label: (Pick<PlacedLabel, 'runs' | 'box'> & { scale: number }) | null;
  icon: IconPosition | null;
}

/**
 * Draws all icons of a layer before all labels.
 *
 * @param placed the symbols, as placed for the layer `lowest`, which may have another translation
 */
export function groupInDrawOrder(
  layer: SymbolLayer,
  placed: readonly PlacedSymbol[],
  lowest: SymbolLayer,
  view: View3,
): LabelGroup[] {
  const [textPaint, iconPaint] = [symbolPaint(layer.read, 'text'), symbolPaint(layer.read, 'icon')];
  const textShift = shiftBetween(lowest, layer, 'text', view);
  const iconShift = shiftBetween(lowest, layer, 'icon', view);
  const icons: PlacedIcon[][] = [];
  const labels: Pick<LabelGroup, 'labels' | 'amongImages'>[] = [];
  for (const group of groupByTileAndKey(layer, placed, view)) {
    const groupIcons: PlacedIcon[] = [];
    const groupLabels: PlacedLabel[] = [];
    const amongImages = group[0]!.symbol.amongImages;
    for (const { symbol, icon, label } of group) {
      const { feature, text } = symbol;
      if (icon !== null) groupIcons.push(placedIcon(symbol, icon, iconShift, iconPaint(feature)));
      if (label !== null)
        groupLabels.push(
          placedLabel(feature, text!, label, textShift, textPaint(feature), amongImages),
        );
    }
    icons.push(groupIcons);
    labels.push({ labels: groupLabels, amongImages });
  }
  const haloIsWide = { icon: isWide(layer, 'icon'), text: isWide(layer, 'text') };
  const textHalosFirst =
    haloIsWide.text || labels.some((group) => group.labels.some(drawsSeveralGlyphs));
  return [
    ...icons.map((group) => ({
      icons: group,
      labels: [],
      halosFirst: haloIsWide.icon,
      amongImages: false,
    })),
    ...labels.map((group) => ({ ...group, icons: [], halosFirst: textHalosFirst })),
  ].filter((group) => group.icons.length + group.labels.length > 0);
}

function placedIcon(
  { feature, icon, iconDrawing: drawing }: UnplacedSymbol,
  position: IconPosition,
  shift: Point,
  { opacity, tint, halo }: SymbolPaint,
): PlacedIcon {
  return { feature, icon: icon!, drawing, ...shifted(position, shift), opacity, tint, halo };
}

function placedLabel(
  feature: StyleFeature,
  { label: { text, sizePx, letterSpacingPx } }: FeatureText,
  { runs, box, scale }: NonNullable<PlacedSymbol['label']>,
  shift: Point,
  { opacity, tint, halo }: SymbolPaint,
  amongImages: boolean,
): PlacedLabel {
  return {
    text,
    feature,
    sizePx: sizePx * scale,
    letterSpacingPx: letterSpacingPx * scale,
    runs: shift.x === 0 && shift.y === 0 ? runs : runs.map((run) => shifted(run, shift)),
    box,
    opacity,
    tint,
    halo: amongImages && halo !== null ? { ...halo, isFilled: true } : halo,
  };
}

/** Returns how far positions move from one layer's translation to another's. */
function shiftBetween(
  from: SymbolLayer,
  to: SymbolLayer,
  part: 'text' | 'icon',
  view: View3,
): Point {
  const [toX, toY] = translation(to, view, part);
  const [fromX, fromY] = translation(from, view, part);
  return { x: toX - fromX, y: toY - fromY };
}

function shifted<P extends { x: number; y: number; ground: Ground | null }>(
  position: P,
  { x: dx, y: dy }: Point,
): P {
  const { x, y, ground } = position;
  if (dx === 0 && dy === 0) return position;
  if (ground === null) return { ...position, x: x + dx, y: y + dy };
  return { ...position, ground: { ...ground, x: ground.x + dx, y: ground.y + dy } };
}

function groupByTileAndKey(
  layer: SymbolLayer,
  placed: readonly PlacedSymbol[],
  view: View3,
): (readonly PlacedSymbol[])[] {
  const { mayOverlap, zOrder } = symbolRules(layer, view);
  const { kind } = layer.compiled.properties.get('symbol-sort-key')!;
  const byKey = zOrder !== 'viewport-y' && kind !== 'constant' && kind !== 'camera';
  const byY = zOrder === 'viewport-y' || (zOrder === 'auto' && !byKey);
  const ordered = placed.toSorted(
    ({ symbol: a }, { symbol: b }) =>
      (byKey && mayOverlap ? a.sortKey - b.sortKey : 0) ||
      compareTiles(a.frame, b.frame, view) ||
      // Among symbols that may overlap, lower ones are drawn on top.
      (byY && mayOverlap ? compareDown(a, b, view) : 0),
  );
  const groups = new Map<string, PlacedSymbol[]>();
  for (const each of ordered) {
    const { frame, sortKey } = each.symbol;
    const key = `${frame.x}/${frame.y}/${byKey && mayOverlap ? sortKey : ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()];
}

/** Tiles that are higher in the picture come first. */
function compareTiles(a: TileFrame, b: TileFrame, { bearing }: View3): number {
  const down = rotatePoint(a, bearing).y - rotatePoint(b, bearing).y;
  return b.z - a.z || down || rotatePoint(a, bearing).x - rotatePoint(b, bearing).x;
}

/** Symbols of a tile that are higher in the picture come first. */
export function compareDown(
  { anchor: a, ordinal: ordinalA }: UnplacedSymbol,
  { anchor: b, ordinal: ordinalB }: UnplacedSymbol,
  { bearing }: View3,
): number {
  const down = Math.round(rotatePoint(a, bearing).y) - Math.round(rotatePoint(b, bearing).y);
  return down || ordinalB - ordinalA;
}

function rotatePoint({ x, y }: Point, bearing: number): Point {
  if (bearing === 0) return { x, y };
  const angle = -toRadians(bearing);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

/** Whether halos may touch the neighbors */
function isWide({ compiled, read }: SymbolLayer, part: 'text' | 'icon'): boolean {
  const width = compiled.properties.get(`${part}-halo-width`)!;
  if (width.kind === 'source' || width.kind === 'composite') return true;
  return read<number>(`${part}-halo-width`)() > 1;
}

function drawsSeveralGlyphs({ letterSpacingPx, runs }: PlacedLabel): boolean {
  return letterSpacingPx < 0 || runs.some(({ section }) => !section.face.isGlyphwise);
}
