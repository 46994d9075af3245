/**
 * Cuts an icon into rectangles that stretch differently: MapLibre's `getIconQuads` in `symbol/quads.ts`.
 * Pure.
 */
import type { Span, StyleImage } from '../../scene.ts';
import { keepProportions, type IconShape } from './shape.ts';

/** A rectangle of the image and its corners around the anchor. */
export interface IconQuad {
  /** In pixels of the image; a transparent border of one pixel surrounds the image */
  image: Edges;
  /** In CSS pixels; grows with the icon's size */
  scaled: Edges;
  /** In CSS pixels; doesn't grow */
  fixed: Edges;
  /** Smallest scales, across and down, at which the fixed parts of a fitted image don't overlap */
  minScale: readonly [number, number];
}

interface Edges {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Transparent pixels around each image */
const BORDER = 1;

/** Position in the image: the number of fixed and of stretching pixels before it */
interface Cut {
  fixed: number;
  stretch: number;
}

/** @param isFitted whether the layer fits icons to texts, even if this feature has no text */
export function iconQuads(shape: IconShape, image: StyleImage, isFitted: boolean): IconQuad[] {
  const usesContent = isFitted && image.content !== undefined;
  const isBound = image.textFitWidth !== undefined || image.textFitHeight !== undefined;
  const box = usesContent && isBound ? keepProportions(shape, image) : shape;
  const [left, top, right, bottom] = usesContent ? image.content! : [];
  const across = axis(image.width, image.stretchX, left, right, box.left, box.right);
  const down = axis(image.height, image.stretchY, top, bottom, box.top, box.bottom);
  const isCut = isFitted && (image.stretchX !== undefined || image.stretchY !== undefined);
  const columns = isCut ? across.cuts : wholeCuts(image.width);
  const rows = isCut ? down.cuts : wholeCuts(image.height);
  const { pixelRatio } = image;
  const minScale = [
    Math.trunc((across.fixedSize / pixelRatio / (box.right - box.left)) * 256) / 256,
    Math.trunc((down.fixedSize / pixelRatio / (box.bottom - box.top)) * 256) / 256,
  ] as const;
  const quads: IconQuad[] = [];
  for (let i = 1; i < columns.length; i++) {
    const fromX = edgeAt(columns[i - 1]!, across, pixelRatio);
    const toX = edgeAt(columns[i]!, across, pixelRatio);
    for (let j = 1; j < rows.length; j++) {
      const fromY = edgeAt(rows[j - 1]!, down, pixelRatio);
      const toY = edgeAt(rows[j]!, down, pixelRatio);
      quads.push({
        image: { left: fromX.image, top: fromY.image, right: toX.image, bottom: toY.image },
        scaled: { left: fromX.scaled, top: fromY.scaled, right: toX.scaled, bottom: toY.scaled },
        fixed: { left: fromX.fixed, top: fromY.fixed, right: toX.fixed, bottom: toY.fixed },
        minScale,
      });
    }
  }
  return quads;
}

/** Where a cut is: see `IconQuad` */
type Edge = Record<'image' | 'scaled' | 'fixed', number>;

function edgeAt(cut: Cut, axis: Axis, pixelRatio: number): Edge {
  const { offset, content, start, end, stretchTotal } = axis;
  const fixed = cut.fixed - offset.fixed - (content.fixed * cut.stretch) / stretchTotal;
  return {
    image: positionOf(cut),
    scaled: ((cut.stretch - offset.stretch) / content.stretch) * (end - start) + start,
    // Vertices store sixteenths of a pixel.
    fixed: Math.trunc((fixed / pixelRatio) * 16) / 16,
  };
}

/** MapLibre stores whole pixels. */
const positionOf = ({ fixed, stretch }: Cut) => Math.trunc(fixed + stretch + BORDER) - BORDER;

function wholeCuts(size: number): Cut[] {
  return [
    { fixed: 0, stretch: -BORDER },
    { fixed: 0, stretch: size + BORDER },
  ];
}

interface Axis {
  cuts: Cut[];
  /** Part of the content that doesn't stretch, in pixels of the image */
  fixedSize: number;
  /** Number of stretching pixels in the image */
  stretchTotal: number;
  /** Pixels of the image before the content, and within it */
  offset: Cut;
  content: Cut;
  /** Ends of the icon around its anchor, in CSS pixels */
  start: number;
  end: number;
}

/**
 * @param size in pixels of the image
 * @param contentStart, contentEnd the part for the text; undefined for the whole image
 * @param start, end of the icon around its anchor, in CSS pixels
 */
function axis(
  size: number,
  stretch: readonly Span[] = [[0, size]],
  contentStart: number | undefined,
  contentEnd: number | undefined,
  start: number,
  end: number,
): Axis {
  const stretchTotal = stretch.reduce((sum, [from, to]) => sum + to - from, 0);
  const fixedTotal = size - stretchTotal;
  let offset: Cut = { fixed: 0, stretch: 0 };
  let content: Cut = { fixed: fixedTotal, stretch: stretchTotal };
  if (contentStart !== undefined && contentEnd !== undefined) {
    const stretchBefore = lengthWithin(stretch, 0, contentStart);
    const stretchInside = lengthWithin(stretch, contentStart, contentEnd);
    offset = { fixed: contentStart - stretchBefore, stretch: stretchBefore };
    content = { fixed: contentEnd - contentStart - stretchInside, stretch: stretchInside };
  }
  return {
    cuts: cutsOf(stretch, fixedTotal, stretchTotal),
    fixedSize: content.fixed,
    stretchTotal,
    offset,
    content,
    start,
    end,
  };
}

function lengthWithin(spans: readonly Span[], start: number, end: number): number {
  const clamp = (at: number) => Math.max(start, Math.min(end, at));
  return spans.reduce((sum, [from, to]) => sum + clamp(to) - clamp(from), 0);
}

function cutsOf(spans: readonly Span[], fixedTotal: number, stretchTotal: number): Cut[] {
  const cuts: Cut[] = [{ fixed: -BORDER, stretch: 0 }];
  let stretch = 0;
  for (const [from, to] of spans) {
    const fixed = from - stretch;
    cuts.push({ fixed, stretch });
    stretch += to - from;
    cuts.push({ fixed, stretch });
  }
  cuts.push({ fixed: fixedTotal + BORDER, stretch: stretchTotal });
  return cuts;
}
