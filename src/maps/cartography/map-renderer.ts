/** What draws maps: see `map-pool.ts` for the service's, which draws in worker threads. */
import type { DataVersion, ImportedData, importedData } from '../../base/db/imported-data.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { Streets } from '../../data/streets/streets.ts';
import { drawZipMap } from './draw-zip-map.ts';
import { mapData, type MapData } from './map-data.ts';
import { drawMetatile, type RasterTile } from './tiles/raster-tiles.ts';
import type { ZipMap, ZipMapRequest } from './zip-map.ts';

export interface MapRenderer {
  /** Reads the imported data of maps, and their streets if the service has any. */
  data(db: Parameters<typeof importedData>[0], ...lists: DataVersion['lists']): ImportedData;
  /**
   * Draws a map of ZIP codes.
   *
   * @param db reads of one version of the data, from `data`. Other reads make plain maps
   * @param signal removes the map from the queue; one in progress finishes and is discarded
   * @throws ServiceError 400 for an unsupported size; 404 if no ZIP code has a boundary and there is no
   *   `fallbackBbox`; 503 if the queue is full or the picture takes too long
   */
  drawMap(db: MapData, request: ZipMapRequest, signal?: AbortSignal): Promise<ZipMap>;
  /** Draws all tiles of a metatile, row by row: see `drawMetatile`. @throws ServiceError 503 as `drawMap` */
  drawTiles(db: MapData, metatile: RasterTile): Promise<(Uint8Array | undefined)[]>;
}

/** Composes maps in this thread, and draws them with an engine. */
export const mapsWith = (
  engine: Pick<Renderer, 'render'>,
  streets: Streets | null = null,
): MapRenderer => ({
  data: (db, ...lists) => mapData(db, streets, ...lists),
  drawMap: (db, request, signal) => drawZipMap(db, engine, request, signal),
  drawTiles: (db, metatile) => drawMetatile(db, engine, metatile),
});
