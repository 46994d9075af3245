/** The box of an icon around its anchor, plain or fitted to a text: MapLibre's `symbol/shaping.ts`. Pure. */
import type { StyleImage } from '../../scene.ts';
import { displayHeight, displayWidth } from '../images.ts';
import { horizontalShare, verticalShare, type Anchor } from '../text/shape.ts';

/** In CSS pixels of an icon of size 1 */
export interface IconShape {
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** Frame around a fitted text that also takes room: left, top, right, bottom */
  frame: readonly [number, number, number, number] | null;
}

export function shapeIcon(
  image: StyleImage,
  anchor: Anchor,
  [offsetX, offsetY]: readonly [number, number],
): IconShape {
  const left = offsetX - displayWidth(image) * horizontalShare(anchor);
  const top = offsetY - displayHeight(image) * verticalShare(anchor);
  return {
    left,
    top,
    right: left + displayWidth(image),
    bottom: top + displayHeight(image),
    frame: null,
  };
}

/** Values of the style property `icon-text-fit` */
export type IconTextFit = 'none' | 'width' | 'height' | 'both';

/** A text's bounds around the anchor, in CSS pixels */
export type TextBounds = Pick<IconShape, 'left' | 'top' | 'right' | 'bottom'>;

/**
 * Centers an icon on a text and stretches it to the text in the given dimensions.
 *
 * @param padding around the text: top, right, bottom, left
 */
export function fitToText(
  image: StyleImage,
  text: TextBounds,
  fit: IconTextFit,
  [padTop, padRight, padBottom, padLeft]: readonly [number, number, number, number],
  [offsetX, offsetY]: readonly [number, number],
): IconShape {
  const [width, height] = [displayWidth(image), displayHeight(image)];
  const isWide = fit === 'width' || fit === 'both';
  const isTall = fit === 'height' || fit === 'both';
  const left = offsetX + (isWide ? text.left - padLeft : (text.left + text.right - width) / 2);
  const top = offsetY + (isTall ? text.top - padTop : (text.top + text.bottom - height) / 2);
  const shape = {
    left,
    top,
    right: isWide ? offsetX + text.right + padRight : left + width,
    bottom: isTall ? offsetY + text.bottom + padBottom : top + height,
  };
  return { ...shape, frame: frameOf(image) };
}

function frameOf(image: StyleImage): IconShape['frame'] {
  if (image.content === undefined) return null;
  const [left, top, right, bottom] = image.content.map((px) => px / image.pixelRatio);
  return [left!, top!, displayWidth(image) - right!, displayHeight(image) - bottom!];
}

/** Widens a fitted shape where `textFitWidth` and `textFitHeight` keep the proportions of the content. */
export function keepProportions(shape: IconShape, image: StyleImage): IconShape {
  const { content, textFitWidth, textFitHeight } = image;
  if (content === undefined) return shape;
  const { left, top, right, bottom } = shape;
  const [width, height] = [right - left, bottom - top];
  const proportion = (content[2] - content[0]) / (content[3] - content[1]);
  if (textFitHeight === 'proportional') {
    const isNarrow = textFitWidth === 'stretchOnly' && width / height < proportion;
    if (!isNarrow && textFitWidth !== 'proportional') return shape;
    const wider = Math.ceil(height * proportion);
    const scaled = (left * wider) / width;
    return { ...shape, left: scaled, right: scaled + wider };
  }
  const isFlat = textFitHeight === 'stretchOnly' && proportion !== 0 && width / height > proportion;
  if (textFitWidth !== 'proportional' || !isFlat) return shape;
  const taller = Math.ceil(width / proportion);
  const scaled = (top * taller) / height;
  return { ...shape, top: scaled, bottom: scaled + taller };
}
