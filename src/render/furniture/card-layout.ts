/**
 * Where each piece of furniture may be placed. A piece is a card: a box with texts and swatches. Each has several
 * forms and positions, and the first that fits beside the cards already placed is chosen.
 */
import { areaPx, growRect, rectContains, rectsMeet, type RectPx } from '../../base/spatial/flat.ts';
import { freeRects, freeRectsBeside } from '../../base/spatial/free-rects.ts';
import type { MeasureEm } from '../canvas/text/measure.ts';
import {
  linesBlock,
  placeBlock,
  stackBlocks,
  type Block,
  type Pieces,
  type Swatch,
} from './block.ts';
import { brandBlock } from './brand-block.ts';
import type { Legend, Locator, MapFurniture, ScaleBar } from './furniture.ts';
import { legendColumn, legendStrip } from './legend-block.ts';
import { locatorBlock } from './locator-block.ts';
import { truncateText, wrapText } from './text-block.ts';
import { FurnitureTypography } from './typography.ts';

/** A piece of furniture: a card with its texts and swatches. */
export interface Card extends Pieces {
  box: RectPx;
  /** Whether the card touches the edges of the picture */
  flush: boolean;
}

/** Maximum share of the picture that one piece may cover. */
const MAX_AREA_SHARE = 0.14;
/** Space between a piece that touches the picture's edge and its neighbors, CSS pixels */
const FLUSH_GAP_PX = 2;
/** A smaller rectangle has no room for a key. */
const FREE_RECTS = { cellPx: 8, minSidePx: 60 };

/** A card at one of its possible positions. Its pieces are placed when it is chosen: most never are. */
export interface Candidate extends Pick<Card, 'box' | 'flush'> {
  block: Block;
  /** Corner of the block */
  x: number;
  y: number;
}

const place = ({ box, flush, block, x, y }: Candidate): Card => ({
  box,
  flush,
  ...placeBlock(block, x, y),
});

export class CardLayout {
  private readonly picture: RectPx;
  readonly type: FurnitureTypography;
  private readonly scale: number;
  /** Space between a card and the picture's edge or another card */
  private readonly gap: number;
  /** Padding inside a card */
  private readonly inset: number;

  constructor(widthPx: number, heightPx: number, measure: MeasureEm, textScale = 1) {
    this.picture = { minX: 0, minY: 0, maxX: widthPx, maxY: heightPx };
    this.type = new FurnitureTypography(widthPx, heightPx, measure, textScale);
    this.scale = this.type.scale;
    this.gap = Math.round(14 * this.scale ** 2);
    this.inset = Math.round(12 * this.scale);
  }

  /** Adds the first candidate that fits beside the cards. Returns whether there is one. */
  addFirstFitting(
    cards: Card[],
    candidates: readonly Candidate[],
    maxAreaShare = MAX_AREA_SHARE,
  ): boolean {
    const fitting = candidates.find((candidate) => this.fits(candidate, cards, maxAreaShare));
    if (fitting !== undefined) cards.push(place(fitting));
    return fitting !== undefined;
  }

  private fits(
    { box, flush }: Candidate,
    cards: readonly Card[],
    maxAreaShare = MAX_AREA_SHARE,
  ): boolean {
    const withGap = growRect(box, flush ? FLUSH_GAP_PX : this.gap);
    return (
      areaPx(box) / areaPx(this.picture) <= maxAreaShare &&
      rectContains(this.picture, box) &&
      cards.every((card) => !rectsMeet(card.box, withGap))
    );
  }

  /**
   * Sources, in the bottom right corner and flush with it: the first text that fits on a line, or else the
   * last. Null if it's larger than the picture.
   */
  source(texts: readonly string[]): Card | null {
    const maxPx = this.picture.maxX - 2 * Math.round(this.inset * 0.6);
    const cards = texts.map((text) =>
      this.flushCard(
        linesBlock(this.type, 'source', wrapText(text, maxPx, this.type.widthOf('source'))),
        { right: true, bottom: true },
      ),
    );
    const fitting =
      cards.find((card) => this.fits(card, []) && card.block.texts.length === 1) ?? cards.at(-1);
    return fitting !== undefined && rectContains(this.picture, fitting.box) ? place(fitting) : null;
  }

  /** Title and subtitle, at the top left. */
  heading(title: string, subtitle: string | undefined, brand: MapFurniture = {}): Candidate {
    const available = this.picture.maxX - 2 * this.gap - 2 * this.inset;
    const maxWidth = Math.min(available, Math.max(300, this.picture.maxX * 0.45));
    const titleLines = truncateText(title, maxWidth, 2, this.type.widthOf('title'));
    const subtitleLines = truncateText(subtitle ?? '', maxWidth, 2, this.type.widthOf('subtitle'));
    const text = stackBlocks(
      [
        linesBlock(this.type, 'title', titleLines),
        linesBlock(this.type, 'subtitle', subtitleLines),
      ],
      [subtitleLines.length > 0 ? 2 * this.scale : 0],
    );
    const block = stackBlocks([...brandBlock(this.type, brand), text], [0]);
    const inset = Math.round(this.inset * 1.15);
    const insets = { x: inset, top: Math.round(inset * 0.75), bottom: Math.round(inset * 0.8) };
    return this.card(block, this.gap, this.gap, insets, false);
  }

