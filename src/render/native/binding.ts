/**
 * The part of `@maplibre/maplibre-gl-native` that is used here. The package is optional, so its own
 * types are not always there; they are also laxer than it is.
 */
import type { LngLat } from '../../spatial/mercator.ts';

export const MAPLIBRE_NATIVE = '@maplibre/maplibre-gl-native';

export interface Binding {
  Map: new (options: MapOptions) => NativeMap;
}

export interface MapOptions {
  /**
   * Called for whatever the style names by address. Must be answered: a map waits for ever.
   * Without any argument the answer is that there is nothing, as for a tile without features.
   */
  request(resource: { url: string }, respond: Respond): void;
  /** Device pixels per CSS pixel */
  ratio: number;
}

export type Respond = (error?: Error | null, response?: { data: Uint8Array }) => void;

export interface NativeMap {
  /** @throws Error for a style that it cannot read */
  load(style: object): void;
  /** One at a time. Gives RGBA pixels, premultiplied, from the top down. */
  render(
    options: { center: LngLat; zoom: number; width: number; height: number },
    callback: (error: Error | null | undefined, pixels: Uint8Array) => void,
  ): void;
  /** Its memory is not the garbage collector's: a map that is not released stays. */
  release(): void;
}
