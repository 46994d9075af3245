/**
 * Arranges the furniture of a map. If there's too little room, pieces are omitted, the least
 * important first: legend, subtitle, title, sources. The legend takes the corner where it hides
 * least of the territory.
 */
import type { Bbox } from '../../spatial/bbox.ts';
import type { Viewport } from '../../spatial/camera.ts';
import { growRect, rectContains, rectsMeet, type RectPx } from '../../spatial/flat.ts';
import type { MeasureEm } from '../canvas/text/measure.ts';
import type { Legend, LegendClass, MapFurniture } from './furniture.ts';
import { truncateText, wrapText } from './text-block.ts';
import { FurnitureTypography, type FurnitureText } from './typography.ts';

export interface Swatch extends Pick<LegendClass, 'color' | 'mark'> {
  box: RectPx;
}

/** A piece of furniture: a card with its texts and swatches. */
export interface Card {
  box: RectPx;
  /** Whether the card touches the edges of the picture */
  flush: boolean;
  texts: FurnitureText[];
  swatches: Swatch[];
}

export interface FurniturePlan {
  cards: Card[];
  /** Areas that the labels of the map must avoid */
  boxes: RectPx[];
  /** Frames of the maps in a picture with panels; each gets a hairline */
  frames?: readonly RectPx[];
}

/** Maximum share of the picture that one piece may cover. */
const MAX_AREA_SHARE = 0.14;

/** @param territory boxes that the legend should avoid */
export function arrangeFurniture(
  furniture: MapFurniture,
  widthPx: number,
  heightPx: number,
  measure: MeasureEm,
  territory: readonly RectPx[] = [],
): FurniturePlan {
  const layout = new FurnitureLayout(widthPx, heightPx, measure);
  const source = [furniture.vintage, furniture.attribution].filter(Boolean).join('  ·  ');
  if (source !== '') layout.addFirstFitting([layout.source(source)]);
  if (furniture.title !== undefined) {
    layout.addFirstFitting([
      layout.heading(furniture.title, furniture.subtitle),
      layout.heading(furniture.title, undefined),
    ]);
  }
  if (furniture.legend !== undefined) {
    // Sorting is stable: corners that hide equally much keep their order of preference.
    const corners = layout
      .legends(furniture.legend)
      .map((card) => ({ card, hidden: coveredPx(card.box, territory) }))
      .sort((a, b) => a.hidden - b.hidden);
    layout.addFirstFitting(corners.map(({ card }) => card));
  }
  return { cards: layout.cards, boxes: layout.cards.map(({ box }) => box) };
}

class FurnitureLayout {
  readonly cards: Card[] = [];
  private readonly picture: RectPx;
  private readonly type: FurnitureTypography;
  private readonly scale: number;
  /** Space between a card and the picture's edge or another card */
  private readonly gap: number;
  /** Padding inside a card */
  private readonly inset: number;

  constructor(widthPx: number, heightPx: number, measure: MeasureEm) {
    this.picture = { minX: 0, minY: 0, maxX: widthPx, maxY: heightPx };
    this.type = new FurnitureTypography(widthPx, heightPx, measure);
    this.scale = this.type.scale;
    this.gap = Math.round(14 * this.scale ** 2);
    this.inset = Math.round(12 * this.scale);
  }

  addFirstFitting(candidates: readonly Card[]): void {
    const card = candidates.find(({ box }) => this.fits(box));
    if (card !== undefined) this.cards.push(card);
  }

  private fits(box: RectPx): boolean {
    const withGap = growRect(box, this.gap);
    return (
      areaPx(box) / areaPx(this.picture) <= MAX_AREA_SHARE &&
      rectContains(this.picture, box) &&
      this.cards.every((card) => !rectsMeet(card.box, withGap))
    );
  }

  /** Sources, in the bottom right corner and flush with it. */
  source(text: string): Card {
    const insetX = Math.round(this.inset * 0.6);
    const insetY = Math.round(this.inset * 0.3);
    const lines = wrapText(text, this.picture.maxX - 2 * insetX, this.type.widthOf('source'));
    const { width, height } = this.type.extent('source', lines);
    const box = {
      minX: this.picture.maxX - width - 2 * insetX,
      minY: this.picture.maxY - height - 2 * insetY,
      maxX: this.picture.maxX,
      maxY: this.picture.maxY,
    };
    const texts = this.type.placeLines('source', lines, box.minX + insetX, box.minY + insetY);
    return { box, flush: true, texts, swatches: [] };
  }

