/** Which raster tiles a picture shows, and where. */
import type { RectPx } from '../../../base/spatial/flat.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import type { View3 } from '../../../base/spatial/view.ts';
import { rasterTilesInView, ancestorsOf } from '../../raster-tile-set.ts';
import type { RasterTile, RasterTileSet } from '../../scene.ts';
import { tileName, wrapTile } from '../../vector-tiles.ts';
import { tileRect } from './project-tiles.ts';
import { snapToSubpixel } from '../raster/pixel-grid.ts';

interface ShownTile {
  /** A tile of the source, or a larger one that stands in for a missing tile */
  tile: RasterTile;
  /** Where `tile` lies on the plane, in CSS pixels */
  square: RectPx;
  /** The part of `square` that shows it */
  shown: RectPx;
}

/** Returns the tiles that cover the picture. Neighbors share edges exactly. */
export function shownRasterTiles(
  tileSet: RasterTileSet,
  view: View3,
  pixelRatio: number,
): ShownTile[] {
  const find = tileFinder(tileSet);
  const align = alignment(view, pixelRatio);
  const rectOf = (address: TileAddress): RectPx => {
    const { minX, minY, maxX, maxY } = tileRect(address, view);
    return { minX: align.x(minX), minY: align.y(minY), maxX: align.x(maxX), maxY: align.y(maxY) };
  };
  return rasterTilesInView(view, tileSet).flatMap((address) => {
    for (const candidate of [address, ...ancestorsOf(address, tileSet.minzoom)]) {
      const tile = find(candidate);
      if (tile !== null) return { tile, square: rectOf(candidate), shown: rectOf(address) };
    }
    return [];
  });
}

/** Finds a tile by its address, also beyond the antimeridian. */
export function tileFinder({ tiles }: RasterTileSet): (address: TileAddress) => RasterTile | null {
  const byName = new Map(tiles.map((tile) => [tileName(tile), tile]));
  return (address) => byName.get(tileName(wrapTile(address))) ?? null;
}

/** Converts coordinates of the plane, in CSS pixels, to those at which rasters are drawn. */
interface Alignment {
  x(coordinate: number): number;
  y(coordinate: number): number;
}

/**
 * MapLibre moves rasters by up to half a pixel so that their pixels coincide with those of the picture. It
 * does so if both have the same size and the map isn't turned. In a level view, graphics cards then round
 * corners, and show textures between the rounded corners.
 */
export function alignment(view: View3, pixelRatio: number): Alignment {
  const { widthPx, heightPx } = view;
  const x = widthPx / 2 - view.xOfWorld(0);
  const y = heightPx / 2 - view.yOfWorld(0);
  const halfColumn = (widthPx % 2) / 2;
  const halfRow = (heightPx % 2) / 2;
  const angle = (view.bearing * Math.PI) / 180;
  const cosine = Math.cos(angle);
  const sine = Math.sin(-angle);
  const nearest = (shift: number) => (shift > 0.5 ? shift - 1 : shift);
  const shiftX = nearest(x - Math.round(x) + cosine * halfColumn + sine * halfRow);
  const shiftY = nearest(y - Math.round(y) + cosine * halfRow + sine * halfColumn);
  const snap = (coordinate: number) =>
    view.isLevel ? snapToSubpixel(coordinate * pixelRatio) / pixelRatio : coordinate;
  return {
    x: (coordinate) => snap(coordinate + shiftX),
    y: (coordinate) => snap(coordinate + shiftY),
  };
}
