/** Renders with the canvas engine in the calling thread. The service uses `engines.ts` instead. */
import { encode } from './canvas/encode.ts';
import { paint, rawPicture } from './canvas/paint.ts';
import type { Scene } from './scene.ts';

/**
 * Draws a scene. The same scene gives the same bytes.
 *
 * @throws InvalidSceneError, UnsupportedStyleError
 */
export async function render(scene: Scene): Promise<Buffer> {
  const painting = paint(scene);
  try {
    return await encode(rawPicture(painting), scene.format ?? 'png');
  } finally {
    painting.surface.release();
  }
}
