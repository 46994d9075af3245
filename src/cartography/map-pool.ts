/** Draws maps in worker threads, so that composing and drawing them blocks no other request. */
import type { Datasets } from '../db/datasets.ts';
import { OtherVersionError } from '../db/imported-data.ts';
import type { Queryable } from '../db/queryable.ts';
import { answerQueries, type QueryQuestion } from '../db/remote-queries.ts';
import { ServiceError } from '../errors.ts';
import { compiledModule } from '../geodata/project-files.ts';
import { THREAD_HEAP } from '../render/engines.ts';
import { unpackScene, type PackedScene } from '../render/packed-scene.ts';
import { threadChannel } from '../render/pool/channel.ts';
import { Pool, type PoolLimits, type PoolStats } from '../render/pool/pool.ts';
import { PoolWorker } from '../render/pool/pool-worker.ts';
import type { Renderer } from '../render/renderer.ts';
import type { MapRenderer } from './map-renderer.ts';
import type { RasterTile } from './tiles/raster-tiles.ts';
import type { ZipMap, ZipMapRequest } from './zip-map.ts';

/** What a worker does, and what its reads already know: see `DataAt` */
export type MapJob = ({ map: ZipMapRequest } | { metatile: RasterTile }) & {
  data: { stamp?: string; datasets?: Datasets };
};

/** A query, or a scene to draw with another engine */
export type MapQuestion = QueryQuestion | { scene: PackedScene };

export interface MapPool extends MapRenderer {
  readonly stats: PoolStats;
  /** Rejects new maps and waits for those in progress. */
  close(): Promise<void>;
}

/** @param other an engine that draws the scenes. Default: each worker draws with the canvas engine */
export function openMapPool(limits: PoolLimits, other?: Pick<Renderer, 'render'>): MapPool {
  const module = compiledModule('cartography/worker.ts');
  const data = { asksForPictures: other !== undefined };
  const refusals = { ServiceError, OtherVersionError };
  const asksNothing = () => Promise.reject(new Error('Each job has its own answers'));
  const pool = new Pool<MapJob, unknown>(
    () => new PoolWorker(threadChannel(module, THREAD_HEAP, data), asksNothing, refusals),
    limits,
  );
  const run = (
    db: Queryable & MapJob['data'],
    job: Omit<MapJob, 'data'>,
    signal?: AbortSignal,
  ): Promise<unknown> => {
    const { stamp, datasets } = db;
    const query = answerQueries(db);
    const answer = (question: MapQuestion) =>
      'scene' in question ? other!.render(unpackScene(question.scene)) : query(question);
    const known = { ...(stamp !== undefined && { stamp }), ...(datasets && { datasets }) };
    return pool.run({ ...job, data: known } as MapJob, signal, (question) =>
      answer(question as MapQuestion),
    );
  };
  return {
    get stats() {
      return pool.stats;
    },
    async drawMap(db, map, signal) {
      const drawn = (await run(db, { map }, signal)) as ZipMap;
      const { buffer, byteOffset, byteLength } = drawn.picture;
      return { ...drawn, picture: Buffer.from(buffer, byteOffset, byteLength) };
    },
    drawTiles: async (db, metatile) => (await run(db, { metatile })) as Uint8Array[],
    close: () => pool.close(),
  };
}
