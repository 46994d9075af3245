/** What a picture is made of. Every engine takes the same scene and none keeps anything of it. */
import type { StyleSpecification } from '@maplibre/maplibre-gl-style-spec';
import type { Feature } from 'geojson';
import type { Bbox } from '../spatial/bbox.ts';
import { fitBbox, type Camera, type Padding } from '../spatial/camera.ts';
import { InvalidSceneError } from './errors.ts';
import type { MapFurniture } from './furniture/furniture.ts';

/** Plain data throughout, so that a scene can be sent to a worker by structured clone. */
export interface Scene {
  style: StyleSpecification;
  /** GeoJSON features by the style's source ids, in WGS 84. A source left out is empty. */
  sources: Readonly<Record<string, readonly Feature[]>>;
  view: View;
  /** CSS pixels */
  width: number;
  height: number;
  /** Device pixels per CSS pixel: the picture measures `width * pixelRatio` pixels across. */
  pixelRatio: number;
  furniture?: MapFurniture;
}

export type View = Camera | { bounds: Bbox; paddingPx?: number | Padding };

/** Centre and zoom of a scene. */
export function cameraOf(scene: Scene): Camera {
  const { view, width, height } = scene;
  if (!('bounds' in view)) return view;
  return fitBbox(view.bounds, width, height, eachSide(view.paddingPx ?? 0));
}

function eachSide(padding: number | Padding): Padding {
  if (typeof padding !== 'number') return padding;
  return { top: padding, right: padding, bottom: padding, left: padding };
}

/** Beyond this side MapLibre Native aborts; a canvas of it would take a gigabyte. */
const MAX_SIDE_DEVICE_PX = 16_384;

/** @throws InvalidSceneError for a picture without size, or beyond what an engine can make */
export function refuseSize({ width, height, pixelRatio }: Scene): void {
  for (const side of [width * pixelRatio, height * pixelRatio]) {
    if (!(side >= 1 && side <= MAX_SIDE_DEVICE_PX)) {
      throw new InvalidSceneError([
        `a picture of ${width} x ${height} at ratio ${pixelRatio} cannot be made: ` +
          `sides are 1 to ${MAX_SIDE_DEVICE_PX} device pixels`,
      ]);
    }
  }
}