  /** A single line in small type, flush with the top left corner. */
  compactHeading(title: string): Candidate {
    const maxPx = this.picture.maxX * 0.9;
    const lines = truncateText(title, maxPx, 1, this.type.widthOf('caption'));
    return this.flushCard(linesBlock(this.type, 'caption', lines), { right: false, bottom: false });
  }

  /** The forms of a legend, each at all of its positions. */
  legends(legend: Legend, source: Card | null): Candidate[][] {
    const columns = [
      ...(legend.histogram === undefined ? [] : [legendColumn(this.type, legend)]),
      legendColumn(this.type, legend, { histogram: false }),
    ];
    return [
      ...columns.map((block) => this.corners(block, source)),
      this.corners(legendStrip(this.type, legend), source, { flush: true }),
    ];
  }

  /** Returns a function that finds the space that cards and the territory leave free, the largest parts first. */
  freeRects(territory: readonly RectPx[]): (cards: readonly Card[]) => RectPx[] {
    const grid = { room: growRect(this.picture, -this.gap), ...FREE_RECTS };
    let free: RectPx[] | undefined;
    return (cards) => {
      free ??= freeRects(grid, territory);
      return freeRectsBeside(
        grid,
        free,
        cards.map(({ box }) => growRect(box, this.gap)),
      );
    };
  }

  /** A card in each of the rectangles, in the corner that is nearest to a corner of the picture */
  within(rects: readonly RectPx[], block: Block): Candidate[] {
    const { maxX: width, maxY: height } = this.thinCard(block, 0, 0).box;
    return rects
      .filter(({ minX, minY, maxX, maxY }) => maxX - minX >= width && maxY - minY >= height)
      .map(({ minX, minY, maxX, maxY }) => {
        const isLeft = minX < this.picture.maxX - maxX;
        const isTop = minY < this.picture.maxY - maxY;
        return this.thinCard(block, isLeft ? minX : maxX - width, isTop ? minY : maxY - height);
      });
  }

  /** The room for a block in a thin card as large as a rectangle */
  roomIn({ minX, minY, maxX, maxY }: RectPx): { width: number; height: number } {
    const { x, top, bottom } = this.thinInsets;
    return {
      width: Math.floor(maxX - minX - 2 * x),
      height: Math.floor(maxY - minY - top - bottom),
    };
  }

  locators(locator: Locator, source: Card | null): Candidate[] {
    return this.corners(locatorBlock(this.type, locator), source, { prefersRight: true });
  }

  scaleBars(scaleBar: NonNullable<MapFurniture['scaleBar']>, source: Card | null): Candidate[] {
    return this.corners(scaleBarBlock(this.type, scaleBar), source, { prefersRight: true });
  }

  /**
   * A card at each of its positions: bottom left, above the sources on the left and on the right, top
   * right, and top left. With `prefersRight`, the right ones come first.
   */
  corners(
    block: Block,
    source: Card | null,
    { prefersRight = false, flush = false } = {},
  ): Candidate[] {
    const gap = flush ? 0 : this.gap;
    const insets = { x: this.inset, top: this.inset * 0.8, bottom: this.inset };
    const at = (x: number, y: number) =>
      flush || prefersRight
        ? this.thinCard(block, x, y, flush)
        : this.card(block, x, y, insets, false);
    const { maxX: width, maxY: height } = at(0, 0).box;
    const bottom = this.picture.maxY - gap - height;
    const between = flush ? FLUSH_GAP_PX : gap;
    const aboveSource = (source?.box.minY ?? this.picture.maxY) - between - 1 - height;
    const right = this.picture.maxX - gap - width;
    const onLeft = [at(gap, bottom), at(gap, aboveSource)];
    const onRight = [at(right, aboveSource), at(right, gap)];
    const others = prefersRight ? [...onRight, ...onLeft] : [...onLeft, ...onRight];
    return [...others, at(gap, gap)];
  }

  private flushCard(
    block: Block,
    { right, bottom }: { right: boolean; bottom: boolean },
  ): Candidate {
    const insets = {
      x: Math.round(this.inset * 0.6),
      top: Math.round(this.inset * 0.3),
      bottom: Math.round(this.inset * 0.3),
    };
    const { maxX, maxY } = this.card(block, 0, 0, insets, true).box;
    const x = right ? this.picture.maxX - maxX : 0;
    return this.card(block, x, bottom ? this.picture.maxY - maxY : 0, insets, true);
  }

  private thinCard(block: Block, x: number, y: number, flush = false): Candidate {
    return this.card(block, x, y, this.thinInsets, flush);
  }

  private get thinInsets() {
    return { x: this.inset * 0.6, top: this.inset * 0.4, bottom: this.inset * 0.4 };
  }

  private card(
    block: Block,
    minX: number,
    minY: number,
    insets: { x: number; top: number; bottom: number },
    flush: boolean,
  ): Candidate {
    return {
      box: {
        minX,
        minY,
        maxX: minX + Math.ceil(block.width + 2 * insets.x),
        maxY: minY + Math.ceil(insets.top + block.height + insets.bottom),
      },
      flush,
      block,
      x: minX + insets.x,
      y: minY + insets.top,
    };
  }
}

/** A scale bar: a line with a tick and a label for each unit, the first above the line. */
function scaleBarBlock(type: FurnitureTypography, scaleBar: ScaleBar): Block {
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
