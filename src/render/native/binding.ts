/**
 * The part of `@maplibre/maplibre-gl-native` that the engine uses. The package is optional, so its types
 * may be missing, and they are also too lax.
 */
import type { LngLat } from '../../base/spatial/mercator.ts';

export const MAPLIBRE_NATIVE = '@maplibre/maplibre-gl-native';

export interface Binding {
  Map: new (options: MapOptions) => NativeMap;
  /**
   * Receives messages that the library logs, shortly after their cause. Without a listener, they are lost.
   */
  on(event: 'message', listener: (message: LogMessage) => void): void;
}

interface LogMessage {
  /** Such as `ParseStyle` */
  class: string;
  severity: 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR';
  text: string;
}

interface MapOptions {
  /**
   * Called for every resource that the style names by address. It must respond, because the map waits
   * without a time limit. A response without arguments means no content, as for a tile without features.
   */
  request(resource: { url: string }, respond: Respond): void;
  /** Device pixels per CSS pixel */
  ratio: number;
}

export type Respond = (error?: Error | null, response?: { data: Uint8Array }) => void;

export interface NativeMap {
  /** @throws Error for a style that it cannot parse */
  load(style: object): void;
  /** Renders one picture at a time, as premultiplied RGBA from the top down. */
  render(
    options: { center: LngLat; zoom: number; width: number; height: number },
    callback: (error: Error | null | undefined, pixels: Uint8Array) => void,
  ): void;
  /** Frees the map's memory, which the garbage collector does not manage. */
  release(): void;
}
