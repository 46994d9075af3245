/** A key in columns, which explains the numbers on a map. */
import type { Block } from './block.ts';
import type { NumberKey } from './furniture.ts';
import type { FurnitureText, FurnitureTypography } from './typography.ts';

/** Numbers of columns to try */
const COLUMNS = Array.from({ length: 20 }, (_, i) => i + 1);

/** Yields the forms of a key, the most nearly square first. */
export function* keyBlocks(type: FurnitureTypography, key: NumberKey): Generator<Block> {
  const rowsOf = (columns: number) => Math.ceil(key.entries.length / columns);
  // A column is about five rows wide.
  const length = (columns: number) => Math.abs(Math.log((5 * columns) / (rowsOf(columns) + 1)));
  // A column that saves no row would stay empty.
  const forms = COLUMNS.filter((n) => n === 1 || rowsOf(n) < rowsOf(n - 1));
  for (const columns of forms.toSorted((a, b) => length(a) - length(b))) {
    yield keyBlock(type, key, columns);
  }
}

/** Returns a key of the first entries that fit, or null if none fits. */
export function keyBlockWithin(
  type: FurnitureTypography,
  key: NumberKey,
  room: { width: number; height: number },
): { block: Block; count: number } | null {
  const { rowPx, columnPx, gapPx, titleSize, top } = keyMeasures(type, key);
  if (titleSize.width > room.width) return null;
  const columns = Math.floor((room.width + gapPx) / columnPx);
  const rows = Math.floor((room.height - top) / rowPx);
  const count = Math.min(key.entries.length, columns * rows);
  if (columns < 1 || rows < 1) return null;
  const entries = key.entries.slice(0, count);
  return { block: keyBlock(type, { ...key, entries }, Math.ceil(count / rows)), count };
}

function keyMeasures(type: FurnitureTypography, key: NumberKey) {
  const { scale } = type;
  const widthOf = type.widthOf('source');
  const numberPx = Math.max(...key.entries.map(({ number }) => widthOf(String(number))));
  const textPx = Math.max(...key.entries.map(({ text }) => widthOf(text)));
  const toText = numberPx + Math.round(5 * scale);
  const gapPx = Math.round(11 * scale);
  const titleSize = type.extent('legend-title', [key.title]);
  return {
    ...{ numberPx, toText, gapPx, titleSize },
    rowPx: Math.round(12.5 * scale),
    columnPx: toText + textPx + gapPx,
    top: titleSize.height + Math.round(4 * scale),
  };
}

function keyBlock(type: FurnitureTypography, key: NumberKey, columns: number): Block {
  const sizePx = type.sizePx('source');
  const widthOf = type.widthOf('source');
  const { numberPx, toText, gapPx, titleSize, rowPx, columnPx, top } = keyMeasures(type, key);
  const rows = Math.ceil(key.entries.length / columns);
  const title = type.placeLines('legend-title', [key.title], 0, 0);
  const texts = key.entries.flatMap(({ number, text }, i): FurnitureText[] => {
    const left = Math.floor(i / rows) * columnPx;
    const y = top + (i % rows) * rowPx + sizePx;
    const shared = { role: 'source', sizePx, y } as const;
    const shown = String(number);
    return [
      { ...shared, text: shown, x: left + numberPx - widthOf(shown) },
      { ...shared, text, x: left + toText },
    ];
  });
  const used = Math.ceil(key.entries.length / rows);
  return {
    width: Math.max(titleSize.width, used * columnPx - gapPx),
    height: top + rows * rowPx,
    texts: [...title, ...texts],
    swatches: [],
  };
}
