/** Texts and swatches of known size that still need a position. */
import type { FlatPoints, RectPx } from '../../base/spatial/flat.ts';
import type { LegendClass, Logo } from './furniture.ts';
import type { FurnitureText, FurnitureTypography, TextRole } from './typography.ts';

export interface Swatch extends Pick<LegendClass, 'mark'> {
  /** CSS color. Default: that of titles */
  color?: string;
  box: RectPx;
  /** Whether it is a bar of a histogram, which has no edge */
  isBar?: boolean;
  /** Drawn in place of the color */
  logo?: Logo;
}

export interface Pieces {
  texts: FurnitureText[];
  swatches: Swatch[];
  /** Areas of a small map, below the swatches */
  outlines?: FlatPoints[];
}

/** Pieces, relative to a top left corner at (0, 0) */
export interface Block extends Pieces {
  width: number;
  height: number;
}

export const EMPTY_BLOCK: Block = { width: 0, height: 0, texts: [], swatches: [] };

/** Returns lines of text, one below the other. */
export function linesBlock(
  type: FurnitureTypography,
  role: TextRole,
  lines: readonly string[],
): Block {
  return { ...type.extent(role, lines), texts: type.placeLines(role, lines, 0, 0), swatches: [] };
}

/** Returns the pieces with the block's corner at a point, in CSS pixels. */
export function placeBlock({ texts, swatches, outlines }: Block, x: number, y: number): Pieces {
  const [left, top] = [Math.round(x), Math.round(y)];
  return {
    texts: texts.map((text) => ({ ...text, x: text.x + left, y: text.y + top })),
    swatches: swatches.map((swatch) => ({ ...swatch, box: moveBox(swatch.box, left, top) })),
    ...(outlines && {
      outlines: outlines.map((ring) => ring.map((value, i) => value + (i % 2 === 0 ? left : top))),
    }),
  };
}

/** Stacks blocks vertically, with the same left edge. `gaps`: space above each but the first */
export function stackBlocks(blocks: readonly Block[], gaps: readonly number[]): Block {
  const pieces: Pieces[] = [];
  let height = 0;
  for (const [i, block] of blocks.entries()) {
    if (i > 0) height += gaps[i - 1]!;
    pieces.push(placeBlock(block, 0, height));
    height += block.height;
  }
  return {
    width: Math.max(0, ...blocks.map(({ width }) => width)),
    height,
    ...mergePieces(pieces),
  };
}

export function mergePieces(pieces: readonly Pieces[]): Pieces {
  return {
    texts: pieces.flatMap(({ texts }) => texts),
    swatches: pieces.flatMap(({ swatches }) => swatches),
  };
}

const moveBox = ({ minX, minY, maxX, maxY }: RectPx, x: number, y: number): RectPx => ({
  minX: minX + x,
  minY: minY + y,
  maxX: maxX + x,
  maxY: maxY + y,
});
