/** Arranges the furniture of a picture with panels so that it covers no map. */
import type { Composition } from '../compositions.ts';
import type { RectPx } from '../../../base/spatial/flat.ts';
import type { MeasureEm } from '../../../render/canvas/text/measure.ts';
import { sourceTexts, type Arrangement } from '../../../render/furniture/arrange.ts';
import type { Card } from '../../../render/furniture/card-layout.ts';
import {
  EMPTY_BLOCK,
  mergePieces,
  linesBlock,
  placeBlock,
  stackBlocks,
  type Block,
  type Pieces,
} from '../../../render/furniture/block.ts';
import { brandBlock } from '../../../render/furniture/brand-block.ts';
import type { MapFurniture } from '../../../render/furniture/furniture.ts';
import { legendRow } from '../../../render/furniture/legend-block.ts';
import { truncateText, wrapText } from '../../../render/furniture/text-block.ts';
import { FurnitureTypography, type FurnitureText } from '../../../render/furniture/typography.ts';

export interface SheetFurniture extends MapFurniture {
  /** ZIP codes outside all panels, e.g. `and 3 ZIP codes elsewhere` */
  note?: string | undefined;
}

interface Caption {
  name: string;
  /** Follows the name in lighter type, e.g. `12 ZIP codes` */
  note: string;
}

export interface Panel {
  /** Null for a single map, which the title already names */
  caption: Caption | null;
  /** Frame of the map; the caption is above it */
  frame: RectPx;
}

/** A picture with furniture outside its maps. */
export interface FurnitureSheet {
  /** Area for the panels and their captions */
  readonly room: RectPx;
  /** Space between panels */
  readonly gutterPx: number;
  /** Height of a caption */
  readonly captionPx: number;
  arrange(panels: readonly Panel[]): Arrangement;
}

/** A band above all panels, a band below them, and a caption above each panel. */
export class Sheet implements FurnitureSheet {
  readonly room: RectPx;
  readonly gutterPx: number;
  readonly captionPx: number;
  private readonly bands: readonly Card[];
  private readonly type: FurnitureTypography;
  private readonly covered: Composition['covered'];
  private readonly scale: number;
  private readonly widthPx: number;
  private readonly heightPx: number;
  private readonly marginPx: number;

  /** @param covered shares of the height at the top and the bottom to keep free of texts */
  constructor(
    furniture: SheetFurniture,
    widthPx: number,
    heightPx: number,
    measure: MeasureEm,
    covered: Composition['covered'] = { top: 0, bottom: 0 },
  ) {
    this.covered = covered;
    this.type = new FurnitureTypography(widthPx, heightPx, measure, furniture.textScale);
    this.scale = this.type.scale;
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    // An even number, like the panels' edges, so that texts align with maps.
    this.marginPx = 2 * Math.round(7 * this.scale ** 2);
    this.gutterPx = 2 * Math.round(5.5 * this.scale);
    this.captionPx = Math.round(this.type.lineHeightPx('caption') + 3 * this.scale);
    const header = this.header(furniture);
    const footer = this.footer(furniture);
    this.bands = [header, footer].filter(({ texts }) => texts.length > 0);
    this.room = {
      minX: this.marginPx,
      minY: header.box.maxY,
      maxX: widthPx - this.marginPx,
      // Room for the hairline, which is outside the frame.
      maxY: footer.box.minY - 2,
    };
  }

  arrange(panels: readonly Panel[]): Arrangement {
    return arrangementOf([...this.bands, ...captionCards(this, this.type, panels)], panels);
  }

  /**
   * The title is on the left. The legend is on the right, or below the title if the picture is too narrow.
   */
  private header({ title, subtitle, legend, ...brand }: SheetFurniture): Card {
    const room = this.widthPx - 2 * this.marginPx;
    const key = legend === undefined ? EMPTY_BLOCK : legendRow(this.type, legend, room);
    const titleWidth = title === undefined ? 0 : this.type.widthOf('title')(title);
    const gapX = 2 * this.marginPx;
    const inOneRow = key.width + gapX + Math.min(titleWidth, 0.45 * room) <= room;
    const text = this.heading(title, subtitle, inOneRow ? room - key.width - gapX : room);
    const heading = stackBlocks([...brandBlock(this.type, brand), text], [0]);

    const top = Math.round(0.8 * this.marginPx + this.covered.top * this.heightPx);
    const between = Math.round(5 * this.scale);
    const keyFits = key.width > 0 && key.width <= room;
    const height = inOneRow
      ? Math.max(heading.height, key.height)
      : heading.height + (keyFits ? between + key.height : 0);
    const bottom = top + height;
    const pieces = [
      placeBlock(heading, this.marginPx, inOneRow ? bottom - heading.height : top),
      ...(keyFits
        ? [
            placeBlock(
              key,
              inOneRow ? this.widthPx - this.marginPx - key.width : this.marginPx,
              bottom - key.height,
            ),
          ]
        : []),
    ];
    const gap = Math.round((height > 0 ? 8 : 0) * this.scale);
    return this.band(0, 2 * Math.ceil((bottom + gap) / 2), pieces);
  }