  /** Title and subtitle, at the top left. */
  heading(title: string, subtitle: string | undefined): Card {
    const available = this.picture.maxX - 2 * this.gap - 2 * this.inset;
    const maxWidth = Math.min(available, Math.max(300, this.picture.maxX * 0.45));
    const titleLines = truncateText(title, maxWidth, 2, this.type.widthOf('title'));
    const subtitleLines = truncateText(subtitle ?? '', maxWidth, 2, this.type.widthOf('subtitle'));
    const titleSize = this.type.extent('title', titleLines);
    const subtitleSize = this.type.extent('subtitle', subtitleLines);
    const inset = Math.round(this.inset * 1.15);
    const spacing = subtitleLines.length > 0 ? 2 * this.scale : 0;
    const x = this.gap + inset;
    const y = this.gap + Math.round(inset * 0.75);
    return {
      box: {
        minX: this.gap,
        minY: this.gap,
        maxX: x + Math.max(titleSize.width, subtitleSize.width) + inset,
        maxY: y + titleSize.height + spacing + subtitleSize.height + Math.round(inset * 0.8),
      },
      flush: false,
      texts: [
        ...this.type.placeLines('title', titleLines, x, y),
        ...this.type.placeLines('subtitle', subtitleLines, x, y + titleSize.height + spacing),
      ],
      swatches: [],
    };
  }

  /** The legend at each of its positions: bottom left, above the sources, right, and top left. */
  legends(legend: Legend): Card[] {
    const sourceTop = this.cards.find(({ texts }) => texts[0]?.role === 'source')?.box.minY;
    const aboveSource = (sourceTop ?? this.picture.maxY) - this.gap - 1;
    const size = this.legend(legend, 0, 0).box;
    const right = this.picture.maxX - this.gap - size.maxX;
    return [
      this.legend(legend, this.gap, this.picture.maxY - this.gap - size.maxY),
      this.legend(legend, this.gap, aboveSource - size.maxY),
      this.legend(legend, right, aboveSource - size.maxY),
      this.legend(legend, right, this.gap),
      this.legend(legend, this.gap, this.gap),
    ];
  }

  /** Classes form one stepped bar with the highest at the top; "no data" is separate. */
  private legend({ title, classes, noData }: Legend, left: number, top: number): Card {
    const rowPx = Math.round(17 * this.scale);
    const swatchPx = Math.round(22 * this.scale);
    const x = left + this.inset;
    const labelX = x + swatchPx + Math.round(9 * this.scale);
    const heading = this.type.extent('legend-title', [title]);
    const sizePx = this.type.sizePx('legend-label');

    const texts = this.type.placeLines('legend-title', [title], x, top + this.inset * 0.8);
    const swatches: Swatch[] = [];
    let y = Math.round(top + this.inset * 0.8 + heading.height + 7 * this.scale);
    const addRow = ({ color, mark, label }: LegendClass) => {
      const box = { minX: x, minY: y, maxX: x + swatchPx, maxY: y + rowPx };
      swatches.push({ color, mark, box });
      // Digits and capitals are 0.71 em tall: half of that below the middle centers them.
      const baseline = y + rowPx / 2 + 0.357 * sizePx;
      texts.push({ role: 'legend-label', text: label, sizePx, x: labelX, y: baseline });
      y += rowPx;
    };
    classes.toReversed().forEach(addRow);
    if (noData !== undefined) {
      y += Math.round(6 * this.scale);
      addRow(noData);
    }

    const labels = texts.slice(1).map(({ text }) => text);
    const { width } = this.type.extent('legend-label', labels);
    const right = Math.max(x + heading.width, labelX + width);
    return {
      box: { minX: left, minY: top, maxX: right + this.inset, maxY: y + this.inset },
      flush: false,
      texts,
      swatches,
    };
  }
}

/** Minimum size of a territory box: even a tiny area needs room for its dot and name. */
const MIN_TERRITORY_BOX_PX = 32;

/** Pixel boxes of a territory, which furniture should leave uncovered. */
export function territoryBoxes(territory: readonly Bbox[], viewport: Viewport): RectPx[] {
  return territory.map((bbox) => {
    const { minX, minY, maxX, maxY } = viewport.rect(bbox);
    const growX = Math.max(0, MIN_TERRITORY_BOX_PX - (maxX - minX)) / 2;
    const growY = Math.max(0, MIN_TERRITORY_BOX_PX - (maxY - minY)) / 2;
    return { minX: minX - growX, minY: minY - growY, maxX: maxX + growX, maxY: maxY + growY };
  });
}

/** The area of the boxes that `cover` hides. Overlaps of boxes count once per box. */
export function coveredPx(cover: RectPx, boxes: readonly RectPx[]): number {
  let covered = 0;
  for (const box of boxes) {
    const width = Math.min(cover.maxX, box.maxX) - Math.max(cover.minX, box.minX);
    const height = Math.min(cover.maxY, box.maxY) - Math.max(cover.minY, box.minY);
    if (width > 0 && height > 0) covered += width * height;
  }
  return covered;
}

function areaPx({ minX, minY, maxX, maxY }: RectPx): number {
  return (maxX - minX) * (maxY - minY);
}
