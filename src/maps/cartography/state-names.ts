/**
 * Places the names of states where they cover no ZIP codes of the map: at the usual point, or else at the
 * nearest point in the state where the whole name is over plain land. If there is no such point, the name
 * is omitted.
 */
import type { Feature, MultiPolygon, Point, Polygon } from 'geojson';
import { bboxOfGeometry } from '../../base/spatial/bbox.ts';
import type { Viewport } from '../../base/spatial/camera.ts';
import { FlatGeometry, FlatWriter, type Span } from '../../base/spatial/flat-geometry.ts';
import { growRect, type RectPx } from '../../base/spatial/flat.ts';

export type Area = Feature<Polygon | MultiPolygon>;

/** Spacing of the points to try, in CSS pixels */
const STEP_PX = 16;
/** Half the size of a name in the styles at zoom 4, with its halo: wide letters on at most two lines */
const HALF_HEIGHT_PX = 15;
const LETTER_PX = 8.5;
const MARGIN_PX = 4;

/** @param labels with the properties of their states, such as `name` and `fips` */
export function stateNamesOffFill(
  labels: readonly Feature<Point>[],
  states: readonly Area[],
  zips: readonly Area[],
  viewport: Viewport,
): Feature<Point>[] {
  if (zips.length === 0) return [...labels];
  const isOverFill = fillSearch(zips, viewport);
  const stateOf = new Map(states.map((state) => [state.properties!.fips as string, state]));
  return labels.flatMap((label) => {
    const half = halfWidthPx(label.properties!.name as string);
    const boxAt = (x: number, y: number): RectPx => ({
      minX: x - half,
      minY: y - HALF_HEIGHT_PX,
      maxX: x + half,
      maxY: y + HALF_HEIGHT_PX,
    });
    const [lng, lat] = label.geometry.coordinates as [number, number];
    const home = { x: viewport.x(lng), y: viewport.y(lat) };
    if (!isOverFill(boxAt(home.x, home.y))) return label;
    const state = stateOf.get(label.properties!.fips as string);
    if (state === undefined) return [];
    const isInside = insideTest(state, viewport, half);
    const points = gridPoints(state, viewport, half);
    const awayPx = points.map(({ x, y }) => Math.hypot(x - home.x, y - home.y));
    const place = Array.from(points.keys())
      .sort((a, b) => awayPx[a]! - awayPx[b]!)
      .map((i) => points[i]!)
      .find(({ x, y }) => isInside(x, y) && !isOverFill(boxAt(x, y)));
    if (place === undefined) return [];
    const coordinates = viewport.lngLat(place.x, place.y);
    return { ...label, geometry: { type: 'Point', coordinates } };
  });
}

interface PointPx {
  x: number;
  y: number;
}

/** Half the width of a name's longest line. Names of two words have two lines. */
function halfWidthPx(name: string): number {
  const longest = name.length > 8 ? Math.max(...name.split(' ').map((w) => w.length)) : name.length;
  return (longest * LETTER_PX) / 2 + MARGIN_PX;
}

/** Returns the points of a grid in a state's box at which a name is inside the picture. */
function gridPoints(state: Area, viewport: Viewport, half: number): PointPx[] {
  const box = viewport.rect(bboxOfGeometry(state.geometry));
  const [left, right] = [Math.max(half, box.minX), Math.min(viewport.widthPx - half, box.maxX)];
  const top = Math.max(HALF_HEIGHT_PX, box.minY);
  const bottom = Math.min(viewport.heightPx - HALF_HEIGHT_PX, box.maxY);
  const points: PointPx[] = [];
  for (let y = top; y < bottom; y += STEP_PX) {
    for (let x = left; x < right; x += STEP_PX) points.push({ x, y });
  }
  return points;
}

/** Returns a function that checks whether the middle line of a name around a point is inside a state. */
function insideTest(state: Area, viewport: Viewport, half: number) {
  const rowAt = rowsOf([state], viewport);
  return (x: number, y: number): boolean => {
    const row = rowAt(y);
    return [x - half, x, x + half].every((at) => isIn(row, viewport.lngLat(at, y)[0]));
  };
}

/**
 * Returns a function that checks whether a box covers any ZIP code. It tests points that are close enough
 * together for that.
 */
function fillSearch(zips: readonly Area[], viewport: Viewport): (box: RectPx) => boolean {
  const rowAt = rowsOf(zips, viewport);
  return (box) => {
    const { minX, minY, maxX, maxY } = growRect(box, MARGIN_PX);
    for (let y = minY; y <= maxY; y += MARGIN_PX) {
      const row = rowAt(y);
      if (row.length === 0) continue;
      for (let x = minX; x <= maxX; x += MARGIN_PX) {
        if (isIn(row, viewport.lngLat(x, y)[0])) return true;
      }
    }
    return false;
  };
}

export const contains = (area: Area, [lng, lat]: readonly [number, number]): boolean =>
  isIn(rowThrough([flatArea(area)], lat), lng);

/** Returns a function that finds the row of areas at a y. Boxes on the same row of the grid need the same one. */
function rowsOf(areas: readonly Area[], viewport: Viewport): (y: number) => readonly number[] {
  const flat = areas.map(flatArea);
  const known = new Map<number, readonly number[]>();
  return (y) => {
    let row = known.get(y);
    if (row === undefined) known.set(y, (row = rowThrough(flat, viewport.lngLat(0, y)[1])));
    return row;
  };
}

interface FlatArea {
  numbers: Float64Array;
  polygons: readonly (readonly Span[])[];
  south: number;
  north: number;
}

const writer = new FlatWriter();

function flatArea({ geometry }: Area): FlatArea {
  let shape: object = geometry;
  if (!(shape instanceof FlatGeometry)) {
    writer.clear();
    writer.write(geometry, false);
    shape = writer.copiedShape(geometry.type);
  }
  const { positions, polygons, bbox } = shape as FlatGeometry;
  return { numbers: positions.numbers, polygons, south: bbox[1], north: bbox[3] };
}

/** Where areas are at a latitude, as pairs of longitudes: each from the first to before the second */
function rowThrough(areas: readonly FlatArea[], lat: number): number[] {
  const row: number[] = [];
  for (const { numbers, polygons, south, north } of areas) {
    if (lat < south || lat > north) continue;
    for (const rings of polygons) {
      const crossed: number[] = [];
      for (const ring of rings) addCrossings(numbers, ring, lat, crossed);
      row.push(...crossed.sort((a, b) => a - b));
    }
  }
  return row;
}

function isIn(row: readonly number[], lng: number): boolean {
  for (let i = 0; i < row.length; i += 2) if (lng >= row[i]! && lng < row[i + 1]!) return true;
  return false;
}

/** Adds the longitudes at which the edges of a closed ring cross a latitude. */
function addCrossings(
  numbers: Float64Array,
  { start, end }: Span,
  y: number,
  crossed: number[],
): void {
  for (let i = start + 2; i < end; i += 2) {
    const yi = numbers[i + 1]!;
    const yj = numbers[i - 1]!;
    if (yi > y === yj > y) continue;
    const xi = numbers[i]!;
    crossed.push(((numbers[i - 2]! - xi) * (y - yi)) / (yj - yi) + xi);
  }
}
