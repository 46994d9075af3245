/** Checks the index of a sprite: the position of each image in the sheet, and how the image stretches. */
import { InvalidSceneError } from '../errors.ts';
import type { Span, StyleImage, TextFit } from '../scene.ts';

/** An image and the position of its top left pixel in the sheet */
export interface SpriteEntry extends Omit<StyleImage, 'pixels'> {
  x: number;
  y: number;
}

const TEXT_FITS: readonly TextFit[] = ['stretchOrShrink', 'stretchOnly', 'proportional'];

/** An index can have thousands of errors of the same kind. */
const MAX_PROBLEMS = 10;

/**
 * Returns the entries of an index by image name.
 *
 * @param file the index, for messages
 * @throws InvalidSceneError naming every image that is outside the sheet or has invalid properties
 */
export function parseSpriteIndex(
  index: unknown,
  sheet: { width: number; height: number },
  file: string,
): [name: string, entry: SpriteEntry][] {
  if (!(index instanceof Object) || Array.isArray(index)) {
    throw new InvalidSceneError([`${file} isn't an object of images by name: export it again`]);
  }
  const problems: string[] = [];
  const entries = Object.entries(index).map(([name, value]): [string, SpriteEntry] => {
    const entry = (value ?? {}) as Record<string, unknown>;
    const problem = problemOf(entry, sheet);
    if (problem !== null) problems.push(`${file}: the image "${name}" ${problem}`);
    return [name, { pixelRatio: 1, ...entry, sdf: entry.sdf === true } as unknown as SpriteEntry];
  });
  if (problems.length > 0) throw new InvalidSceneError(problems.slice(0, MAX_PROBLEMS));
  return entries;
}

function problemOf(
  entry: Record<string, unknown>,
  sheet: { width: number; height: number },
): string | null {
  const { x, y, width, height, pixelRatio = 1, stretchX, stretchY, content } = entry;
  if (![x, y, width, height].every((value) => Number.isInteger(value) && (value as number) >= 0)) {
    return 'needs "x", "y", "width", and "height" as whole numbers of at least 0';
  }
  const [columns, rows] = [width as number, height as number];
  if ((x as number) + columns > sheet.width || (y as number) + rows > sheet.height) {
    return `isn't inside the sheet of ${sheet.width} x ${sheet.height} pixels: export both files again`;
  }
  if (!(typeof pixelRatio === 'number' && pixelRatio > 0 && Number.isFinite(pixelRatio))) {
    return 'has a "pixelRatio" that isn\'t a positive number';
  }
  if (!isStretch(stretchX, columns)) return `has a "stretchX" ${BAD_STRETCH}`;
  if (!isStretch(stretchY, rows)) return `has a "stretchY" ${BAD_STRETCH}`;
  if (!isContent(content, columns, rows)) {
    return 'has a "content" that isn\'t [left, top, right, bottom] inside the image';
  }
  for (const name of ['textFitWidth', 'textFitHeight']) {
    const fit = entry[name];
    if (fit !== undefined && !TEXT_FITS.includes(fit as never)) {
      return `has a "${name}" other than ${TEXT_FITS.join(', ')}`;
    }
  }
  return null;
}

const BAD_STRETCH = "that isn't a list of ascending [start, end] inside the image";

function isStretch(value: unknown, size: number): boolean {
  if (value === undefined) return true;
  let last = 0;
  const ascends = (span: unknown) => {
    if (!isNumbers(span, 2)) return false;
    const [start, end] = span as unknown as Span;
    const isNext = start >= last && end >= start && end <= size;
    last = end;
    return isNext;
  };
  return Array.isArray(value) && value.every(ascends);
}

function isContent(value: unknown, width: number, height: number): boolean {
  if (value === undefined) return true;
  if (!isNumbers(value, 4)) return false;
  const [left, top, right, bottom] = value as [number, number, number, number];
  return (
    left >= 0 && top >= 0 && left <= right && top <= bottom && right <= width && bottom <= height
  );
}

function isNumbers(value: unknown, length: number): value is number[] {
  return Array.isArray(value) && value.length === length && value.every(Number.isFinite);
}