  private heading(title: string | undefined, subtitle: string | undefined, maxPx: number): Block {
    const titleLines =
      title === undefined ? [] : truncateText(title, maxPx, 2, this.type.widthOf('title'));
    const subtitleLines =
      subtitle === undefined ? [] : truncateText(subtitle, maxPx, 2, this.type.widthOf('subtitle'));
    return stackBlocks(
      [
        linesBlock(this.type, 'title', titleLines),
        linesBlock(this.type, 'subtitle', subtitleLines),
      ],
      [0],
    );
  }

  /** The note is on the left and the sources are on the right, or below it if the picture is too narrow. */
  private footer({ note, ...furniture }: SheetFurniture): Card {
    const room = this.widthPx - 2 * this.marginPx;
    const sources = sourceTexts(furniture).map((text) =>
      wrapText(text, room, this.type.widthOf('source')),
    );
    const sourceLines = sources.find((lines) => lines.length <= 2) ?? sources.at(-1) ?? [];
    const noteLines = note === undefined ? [] : [note];
    const right = this.type.extent('source', sourceLines);
    const left = this.type.extent('caption-note', noteLines);
    const inOneRow = left.width + this.marginPx + right.width <= room;
    const height = inOneRow ? Math.max(left.height, right.height) : left.height + right.height;
    const bottom =
      this.heightPx * (1 - this.covered.bottom) - Math.round((height > 0 ? 5 : 0) * this.scale);
    const gap = height > 0 ? Math.round(6 * this.scale) : this.marginPx;
    // Several lines without a note beside them begin where the map does.
    const isBelow = sourceLines.length > 1 && (noteLines.length === 0 || !inOneRow);
    const x = isBelow ? this.marginPx : this.widthPx - this.marginPx - right.width;
    const texts: FurnitureText[] = [
      ...this.type.placeLines('caption-note', noteLines, this.marginPx, bottom - height),
      ...this.type.placeLines('source', sourceLines, x, bottom - right.height),
    ];
    return this.band(2 * Math.floor((bottom - height - gap) / 2), this.heightPx, [
      { texts, swatches: [] },
    ]);
  }

  private band(minY: number, maxY: number, pieces: readonly Pieces[]): Card {
    return {
      box: { minX: 0, minY, maxX: this.widthPx, maxY },
      flush: true,
      ...mergePieces(pieces),
    };
  }
}

export function arrangementOf(cards: Card[], panels: readonly Panel[]): Arrangement {
  return { cards, boxes: cards.map(({ box }) => box), frames: panels.map(({ frame }) => frame) };
}

/** Returns the captions above the panels. */
export function captionCards(
  { gutterPx, captionPx }: FurnitureSheet,
  type: FurnitureTypography,
  panels: readonly Panel[],
): Card[] {
  return panels.flatMap(({ caption, frame }) => {
    if (caption === null) return [];
    const between = Math.round(7 * type.scale);
    const top = frame.minY - captionPx;
    const noteWidth = type.widthOf('caption-note')(caption.note);
    const maxPx = frame.maxX - frame.minX - between - noteWidth;
    const lines = truncateText(caption.name, maxPx, 1, type.widthOf('caption'));
    const [text] = type.placeLines('caption', lines, frame.minX, top);
    const note: FurnitureText = {
      role: 'caption-note',
      text: caption.note,
      sizePx: type.sizePx('caption-note'),
      x: frame.minX + type.extent('caption', lines).width + between,
      y: text!.y,
    };
    return {
      // The card is as wide as the panel. Its background shows only in transparent pictures.
      box: {
        minX: frame.minX - gutterPx / 2,
        minY: top,
        maxX: frame.maxX + gutterPx / 2,
        maxY: frame.minY - 1,
      },
      flush: true,
      texts: [text!, note],
      swatches: [],
    };
  });
}
