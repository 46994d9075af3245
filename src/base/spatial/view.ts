/**
 * The view of a picture, which may be turned, pitched, and rolled.
 *
 * Plane pixels are the pixels of the level picture with the same center and zoom. Shapes are clipped,
 * simplified, and widened on the plane and then projected.
 */
import { Viewport, type Camera } from './camera.ts';
import { clipToHalfPlane } from './clip.ts';
import { rectOf, type FlatPoints, type RectPx } from './flat.ts';
import { worldSizePx } from './mercator.ts';
import {
  cameraToCenterPx,
  depthRange,
  invert3,
  perspectiveMatrix,
  toRadians,
} from './perspective.ts';

/** Where a point appears, in pixels from the picture's top left corner. */
export interface Projected {
  x: number;
  y: number;
  /** Distance from the camera along its axis, relative to the distance of the picture's center */
  w: number;
}

/** Plane pixels; the third is the height */
export type Point3 = readonly [x: number, y: number, z: number];

/** The points with `a * x + b * y + c * z + d >= 0`, in plane pixels */
export type HalfSpace = readonly [a: number, b: number, c: number, d: number];

/** MapLibre's mean radius of the earth, in meters */
const EARTH_RADIUS = 6371008.8;

export class View3 extends Viewport {
  /** The compass direction that points up, in degrees */
  readonly bearing: number;
  /** 0 looks straight down; in degrees */
  readonly pitch: number;
  /** In degrees */
  readonly roll: number;
  /** Whether plane pixels are the picture's pixels */
  readonly isLevel: boolean;
  /** From plane pixels to picture pixels; see `perspectiveMatrix` */
  readonly matrix: Float64Array;
  /** From picture pixels (x, y, 1) to plane pixels (x, y, 1) divided by `w`, row by row */
  readonly inverse: Float64Array;
  /** Plane pixels per meter, at the center */
  readonly pxPerMeter: number;
  readonly cameraToCenterPx: number;
  /** The range of `w` that is drawn */
  readonly near: number;
  readonly far: number;
  /** Visible part of the plane: convex, cut off at the far plane */
  readonly plane: FlatPoints;
  /** Box of `plane` */
  readonly bounds: RectPx;

  constructor(camera: Camera, widthPx: number, heightPx: number) {
    super(camera, widthPx, heightPx);
    const { bearing = 0, pitch = 0, roll = 0 } = camera;
    this.bearing = bearing;
    this.pitch = pitch;
    this.roll = roll;
    this.isLevel = bearing === 0 && pitch === 0 && roll === 0;
    const circumference = 2 * Math.PI * EARTH_RADIUS * Math.cos(toRadians(camera.center[1]));
    this.pxPerMeter = worldSizePx(camera.zoom) / circumference;
    this.cameraToCenterPx = cameraToCenterPx(heightPx);
    ({ near: this.near, far: this.far } = depthRange(this));
    this.matrix = perspectiveMatrix(this);
    const m = this.matrix;
    this.inverse = invert3([m[0]!, m[1]!, m[3]!, m[4]!, m[5]!, m[7]!, m[8]!, m[9]!, m[11]!]);
    this.plane = this.visiblePlane();
    this.bounds = rectOf(this.plane);
  }

  /** Projects a point at a height, all in plane pixels. Points behind the camera get a negative `w`. */
  project(x: number, y: number, z: number, out: Projected): void {
    const m = this.matrix;
    const w = m[8]! * x + m[9]! * y + m[10]! * z + m[11]!;
    out.x = (m[0]! * x + m[1]! * y + m[2]! * z + m[3]!) / w;
    out.y = (m[4]! * x + m[5]! * y + m[6]! * z + m[7]!) / w;
    out.w = w;
  }

  /** Keeps the part of a ring of the plane between the near and the far plane. */
  clipRingToDepth(ring: FlatPoints): FlatPoints {
    const [a, b, , d] = this.row(2);
    const nearEdge = clipToHalfPlane(ring, a, b, d - this.near);
    return clipToHalfPlane(nearEdge, -a, -b, this.far - d);
  }

  /** Returns the point of the plane that appears at a pixel below the horizon. */
  planePoint(xPx: number, yPx: number): [x: number, y: number] {
    const m = this.inverse;
    const nearness = m[6]! * xPx + m[7]! * yPx + m[8]!;
    return [
      (m[0]! * xPx + m[1]! * yPx + m[2]!) / nearness,
      (m[3]! * xPx + m[4]! * yPx + m[5]!) / nearness,
    ];
  }

  /** The half spaces that limit what is visible: left, right, top, bottom, near, and far. */
  halfSpaces(): HalfSpace[] {
    const { widthPx, heightPx, near, far } = this;
    const [x, y, w] = [this.row(0), this.row(1), this.row(2)];
    const [a, b, c, d] = w;
    const below = (side: HalfSpace, sidePx: number): HalfSpace => [
      sidePx * a - side[0],
      sidePx * b - side[1],
      sidePx * c - side[2],
      sidePx * d - side[3],
    ];
    return [
      x,
      below(x, widthPx),
      y,
      below(y, heightPx),
      [a, b, c, d - near],
      [-a, -b, -c, far - d],
    ];
  }

  /** Position of the camera, in plane pixels. */
  cameraPosition(): Point3 {
    return this.unproject(this.widthPx / 2, this.heightPx / 2, 0);
  }

  /** The corners of the visible space, in plane pixels. */
  corners(): Point3[] {
    const { widthPx, heightPx } = this;
    return [this.near, this.far].flatMap((w) => [
      this.unproject(0, 0, w),
      this.unproject(widthPx, 0, w),
      this.unproject(widthPx, heightPx, w),
      this.unproject(0, heightPx, w),
    ]);
  }

  /** Returns the point at distance `w` that appears at a pixel. */
  private unproject(xPx: number, yPx: number, w: number): Point3 {
    // The camera's rotation is orthogonal, so its transpose is its inverse.
    const { matrix: m, widthPx, heightPx, cameraToCenterPx } = this;
    const x = (xPx - widthPx / 2) * w;
    const y = (yPx - heightPx / 2) * w;
    const z = (1 - w) * cameraToCenterPx;
    const along = (column: number) => {
      const distance = m[8 + column]!;
      return (
        x * (m[column]! - (distance * widthPx) / 2) +
        y * (m[4 + column]! - (distance * heightPx) / 2) -
        z * distance * cameraToCenterPx
      );
    };
    return [along(0) + widthPx / 2, along(1) + heightPx / 2, along(2)];
  }

  private row(index: number): HalfSpace {
    const m = this.matrix;
    return [m[4 * index]!, m[4 * index + 1]!, m[4 * index + 2]!, m[4 * index + 3]!];
  }

  private visiblePlane(): FlatPoints {
    const { widthPx, heightPx } = this;
    if (this.isLevel) return [0, 0, widthPx, 0, widthPx, heightPx, 0, heightPx];
    // Beyond the far plane in every direction
    const reach = 4 * this.far * (this.cameraToCenterPx + widthPx + heightPx);
    return this.halfSpaces().reduce(
      (plane, [a, b, , d]) => clipToHalfPlane(plane, a, b, d),
      [-reach, -reach, reach, -reach, reach, reach, -reach, reach],
    );
  }
}
