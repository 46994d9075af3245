/** Renders still pictures with a MapLibre Native map, one at a time. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Camera } from '../../spatial/camera.ts';
import type { Binding, NativeMap, Respond } from './binding.ts';
import type { Resources } from './resources.ts';

export interface StillRequest {
  style: StyleSpecification;
  resources: Resources;
  camera: Camera;
  /** CSS pixels */
  width: number;
  height: number;
  pixelRatio: number;
}

export class StillMap {
  private readonly binding: Binding;
  /** Reused between pictures, because each map creates a GL context */
  private map: { native: NativeMap; pixelRatio: number } | null = null;
  private resources: Resources = async () => null;
  private fail: (error: unknown) => void = () => {};

  constructor(binding: Binding) {
    this.binding = binding;
  }

  /**
   * Returns premultiplied RGBA pixels. Each picture loads its style anew: a map could replace a source,
   * but only after removing every layer that uses it.
   *
   * @throws errors of the map or of a resource; the map's state is then unknown
   */
  draw({ style, resources, camera, width, height, pixelRatio }: StillRequest): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.resources = resources;
      this.fail = reject;
      const native = this.mapFor(pixelRatio);
      native.load(style);
      native.render({ ...camera, width, height }, (error, pixels) => {
        if (error) reject(error);
        else resolve(pixels);
      });
    });
  }

  /** A map's pixel ratio is fixed when it is created. */
  private mapFor(pixelRatio: number): NativeMap {
    if (this.map?.pixelRatio !== pixelRatio) {
      this.map?.native.release();
      const request = ({ url }: { url: string }, respond: Respond) =>
        void this.answer(url, respond);
      this.map = { native: new this.binding.Map({ request, ratio: pixelRatio }), pixelRatio };
    }
    return this.map.native;
  }

  private async answer(url: string, respond: Respond): Promise<void> {
    try {
      const data = await this.resources(url);
      if (data === null) respond();
      else respond(null, { data });
    } catch (error) {
      // The map may continue without the resource, or wait forever.
      this.fail(error);
      respond(error as Error);
    }
  }
}
