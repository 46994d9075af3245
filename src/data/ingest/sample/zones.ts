/**
 * Zones: the counties, with the ZIP codes located in each. Counties without a ZIP code are merged into
 * others, so that all zones can be divided among ZIP codes.
 */
import Flatbush from 'flatbush';
import type { Position } from 'geojson';
import { feature } from 'topojson-client';
import type { MultiPolygon, Polygon } from 'topojson-specification';
import type { Atlas } from '../atlas.ts';
import { bboxOfPositions, type Bbox } from '../../../base/spatial/bbox.ts';
import type { ZipPoint } from './gazetteer.ts';
import {
  linkIntoRings,
  isInside,
  pointKey,
  simpleRings,
  toPlane,
  type Point,
  type Ring,
} from './plane.ts';

export interface Zone {
  /** FIPS code of the county, or of the main county of a merged zone */
  county: string;
  rings: Ring[];
  /** Locations of its ZIP codes: inside the rings, all different */
  sites: Site[];
}

interface Site {
  zip: string;
  point: Point;
}

interface County extends Zone {
  box: Bbox;
}

export function zones(atlas: Atlas, zips: readonly ZipPoint[]): Zone[] {
  const counties = atlas.objects.counties.geometries.map((shape): County => {
    const rings = ringsOf(atlas, shape as Polygon | MultiPolygon);
    return { county: String(shape.id), rings, box: bboxOfPositions(rings.flat()), sites: [] };
  });
  placeZips(counties, zips);
  joinEmpty(counties);
  return counties.filter(({ sites }) => sites.length > 0);
}

/** Moves a location in the water onto the nearest land, and assigns it to the county there. */
function placeZips(counties: County[], zips: readonly ZipPoint[]): void {
  const taken = new Set<string>();
  const countiesAround = indexCounties(counties);
  for (const { zip, lng, lat } of zips) {
    let point = toPlane([lng, lat]);
    let county = countiesAround(point).find(({ rings }) => isInside(point, rings));
    if (!county) {
      county = nearestCounty(point, counties);
      point = moveInside(point, county.rings);
    }
    while (taken.has(pointKey(point))) point = [point[0] + 1, point[1]];
    taken.add(pointKey(point));
    county.sites.push({ zip, point });
  }
}

/** Returns a function that finds the counties with a point in their box, in order. */
function indexCounties(counties: readonly County[]): (point: Point) => County[] {
  const index = new Flatbush(counties.length);
  for (const { box } of counties) index.add(...box);
  index.finish();
  return ([x, y]) => {
    const found = index.search(x, y, x, y).sort((a, b) => a - b);
    return found.map((i) => counties[i]!);
  };
}

function nearestCounty(point: Point, counties: readonly County[]): County {
  let nearest = { county: counties[0]!, distance: Infinity };
  for (const county of counties) {
    if (distanceToBox(point, county.box) > nearest.distance) continue;
    const distance = distanceToRings(point, county.rings);
    if (distance < nearest.distance) nearest = { county, distance };
  }
  return nearest.county;
}

/**
 * Merges counties without a ZIP code location, mostly independent cities in Virginia, into the county with
 * the nearest ZIP code in the same state.
 */
function joinEmpty(counties: County[]): void {
  const populated = counties.filter(({ sites }) => sites.length > 0);
  for (const empty of counties.filter(({ sites }) => sites.length === 0)) {
    const sameState = populated.filter(
      ({ county }) => county.slice(0, 2) === empty.county.slice(0, 2),
    );
    const target = nearest(sameState, ({ sites }) =>
      Math.min(...sites.map(({ point }) => distanceToRings(point, empty.rings))),
    );
    target.rings = joinRings([...target.rings, ...empty.rings]);
  }
}

/** Merges adjacent rings by removing sides that occur in both directions. */
function joinRings(rings: readonly Ring[]): Ring[] {
  const sides = rings.flatMap((ring) => ring.map((a, i) => [a, ring[i + 1] ?? ring[0]!]));
  const keys = new Set(sides.map((side) => side.map(pointKey).join(' ')));
  return linkIntoRings(
    sides.filter((side) => !keys.has(side.toReversed().map(pointKey).join(' '))),
  );
}

