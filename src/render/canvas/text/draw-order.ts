/** In which order the labels of a layer are laid over one another: MapLibre's rules. */
import { propertiesAt, tileZoomOf } from '../values.ts';
import type { OverlapRules } from './collision.ts';
import type { PlacedLabel } from './label.ts';
import type { SymbolLayer, Wish } from './layout.ts';

/** Labels that are drawn together. */
export interface LabelGroup {
  labels: readonly PlacedLabel[];
  /** Whether all halos lie below all letters, rather than each glyph's below itself */
  halosFirst: boolean;
}

interface Placed {
  wish: Wish;
  label: PlacedLabel;
}

export function drawingOrder(
  layer: SymbolLayer,
  placed: readonly Placed[],
  { overlap, takesRoom }: OverlapRules,
): LabelGroup[] {
  const halosFirst = drawsHalosFirst(layer, placed);
  const mayOverlap = overlap !== 'never' || !takesRoom;
  const { byKey, byY } = zOrder(layer);
  const ordered = placed.toSorted(
    (a, b) =>
      (byKey && mayOverlap ? a.wish.sortKey - b.wish.sortKey : 0) ||
      a.wish.frame.y - b.wish.frame.y ||
      a.wish.frame.x - b.wish.frame.x ||
      // Where labels may overlap, those further down lie on top.
      (byY && mayOverlap ? compareY(a.wish, b.wish) : 0),
  );
  const groups = new Map<string, PlacedLabel[]>();
  for (const { wish, label } of ordered) {
    const key = `${wish.frame.x}/${wish.frame.y}/${byKey && mayOverlap ? wish.sortKey : ''}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [label]);
    else group.push(label);
  }
  return [...groups.values()].map((labels) => ({ labels, halosFirst }));
}

function compareY(a: Wish, b: Wish): number {
  return a.anchor.y - b.anchor.y || b.ordinal - a.ordinal;
}

export function zOrder({ compiled, zoom }: SymbolLayer): { byKey: boolean; byY: boolean } {
  const order = propertiesAt(compiled, tileZoomOf(zoom))<string>('symbol-z-order')();
  const { kind } = compiled.properties.get('symbol-sort-key')!;
  const byKey = order !== 'viewport-y' && kind !== 'constant' && kind !== 'camera';
  return { byKey, byY: order === 'viewport-y' || (order === 'auto' && !byKey) };
}

/** Where glyphs may touch their neighbours', or are drawn several at a time. */
function drawsHalosFirst({ compiled, zoom }: SymbolLayer, placed: readonly Placed[]): boolean {
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
