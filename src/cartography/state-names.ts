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
    const place = pointsInside(state, viewport, half)
      .sort((a, b) => distance(a, home) - distance(b, home))
      .find(({ x, y }) => !isOverFill(boxAt(x, y)));
    if (place === undefined) return [];
    const coordinates = viewport.lngLat(place.x, place.y);
    return { ...label, geometry: { type: 'Point', coordinates } };
  });
}

interface PointPx {
  x: number;
  y: number;
}

const distance = (a: PointPx, b: PointPx) => Math.hypot(a.x - b.x, a.y - b.y);

/** Half the width of a name's longest line. Names of two words have two lines. */
function halfWidthPx(name: string): number {
  const longest = name.length > 8 ? Math.max(...name.split(' ').map((w) => w.length)) : name.length;
  return (longest * LETTER_PX) / 2 + MARGIN_PX;
}

/** Returns the points of a grid at which the middle line of a name is inside the state and the picture. */
function pointsInside(state: Area, viewport: Viewport, half: number): PointPx[] {
  const picture = {
    minX: half,
    minY: HALF_HEIGHT_PX,
    maxX: viewport.widthPx - half,
    maxY: viewport.heightPx - HALF_HEIGHT_PX,
  };
  const box = viewport.rect(bboxOfGeometry(state.geometry));
  const points: PointPx[] = [];
  for (
    let y = Math.max(picture.minY, box.minY);
    y < Math.min(picture.maxY, box.maxY);
    y += STEP_PX
  ) {
    const contains = insideAt(state, viewport.lngLat(0, y)[1]);
    for (
      let x = Math.max(picture.minX, box.minX);
      x < Math.min(picture.maxX, box.maxX);
      x += STEP_PX
    ) {
      const isInside = [x - half, x, x + half].every((at) => contains(viewport.lngLat(at, y)[0]));
      if (isInside) points.push({ x, y });
    }
  }
  return points;
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
  return (box) => {
    const { minX, minY, maxX, maxY } = growRect(box, MARGIN_PX);
    const near = index.search(minX, minY, maxX, maxY);
    if (near.length === 0) return false;
    for (let y = minY; y <= maxY; y += MARGIN_PX) {
      const lat = viewport.lngLat(0, y)[1];
      const rows = near.map((i) => insideAt(zips[i]!, lat));
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
