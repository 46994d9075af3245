/** Who draws scenes: what every engine looks like to the rooms that want pictures. */
import type { PoolStats } from './pool/pool.ts';
import type { Scene } from './scene.ts';

export const ENGINES = ['maplibre-native', 'canvas'] as const;
export type Engine = (typeof ENGINES)[number];

export interface Renderer {
  readonly engine: Engine;
  readonly stats: PoolStats;
  /**
   * Draws a scene. The same scene gives the same bytes.
   *
   * @param signal takes the scene out of the queue; a picture under way is only dropped
   * @throws InvalidSceneError, UnsupportedStyleError; ServiceError 503 while too much is being drawn
   *   or when a picture takes too long; CrashError for a scene that ends its workers
   */
  render(scene: Scene, signal?: AbortSignal): Promise<Buffer>;
  /** Takes no more scenes and lets those under way end. */
  close(): Promise<void>;
}
