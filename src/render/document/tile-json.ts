/** Reads TileJSON documents, which declare the tiles of a source. */
import type { VectorSourceSpecification } from '@maplibre/maplibre-gl-style-spec';
import { InvalidSceneError } from '../errors.ts';
import type { Assets } from './assets.ts';
import { STYLE } from './bounds.ts';

/** Properties that TileJSON documents share with sources. The style's validator checks those of sources. */
export interface TileJson extends Pick<
  VectorSourceSpecification,
  'tiles' | 'minzoom' | 'maxzoom' | 'bounds' | 'scheme'
> {
  encoding?: string;
  /** Raster tiles only */
  tileSize?: number;
}

type Check = [isValid: (value: unknown) => boolean, kind: string];

const isZoom = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;
const ZOOM: Check = [isZoom, 'a whole number of at least 0'];

const CHECKS: Readonly<Record<keyof TileJson, Check>> = {
  tiles: [(value) => isList(value, 'string'), 'an array of addresses'],
  minzoom: ZOOM,
  maxzoom: ZOOM,
  bounds: [
    (value) => isList(value, 'number') && (value as unknown[]).length === 4,
    '[west, south, east, north]',
  ],
  scheme: [(value) => value === 'xyz' || value === 'tms', '"xyz" or "tms"'],
  encoding: [(value) => typeof value === 'string', 'a name'],
  tileSize: [(value) => typeof value === 'number', 'a number'],
};

const isList = (value: unknown, type: string) =>
  Array.isArray(value) && value.every((entry) => typeof entry === type);

/**
 * Returns the properties that we use.
 *
 * @param property the property with this address, for messages
 * @throws InvalidSceneError for a document that is missing or broken
 */
export async function readTileJson(
  url: string,
  property: string,
  assets: Assets,
): Promise<TileJson> {
  const document = (await assets.readJson(url, property, STYLE)) ?? {};
  const name = `${property} (${url})`;
  if (!('tiles' in Object(document))) {
    throw new InvalidSceneError([`${name} is not TileJSON: it has no "tiles" array`]);
  }
  const given = Object.entries(document as object).filter(([key]) => Object.hasOwn(CHECKS, key));
  const problems = given.flatMap(([key, value]) => {
    const [isValid, kind] = CHECKS[key as keyof TileJson];
    return isValid(value) ? [] : [`${name} is not TileJSON: its "${key}" isn't ${kind}`];
  });
  if (problems.length > 0) throw new InvalidSceneError(problems);
  return Object.fromEntries(given) as TileJson;
}
