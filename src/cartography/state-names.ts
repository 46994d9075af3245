/**
 * Places the names of states where they cover no ZIP codes of the map: at the usual point, or else at the
 * nearest point in the state where the whole name is over plain land. If there is no such point, the name
 * is omitted.
 */
import Flatbush from 'flatbush';
import type { Feature, MultiPolygon, Point, Polygon, Position } from 'geojson';
import { bboxOfGeometry } from '../spatial/bbox.ts';
import type { Viewport } from '../spatial/camera.ts';
import { growRect, type RectPx } from '../spatial/flat.ts';

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
    const place = gridPoints(state, viewport, half)
      .map(({ x, y }) => ({ x, y, awayPx: Math.hypot(x - home.x, y - home.y) }))
      .sort((a, b) => a.awayPx - b.awayPx)
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
  const rows = new Map<number, (lng: number) => boolean>();
  return (x: number, y: number): boolean => {
    const isInRow = rows.get(y) ?? insideAt(state, viewport.lngLat(0, y)[1]);
    rows.set(y, isInRow);
    return [x - half, x, x + half].every((at) => isInRow(viewport.lngLat(at, y)[0]));
  };
}

/**
 * Returns a function that checks whether a box covers any ZIP code. It tests points that are close enough
 * together for that.
 */
function fillSearch(zips: readonly Area[], viewport: Viewport): (box: RectPx) => boolean {
  const index = new Flatbush(zips.length);
  for (const { geometry } of zips) {
    const { minX, minY, maxX, maxY } = viewport.rect(bboxOfGeometry(geometry));
    index.add(minX, minY, maxX, maxY);
  }
  index.finish();
  // Boxes on the same row of the grid need the same ones.
  const knownRows = new Map<number, ((lng: number) => boolean)[]>();
  const rowAt = (lat: number, zip: number) => {
    const rows = knownRows.get(lat) ?? [];
    knownRows.set(lat, rows);
    return (rows[zip] ??= insideAt(zips[zip]!, lat));
  };
  return (box) => {
    const { minX, minY, maxX, maxY } = growRect(box, MARGIN_PX);
    const near = index.search(minX, minY, maxX, maxY);
    if (near.length === 0) return false;
    for (let y = minY; y <= maxY; y += MARGIN_PX) {
      const lat = viewport.lngLat(0, y)[1];
      const rows = near.map((zip) => rowAt(lat, zip));
      for (let x = minX; x <= maxX; x += MARGIN_PX) {
        const [lng] = viewport.lngLat(x, y);
        if (rows.some((contains) => contains(lng))) return true;
      }
    }
    return false;
  };
}

export const contains = (area: Area, [lng, lat]: readonly [number, number]): boolean =>
  insideAt(area, lat)(lng);

/** Returns a function that checks whether an area contains a longitude at this latitude. */
function insideAt({ geometry }: Area, lat: number): (lng: number) => boolean {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const crossed = polygons
    .map((rings) => rings.map((ring) => crossings(ring, lat)))
    .filter(([outer]) => outer!.length > 0);
  return (lng) =>
    crossed.some(
      ([outer, ...holes]) => isBetween(outer!, lng) && !holes.some((hole) => isBetween(hole, lng)),
    );
}

/** The longitudes at which the edges of a ring cross a latitude */
function crossings(ring: readonly Position[], y: number): number[] {
  const found: number[] = [];
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const yi = ring[i]![1]!;
    const yj = ring[j]![1]!;
    if (yi > y === yj > y) continue;
    const xi = ring[i]![0]!;
    found.push(((ring[j]![0]! - xi) * (y - yi)) / (yj - yi) + xi);
  }
  return found;
}

/** Whether an odd number of crossings is farther east, so the point is inside */
function isBetween(crossed: readonly number[], x: number): boolean {
  let isInside = false;
  for (const crossing of crossed) if (x < crossing) isInside = !isInside;
  return isInside;
}
