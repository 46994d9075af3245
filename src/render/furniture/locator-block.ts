/** A locator: outlines of states with the extent of the map, and their names below. */
import type { Block, Swatch } from './block.ts';
import type { Locator } from './furniture.ts';
import { truncateText } from './text-block.ts';
import type { FurnitureTypography } from './typography.ts';

/** The longer side of the outlines, in CSS pixels at scale 1 */
const SIDE_PX = 84;
/** A smaller extent is drawn as a dot of this size */
const DOT_PX = 7;
const FRAME_PX = 1.5;

export function locatorBlock(type: FurnitureTypography, locator: Locator): Block {
  const { scale } = type;
  const side = Math.round(SIDE_PX * scale);
  const width = Math.round(side * locator.width);
  const height = Math.round(side * locator.height);
  const labelPx = Math.round(3 * scale);
  const [label] = truncateText(locator.label, Math.max(width, side), 1, type.widthOf('source'));
  const labelSize = type.extent('source', [label!]);
  const blockWidth = Math.max(width, labelSize.width);
  const left = Math.round((blockWidth - width) / 2);
  const labelLeft = (blockWidth - labelSize.width) / 2;
  return {
    width: blockWidth,
    height: height + labelPx + labelSize.height,
    texts: type.placeLines('source', [label!], labelLeft, height + labelPx),
    outlines: locator.outlines.map((ring) =>
      ring.map((value, i) => value * side + (i % 2 === 0 ? left : 0)),
    ),
    swatches: marker(locator, side, left, { width, height }),
  };
}

/** The extent as a frame, or as a dot if it is too small for one. */
function marker(
  { extent }: Locator,
  side: number,
  left: number,
  bounds: { width: number; height: number },
): Swatch[] {
  const clamp = (px: number, max: number) => Math.max(0, Math.min(max, px));
  const minX = left + clamp(extent.minX * side, bounds.width);
  const maxX = left + clamp(extent.maxX * side, bounds.width);
  const minY = clamp(extent.minY * side, bounds.height);
  const maxY = clamp(extent.maxY * side, bounds.height);
  const bar = (fromX: number, fromY: number, toX: number, toY: number): Swatch => ({
    box: { minX: fromX, minY: fromY, maxX: toX, maxY: toY },
    isBar: true,
  });
  if (Math.max(maxX - minX, maxY - minY) < DOT_PX + 2) {
    const x = Math.max(left, Math.min(left + bounds.width - DOT_PX, (minX + maxX - DOT_PX) / 2));
    const y = Math.max(0, Math.min(bounds.height - DOT_PX, (minY + maxY - DOT_PX) / 2));
    return [bar(x, y, x + DOT_PX, y + DOT_PX)];
  }
  return [
    bar(minX, minY, maxX, minY + FRAME_PX),
    bar(minX, maxY - FRAME_PX, maxX, maxY),
    bar(minX, minY, minX + FRAME_PX, maxY),
    bar(maxX - FRAME_PX, minY, maxX, maxY),
  ];
}
