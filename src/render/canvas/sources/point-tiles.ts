/**
 * Finds the GeoJSON points of a tile for labels. This is faster than cutting every tile out of the world.
 */
import type { Feature, Point } from 'geojson';
import { mercatorX, mercatorY } from '../../../base/spatial/mercator.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import { tileName } from '../../vector-tiles.ts';
import type { TileFeature } from './tiled-source.ts';
import { TileStyle, styleId, TILE_EXTENT } from '../style/style-feature.ts';

/** Nearer to the antimeridian, a point may also be in a tile beyond it. */
const MAX_LNG = 179.9;

const isInland = ({ geometry }: Feature): boolean =>
  geometry.type === 'Point' && Math.abs(geometry.coordinates[0]!) < MAX_LNG;

/**
 * Returns a function that finds the points of a tile, with the same integer positions as if it had been
 * cut. It leaves out points in the margin, which no label uses. Returns null if some features must be cut.
 */
export function tilePoints(
  features: readonly Feature[],
): ((tile: TileAddress) => readonly TileFeature[]) | null {
  if (!features.every(isInland)) return null;
  const zooms = new Map<number, Map<string, TileFeature[]>>();
  return (tile) => {
    let tiles = zooms.get(tile.z);
    if (tiles === undefined) {
      tiles = divide(features as readonly Feature<Point>[], tile.z);
      zooms.set(tile.z, tiles);
    }
    return tiles.get(tileName(tile)) ?? [];
  };
}

function divide(features: readonly Feature<Point>[], z: number): Map<string, TileFeature[]> {
  const tiles = new Map<string, TileFeature[]>();
  const units = TILE_EXTENT * 2 ** z;
  for (const { id, properties, geometry } of features) {
    const [lng, lat] = geometry.coordinates as [number, number];
    const x = Math.round(mercatorX(lng) * units);
    const y = Math.round(mercatorY(lat) * units);
    const tile = { z, x: Math.floor(x / TILE_EXTENT), y: Math.floor(y / TILE_EXTENT) };
    const parts = [[x - tile.x * TILE_EXTENT, y - tile.y * TILE_EXTENT]];
    const style = new TileStyle('Point', styleId(id), properties ?? {}, tile, parts);
    const name = tileName(tile);
    const others = tiles.get(name);
    if (others === undefined) tiles.set(name, [{ style, parts }]);
    else others.push({ style, parts });
  }
  return tiles;
}
