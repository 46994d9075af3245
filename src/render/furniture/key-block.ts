/** A key in columns, which explains the numbers on a map. */
import type { Block } from './block.ts';
import type { NumberKey } from './furniture.ts';
import type { FurnitureText, FurnitureTypography } from './typography.ts';

/** Numbers of columns to try */
const COLUMNS = Array.from({ length: 20 }, (_, i) => i + 1);

/** Yields the forms of a key, the most nearly square first. */
export function* keyBlocks(type: FurnitureTypography, key: NumberKey): Generator<Block> {
  const measures = measureKey(type, key);
  const rowsOf = (columns: number) => Math.ceil(key.entries.length / columns);
  // A column is about five rows wide.
  const length = (columns: number) => Math.abs(Math.log((5 * columns) / (rowsOf(columns) + 1)));
  // A column that saves no row would stay empty.
  const forms = COLUMNS.filter((n) => n === 1 || rowsOf(n) < rowsOf(n - 1));
  for (const columns of forms.toSorted((a, b) => length(a) - length(b))) {
    yield keyBlock(type, key, columns, measures);
  }
}

/** Returns a function that counts how many of the first entries fit, and in how many rows. */
export function keyCounter(type: FurnitureTypography, key: NumberKey) {
  const { rowPx, columnPx, gapPx, titleSize, top } = measureKey(type, key);
  return (room: { width: number; height: number }): { count: number; rows: number } => {
    const columns = Math.floor((room.width + gapPx) / columnPx);
    const rows = Math.floor((room.height - top) / rowPx);
    const isTooSmall = titleSize.width > room.width || columns < 1 || rows < 1;
    return { count: isTooSmall ? 0 : Math.min(key.entries.length, columns * rows), rows };
  };
}

export function keyBlock(
  type: FurnitureTypography,
  key: NumberKey,
  columns: number,
  measures = measureKey(type, key),
): Block {
  const { numberPx, toText, gapPx, titleSize, rowPx, columnPx, top } = measures;
  const rows = Math.ceil(key.entries.length / columns);
  const used = Math.ceil(key.entries.length / rows);
  return {
    width: Math.max(titleSize.width, used * columnPx - gapPx),
    height: top + rows * rowPx,
    // Most forms find no place.
    get texts() {
      const sizePx = type.sizePx('source');
      const widthOf = type.widthOf('source');
      const entries = key.entries.flatMap(({ number, text }, i): FurnitureText[] => {
        const left = Math.floor(i / rows) * columnPx;
        const y = top + (i % rows) * rowPx + sizePx;
        const shared = { role: 'source', sizePx, y } as const;
        const shown = String(number);
        return [
          { ...shared, text: shown, x: left + numberPx - widthOf(shown) },
          { ...shared, text, x: left + toText },
        ];
      });
      return [...type.placeLines('legend-title', [key.title], 0, 0), ...entries];
    },
    swatches: [],
  };
}

function measureKey(type: FurnitureTypography, key: NumberKey) {
  const { scale } = type;
  const widthOf = type.widthOf('source');
  const numberPx = Math.max(...key.entries.map(({ number }) => widthOf(String(number))));
  const textPx = Math.max(...key.entries.map(({ text }) => widthOf(text)));
  const toText = numberPx + Math.round(5 * scale);
  const gapPx = Math.round(11 * scale);
  const titleSize = type.extent('legend-title', [key.title]);
  return {
    numberPx,
    toText,
    gapPx,
    titleSize,
    rowPx: Math.round(12.5 * scale),
    columnPx: toText + textPx + gapPx,
    top: titleSize.height + Math.round(4 * scale),
  };
}
