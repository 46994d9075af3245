/** Opens the engine in the settings, with the glyphs of the basemap's fonts. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../config.ts';
import { ConfigError, unavailable } from '../errors.ts';
import {
  canvasRenderer,
  EngineError,
  inProcessRenderer,
  isInstalled,
  openRenderer,
} from '../render/engines.ts';
import type { GlyphRequest, RequestGlyphs } from '../render/native/resources.ts';
import { UnavailableError } from '../render/pool/errors.ts';
import type { Renderer } from '../render/renderer.ts';

/**
 * Opens the renderer of a service: a pool of workers.
 *
 * @throws ConfigError for an engine that cannot draw here
 */
export function rendererOf(config: Config): Promise<Renderer> {
  // A worker loads its code for as long as it draws the first picture, while the service starts anyway.
  const openCanvas: typeof canvasRenderer = (limits) =>
    canvasRenderer({ ...limits, startsEarly: true });
  return open(config, config.renderWorkers, openCanvas);
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

async function open(
  { renderEngine, renderQueue, renderDeadlineMs }: Config,
  workers: number,
  openCanvas: typeof canvasRenderer,
): Promise<Renderer> {
  const limits = { workers, queue: renderQueue, deadlineMs: renderDeadlineMs };
  try {
    return withServiceErrors(
      await openRenderer(renderEngine, limits, glyphs, undefined, openCanvas),
    );
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

/** Reports a full queue and slow pictures as 503. */
function withServiceErrors(renderer: Renderer): Renderer {
  return {
    engine: renderer.engine,
    get stats() {
      return renderer.stats;
    },
    render: (scene, signal) => renderer.render(scene, signal).catch(throwServiceError),
    close: () => renderer.close(),
  };
}

/** Each new map of maplibre-native requests the same ranges, which take 100 to 127 ms of CPU each. */
const ranges = new LRUCache<string, Uint8Array, GlyphRequest>({
  max: 256,
  async fetchMethod(_key, _stale, { context: { fontstack, range } }) {
    // Loaded on demand, because only maplibre-native requests glyphs.
    const { glyphRange } = await import('../basemap/glyphs.ts');
    return glyphRange(fontstack.split(','), Number.parseInt(range, 10));
  },
});

export const glyphs: RequestGlyphs = (request) =>
  ranges.forceFetch(`${request.fontstack}/${request.range}`, { context: request });