/**
 * Corners where the atlas's simplified county lines cross themselves, and the neighboring corner (at most
 * 1.5 km away) that replaces them in all counties.
 */
const MISDRAWN = new Map(
  [
    { at: [-76.917068, 36.70067], to: [-76.917068, 36.699811] }, // Isle of Wight, Virginia
    { at: [-76.924247, 36.683489], to: [-76.924247, 36.68263] },
    { at: [-91.902371, 32.515331], to: [-91.913139, 32.505882] }, // Morehouse, Louisiana
    { at: [-67.039331, 18.289303], to: [-67.039331, 18.280712] }, // Las Marías, Puerto Rico
    { at: [-121.470975, 37.482415], to: [-121.470975, 37.481556] }, // Alameda, California
  ].map(({ at, to }) => [pointKey(toPlane(at)), toPlane(to)]),
);

function ringsOf(atlas: Atlas, geometry: Polygon | MultiPolygon): Ring[] {
  const { coordinates, type } = feature(atlas, geometry as MultiPolygon).geometry;
  const polygons = (type as string) === 'Polygon' ? [coordinates as never] : coordinates;
  // Outer rings run clockwise in TopoJSON. When reversed, the inside is on the left.
  return polygons.flat().flatMap((ring) => simpleRings(ring.map(toCorner).reverse()));
}

function toCorner(position: Position): Point {
  const point = toPlane(position);
  return MISDRAWN.get(pointKey(point)) ?? point;
}

function nearest(counties: readonly County[], distance: (county: County) => number): County {
  const distances = counties.map(distance);
  return counties[distances.indexOf(Math.min(...distances))]!;
}

/** Returns the distance to the nearest border point, in microdegrees of latitude. */
function distanceToRings(point: Point, rings: readonly Ring[]): number {
  return nearestBorder(point, rings).distance;
}

/** Returns a lower bound of the distance to rings in a box. */
function distanceToBox([x, y]: Point, [west, south, east, north]: Bbox): number {
  const dx = Math.max(0, west - x, x - east) * shrinkAt(y);
  const dy = Math.max(0, south - y, y - north);
  return 0.999 * Math.hypot(dx, dy); // rounding must not exceed the distance
}

/** Returns a point strictly inside the rings, close to the given one. */
function moveInside(point: Point, rings: readonly Ring[]): Point {
  const { a, b, foot } = nearestBorder(point, rings);
  const inward = [a[1] - b[1], b[0] - a[0]] as const; // the inside is on the left
  const length = Math.hypot(...inward);
  // Start slightly off the corner, because even a short step in front of a sharp corner may end outside.
  const start = [0, 1].map((axis) => foot[axis]! * 0.9 + ((a[axis]! + b[axis]!) / 2) * 0.1);
  for (let step = 2000; step > 1; step /= 2) {
    const moved: Point = [
      Math.round(start[0]! + (inward[0] / length) * step),
      Math.round(start[1]! + (inward[1] / length) * step),
    ];
    if (isInside(moved, rings)) return moved;
  }
  throw new Error(`no land found near ${point.join()}`);
}

interface BorderPoint {
  distance: number;
  /** The side of the ring that contains it, and its position */
  a: Point;
  b: Point;
  foot: Point;
}

function nearestBorder(point: Point, rings: readonly Ring[]): BorderPoint {
  const shrink = shrinkAt(point[1]);
  let nearest: BorderPoint = { distance: Infinity, a: point, b: point, foot: point };
  for (const ring of rings) {
    let a = ring.at(-1)!;
    for (const b of ring) {
      const [dx, dy] = [(b[0] - a[0]) * shrink, b[1] - a[1]];
      const [px, py] = [(point[0] - a[0]) * shrink, point[1] - a[1]];
      const along = Math.max(0, Math.min(1, (px * dx + py * dy) / (dx * dx + dy * dy)));
      const distance = Math.hypot(px - along * dx, py - along * dy);
      if (distance < nearest.distance) {
        const foot: Point = [a[0] + along * (b[0] - a[0]), a[1] + along * dy];
        nearest = { distance, a, b, foot };
      }
      a = b;
    }
  }
  return nearest;
}

/** Length of a degree of longitude, in degrees of latitude */
const shrinkAt = (y: number) => Math.cos((y / 1e6) * (Math.PI / 180));
