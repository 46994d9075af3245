/** Renders with the canvas engine in the calling thread. The service uses `engines.ts` instead. */
import { encode } from './canvas/encode.ts';
import { paint } from './canvas/paint.ts';
import type { Scene } from './scene.ts';

/**
 * Draws a scene. The same scene gives the same bytes.
 *
 * @throws InvalidSceneError, UnsupportedStyleError
 */
export async function render(scene: Scene): Promise<Buffer> {
  const { canvas, opaque } = paint(scene);
  return encode(canvas, opaque, scene.format ?? 'png');
}
