/** The order in which MapLibre draws the symbols of a layer over each other. */
import type { PlacedIcon } from '../icon/placed-icon.ts';
import type { PlacedLabel } from './label.ts';
import { symbolPaint } from './symbol-paint.ts';
import { symbolRules } from './symbol-rules.ts';
import type { SymbolLayer, UnplacedSymbol } from './symbol.ts';

/** Symbols that are drawn together: either icons or labels. */
export interface LabelGroup {
  icons: readonly PlacedIcon[];
  labels: readonly PlacedLabel[];
  /** Whether all halos are drawn before all letters, instead of glyph by glyph */
  halosFirst: boolean;
}

/** A symbol with its position in the picture. At least one of its parts is shown. */
export interface PlacedSymbol {
  symbol: UnplacedSymbol;
  label: Pick<PlacedLabel, 'runs' | 'box'> | null;
  icon: Pick<PlacedIcon, 'x' | 'y' | 'angle'> | null;
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
): LabelGroup[] {
  const groups = groupByTileAndKey(layer, placed);
  const [textPaint, iconPaint] = [symbolPaint(layer.read, 'text'), symbolPaint(layer.read, 'icon')];
  const [moveText, moveIcon] = [mover(layer, lowest, 'text'), mover(layer, lowest, 'icon')];
  const icons = groups.map((group) =>
    group.flatMap(({ symbol, icon }): PlacedIcon[] => {
      const { feature, icon: shaped, iconDrawing: drawing } = symbol;
      if (icon === null) return [];
      return [{ feature, icon: shaped!, drawing, ...moveIcon(icon), ...iconPaint(feature) }];
    }),
  );
  const labels = groups.map((group) =>
    group.flatMap(({ symbol: { feature, text }, label }): PlacedLabel[] =>
      label === null
        ? []
        : [{ ...text!.label, ...label, runs: label.runs.map(moveText), ...textPaint(feature) }],
    ),
  );
  const haloIsWide = { icon: isWide(layer, 'icon'), text: isWide(layer, 'text') };
  const textHalosFirst = haloIsWide.text || labels.flat().some(drawsSeveralGlyphs);
  return [
    ...icons.map((group) => ({ icons: group, labels: [], halosFirst: haloIsWide.icon })),
    ...labels.map((group) => ({ icons: [], labels: group, halosFirst: textHalosFirst })),
  ].filter((group) => group.icons.length + group.labels.length > 0);
}

/** Moves positions from one layer's translation to another's. */
function mover(to: SymbolLayer, from: SymbolLayer, part: 'text' | 'icon') {
  const [toX, toY] = to.read<[number, number]>(`${part}-translate`)();
  const [fromX, fromY] = from.read<[number, number]>(`${part}-translate`)();
  return <P extends { x: number; y: number }>(position: P): P =>
    toX === fromX && toY === fromY
      ? position
      : { ...position, x: position.x + toX - fromX, y: position.y + toY - fromY };
}

function groupByTileAndKey(
  layer: SymbolLayer,
  placed: readonly PlacedSymbol[],
): (readonly PlacedSymbol[])[] {
  const { mayOverlap, zOrder } = symbolRules(layer);
  const { kind } = layer.compiled.properties.get('symbol-sort-key')!;
  const byKey = zOrder !== 'viewport-y' && kind !== 'constant' && kind !== 'camera';
  const byY = zOrder === 'viewport-y' || (zOrder === 'auto' && !byKey);
  const ordered = placed.toSorted(
    ({ symbol: a }, { symbol: b }) =>
      (byKey && mayOverlap ? a.sortKey - b.sortKey : 0) ||
      a.frame.y - b.frame.y ||
      a.frame.x - b.frame.x ||
      // Among symbols that may overlap, lower ones are drawn on top.
      (byY && mayOverlap ? compareY(a, b) : 0),
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

function compareY(a: UnplacedSymbol, b: UnplacedSymbol): number {
  return a.anchor.y - b.anchor.y || b.ordinal - a.ordinal;
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
