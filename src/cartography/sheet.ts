/** Arranges the furniture of a picture with panels, so that it covers no map. */
import type { RectPx } from '../spatial/flat.ts';
import type { MeasureEm } from '../render/canvas/text/measure.ts';
import type { Card, FurniturePlan, Swatch } from '../render/furniture/arrange.ts';
import type { Legend, MapFurniture } from '../render/furniture/furniture.ts';
import { truncateText, wrapText } from '../render/furniture/text-block.ts';
import { FurnitureTypography, type FurnitureText } from '../render/furniture/typography.ts';

export interface SheetFurniture extends MapFurniture {
  /** ZIP codes outside all panels, e.g. `and 3 ZIP codes elsewhere` */
  note?: string | undefined;
}

export interface Caption {
  name: string;
  /** Follows the name in a lighter font, e.g. `12 ZIP codes` */
  note: string;
}

export interface Panel {
  caption: Caption;
  /** Frame of the map; the caption is above it */
  frame: RectPx;
}

/** Texts and swatches of known size that still need a position. */
interface Block {
  width: number;
  height: number;
  at(x: number, y: number): Pick<Card, 'texts' | 'swatches'>;
}

const EMPTY_BLOCK: Block = { width: 0, height: 0, at: () => ({ texts: [], swatches: [] }) };

/** A band above all panels, a band below them, and a caption over each. */
export class Sheet {
  /** Area for the panels and their captions */
  readonly room: RectPx;
  readonly gutterPx: number;
  readonly captionPx: number;
  private readonly bands: readonly Card[];
  private readonly type: FurnitureTypography;
  private readonly scale: number;
  private readonly widthPx: number;
  private readonly heightPx: number;
  private readonly marginPx: number;

