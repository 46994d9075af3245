/** The renderer of a process: the engine of its settings, with the glyphs of the basemap's fonts. */
import { glyphRange } from './basemap/glyphs.ts';
import type { Config } from './config.ts';
import { openRenderer } from './render/engines.ts';
import type { Renderer } from './render/renderer.ts';

/** @throws ConfigError for an engine that cannot draw here */
export function rendererOf(config: Config): Promise<Renderer> {
  const limits = {
    workers: config.renderWorkers,
    queue: config.renderQueue,
    deadlineMs: config.renderDeadlineMs,
  };
  return openRenderer(config.renderEngine, limits, ({ fontstack, range }) =>
    glyphRange(fontstack.split(','), Number.parseInt(range, 10)),
  );
}
