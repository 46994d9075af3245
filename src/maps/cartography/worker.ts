/**
 * Worker thread that composes maps and draws them. `map-pool.ts` starts it. It asks the service's thread for rows, and,
 * if another engine is selected, for the pictures of its scenes.
 */
import { workerData } from 'node:worker_threads';
import { OtherVersionError } from '../../base/db/imported-data.ts';
import { remoteQueries, type QueryRows } from '../../base/db/remote-queries.ts';
import { ServiceError } from '../../errors.ts';
import * as sceneErrors from '../../render/errors.ts';
import { packScene } from '../../render/packed-scene.ts';
import { serveJobs } from '../../base/workers/serve.ts';
import { render } from '../../render/render.ts';
import { streetsAt } from '../../data/streets/streets-at.ts';
import type { MapData } from './map-data.ts';
import { mapsWith } from './map-renderer.ts';
import { warmUp } from './warm-up.ts';
import type { MapJob, MapQuestion } from './map-pool.ts';

const { asksForPictures } = workerData as { asksForPictures: boolean };

serveJobs<MapJob, unknown, MapQuestion, unknown>(
  ({ data: { streets, ...data }, ...job }, ask) => {
    const db: MapData = {
      ...data,
      ...remoteQueries((question) => ask(question) as Promise<QueryRows>),
      layouts: {
        read: (name) => ask({ layout: name }) as Promise<Uint8Array | null>,
        keep: (name, content) => ask({ layout: name, content }) as Promise<void>,
      },
      ...(streets && {
        streets: streetsAt(streets, {
          read: (version, tiles) =>
            ask({ streets: version, tiles }) as Promise<(Uint8Array | null)[]>,
          reportDamaged: (tile) => void ask({ damaged: tile }),
        }),
      }),
    };
    const maps = mapsWith({
      render: asksForPictures
        ? async (scene) => Buffer.from((await ask({ scene: packScene(scene) })) as Uint8Array)
        : render,
    });
    return 'map' in job ? maps.drawMap(db, job.map) : maps.drawTiles(db, job.metatile);
  },
  { ServiceError, OtherVersionError, ...sceneErrors },
);

// If this fails, the first real map loads the rest, or reports what is wrong.
if (!asksForPictures) void warmUp({ render }).catch(() => {});
