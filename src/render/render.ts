/** The room's door: a scene in, a PNG out. */
import { encodePng } from './canvas/encode.ts';
import { paint } from './canvas/paint.ts';
import type { Scene } from './scene.ts';

/**
 * Draws a scene. The same scene gives the same bytes.
 *
 * @throws InvalidSceneError, UnsupportedStyleError
 */
export async function render(scene: Scene): Promise<Buffer> {
  const { canvas, opaque } = paint(scene);
  return encodePng(canvas, opaque);
}
