/** Opens the engine in the settings, with the glyphs of the basemap's fonts. */
import { cacheOf } from '../../base/cache/cache.ts';
import { openMapPool, type MapPool } from '../../maps/cartography/map-pool.ts';
import type { Layouts } from '../../maps/cartography/map-data.ts';
import type { Config } from '../../config.ts';
import { ConfigError, unavailable } from '../../errors.ts';
import {
  canvasRenderer,
  EngineError,
  inProcessRenderer,
  isInstalled,
  openRenderer,
} from '../../render/engines.ts';
import type { RequestGlyphs } from '../../render/native/resources.ts';
import { UnavailableError } from '../../base/workers/errors.ts';
import { memoryShares } from '../../base/workers/memory.ts';
import type { Streets } from '../../data/streets/streets.ts';
import type { PoolLimits } from '../../base/workers/pool.ts';
import type { Engine, Renderer } from '../../render/renderer.ts';

/** The maps of a service */
export type ServiceMaps = MapPool & Pick<Renderer, 'engine'>;

/**
 * Opens the workers of a service that compose maps and draw them. MapLibre Native draws in processes of its own.
 *
 * @throws ConfigError for an engine that cannot draw here
 */
export async function mapsOf(
  config: Config,
  streets: Streets,
  layouts: Layouts,
): Promise<ServiceMaps> {
  // A worker loads its code for as long as it draws the first picture, while the service starts anyway.
  const { drawingThreads } = memoryShares();
  const limits = { ...limitsOf(config, drawingThreads), startsEarly: true };
  if (config.renderEngine !== 'maplibre-native') {
    return withServiceErrors('canvas', openMapPool(limits, null, streets, layouts));
  }
  const native = await open(config, drawingThreads);
  const engine: Pick<Renderer, 'render'> = {
    render: (scene, signal) => native.render(scene, signal).catch(throwServiceError),
  };
  return withServiceErrors(native.engine, openMapPool(limits, engine, streets, layouts), native);
}

/**
 * Opens the renderer of a command, which draws one picture at a time and exits.
 *
 * @throws ConfigError for an engine that cannot draw here
 */
export function commandRendererOf(config: Config): Promise<Renderer> {
  return open(config, 1, inProcessRenderer);
}

/** Explains to operators why an engine was selected. */
export function reasonForEngine({ renderEngine }: Config): string {
  if (renderEngine !== 'auto') return `chosen by RENDER_ENGINE=${renderEngine}`;
  const other = isInstalled()
    ? '; maplibre-native is installed, and draws with RENDER_ENGINE=maplibre-native'
    : '';
  return `RENDER_ENGINE is auto, which selects canvas${other}`;
}

const limitsOf = ({ renderQueue, renderDeadlineMs }: Config, workers: number): PoolLimits => ({
  workers,
  queue: renderQueue,
  deadlineMs: renderDeadlineMs,
});

async function open(
  config: Config,
  workers: number,
  openCanvas?: typeof canvasRenderer,
): Promise<Renderer> {
  try {
    const limits = limitsOf(config, workers);
    return await openRenderer(config.renderEngine, limits, glyphs, undefined, openCanvas);
  } catch (error) {
    throw error instanceof EngineError
      ? new ConfigError([`RENDER_ENGINE: ${error.message}`])
      : error;
  }
}

/** @throws ServiceError 503 for a job that a pool can't run now; rethrows all other errors */
export function throwServiceError(error: unknown): never {
  throw error instanceof UnavailableError ? unavailable(error.message, { cause: error }) : error;
}

/** Reports a full queue and slow pictures as 503. @param other as in `openMapPool` */
function withServiceErrors(engine: Engine, maps: MapPool, other?: Renderer): ServiceMaps {
  return {
    engine,
    get stats() {
      return { ...maps.stats, lost: maps.stats.lost + (other?.stats.lost ?? 0) };
    },
    data: maps.data,
    drawMap: (...call) => maps.drawMap(...call).catch(throwServiceError),
    drawTiles: (...call) => maps.drawTiles(...call).catch(throwServiceError),
    async close() {
      await maps.close();
      await other?.close();
    },
  };
}

/** Each new map of maplibre-native requests the same ranges, which take much CPU to make. */
const ranges = cacheOf<Uint8Array>(({ length }) => length);

export const glyphs: RequestGlyphs = ({ fontstack, range }) =>
  ranges.find(`${fontstack}/${range}`, async () => {
    // Loaded on demand, because only maplibre-native requests glyphs.
    const { glyphRange } = await import('../../data/basemap/glyphs.ts');
    return glyphRange(fontstack.split(','), Number.parseInt(range, 10));
  });
