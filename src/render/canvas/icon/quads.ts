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

export interface Edges {
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
  return columns.slice(1).flatMap((columnEnd, i) =>
    rows.slice(1).map((rowEnd, j): IconQuad => {
      const edges = (
        acrossAt: (cut: Cut) => number,
        downAt: (cut: Cut) => number,
      ): IconQuad['image'] => ({
        left: acrossAt(columns[i]!),
        top: downAt(rows[j]!),
        right: acrossAt(columnEnd),
        bottom: downAt(rowEnd),
      });
      return {
        image: edges(positionOf, positionOf),
        scaled: edges(across.scaledAt, down.scaledAt),
        // Vertices store sixteenths of a pixel.
        fixed: edges(
          (cut) => Math.trunc((across.fixedAt(cut) / pixelRatio) * 16) / 16,
          (cut) => Math.trunc((down.fixedAt(cut) / pixelRatio) * 16) / 16,
        ),
        minScale: [
          Math.trunc((across.fixedSize / pixelRatio / (box.right - box.left)) * 256) / 256,
          Math.trunc((down.fixedSize / pixelRatio / (box.bottom - box.top)) * 256) / 256,
        ],
      };
    }),
  );
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
  scaledAt: (cut: Cut) => number;
  fixedAt: (cut: Cut) => number;
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
    scaledAt: (cut) => ((cut.stretch - offset.stretch) / content.stretch) * (end - start) + start,
    fixedAt: (cut) => cut.fixed - offset.fixed - (content.fixed * cut.stretch) / stretchTotal,
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
