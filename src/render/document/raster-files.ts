/** Reads the raster or elevation tiles of a source from files. */
import type {
  RasterDEMSourceSpecification,
  RasterSourceSpecification,
} from '@maplibre/maplibre-gl-style-spec';
import type { View3 } from '../../base/spatial/view.ts';
import { mercatorX, mercatorY } from '../../base/spatial/mercator.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';
import { demEncoding } from '../dem-encoding.ts';
import { InvalidSceneError } from '../errors.ts';
import { ancestorsOf, rasterTilesInView } from '../raster-tile-set.ts';
import type { PictureData, RasterTile, RasterTileSet } from '../scene.ts';
import { tileName, wrapTile } from '../vector-tiles.ts';
import type { TileArchive } from './tile-archive.ts';
import type { Assets } from './assets.ts';
import type { Pictures } from './picture-files.ts';
import { tileAddress } from './tile-files.ts';
import { readTileJson } from './tile-json.ts';

/** Smaller tiles would be too many for a picture. */
const MIN_TILE_SIZE = 16;

const DEFAULTS = { minzoom: 0, maxzoom: 22, tileSize: 512 };

/**
 * Reads the tiles that a view needs. A larger tile replaces a missing one, as in MapLibre.
 *
 * @throws InvalidSceneError for addresses and files that can't be read
 */
export async function readRasterTiles(
  id: string,
  source: RasterSourceSpecification | RasterDEMSourceSpecification,
  view: View3,
  assets: Assets,
  pictures: Pictures,
  archive: TileArchive | undefined,
): Promise<RasterTileSet> {
  const property = `sources.${id}`;
  const document =
    source.url === undefined || archive !== undefined
      ? {}
      : await readTileJson(source.url, `${property}.url`, assets);
  const tileJson = { ...document, ...source } as typeof source;
  const { tiles: templates = [], bounds } = { ...tileJson, ...archive };
  if (templates.length === 0 && archive === undefined) {
    throw new InvalidSceneError([`${property} has no tile addresses: add "tiles" or "url"`]);
  }
  if (archive === undefined) {
    for (const template of templates) assets.refuseRemote(template, `${property}.tiles`);
  }
  const { tileSize, ...zooms } = { ...DEFAULTS, ...tileJson };
  if (!(tileSize >= MIN_TILE_SIZE)) {
    throw new InvalidSceneError([
      `${property}.tileSize is ${tileSize}: use at least ${MIN_TILE_SIZE} pixels`,
    ]);
  }
  const minzoom = Math.max(zooms.minzoom, archive?.minzoom ?? 0);
  const maxzoom = Math.min(zooms.maxzoom, archive?.maxzoom ?? Infinity);
  const isDem = source.type === 'raster-dem';
  const scheme = tileJson.type === 'raster' ? tileJson.scheme : undefined;

  const encodes = isDem ? 'data' : 'colors';
  const readPicture = async (tile: TileAddress): Promise<[PictureData | null, string]> => {
    if (archive === undefined) {
      const template = templates[(tile.x + tile.y) % templates.length]!;
      const address = tileAddress(template, tile, scheme, `${property}.tiles`);
      const picture = await pictures.read(address, `${property}.tiles`, encodes);
      return [picture, `${property}.tiles (${address})`];
    }
    const name = `${archive.file} (${tileName(tile)})`;
    const bytes = await archive.readTile(tile);
    if (bytes === null) return [null, name];
    assets.count(bytes);
    return [await pictures.decode(bytes, name, encodes), name];
  };
  const readTile = async (tile: TileAddress): Promise<PictureData | null> => {
    const [picture, name] = await readPicture(tile);
    if (isDem && picture !== null && picture.width !== picture.height) {
      throw new InvalidSceneError([
        `${name} measures ${picture.width} x ${picture.height} pixels: ` +
          'elevation tiles must be square',
      ]);
    }
    return picture;
  };

  const found = new Map<string, Promise<PictureData | null>>();
  const read = (tile: TileAddress) => {
    const name = tileName(tile);
    const reading = found.get(name) ?? readTile(tile);
    found.set(name, reading);
    return reading;
  };
  const tiles = new Map<string, RasterTile>();
  const needed = rasterTilesInView(view, { minzoom, maxzoom, tileSize })
    .map(wrapTile)
    .filter((tile) => bounds === undefined || meetsBounds(tile, bounds));
  await Promise.all(
    needed.map(async (tile) => {
      for (const candidate of [tile, ...ancestorsOf(tile, minzoom)]) {
        const picture = await read(candidate);
        if (picture === null) continue;
        tiles.set(tileName(candidate), { ...candidate, ...picture });
        return;
      }
    }),
  );
  return {
    minzoom,
    maxzoom,
    tileSize,
    tiles: [...tiles.values()].sort((a, b) => a.z - b.z || a.y - b.y || a.x - b.x),
    ...(tileJson.type === 'raster-dem' ? { encoding: demEncoding(tileJson) } : {}),
  };
}

/** Whether a tile overlaps the bounds. A shared edge doesn't count. */
function meetsBounds(
  { z, x, y }: TileAddress,
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  const count = 2 ** z;
  return (
    x >= Math.floor(mercatorX(west) * count) &&
    x < Math.ceil(mercatorX(east) * count) &&
    y >= Math.floor(mercatorY(north) * count) &&
    y < Math.ceil(mercatorY(south) * count)
  );
}
