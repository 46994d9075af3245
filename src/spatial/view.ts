/**
 * The view of a turned or tilted camera. A `Viewport` gives positions on the plane of the map, in pixels
 * as seen from straight above; a `View3` projects them to the picture. Both are equal in a level view.
 */
import { Viewport, type Camera } from './camera.ts';
import type { FlatPoints } from './flat.ts';

/** A position in the picture. */
export interface Projected {
  /** CSS pixels */
  x: number;
  y: number;
  /** Distance from the camera, relative to the picture's center; not positive behind the camera */
  w: number;
}

export class View3 extends Viewport {
  /** Whether the plane and the picture are the same */
  readonly isLevel: boolean = true;
  /** Degrees */
  readonly bearing: number;
  readonly pitch: number;
  readonly roll: number;

  constructor(camera: Camera, widthPx: number, heightPx: number) {
    super(camera, widthPx, heightPx);
    this.bearing = camera.bearing ?? 0;
    this.pitch = camera.pitch ?? 0;
    this.roll = camera.roll ?? 0;
  }

  /** Projects a position on the plane, `z` pixels above it, into `out`. */
  project(x: number, y: number, _z: number, out: Projected): void {
    out.x = x;
    out.y = y;
    out.w = 1;
  }

  /** The visible part of the plane: a convex shape */
  get plane(): FlatPoints {
    const { widthPx, heightPx } = this;
    return [0, 0, widthPx, 0, widthPx, heightPx, 0, heightPx];
  }
}
