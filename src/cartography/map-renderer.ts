/** What draws maps: see `map-pool.ts` for the service's, which draws in worker threads. */
import type { Queryable } from '../db/queryable.ts';
import type { Renderer } from '../render/renderer.ts';
import { drawZipMap } from './draw-zip-map.ts';
import { drawMetatile, type RasterTile } from './tiles/raster-tiles.ts';
import type { ZipMap, ZipMapRequest } from './zip-map.ts';

export interface MapRenderer {
  /**
   * Draws a map of ZIP codes.
   *
   * @param db reads of one version of the data
   * @param signal removes the map from the queue; one in progress finishes and is discarded
   * @throws ServiceError 400 for an unsupported size; 404 if no ZIP code has a boundary and there is no
   *   `fallbackBbox`; 503 if the queue is full or the picture takes too long
   */
  drawMap(db: Queryable, request: ZipMapRequest, signal?: AbortSignal): Promise<ZipMap>;
  /** Draws all tiles of a metatile, row by row: see `drawMetatile`. @throws ServiceError 503 as `drawMap` */
  drawTiles(db: Queryable, metatile: RasterTile): Promise<(Uint8Array | undefined)[]>;
}

/** Composes maps in this thread, and draws them with an engine. */
export const mapsWith = (engine: Pick<Renderer, 'render'>): MapRenderer => ({
  drawMap: (db, request, signal) => drawZipMap(db, engine, request, signal),
  drawTiles: (db, metatile) => drawMetatile(db, engine, metatile),
});
