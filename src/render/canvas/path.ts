/**
 * Paths for Skia. A path goes over as one SVG string of whole numbers: a call per vertex costs
 * three times as much (60,000 vertices: 13 ms, against 4.6 ms; decimals in the string 12 ms).
 */
import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import { signedAreaPx, type FlatPoints } from '../../spatial/flat.ts';

/** Path units per CSS pixel: a sixteenth is what Skia's antialiasing itself resolves vertically. */
export const PATH_UNITS_PER_PX = 16;

/** SVG path data of polygons (closed) and lines (open), in path units. */
export function pathData(
  polygons: readonly (readonly FlatPoints[])[],
  lines: readonly FlatPoints[],
): string {
  let data = '';
  for (const polygon of polygons) {
    for (const [index, ring] of polygon.entries()) {
      // Outer rings turn one way and holes the other, so that filling several features as one path
      // by the nonzero rule gives their union.
      const backward = signedAreaPx(ring) > 0 !== (index === 0);
      data += `${backward ? backwardData(ring) : forwardData(ring)}Z`;
    }
  }
  for (const line of lines) data += forwardData(line);
  return data;
}

function forwardData(points: FlatPoints): string {
  let data = 'M';
  for (let i = 0; i < points.length; i += 2) data += pointData(points, i);
  return data;
}

function backwardData(points: FlatPoints): string {
  let data = 'M';
  for (let i = points.length - 2; i >= 0; i -= 2) data += pointData(points, i);
  return data;
}

/** After `M`, further points are implicit line-tos. */
function pointData(points: FlatPoints, i: number): string {
  const x = Math.round(points[i]! * PATH_UNITS_PER_PX);
  const y = Math.round(points[i + 1]! * PATH_UNITS_PER_PX);
  return `${x} ${y} `;
}

/** Paths of one picture by their data: a casing and its road, a fill and its outline share one. */
export class PathCache {
  private readonly paths = new Map<string, Path2D>();

  get(data: string): Path2D {
    let path = this.paths.get(data);
    if (path === undefined) {
      path = new Path2D(data);
      this.paths.set(data, path);
    }
    return path;
  }
}

/** Makes the context draw in path units, moved by a translation in CSS pixels. */
export function usePathUnits(
  context: SKRSContext2D,
  pixelRatio: number,
  [dx, dy]: readonly [number, number],
): void {
  const scale = pixelRatio / PATH_UNITS_PER_PX;
  context.setTransform(scale, 0, 0, scale, dx * pixelRatio, dy * pixelRatio);
}
