/** Draws maps in worker threads, so that composing and drawing them blocks no other request. */
import type { Datasets } from '../db/datasets.ts';
import { OtherVersionError } from '../db/imported-data.ts';
import { answerQueries, type QueryQuestion } from '../db/remote-queries.ts';
import { ServiceError } from '../errors.ts';
import { compiledModule } from '../geodata/project-files.ts';
import { THREAD_HEAP } from '../render/engines.ts';
import { unpackScene, type PackedScene } from '../render/packed-scene.ts';
import { threadChannel } from '../render/pool/channel.ts';
import { Pool, type PoolLimits, type PoolStats } from '../render/pool/pool.ts';
import { PoolWorker } from '../render/pool/pool-worker.ts';
import type { Renderer } from '../render/renderer.ts';
import type { TileAddress } from '../spatial/tile.ts';
import type { StreetsFacts } from '../streets/archive.ts';
import type { Streets } from '../streets/streets.ts';
import { factsOf, mapData, type MapData } from './map-data.ts';
import type { MapRenderer } from './map-renderer.ts';
import type { RasterTile } from './tiles/raster-tiles.ts';
import type { ZipMap, ZipMapRequest } from './zip-map.ts';

/** What a worker does, and what its reads already know: see `DataAt` */
export type MapJob = ({ map: ZipMapRequest } | { metatile: RasterTile }) & {
  data: { stamp?: string; datasets?: Datasets; streets?: StreetsFacts };
};

/** A query, a scene to draw with another engine, tiles of streets, or a report of a damaged one */
export type MapQuestion =
  | QueryQuestion
  | { scene: PackedScene }
  | { streets: string; tiles: readonly TileAddress[] }
  | { damaged: string };

export interface MapPool extends MapRenderer {
  readonly stats: PoolStats;
  /** Rejects new maps and waits for those in progress. */
  close(): Promise<void>;
}

/** @param other an engine that draws the scenes. Default: each worker draws with the canvas engine */
export function openMapPool(
  limits: PoolLimits,
  other?: Pick<Renderer, 'render'>,
  streets: Streets | null = null,
): MapPool {
  const module = compiledModule('cartography/worker.ts');
  const data = { asksForPictures: other !== undefined };
  const refusals = { ServiceError, OtherVersionError };
  const asksNothing = () => Promise.reject(new Error('Each job has its own answers'));
  const pool = new Pool<MapJob, unknown>(
    () => new PoolWorker(threadChannel(module, THREAD_HEAP, data), asksNothing, refusals),
    limits,
  );
  const run = (db: MapData, job: Omit<MapJob, 'data'>, signal?: AbortSignal): Promise<unknown> => {
    const { stamp, datasets } = db;
    const query = answerQueries(db);
    const answer = async (question: MapQuestion): Promise<unknown> => {
      if ('scene' in question) return other!.render(unpackScene(question.scene));
      if ('tiles' in question) return streets!.readTiles(question.streets, question.tiles);
      return 'damaged' in question ? streets!.reportDamaged(question.damaged) : query(question);
    };
    const known = {
      ...(stamp !== undefined && { stamp }),
      ...(datasets && { datasets }),
      ...(db.streets && { streets: factsOf(db.streets) }),
    };
    return pool.run({ ...job, data: known } as MapJob, signal, (question) =>
      answer(question as MapQuestion),
    );
  };
  return {
    get stats() {
      return pool.stats;
    },
    data: (db, ...lists) => mapData(db, streets, ...lists),
    async drawMap(db, map, signal) {
      const drawn = (await run(db, { map }, signal)) as ZipMap;
      const { buffer, byteOffset, byteLength } = drawn.picture;
      return { ...drawn, picture: Buffer.from(buffer, byteOffset, byteLength) };
    },
    drawTiles: async (db, metatile) => (await run(db, { metatile })) as Uint8Array[],
    close: () => pool.close(),
  };
}
