/** Renders with the canvas engine in the calling thread. The service uses `engines.ts` instead. */
import { encode } from './canvas/encode.ts';
import { paint, rawPicture } from './canvas/paint.ts';
import type { Warn } from './renderer.ts';
import type { Scene } from './scene.ts';

/**
 * Draws a scene. The same scene gives the same bytes.
 *
 * @param warn is called with a sentence for each kind of letters or images that the picture lacks
 * @throws InvalidSceneError, UnsupportedStyleError; the signal's reason
 */
export async function render(scene: Scene, signal?: AbortSignal, warn?: Warn): Promise<Buffer> {
  signal?.throwIfAborted();
  const painting = paint(scene);
  if (warn !== undefined) for (const warning of painting.warnings) warn(warning);
  try {
    return await encode(rawPicture(painting), scene.format ?? 'png');
  } finally {
    painting.surface.release();
  }
}
