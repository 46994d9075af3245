/** Reads the sprites of a style: sheets of images with an index each, made for pixel ratios 1 and 2. */
import type { LayerSpecification, StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { STYLE, STYLE_ASSETS } from './bounds.ts';
import { InvalidSceneError } from '../errors.ts';
import type { StyleImage } from '../scene.ts';
import type { Assets } from './assets.ts';
import type { Pictures } from './picture-files.ts';
import { ProblemList } from './problem-list.ts';
import { parseSpriteIndex } from './sprite-index.ts';
import { cutSheet } from './sprite-sheet.ts';

/**
 * Reads the images of all sprites for a pixel ratio. Returns undefined if no visible layer uses images.
 *
 * @throws InvalidSceneError for a file that is missing, broken, or too large
 */
export async function readImages(
  { sprite, layers }: StyleSpecification,
  pixelRatio: number,
  assets: Assets,
  pictures: Pictures,
): Promise<Record<string, StyleImage> | undefined> {
  if (sprite === undefined || !layers.some(usesImages)) return undefined;
  const sprites = typeof sprite === 'string' ? [{ id: DEFAULT_ID, url: sprite }] : sprite;
  const suffix = pixelRatio > 1 ? '@2x' : '';
  const limit = { pixels: STYLE_ASSETS.spritePixels };
  const images: [string, StyleImage][] = [];
  const problems = new ProblemList();
  for (const [i, { id, url }] of sprites.entries()) {
    const property = typeof sprite === 'string' ? 'sprite' : `sprite[${i}].url`;
    const prefix = id === DEFAULT_ID ? '' : `${id}:`;
    const read = () => readSprite(url, suffix, property, { assets, pictures, limit });
    for (const [name, image] of (await problems.collect(read)) ?? []) {
      images.push([prefix + name, image]);
    }
  }
  problems.throwAny();
  // Unlike an assignment, this also works for a name such as `__proto__`.
  return Object.fromEntries(images);
}

/** Images of this sprite have no prefix in their names. */
const DEFAULT_ID = 'default';

function usesImages({ layout, paint }: LayerSpecification): boolean {
  if (layout?.visibility === 'none') return false;
  const { 'icon-image': icon, 'text-field': text } = (layout ?? {}) as Record<string, unknown>;
  const hasPattern = Object.keys(paint ?? {}).some((name) => name.endsWith('-pattern'));
  return icon !== undefined || hasPattern || JSON.stringify(text ?? '').includes('["image"');
}

async function readSprite(
  url: string,
  suffix: string,
  property: string,
  {
    assets,
    pictures,
    limit,
  }: { assets: Assets; pictures: Pictures; /** For all sprites */ limit: { pixels: number } },
): Promise<[string, StyleImage][]> {
  const address = (extension: string) => url.replace(/(\?.*)?$/s, `${suffix}${extension}$1`);
  const index = await assets.readJson(address('.json'), property, STYLE);
  const sheet = await pictures.readExisting(address('.png'), property);
  const entries = parseSpriteIndex(index, sheet, `${property} (${address('.json')})`);
  const total = entries.reduce((sum, [, { width, height }]) => sum + width * height, 0);
  // Images may share pixels of the sheet, so copies could take much more memory than the sheet.
  if ((limit.pixels -= total) < 0) throw tooManyPixels(`${property} (${address('.json')})`);

  return cutSheet(entries, sheet);
}

function tooManyPixels(name: string): InvalidSceneError {
  const limit = STYLE_ASSETS.spritePixels.toLocaleString('en');
  return new InvalidSceneError([
    `${name} has images beyond the limit of ${limit} pixels for all sprites: use fewer or smaller images`,
  ]);
}
