/** Draws maps in worker threads, so that composing and drawing them blocks no other request. */
import type { Datasets } from '../../base/db/datasets.ts';
import { OtherVersionError } from '../../base/db/imported-data.ts';
import { answerQueries, type QueryQuestion } from '../../base/db/remote-queries.ts';
import { ServiceError } from '../../errors.ts';
import { compiledModule } from '../../base/workers/compiled-module.ts';
import { threadChannel } from '../../base/workers/channel.ts';
import { drawingHeap } from '../../base/workers/memory.ts';
import { Pool, type PoolLimits, type PoolStats } from '../../base/workers/pool.ts';
import { PoolWorker } from '../../base/workers/pool-worker.ts';
import { PICTURE_WORDS } from '../../render/engines.ts';
import * as sceneErrors from '../../render/errors.ts';
import { unpackScene, type PackedScene } from '../../render/packed-scene.ts';
import type { Renderer } from '../../render/renderer.ts';
import type { TileAddress } from '../../base/spatial/tile.ts';
import type { StreetsFacts } from '../../data/streets/archive.ts';
import type { Streets } from '../../data/streets/streets.ts';
import { factsOf, mapData, type Layouts, type MapData } from './map-data.ts';
import type { MapRenderer } from './map-renderer.ts';
import type { RasterTile } from './tiles/raster-tiles.ts';
import type { ZipMap, ZipMapRequest } from './zip-map.ts';

/** What a worker does, and what its reads already know: see `DataAt` */
export type MapJob = ({ map: ZipMapRequest } | { metatile: RasterTile }) & {
  data: { stamp?: string; datasets?: Datasets; streets?: StreetsFacts };
};

/** A query, a scene to draw with another engine, tiles of streets, a report of a damaged one, or a layout */
export type MapQuestion =
  | QueryQuestion
  | { scene: PackedScene }
  | { streets: string; tiles: readonly TileAddress[] }
  | { damaged: string }
  /** A layout to read, or with its content to keep */
  | { layout: string; content?: Uint8Array };

export interface MapPool extends MapRenderer {
  readonly stats: PoolStats;
  /** Rejects new maps and waits for those in progress. */
  close(): Promise<void>;
}

/** @param other an engine that draws the scenes. Default: each worker draws with the canvas engine */
export function openMapPool(
  limits: PoolLimits,
  other: Pick<Renderer, 'render'> | null = null,
  streets: Streets | null = null,
  layouts: Layouts | null = null,
): MapPool {
  const module = compiledModule('maps/cartography/worker.ts');
  const data = { asksForPictures: other !== null };
  const refusals = { ServiceError, OtherVersionError, ...sceneErrors };
  const asksNothing = () => Promise.reject(new Error('Each job has its own answers'));
  const pool = new Pool<MapJob, unknown>(
    () => new PoolWorker(threadChannel(module, drawingHeap(), data), asksNothing, refusals),
    limits,
    PICTURE_WORDS,
  );
  const run = (db: MapData, job: Omit<MapJob, 'data'>, signal?: AbortSignal): Promise<unknown> => {
    const { stamp, datasets } = db;
    const query = answerQueries(db);
    const answer = async (question: MapQuestion): Promise<unknown> => {
      if ('scene' in question) return other!.render(unpackScene(question.scene));
      if ('tiles' in question) return streets!.readTiles(question.streets, question.tiles);
      if ('damaged' in question) return streets!.reportDamaged(question.damaged);
      if (!('layout' in question)) return query(question);
      const { layout, content } = question;
      return content ? layouts?.keep(layout, content) : (layouts?.read(layout) ?? null);
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
