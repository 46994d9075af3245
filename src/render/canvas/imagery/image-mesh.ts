/**
 * Divides an image source into triangles, as MapLibre does. A picture of four corners is shown in
 * perspective, like a photo of a rectangle; the more it is foreshortened, the more of a bilinear
 * mapping is mixed in.
 */
import type { Point } from '../../../base/spatial/flat.ts';
import { mercatorX, mercatorY } from '../../../base/spatial/mercator.ts';
import type { ImageCorners } from '../sources/raster-sources.ts';
import { TILE_EXTENT } from '../style/style-feature.ts';

/** `x` and `y` are fractions of the world's side, `u` and `v` of the picture's. */
export interface MeshVertex {
  x: number;
  y: number;
  u: number;
  v: number;
  /** Weight in a perspective interpolation */
  weight: number;
}

type Triangle = readonly [MeshVertex, MeshVertex, MeshVertex];

/** Cells per side of a picture whose mapping two triangles can't represent */
const CELLS = 16;

export function imageMesh(coordinates: ImageCorners): Triangle[] {
  const corners = snappedCorners(coordinates) as [Point, Point, Point, Point];
  const mapping = mappingOf(corners);
  const needsCells = mapping.bilinear > 0 && !isParallelogram(corners);
  const count = needsCells ? CELLS : 1;
  const vertex = (column: number, row: number) =>
    vertexAt(corners, mapping, column / count, row / count);
  const [a, b, c] = corners;
  const isClockwise = areaOf(a, b, c) >= 0;
  const triangles: Triangle[] = [];
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      const upperRight = vertex(column + 1, row);
      const lowerLeft = vertex(column, row + 1);
      triangles.push(
        [vertex(column, row), upperRight, lowerLeft],
        [upperRight, vertex(column + 1, row + 1), lowerLeft],
      );
    }
  }
  // Parts of a folded picture show their back, which is not drawn.
  return triangles.filter(([p, q, r]) => areaOf(p, q, r) >= 0 === isClockwise);
}

/** Rounds the corners to the grid of the smallest tile that is as large as the picture. */
function snappedCorners(coordinates: ImageCorners): Point[] {
  const corners = coordinates.map(([lng, lat]) => ({ x: mercatorX(lng), y: mercatorY(lat) }));
  const xs = corners.map(({ x }) => x);
  const ys = corners.map(({ y }) => y);
  const side = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
  const steps = TILE_EXTENT * 2 ** Math.max(0, Math.floor(-Math.log2(side)));
  const snap = (fraction: number) => Math.round(fraction * steps) / steps;
  return corners.map(({ x, y }) => ({ x: snap(x), y: snap(y) }));
}

/** Perspective terms, and the share of the bilinear mapping in the mix (0 to 1) */
interface Mapping {
  x: number;
  y: number;
  bilinear: number;
}

const BILINEAR: Mapping = { x: 0, y: 0, bilinear: 1 };

/** Up to this ratio of the farthest to the nearest corner's distance, perspective is drawn as it is. */
const PERSPECTIVE_UP_TO = 4;

/** From this ratio on, the mapping is bilinear. */
const BILINEAR_FROM = 512;

/** Perspective from a unit square to four corners (Heckbert, Fundamentals of Texture Mapping, 2.2.3) */
function mappingOf(corners: readonly [Point, Point, Point, Point]): Mapping {
  if (isParallelogram(corners)) return BILINEAR;
  const [a, b, c, d] = corners;
  const sumX = a.x - b.x + c.x - d.x;
  const sumY = a.y - b.y + c.y - d.y;
  const determinant = (b.x - c.x) * (d.y - c.y) - (d.x - c.x) * (b.y - c.y);
  const x = (sumX * (d.y - c.y) - (d.x - c.x) * sumY) / determinant;
  const y = ((b.x - c.x) * sumY - sumX * (b.y - c.y)) / determinant;
  const distances = [1, 1 + x, 1 + x + y, 1 + y];
  const ratio = Math.max(...distances) / Math.min(...distances);
  // The ratio is negative or NaN for a concave or folded picture: a rectangle never looks like that in
  // perspective.
  if (!(ratio >= 1 && ratio < BILINEAR_FROM)) return BILINEAR;
  const bilinear = (1 - PERSPECTIVE_UP_TO / ratio) / (1 - PERSPECTIVE_UP_TO / BILINEAR_FROM);
  return { x, y, bilinear: Math.max(0, bilinear) };
}

function isParallelogram([a, b, c, d]: readonly [Point, Point, Point, Point]): boolean {
  return a.x + c.x === b.x + d.x && a.y + c.y === b.y + d.y;
}

function vertexAt(
  [a, b, c, d]: readonly [Point, Point, Point, Point],
  mapping: Mapping,
  u: number,
  v: number,
): MeshVertex {
  const distance = mapping.x * u + mapping.y * v + 1;
  const at = (axis: 'x' | 'y') => {
    const across = b[axis] - a[axis] + mapping.x * b[axis];
    const down = d[axis] - a[axis] + mapping.y * d[axis];
    const perspective = (across * u + down * v + a[axis]) / distance;
    const top = a[axis] + (b[axis] - a[axis]) * u;
    const bottom = d[axis] + (c[axis] - d[axis]) * u;
    return mix(perspective, top + (bottom - top) * v, mapping.bilinear);
  };
  return { x: at('x'), y: at('y'), u, v, weight: mix(1 / distance, 1, mapping.bilinear) };
}

const mix = (from: number, to: number, part: number) => from + (to - from) * part;

/** Twice the area, positive if clockwise on screen */
const areaOf = (a: Point, b: Point, c: Point) =>
  (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
