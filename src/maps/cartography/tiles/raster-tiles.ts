/**
 * Raster tiles of the basemap. A picture of 4 x 4 tiles with a margin is drawn as a whole and then cut, so
 * labels continue across tile edges. The margin lets labels near the picture's edges consider what lies
 * beyond.
 */
import { loadSprite } from '../../../data/basemap/sprite.ts';
import { loadStyle, type StyleName } from '../../../data/basemap/styles.ts';
import { encode } from '../../../render/canvas/encode.ts';
import type { Renderer } from '../../../render/renderer.ts';
import { latOfMercatorY, lngOfMercatorX } from '../../../base/spatial/mercator.ts';
import type { TileAddress } from '../../../base/spatial/tile.ts';
import { withStreets } from '../../../data/basemap/streets-style.ts';
import type { BasemapName } from '../picture-options.ts';
import type { MapData } from '../map-data.ts';
import { MapLayout } from '../map-layout.ts';
import { zipScene } from '../zip-scene.ts';

export const RASTER_ZOOMS = { minZoom: 0, maxZoom: 18 } as const;

/** Side of a tile in CSS pixels, as map libraries and QGIS expect. The world is one tile at zoom 0. */
export const RASTER_TILE_PX = 256;

/** Tiles along the side of a metatile. At zooms 0 and 1, the world has fewer. */
const METATILE = 4;

/** Wider than half of any label, so that labels at a metatile's edge are complete on both sides */
const MARGIN_PX = 160;

export interface RasterTile extends TileAddress {
  style: StyleName;
  /** Device pixels per CSS pixel */
  ratio: 1 | 2;
  /** Default: `streets` */
  basemap?: BasemapName;
}

/** The metatile that contains a tile, identified by its northwestern tile */
export const metatileOf = <Tile extends RasterTile>(tile: Tile): Tile => ({
  ...tile,
  x: tile.x - (tile.x % METATILE),
  y: tile.y - (tile.y % METATILE),
});

/** The position of a tile in the result of `drawMetatile` */
export const indexInMetatile = ({ x, y }: TileAddress): number =>
  (y % METATILE) * METATILE + (x % METATILE);

/**
 * Draws all tiles of a metatile.
 * @returns PNGs, row by row; at zooms 0 and 1, some are missing
 */
export async function drawMetatile(
  db: MapData,
  engine: Pick<Renderer, 'render'>,
  { style: name, ratio, basemap, z, x, y }: RasterTile,
): Promise<(Buffer | undefined)[]> {
  const columns = extentOf(z, x);
  const rows = extentOf(z, y);
  const world = RASTER_TILE_PX * 2 ** z;
  const style = loadStyle(name);
  const { images } = await loadSprite(name, ratio);
  const streets =
    basemap === 'plain' || !db.streets
      ? undefined
      : { at: db.streets, style: withStreets(style, name) };
  const { scene } = await zipScene(
    {
      db,
      layout: new MapLayout(),
      style,
      images,
      pixelRatio: ratio,
      transparent: false,
      underlay: undefined,
      streets,
      colors: new Map(),
      zipLabels: 'none',
      scaleBar: false,
    },
    {
      zips: [],
      view: {
        center: [lngOfMercatorX(columns.center / world), latOfMercatorY(rows.center / world)],
        // A scene's zoom refers to 512-pixel tiles.
        zoom: z - 1,
      },
      width: columns.px,
      height: rows.px,
    },
  );
  const pixels = await engine.render({ ...scene, format: 'raw' });
  const side = RASTER_TILE_PX * ratio;
  const row = 4 * side;
  const cut = (column: number, line: number): Promise<Buffer> => {
    const bytes = new Uint8Array(row * side);
    const left = 4 * (columns.margin * ratio + column * side);
    const top = rows.margin * ratio + line * side;
    for (let y = 0; y < side; y++) {
      const from = 4 * (top + y) * columns.px * ratio + left;
      bytes.set(pixels.subarray(from, from + row), y * row);
    }
    return encode({ width: side, height: side, bytes, opaque: true }, 'png');
  };
  const all = Array.from({ length: METATILE ** 2 }, (_, i) => [i % METATILE, i >> 2] as const);
  return Promise.all(
    all.map(([column, line]) =>
      column < columns.tiles && line < rows.tiles ? cut(column, line) : undefined,
    ),
  );
}

/** The pixels to draw along an axis: the tiles and a margin, within the world. */
function extentOf(z: number, first: number) {
  const world = RASTER_TILE_PX * 2 ** z;
  const tiles = Math.min(METATILE, 2 ** z);
  const from = first * RASTER_TILE_PX;
  const start = Math.max(0, from - MARGIN_PX);
  const end = Math.min(world, from + tiles * RASTER_TILE_PX + MARGIN_PX);
  return { tiles, margin: from - start, px: end - start, center: (start + end) / 2 };
}
