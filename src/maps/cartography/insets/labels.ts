/** Estimates which ZIP codes have room for a label or a number at a scale, from their boxes. */
import type { Bbox } from '../../../base/spatial/bbox.ts';
import {
  latOfMercatorY,
  lngOfMercatorX,
  mercatorX,
  mercatorY,
} from '../../../base/spatial/mercator.ts';

/**
 * Smallest box of a ZIP code that usually has room for a label or a number, in CSS pixels. Measured on maps of
 * eight metros: many smaller boxes have room for a number, but counting on them leaves many ZIP codes without one.
 */
const LABEL_PX = { width: 38, height: 31 };
const NUMBER_PX = { width: 24, height: 20 };
/** Less than a label, because readers have to look a number up in the key. */
export const NUMBER_VALUE = 0.6;

/** A box as fractions of the world's side */
export interface WorldBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export const worldBox = ([west, south, east, north]: Bbox): WorldBox => ({
  minX: mercatorX(west),
  minY: mercatorY(north),
  maxX: mercatorX(east),
  maxY: mercatorY(south),
});

export const bboxOf = ({ minX, minY, maxX, maxY }: WorldBox): Bbox => [
  lngOfMercatorX(minX),
  latOfMercatorY(maxY),
  lngOfMercatorX(maxX),
  latOfMercatorY(minY),
];

/** 1 for a ZIP code with room for its label, less for a number, 0 for neither. */
export function labelValue({ minX, minY, maxX, maxY }: WorldBox, worldPx: number): number {
  const width = (maxX - minX) * worldPx;
  const height = (maxY - minY) * worldPx;
  if (width >= LABEL_PX.width && height >= LABEL_PX.height) return 1;
  return width >= NUMBER_PX.width && height >= NUMBER_PX.height ? NUMBER_VALUE : 0;
}

/** The value of several labels */
export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export function boxAround(boxes: readonly WorldBox[]): WorldBox {
  const around = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  for (const { minX, minY, maxX, maxY } of boxes) {
    if (minX < around.minX) around.minX = minX;
    if (minY < around.minY) around.minY = minY;
    if (maxX > around.maxX) around.maxX = maxX;
    if (maxY > around.maxY) around.maxY = maxY;
  }
  return around;
}
