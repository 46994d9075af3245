/**
 * MapLibre's perspective: the matrix from the map's plane to the picture, and the near and far planes
 * (mercator_transform.ts in maplibre-gl 6.17). Distances from the camera are relative to the distance of
 * the picture's center.
 */

/** Vertical field of view, in radians: the camera is 1.5 picture heights from the center. */
export const FIELD_OF_VIEW = 0.6435011087932844;

/** Rays closer to the horizontal don't count as reaching the ground. In degrees from straight down */
export const MAX_HORIZON_ANGLE = 89.25;

/** The ground counts as at least this far below the camera, in meters. */
const MIN_ALTITUDE_METERS = 100;

interface Perspective {
  widthPx: number;
  heightPx: number;
  /** Degrees */
  bearing: number;
  pitch: number;
  roll: number;
  /** Plane pixels per meter */
  pxPerMeter: number;
}

export function toRadians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}

export function cameraToCenterPx(heightPx: number): number {
  return heightPx / 2 / Math.tan(FIELD_OF_VIEW / 2);
}

/** The height of the horizon above the center of the picture, in pixels. */
export function horizonPx(pitch: number, heightPx: number): number {
  const belowHorizon = Math.min(
    Math.tan(toRadians(90 - pitch)) * 0.85,
    Math.tan(toRadians(MAX_HORIZON_ANGLE - pitch)),
  );
  return cameraToCenterPx(heightPx) * belowHorizon;
}

/** The vertical angle of view of a picture that may be rolled, in radians. */
export function verticalAngle({ widthPx, heightPx, roll }: Perspective): number {
  const radians = toRadians(roll);
  const rolledPx = Math.abs(Math.cos(radians)) * heightPx + Math.abs(Math.sin(radians)) * widthPx;
  return (FIELD_OF_VIEW * rolledPx) / heightPx;
}

/** The distances of the near and the far plane. */
export function depthRange(perspective: Perspective): { near: number; far: number } {
  const { heightPx, pitch, pxPerMeter } = perspective;
  const toCenter = cameraToCenterPx(heightPx);
  const limitedPitch = toRadians(Math.min(pitch, MAX_HORIZON_ANGLE));
  const altitude = (Math.cos(toRadians(pitch)) * toCenter) / pxPerMeter;
  const lowest = Math.min(0, altitude - MIN_ALTITUDE_METERS);
  const toLowest = toCenter - (lowest * pxPerMeter) / Math.cos(limitedPitch);

  // By the law of sines: from the center to the farthest ground in the picture, or to the horizon.
  const groundAngle = Math.PI / 2 + toRadians(pitch);
  const reach = (angle: number) =>
    (Math.sin(angle) * toLowest) /
    Math.sin(Math.max(0.01, Math.min(Math.PI - 0.01, Math.PI - groundAngle - angle)));
  const toHorizon = Math.max(
    Math.atan(horizonPx(pitch, heightPx) / toCenter),
    toRadians(90 - MAX_HORIZON_ANGLE),
  );
  const farthest = Math.min(reach(verticalAngle(perspective) / 2), reach(toHorizon));
  return {
    near: heightPx / 50 / toCenter,
    far: ((Math.sin(limitedPitch) * farthest + toLowest) * 1.01) / toCenter,
  };
}

/**
 * The matrix from plane pixels (x, y, height, 1) to picture pixels times distance (x, y, 1), row by row. A
 * point is rotated by the bearing about the vertical, by the pitch about the picture's horizontal, and by
 * the roll about the camera's axis.
 */
export function perspectiveMatrix(perspective: Perspective): Float64Array {
  const { widthPx, heightPx } = perspective;
  const toCenter = cameraToCenterPx(heightPx);
  const bearing = toRadians(perspective.bearing);
  const pitch = toRadians(perspective.pitch);
  const roll = toRadians(perspective.roll);
  const [cosB, sinB] = [Math.cos(bearing), Math.sin(bearing)];
  const [cosP, sinP] = [Math.cos(pitch), Math.sin(pitch)];
  const [cosR, sinR] = [Math.cos(roll), Math.sin(roll)];
  const image = (x: number, y: number, z: number, one: number): [number, number, number] => {
    const turnedX = x * cosB + y * sinB;
    const turnedY = y * cosB - x * sinB;
    const pitchedY = turnedY * cosP - z * sinP;
    const towardCamera = turnedY * sinP + z * cosP;
    const distance = one - towardCamera / toCenter;
    return [
      turnedX * cosR + pitchedY * sinR + (distance * widthPx) / 2,
      pitchedY * cosR - turnedX * sinR + (distance * heightPx) / 2,
      distance,
    ];
  };
  const columns = [
    image(1, 0, 0, 0),
    image(0, 1, 0, 0),
    image(0, 0, 1, 0),
    image(-widthPx / 2, -heightPx / 2, 0, 1),
  ];
  return Float64Array.from([0, 1, 2].flatMap((row) => columns.map((column) => column[row]!)));
}

/** Inverts a matrix of three rows. A singular matrix results in infinite or undefined numbers. */
export function invert3(m: ArrayLike<number>): Float64Array {
  const [a, b, c, d, e, f, g, h, i] = m as unknown as Row9;
  const ei = e * i - f * h;
  const fg = f * g - d * i;
  const dh = d * h - e * g;
  const scale = 1 / (a * ei + b * fg + c * dh);
  return Float64Array.of(
    ei * scale,
    (c * h - b * i) * scale,
    (b * f - c * e) * scale,
    fg * scale,
    (a * i - c * g) * scale,
    (c * d - a * f) * scale,
    dh * scale,
    (b * g - a * h) * scale,
    (a * e - b * d) * scale,
  );
}

type Row9 = [number, number, number, number, number, number, number, number, number];
