/** Cuts features into vector tiles, as a tile server does. */
import type { Feature } from 'geojson';
import GeoJSONVT from 'geojson-vt';
import { fromGeojsonVt } from 'vt-pbf';
import { cameraOf, type Scene } from '../../src/render/scene.ts';
import { tileName, tilesInView, wrapTile, type TileSet } from '../../src/render/vector-tiles.ts';
import { View3 } from '../../src/base/spatial/view.ts';
import type { TileAddress } from '../../src/base/spatial/tile.ts';

const EXTENT = 4096;

export interface Cut {
  maxzoom: number;
  /** Margin beyond the tile's edge, in 1/4096 of a tile */
  buffer: number;
}

export type TileOf = (address: TileAddress) => Uint8Array | null;

/** Cuts the features of each source layer. Tiles are null if they would be empty. */
export function cutTiles(
  layers: Readonly<Record<string, readonly Feature[]>>,
  { maxzoom, buffer }: Cut,
): TileOf {
  const indexes = Object.entries(layers).map(([name, features]) => {
    const collection = { type: 'FeatureCollection' as const, features: [...features] };
    const options = { maxZoom: maxzoom, buffer, extent: EXTENT, tolerance: 0 };
    return { name, index: new GeoJSONVT(collection, options) };
  });
  return ({ z, x, y }) => {
    const cut = indexes.flatMap(({ name, index }) => {
      const tile = index.getTile(z, x, y);
      return tile === null ? [] : [[name, tile] as const];
    });
    if (cut.length === 0) return null;
    return fromGeojsonVt(Object.fromEntries(cut) as never, { version: 2, extent: EXTENT });
  };
}

/** Returns the tiles that a scene shows. */
export function tileSet(
  tileOf: TileOf,
  scene: Pick<Scene, 'view' | 'width' | 'height'>,
  { minzoom = 0, maxzoom }: { minzoom?: number; maxzoom: number },
): TileSet {
  const viewport = new View3(cameraOf(scene), scene.width, scene.height);
  const needed = tilesInView(viewport, { minzoom, maxzoom }).map(wrapTile);
  const once = [...new Map(needed.map((tile) => [tileName(tile), tile])).values()];
  const tiles = once.flatMap((tile) => {
    const bytes = tileOf(tile);
    return bytes === null ? [] : [{ ...tile, bytes }];
  });
  return { minzoom, maxzoom, tiles };
}
