/** The interface of an engine. */
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
   * @param signal removes the scene from the queue; a picture in progress finishes and is discarded
   * @throws InvalidSceneError, UnsupportedStyleError; UnavailableError if the queue is full or the
   *   picture takes too long; CrashError for a scene that crashes its workers
   */
  render(scene: Scene, signal?: AbortSignal): Promise<Buffer>;
  /** Rejects new scenes and waits for those in progress. */
  close(): Promise<void>;
}
