/** The order in which MapLibre draws the labels of a layer over each other. */
import type { OverlapRules } from './collision.ts';
import type { PlacedLabel } from './label.ts';
import type { SymbolLayer, UnplacedSymbol } from './symbol.ts';

/** Labels that are drawn together. */
export interface LabelGroup {
  labels: readonly PlacedLabel[];
  /** Whether all halos are drawn before all letters, instead of glyph by glyph */
  halosFirst: boolean;
}

interface PlacedPair {
  unplaced: UnplacedSymbol;
  label: PlacedLabel;
}

export function groupInDrawOrder(
  layer: SymbolLayer,
  placed: readonly PlacedPair[],
  { overlap, blocksOthers }: OverlapRules,
): LabelGroup[] {
  const halosFirst = drawsHalosFirst(layer, placed);
  const mayOverlap = overlap !== 'never' || !blocksOthers;
  const { byKey, byY } = zOrder(layer);
  const ordered = placed.toSorted(
    (a, b) =>
      (byKey && mayOverlap ? a.unplaced.sortKey - b.unplaced.sortKey : 0) ||
      a.unplaced.frame.y - b.unplaced.frame.y ||
      a.unplaced.frame.x - b.unplaced.frame.x ||
      // Among labels that may overlap, lower ones are drawn on top.
      (byY && mayOverlap ? compareY(a.unplaced, b.unplaced) : 0),
  );
  const groups = new Map<string, PlacedLabel[]>();
  for (const { unplaced, label } of ordered) {
    const key = `${unplaced.frame.x}/${unplaced.frame.y}/${byKey && mayOverlap ? unplaced.sortKey : ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [label]);
    else group.push(label);
  }
  return [...groups.values()].map((labels) => ({ labels, halosFirst }));
}

function compareY(a: UnplacedSymbol, b: UnplacedSymbol): number {
  return a.anchor.y - b.anchor.y || b.ordinal - a.ordinal;
}

function zOrder({ compiled, readLayout }: SymbolLayer): { byKey: boolean; byY: boolean } {
  const order = readLayout<string>('symbol-z-order')();
  const { kind } = compiled.properties.get('symbol-sort-key')!;
  const byKey = order !== 'viewport-y' && kind !== 'constant' && kind !== 'camera';
  return { byKey, byY: order === 'viewport-y' || (order === 'auto' && !byKey) };
}

/** Whether glyphs may touch their neighbors or are drawn several at a time. */
function drawsHalosFirst({ compiled, zoom }: SymbolLayer, placed: readonly PlacedPair[]): boolean {
  const width = compiled.properties.get('text-halo-width')!;
  const isWide =
    width.kind === 'source' ||
    width.kind === 'composite' ||
    (width.evaluate({ zoom }) as number) > 1;
  const isTight = placed.some(({ label }) => label.letterSpacingPx < 0);
  const isOutline = placed.some(({ label }) =>
    label.runs.some(({ section }) => !section.face.isGlyphwise),
  );
  return isWide || isTight || isOutline;
}
