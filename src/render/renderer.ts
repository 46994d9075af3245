/** The interface of an engine. */
import type { PoolStats } from '../base/workers/pool.ts';
import type { Scene } from './scene.ts';

export const ENGINES = ['maplibre-native', 'canvas'] as const;
export type Engine = (typeof ENGINES)[number];

/** Receives a sentence that names what a picture lacks. */
export type Warn = (warning: string) => void;

/** The result of a worker */
export interface DrawnPicture {
  picture: Uint8Array;
  warnings: readonly string[];
}

export interface Renderer {
  readonly engine: Engine;
  readonly stats: PoolStats;
  /**
   * Draws a scene. The same scene gives the same bytes.
   *
   * @param signal removes the scene from the queue; a picture in progress finishes and is discarded
   * @param warn is called for letters and images that the picture lacks; only the canvas engine knows them
   * @throws InvalidSceneError, UnsupportedStyleError; UnavailableError if the queue is full or the
   *   picture takes too long; CrashError for a scene that crashes its workers
   */
  render(scene: Scene, signal?: AbortSignal, warn?: Warn): Promise<Buffer>;
  /** Rejects new scenes and waits for those in progress. */
  close(): Promise<void>;
}
