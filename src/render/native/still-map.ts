/** Renders still pictures with a MapLibre Native map, one at a time. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Camera } from '../../base/spatial/camera.ts';
import { UnsupportedStyleError } from '../errors.ts';
import type { Binding, NativeMap, Respond } from './binding.ts';
import { INSTEAD } from './native-subset.ts';
import type { Resources } from './resources.ts';

interface StillRequest {
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
  private unparsed: string[] = [];
  private stuck = false;

  constructor(binding: Binding) {
    this.binding = binding;
    binding.on('message', ({ class: kind, severity, text }) => {
      if (kind === 'ParseStyle' && severity !== 'INFO') this.unparsed.push(text);
    });
  }

  /**
   * Returns premultiplied RGBA pixels. Each picture loads its style again, because a map replaces a source
   * only after every layer that uses it has been removed.
   *
   * @throws UnsupportedStyleError if the map could not parse a part of the style and left it out
   * @throws errors of the map or of a resource; the map's state is then unknown
   */
  async draw(request: StillRequest): Promise<Uint8Array> {
    this.unparsed = [];
    const pixels = await this.drawWhatParses(request);
    // Messages of the previous turn may still arrive.
    await nextTurn();
    if (this.unparsed.length === 0) return pixels;
    throw new UnsupportedStyleError(
      [...new Set(this.unparsed)].map((text) => ({
        property: 'the style',
        reason: `contains something that MapLibre Native cannot parse: ${text}. ${INSTEAD}`,
      })),
    );
  }

  /** Whether a failed picture is still in progress in the map */
  get isStuck(): boolean {
    return this.stuck;
  }

  private drawWhatParses(request: StillRequest): Promise<Uint8Array> {
    const { style, resources, camera, width, height, pixelRatio } = request;
    return new Promise((resolve, reject) => {
      this.resources = resources;
      this.fail = reject;
      const native = this.mapFor(pixelRatio);
      native.load(style);
      this.stuck = true;
      native.render({ ...camera, width, height }, (error, pixels) => {
        this.stuck = false;
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
