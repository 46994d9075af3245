/** Opens sources of pictures: raster tiles, elevation tiles, and image sources. */
import type { LngLat } from '../../../base/spatial/mercator.ts';
import { demEncoding } from '../../dem-encoding.ts';
import { InvalidSceneError } from '../../errors.ts';
import {
  isPicture,
  isRasterTileSet,
  type DemEncoding,
  type PictureData,
  type RasterTile,
  type RasterTileSet,
  type Scene,
  type SourceData,
} from '../../scene.ts';
import { withMargin } from './dem.ts';
import { tileFinder } from './raster-tiles.ts';

export interface RasterSource {
  type: 'raster';
  tileSet: RasterTileSet;
}

export interface DemSource {
  type: 'raster-dem';
  tileSet: RasterTileSet;
  encoding: DemEncoding;
  /** Returns a tile with a margin from its neighbors: see `withMargin`. */
  tileWithMargin(tile: RasterTile): PictureData;
}

/** Northwest, northeast, southeast, southwest corners of the picture; any order mirrors or turns it */
export type ImageCorners = readonly [LngLat, LngLat, LngLat, LngLat];

export interface PictureSource {
  type: 'image';
  picture: PictureData;
  corners: ImageCorners;
}

/**
 * Returns null for sources of other types.
 *
 * @throws InvalidSceneError if the scene has no data, or other data, for the source
 */
export function openRaster(
  { style, sources }: Pick<Scene, 'style' | 'sources'>,
  id: string,
): RasterSource | DemSource | PictureSource | null {
  const source = style.sources[id]!;
  const data = Object.hasOwn(sources, id) ? sources[id]! : null;
  switch (source.type) {
    case 'raster':
      return { type: 'raster', tileSet: tileSetOf(id, data) };
    case 'raster-dem':
      return openDem(id, tileSetOf(id, data), demEncoding(source));
    case 'image': {
      if (data === null || !isPicture(data)) throw missing(id, 'a picture');
      return { type: 'image', picture: data, corners: source.coordinates as ImageCorners };
    }
    default:
      return null;
  }
}

function tileSetOf(id: string, data: SourceData | null): RasterTileSet {
  if (data === null || !isRasterTileSet(data)) throw missing(id, 'raster tiles');
  return data;
}

const missing = (id: string, kind: string) =>
  new InvalidSceneError([
    `the scene doesn't have ${kind} for the source "${id}": add them to the scene`,
  ]);

function openDem(id: string, tileSet: RasterTileSet, declared: DemEncoding): DemSource {
  const find = tileFinder(tileSet);
  const paddedTiles = new Map<RasterTile, PictureData>();
  if (tileSet.tiles.some(({ width, height }) => width !== height)) {
    throw new InvalidSceneError([`the elevation tiles of the source "${id}" must be square`]);
  }
  return {
    type: 'raster-dem',
    tileSet,
    encoding: tileSet.encoding ?? declared,
    tileWithMargin(tile) {
      const { z, x, y } = tile;
      const padded =
        paddedTiles.get(tile) ?? withMargin(tile, (dx, dy) => find({ z, x: x + dx, y: y + dy }));
      paddedTiles.set(tile, padded);
      return padded;
    },
  };
}