  constructor(furniture: SheetFurniture, widthPx: number, heightPx: number, measure: MeasureEm) {
    this.type = new FurnitureTypography(widthPx, heightPx, measure);
    this.scale = this.type.scale;
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    // Even, like the panels' edges, so that texts align with maps.
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

  plan(panels: readonly Panel[]): FurniturePlan {
    const cards = [...this.bands, ...panels.map((panel) => this.caption(panel))];
    return {
      cards,
      boxes: cards.map(({ box }) => box),
      frames: panels.map(({ frame }) => frame),
    };
  }

  /** Title on the left; legend on the right, or below the title if there is too little width. */
  private header({ title, subtitle, legend }: SheetFurniture): Card {
    const room = this.widthPx - 2 * this.marginPx;
    const key = legend === undefined ? EMPTY_BLOCK : this.legend(legend);
    const titleWidth = title === undefined ? 0 : this.type.widthOf('title')(title);
    const gapX = 2 * this.marginPx;
    const inOneRow = key.width + gapX + Math.min(titleWidth, 0.45 * room) <= room;
    const heading = this.heading(title, subtitle, inOneRow ? room - key.width - gapX : room);

    const top = Math.round(0.8 * this.marginPx);
    const between = Math.round(5 * this.scale);
    const keyFits = key.width > 0 && key.width <= room;
    const height = inOneRow
      ? Math.max(heading.height, key.height)
      : heading.height + (keyFits ? between + key.height : 0);
    const bottom = top + height;
    const pieces = [
      heading.at(this.marginPx, inOneRow ? bottom - heading.height : top),
      ...(keyFits
        ? [
            key.at(
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
    const head = this.type.extent('title', titleLines);
    const foot = this.type.extent('subtitle', subtitleLines);
    return {
      width: Math.max(head.width, foot.width),
      height: head.height + foot.height,
      at: (x, y) => ({
        texts: [
          ...this.type.placeLines('title', titleLines, x, y),
          ...this.type.placeLines('subtitle', subtitleLines, x, y + head.height),
        ],
        swatches: [],
      }),
    };
  }

  /** The title above a row of classes, lowest first, with "no data" last. */
  private legend({ title, classes, noData }: Legend): Block {
    const entries = [...classes, ...(noData === undefined ? [] : [noData])];
    const head = this.type.extent('legend-title', [title]);
    const rowPx = Math.round(13 * this.scale);
    const swatchPx = Math.round(18 * this.scale);
    const toLabel = Math.round(5 * this.scale);
    const between = Math.round(11 * this.scale);
    const labelPx = this.type.widthOf('legend-label');
    const widths = entries.map(({ label }) => swatchPx + toLabel + labelPx(label));
    const rowWidth = widths.reduce((sum, width) => sum + width + between, -between);
    const below = Math.round(3 * this.scale);
    return {
      width: Math.max(head.width, rowWidth),
      height: head.height + below + rowPx,
      at: (left, top) => {
        const texts = this.type.placeLines('legend-title', [title], left, top);
        const swatches: Swatch[] = [];
        const minY = Math.round(top + head.height + below);
        const sizePx = this.type.sizePx('legend-label');
        let minX = Math.round(left);
        for (const [i, { color, mark, label }] of entries.entries()) {
          const box = { minX, minY, maxX: minX + swatchPx, maxY: minY + rowPx };
          swatches.push({ color, mark, box });
          const x = minX + swatchPx + toLabel;
          // Digits and capitals are 0.71 em tall: half of that below the middle centers them.
          const y = minY + rowPx / 2 + 0.357 * sizePx;
          texts.push({ role: 'legend-label', text: label, sizePx, x, y });
          minX += Math.round(widths[i]! + between);
        }
        return { texts, swatches };
      },
    };
  }

  /** Note on the left, sources on the right; stacked if there is too little width. */
  private footer({ note, vintage, attribution }: SheetFurniture): Card {
    const room = this.widthPx - 2 * this.marginPx;
    const source = [vintage, attribution].filter(Boolean).join('  ·  ');
    const sourceLines = wrapText(source, room, this.type.widthOf('source'));
    const noteLines = note === undefined ? [] : [note];
    const right = this.type.extent('source', sourceLines);
    const left = this.type.extent('caption-note', noteLines);
    const inOneRow = left.width + this.marginPx + right.width <= room;
    const height = inOneRow ? Math.max(left.height, right.height) : left.height + right.height;
    const bottom = this.heightPx - Math.round((height > 0 ? 5 : 0) * this.scale);
    const gap = height > 0 ? Math.round(6 * this.scale) : this.marginPx;
    const x = this.widthPx - this.marginPx - right.width;
    const texts: FurnitureText[] = [
      ...this.type.placeLines('caption-note', noteLines, this.marginPx, bottom - height),
      ...this.type.placeLines('source', sourceLines, x, bottom - right.height),
    ];
    return this.band(2 * Math.floor((bottom - height - gap) / 2), this.heightPx, [
      { texts, swatches: [] },
    ]);
  }

  private caption({ caption: { name, note }, frame }: Panel): Card {
    const between = Math.round(7 * this.scale);
    const top = frame.minY - this.captionPx;
    const noteWidth = this.type.widthOf('caption-note')(note);
    const maxPx = frame.maxX - frame.minX - between - noteWidth;
    const lines = truncateText(name, maxPx, 1, this.type.widthOf('caption'));
    const [text] = this.type.placeLines('caption', lines, frame.minX, top);
    const x = frame.minX + this.type.extent('caption', lines).width + between;
    const noteText: FurnitureText = {
      role: 'caption-note',
      text: note,
      sizePx: this.type.sizePx('caption-note'),
      x,
      y: text!.y,
    };
    return {
      // As wide as the panel. Its background shows only in transparent pictures.
      box: {
        minX: frame.minX - this.gutterPx / 2,
        minY: top,
        maxX: frame.maxX + this.gutterPx / 2,
        maxY: frame.minY - 1,
      },
      flush: true,
      texts: [text!, noteText],
      swatches: [],
    };
  }

  private band(
    minY: number,
    maxY: number,
    pieces: readonly Pick<Card, 'texts' | 'swatches'>[],
  ): Card {
    return {
      box: { minX: 0, minY, maxX: this.widthPx, maxY },
      flush: true,
      texts: pieces.flatMap(({ texts }) => texts),
      swatches: pieces.flatMap(({ swatches }) => swatches),
    };
  }
}
