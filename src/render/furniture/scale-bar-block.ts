/** A scale bar: a line with a tick and a label for each unit, the first above the line. */
import type { Block, Swatch } from './block.ts';
import type { ScaleBar } from './furniture.ts';
import type { FurnitureTypography } from './typography.ts';

export function scaleBarBlock(type: FurnitureTypography, scaleBar: ScaleBar): Block {
  const { scale } = type;
  const linePx = 1.5 * scale;
  const tickPx = Math.round(5 * scale);
  const toLabelPx = Math.round(4 * scale);
  const rowPx = Math.round(type.lineHeightPx('source'));
  const width = Math.max(...scaleBar.map(({ lengthPx }) => lengthPx));
  const bar = (minX: number, minY: number, widthPx: number, heightPx: number): Swatch => ({
    box: { minX, minY, maxX: minX + widthPx, maxY: minY + heightPx },
    isBar: true,
  });
  const swatches = [bar(0, rowPx - linePx / 2, width, linePx)];
  const texts = scaleBar.map(({ label, lengthPx }, i) => {
    const isAbove = i === 0;
    const top = isAbove ? rowPx - tickPx : rowPx;
    for (const x of [0, lengthPx - linePx]) swatches.push(bar(x, top, linePx, tickPx));
    const y = (isAbove ? 0 : rowPx) + type.sizePx('source');
    const x = lengthPx + toLabelPx;
    return { role: 'source' as const, text: label, sizePx: type.sizePx('source'), x, y };
  });
  const labelEnds = texts.map(({ text, x }) => x + type.widthOf('source')(text));
  return { width: Math.max(width, ...labelEnds), height: 2 * rowPx, texts, swatches };
}
