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

function keyBlock(type: FurnitureTypography, key: NumberKey, columns: number): Block {
  const { scale } = type;
  const rowPx = Math.round(12.5 * scale);
  const sizePx = type.sizePx('source');
  const widthOf = type.widthOf('source');
  const rows = Math.ceil(key.entries.length / columns);
  const numberPx = Math.max(...key.entries.map(({ number }) => widthOf(String(number))));
  const textPx = Math.max(...key.entries.map(({ text }) => widthOf(text)));
  const toText = numberPx + Math.round(5 * scale);
  const columnPx = toText + textPx + Math.round(11 * scale);
  const title = type.placeLines('legend-title', [key.title], 0, 0);
  const titleSize = type.extent('legend-title', [key.title]);
  const top = titleSize.height + Math.round(4 * scale);
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
    width: Math.max(titleSize.width, used * columnPx - Math.round(11 * scale)),
    height: top + rows * rowPx,
    texts: [...title, ...texts],
    swatches: [],
  };
}
