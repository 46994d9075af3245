/** Opens the engine that the settings name, with the glyphs of the basemap's fonts. */
import type { Config } from './config.ts';
import { canvasRenderer, inProcessRenderer, openRenderer } from './render/engines.ts';
import type { RequestGlyphs } from './render/native/resources.ts';
import type { Renderer } from './render/renderer.ts';

/**
 * Opens the renderer of a service: a pool of workers.
 *
 * @throws ConfigError for an engine that cannot draw here
 */
export function rendererOf(config: Config): Promise<Renderer> {
  return open(config, config.renderWorkers, canvasRenderer);
}

/**
 * Opens the renderer of a command, which draws one picture at a time and exits.
 *
 * @throws ConfigError for an engine that cannot draw here
 */
export function commandRendererOf(config: Config): Promise<Renderer> {
  return open(config, 1, inProcessRenderer);
}

function open(
  { renderEngine, renderQueue, renderDeadlineMs }: Config,
  workers: number,
  openCanvas: typeof canvasRenderer,
): Promise<Renderer> {
  const limits = { workers, queue: renderQueue, deadlineMs: renderDeadlineMs };
  return openRenderer(renderEngine, limits, glyphs, undefined, openCanvas);
}

/** Loaded on demand: only maplibre-native asks for glyphs. */
const glyphs: RequestGlyphs = async ({ fontstack, range }) => {
  const { glyphRange } = await import('./basemap/glyphs.ts');
  return glyphRange(fontstack.split(','), Number.parseInt(range, 10));
};
