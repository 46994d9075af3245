/** Draws arranged furniture over the map. */
import { createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import { growRect, type FlatPoints, type RectPx } from '../../base/spatial/flat.ts';
import { cssFont, drawableText } from '../canvas/fonts.ts';
import type { FurnitureColors } from './colors.ts';
import type { Arrangement } from './arrange.ts';
import type { Card } from './card-layout.ts';
import type { Swatch } from './block.ts';
import type { LegendMark, LegendPattern, Logo } from './furniture.ts';
import { FACES, type TextRole } from './typography.ts';

const CORNER_PX = 5;
/** How far borders reach beyond the box of a card */
const BORDER_PX = 1;
/** The outline of a part of the map that is shown enlarged, and the halo around it */
const ENLARGED = { linePx: 1.25, haloPx: 3.25 } as const;

/**
 * Calls `draw` with a canvas in CSS pixels. Only the part inside the box is shown.
 *
 * @param content everything that `draw` depends on: equal drawings may be drawn once
 */
export type DrawOn = (box: RectPx, content: string, draw: (context: SKRSContext2D) => void) => void;

export function drawFurniture(
  drawOn: DrawOn,
  pixelRatio: number,
  arrangement: Arrangement,
  colors: FurnitureColors,
): void {
  for (const box of arrangement.enlarged ?? []) {
    const content = JSON.stringify(['enlarged', box, colors]);
    drawOn(growRect(box, ENLARGED.haloPx), content, (context) =>
      drawOutlined(context, box, colors),
    );
  }
  for (const card of arrangement.cards) {
    drawOn(
      growRect(card.box, BORDER_PX),
      JSON.stringify([card, colors], withoutPixels),
      (context) => {
        drawCard(context, card, colors);
        for (const ring of card.outlines ?? []) drawOutline(context, ring, colors);
        for (const swatch of card.swatches) drawSwatch(context, swatch, colors);
        drawTexts(context, pixelRatio, card, colors);
      },
    );
  }
  for (const frame of arrangement.frames ?? []) {
    const content = JSON.stringify([frame, colors]);
    drawOn(growRect(frame, BORDER_PX), content, (context) => drawFrame(context, frame, colors));
  }
}

/** The id of a logo identifies its pixels. */
const withoutPixels = (key: string, value: unknown) => (key === 'rgba' ? undefined : value);

function drawTexts(
  context: SKRSContext2D,
  pixelRatio: number,
  { texts }: Card,
  colors: FurnitureColors,
): void {
  context.lang = 'en';
  for (const { role, text, sizePx, x, y } of texts) {
    context.font = cssFont(FACES[role], sizePx);
    context.fillStyle = inkOf(role, colors);
    context.fillText(drawableText(text), x, Math.round(y * pixelRatio) / pixelRatio);
  }
}

/** Draws a hairline around the box, outside its edges. */
function drawFrame(
  context: SKRSContext2D,
  { minX, minY, maxX, maxY }: RectPx,
  colors: FurnitureColors,
): void {
  context.strokeStyle = colors.hairline;
  context.lineWidth = 1;
  context.strokeRect(minX - 0.5, minY - 0.5, maxX - minX + 1, maxY - minY + 1);
}

/** Outlines the part of a map that another shows enlarged, readable on every fill. */
function drawOutlined(
  context: SKRSContext2D,
  { minX, minY, maxX, maxY }: RectPx,
  colors: FurnitureColors,
): void {
  const { linePx, haloPx } = ENLARGED;
  context.lineJoin = 'miter';
  for (const [color, widthPx] of [
    [colors.paper, haloPx],
    [colors.ink, linePx],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = widthPx;
    context.strokeRect(minX, minY, maxX - minX, maxY - minY);
  }
}

function drawCard(context: SKRSContext2D, { box, flush }: Card, colors: FurnitureColors): void {
  const { minX, minY, maxX, maxY } = box;
  context.fillStyle = colors.paper;
  if (flush) {
    context.fillRect(minX, minY, maxX - minX, maxY - minY);
    return;
  }
  context.beginPath();
  context.roundRect(minX, minY, maxX - minX, maxY - minY, CORNER_PX);
  context.fill();
  context.strokeStyle = colors.hairline;
  context.lineWidth = 1;
  context.stroke();
}

function drawOutline(context: SKRSContext2D, ring: FlatPoints, colors: FurnitureColors): void {
  context.beginPath();
  for (let i = 0; i < ring.length; i += 2) context.lineTo(ring[i]!, ring[i + 1]!);
  context.closePath();
  context.fillStyle = colors.hairline;
  context.fill();
  context.strokeStyle = colors.quietInk;
  context.lineWidth = 0.75;
  context.stroke();
}

function drawSwatch(
  context: SKRSContext2D,
  { color, mark, box, isBar = false, logo }: Swatch,
  colors: FurnitureColors,
): void {
  const width = box.maxX - box.minX;
  const height = box.maxY - box.minY;
  if (logo !== undefined) return drawLogo(context, box, logo);
  context.fillStyle = color ?? colors.ink;
  context.fillRect(box.minX, box.minY, width, height);
  if (isBar) return;
  if (isPattern(mark)) drawPattern(context, box, mark, colors);
  const edge = mark === undefined || isPattern(mark) ? undefined : EDGES[mark];
  context.lineCap = mark === 'dotted-edge' ? 'round' : 'butt';
  context.setLineDash([...(edge?.dashes ?? [])]);
  context.strokeStyle = edge === undefined ? colors.hairline : colors.ink;
  context.lineWidth = edge?.widthPx ?? 1;
  const inside = context.lineWidth / 2;
  context.strokeRect(box.minX + inside, box.minY + inside, width - 2 * inside, height - 2 * inside);
  context.setLineDash([]);
}

function drawLogo(context: SKRSContext2D, { minX, minY, maxX, maxY }: RectPx, logo: Logo): void {
  const { width, height, rgba } = logo;
  const picture = createCanvas(width, height);
  picture.getContext('2d').putImageData(new ImageData(rgba, width, height), 0, 0);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, minX, minY, maxX - minX, maxY - minY);
}

/** Edges of ZIP codes as in the style's layers, in CSS pixels */
const EDGES: Readonly<
  Record<Exclude<LegendMark, LegendPattern>, { widthPx: number; dashes: readonly number[] }>
> = {
  'broken-edge': { widthPx: 1, dashes: [3, 2.5] },
  'solid-edge': { widthPx: 2, dashes: [] },
  'dotted-edge': { widthPx: 2, dashes: [0, 4] },
};

/** Spacing and width of lines, as in the map's patterns, and the opacity of their ink */
const PATTERN = { stepPx: 8, widthPx: 1.5, dotPx: 2.4, opacity: 0.3 } as const;

/** The lines of each pattern */
const LINES: Readonly<Record<Exclude<LegendPattern, 'dots'>, readonly Line[]>> = {
  hatch: ['rising'],
  falling: ['falling'],
  horizontal: ['horizontal'],
  vertical: ['vertical'],
  grid: ['horizontal', 'vertical'],
};
type Line = 'rising' | 'falling' | 'horizontal' | 'vertical';

const isPattern = (mark: LegendMark | undefined): mark is LegendPattern =>
  mark === 'dots' || (mark !== undefined && mark in LINES);

/** Draws lines across the box, or dots. */
function drawPattern(
  context: SKRSContext2D,
  { minX, minY, maxX, maxY }: RectPx,
  pattern: LegendPattern,
  colors: FurnitureColors,
): void {
  const { stepPx, widthPx, dotPx, opacity } = PATTERN;
  const height = maxY - minY;
  context.save();
  context.beginPath();
  context.rect(minX, minY, maxX - minX, height);
  context.clip();
  context.beginPath();
  const line = (fromX: number, fromY: number, toX: number, toY: number) => {
    context.moveTo(fromX, fromY);
    context.lineTo(toX, toY);
  };
  for (const direction of pattern === 'dots' ? [] : LINES[pattern]) {
    if (direction === 'horizontal') {
      for (let y = minY + stepPx / 2; y < maxY; y += stepPx) line(minX, y, maxX, y);
    } else if (direction === 'vertical') {
      for (let x = minX + stepPx / 2; x < maxX; x += stepPx) line(x, minY, x, maxY);
    } else {
      const [top, bottom] = direction === 'rising' ? [minY, maxY] : [maxY, minY];
      for (let x = minX - height; x < maxX; x += stepPx) line(x, bottom, x + height, top);
    }
  }
  if (pattern === 'dots') {
    for (let y = minY + stepPx / 4; y < maxY; y += stepPx / 2) {
      const isOdd = Math.round((y - minY) / (stepPx / 2) - 0.5) % 2 === 1;
      for (let x = minX + stepPx * (isOdd ? 0.75 : 0.25); x < maxX; x += stepPx) line(x, y, x, y);
    }
    context.lineCap = 'round';
  }
  context.strokeStyle = colors.ink;
  context.globalAlpha = opacity;
  context.lineWidth = pattern === 'dots' ? dotPx : widthPx;
  context.stroke();
  context.restore();
}

/** Roles in the dark color; all others are lighter. */
const PROMINENT = new Set<TextRole>(['title', 'legend-title', 'caption']);

function inkOf(role: TextRole, colors: FurnitureColors): string {
  return PROMINENT.has(role) ? colors.ink : colors.quietInk;
}
