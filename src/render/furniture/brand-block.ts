/** The block above the title of a brand's map: its logo, and a rule in its color. */
import { stackBlocks, type Block } from './block.ts';
import type { MapFurniture } from './furniture.ts';
import type { FurnitureTypography } from './typography.ts';

/** CSS pixels at the default text size */
const LOGO_PX = { width: 140, height: 34 };
const RULE_PX = { width: 40, height: 3.5 };

/** @param maxPx maximum width of a logo, in CSS pixels */
export function brandBlock(
  { scale }: FurnitureTypography,
  { logo, accent }: MapFurniture,
  maxPx = Infinity,
): Block[] {
  const blocks: Block[] = [];
  if (logo !== undefined) {
    const room = Math.min(LOGO_PX.width * scale, maxPx);
    const shrink = Math.min(room / logo.width, (LOGO_PX.height * scale) / logo.height);
    const [width, height] = [Math.round(logo.width * shrink), Math.round(logo.height * shrink)];
    const box = { minX: 0, minY: 0, maxX: width, maxY: height };
    blocks.push({ width, height, texts: [], swatches: [{ box, logo }] });
  }
  if (accent !== undefined) {
    const [width, height] = [RULE_PX.width * scale, RULE_PX.height * scale].map(Math.round) as [
      number,
      number,
    ];
    const box = { minX: 0, minY: 0, maxX: width, maxY: height };
    blocks.push({ width, height, texts: [], swatches: [{ color: accent, box, isBar: true }] });
  }
  const gap = Math.round(7 * scale);
  // The space below equals the space above the title.
  return blocks.length === 0
    ? []
    : [
        {
          ...stackBlocks(
            blocks,
            blocks.map(() => gap),
          ),
          height: heightOf(blocks, gap),
        },
      ];
}

const heightOf = (blocks: readonly Block[], gap: number) =>
  blocks.reduce((sum, { height }) => sum + height + gap, -Math.round(gap / 2));
