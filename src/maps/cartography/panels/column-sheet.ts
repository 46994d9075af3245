/** Arranges the furniture of a wide picture in a column on the left, with the maps on the right. */
import type { MeasureEm } from '../../../render/canvas/text/measure.ts';
import { sourceTexts, type Arrangement } from '../../../render/furniture/arrange.ts';
import type { Card } from '../../../render/furniture/card-layout.ts';
import {
  mergePieces,
  linesBlock,
  placeBlock,
  stackBlocks,
  type Block,
} from '../../../render/furniture/block.ts';
import { brandBlock } from '../../../render/furniture/brand-block.ts';
import { legendColumn, legendStrip } from '../../../render/furniture/legend-block.ts';
import { truncateText, wrapText } from '../../../render/furniture/text-block.ts';
import { FurnitureTypography, type TextRole } from '../../../render/furniture/typography.ts';
import type { RectPx } from '../../../base/spatial/flat.ts';
import {
  captionCards,
  arrangementOf,
  type FurnitureSheet,
  type Panel,
  type SheetFurniture,
} from './sheet.ts';

/** Width of the column: a share of the picture, but at least a number of CSS pixels */
const COLUMN = { share: 0.27, minPx: 150 } as const;
const MAX_TITLE_LINES = 3;
const MAX_SOURCE_LINES = 4;

export class ColumnSheet implements FurnitureSheet {
  readonly room: RectPx;
  readonly gutterPx: number;
  readonly captionPx: number;
  private readonly type: FurnitureTypography;
  private readonly column: Card;

  constructor(furniture: SheetFurniture, widthPx: number, heightPx: number, measure: MeasureEm) {
    this.type = new FurnitureTypography(widthPx, heightPx, measure, furniture.textScale);
    const { scale } = this.type;
    const column = 2 * Math.round(Math.max(COLUMN.minPx, COLUMN.share * widthPx) / 2);
    this.gutterPx = 2 * Math.round(5.5 * scale);
    this.captionPx = Math.round(this.type.lineHeightPx('caption') + 3 * scale);
    this.room = { minX: column, minY: 0, maxX: widthPx, maxY: heightPx };
    this.column = this.columnCard(furniture, column, heightPx);
  }

  arrange(panels: readonly Panel[]): Arrangement {
    return arrangementOf([this.column, ...captionCards(this, this.type, panels)], panels);
  }

  /** Title and legend from the top, sources at the bottom. */
  private columnCard(furniture: SheetFurniture, widthPx: number, heightPx: number): Card {
    const { scale } = this.type;
    const margin = Math.round(14 * scale);
    const room = widthPx - 2 * margin;
    const { title = '', subtitle = '', legend, note = '' } = furniture;
    const sources = sourceTexts(furniture).map((text) =>
      wrapText(text, room, this.type.widthOf('source')),
    );
    const source = sources.find((lines) => lines.length <= MAX_SOURCE_LINES) ?? sources.at(-1);
    const foot = linesBlock(this.type, 'source', source ?? []);
    const heading = stackBlocks(
      [
        ...brandBlock(this.type, furniture, room),
        this.wrapped('title', title, room, MAX_TITLE_LINES),
        this.wrapped('subtitle', subtitle, room, 2),
        this.wrapped('caption-note', note, room, 1),
      ],
      [0, 0, 0],
    );
    const left = heightPx - 2 * margin - heading.height - foot.height - 2 * margin;
    const forms =
      legend === undefined
        ? []
        : [
            legendColumn(this.type, legend),
            legendColumn(this.type, legend, { histogram: false }),
            legendStrip(this.type, legend),
          ];
    const key = forms.find(({ width, height }) => height <= left && width <= room);
    return {
      box: { minX: 0, minY: 0, maxX: widthPx, maxY: heightPx },
      flush: true,
      ...mergePieces([
        placeBlock(heading, margin, margin),
        ...(key === undefined ? [] : [placeBlock(key, margin, margin + heading.height + margin)]),
        placeBlock(foot, margin, heightPx - margin - foot.height),
      ]),
    };
  }

  private wrapped(role: TextRole, text: string, maxPx: number, maxLines: number): Block {
    return linesBlock(
      this.type,
      role,
      truncateText(text, maxPx, maxLines, this.type.widthOf(role)),
    );
  }
}
